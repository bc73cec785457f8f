"""A practice's pages about its connections."""

from django.urls import URLPattern, URLResolver, path

from integrations import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("settings/connections/", views.connections, name="connections"),
]
