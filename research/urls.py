"""A practice's research pages."""

from django.urls import URLPattern, URLResolver, include, path, register_converter

from research import views, views_batch, views_chat, views_clients, views_law, views_models, views_quotes, views_stop
from research.streams import question_stream


class InstrumentCode:
    """An instrument's code as one step of an address: a ruling's has a stroke, and a "~" stands there instead."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value.replace("~", "/")

    def to_url(self, value: str) -> str:
        return value.replace("/", "~")


register_converter(InstrumentCode, "code")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.research, name="research"),
    path("ask/", views.ask, name="ask"),
    path("clients/<uuid:client_id>/research/", views_clients.client_research, name="client_research"),
    path("questions/<uuid:question_id>/", views.question_part, name="question_part"),
    path("questions/<uuid:question_id>/stream", question_stream, name="question_stream"),
    path("questions/<uuid:question_id>/stop", views_stop.stop, name="stop"),
    path("questions/<uuid:question_id>/export", views.question_export, name="question_export"),
    path("chat/", views_chat.chat, name="chat"),
    path("chat/ask/", views_chat.start, name="chat_start"),
    path("chat/<uuid:conversation_id>/", views_chat.conversation, name="chat_conversation"),
    path("chat/<uuid:conversation_id>/ask/", views_chat.say, name="chat_say"),
    path("chat/<uuid:conversation_id>/whole/ask/", views_chat.say, {"is_whole": True}, name="chat_say_whole"),
    path("chat/<uuid:conversation_id>/messages/<uuid:question_id>/", views_chat.message, name="chat_message"),
    path("chat/<uuid:conversation_id>/export", views_chat.export, name="chat_export"),
    path("batch/", views_batch.batches, name="batches"),
    path("batch/upload/", views_batch.upload, name="batch_upload"),
    path("batch/<uuid:batch_id>/", views_batch.batch, name="batch"),
    path("batch/<uuid:batch_id>/stop/", views_batch.stop, name="batch_stop"),
    path("batch/<uuid:batch_id>/workpaper.csv", views_batch.workpaper_csv, name="batch_csv"),
    path("batch/<uuid:batch_id>/workpaper.pdf", views_batch.workpaper_pdf, name="batch_pdf"),
    path("batch/<uuid:batch_id>/workpaper/<int:done>/", views_batch.workpaper_part, name="batch_workpaper_part"),
    path("batch/<uuid:batch_id>/workpaper/<int:done>.pdf", views_batch.workpaper_made, name="batch_workpaper"),
    path("quotes/", views_quotes.quotes, name="quotes"),
    path("api/v1/", include("research.api.urls")),
    path("law/<code:instrument>/<path:pin>", views.provision, name="provision"),
    path("law-changes/", views_law.law_changes, name="law_changes"),
    path("law-changes/<int:version>/", views_law.law_change, name="law_change"),
    path("audit/", views.audit, name="audit"),
    path("audit/<int:number>/", views.audit_row, name="audit_row"),
    path("audit/<int:number>/sealed", views.audit_sealed, name="audit_sealed"),
    path("audit/<int:number>/replay/", views.replay, name="replay"),
    path("status/", views.status, name="status"),
    path("settings/models/", views_models.models, name="models"),
    path("settings/models/preview/", views_models.preview, name="model_preview"),
    path("settings/models/probe/", views_models.try_it, name="model_probe"),
]
