"""A practice's pages about its connections."""

from django.urls import URLPattern, URLResolver, include, path

from integrations import views
from integrations.xero import urls as xero

urlpatterns: list[URLPattern | URLResolver] = [
    path("settings/connections/", views.connections, name="connections"),
    path("settings/connections/hubspot/", include("integrations.hubspot.urls")),
    path("settings/connections/xero/", include(xero.settings_urls)),
    *xero.client_urls,
]
