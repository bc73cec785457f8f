"""HubSpot's pages."""

from django.urls import URLPattern, URLResolver, path

from integrations.hubspot import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("connect/", views.connect, name="hubspot_connect"),
    path("check/", views.check, name="hubspot_check"),
    path("disconnect/", views.disconnect, name="hubspot_disconnect"),
    path("imports/", views.imports, name="hubspot_imports"),
    path("imports/<uuid:run_id>/", views.import_page, name="hubspot_import"),
    path("imports/<uuid:run_id>/confirm/", views.confirm, name="hubspot_confirm"),
    path("imports/<uuid:run_id>/go-on/", views.go_on, name="hubspot_go_on"),
    path("imports/<uuid:run_id>/stop/", views.stop, name="hubspot_stop"),
    path("imports/<uuid:run_id>/report.csv", views.report_csv, name="hubspot_report"),
]
