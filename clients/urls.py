"""The pages of the client register."""

from django.urls import include, path

from clients import views, views_import, views_merge

urlpatterns = [
    path("", include("clients.documents.urls")),
    path("", include("clients.ledger.urls")),
    path("", include("clients.review.urls")),
    path("clients/", views.clients, name="clients"),
    path("clients/pick/", views.pick, name="client_pick"),
    path("clients/bulk/", views.bulk, name="clients_bulk"),
    path("clients/add/", views.add, name="client_add"),
    path("clients/export.csv", views.export, name="clients_export"),
    path("clients/events/", views.events, name="clients_events"),
    path("clients/restricted/", views.restricted, name="clients_restricted"),
    path("clients/duplicates/", views_merge.duplicates, name="clients_duplicates"),
    path("clients/merge/", views_merge.merge, name="clients_merge"),
    path("clients/merges/<uuid:merge_id>/undo/", views_merge.unmerge, name="clients_unmerge"),
    path("clients/import/", views_import.upload, name="client_import_upload"),
    path("clients/import/<uuid:import_id>/", views_import.one_import, name="client_import"),
    path("clients/import/<uuid:import_id>/confirm/", views_import.confirm, name="client_import_confirm"),
    path("clients/import/<uuid:import_id>/give-up/", views_import.give_up, name="client_import_give_up"),
    path("clients/<uuid:client_id>/", views.client, name="client"),
    path("clients/<uuid:client_id>/edit/", views.edit, name="client_edit"),
    path("clients/<uuid:client_id>/tfn/", views.show_tfn, name="client_tfn"),
    path("clients/<uuid:client_id>/contacts/", views.add_contact, name="client_add_contact"),
    path("clients/<uuid:client_id>/do/<slug:verb>/", views.act, name="client_act"),
]
