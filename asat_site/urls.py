"""A practice's pages."""

from django.contrib import admin
from django.urls import include, path

from asat_site.health import health

handler400 = "asat_site.errors.bad_request"
handler403 = "asat_site.errors.permission_denied"
handler404 = "asat_site.errors.page_not_found"
handler500 = "asat_site.errors.server_error"

urlpatterns = [
    path("", include("asat_site.accounts.urls")),
    path("health/", health, name="health"),
    path("admin/", admin.site.urls),
    path("", include("clients.urls")),
    path("", include("integrations.urls")),
    path("", include("research.urls")),
]
