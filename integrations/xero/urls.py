"""Xero's pages: those of the practice's settings, and those of its clients."""

from django.urls import URLPattern, URLResolver, path

from integrations.xero import views, views_push

settings_urls: list[URLPattern | URLResolver] = [
    path("app/", views.app, name="xero_app"),
    path("back/", views.back, name="xero_back"),
    path("choose/<uuid:consent_id>/", views.choose, name="xero_choose"),
]
client_urls: list[URLPattern | URLResolver] = [
    path("clients/<uuid:client_id>/xero/", views.client, name="client_xero"),
    path("clients/<uuid:client_id>/xero/bills/", views.client_part, name="client_xero_part"),
    path("clients/<uuid:client_id>/xero/connect/", views.begin, name="xero_begin"),
    path("clients/<uuid:client_id>/xero/disconnect/", views.disconnect, name="xero_disconnect"),
    path("clients/<uuid:client_id>/xero/push/", views_push.push, name="xero_push"),
    path("bills/<uuid:push_id>/", views.bill, name="bill"),
    path("bills/<uuid:push_id>/again/", views.again, name="bill_again"),
]
