"""The platform's pages: administration of the installation, and /health/. A practice's pages are not here."""

from django.contrib import admin
from django.urls import path
from django.views.generic import RedirectView

from asat_site.accounts.urls import everywhere
from asat_site.health import health

handler400 = "asat_site.errors.bad_request"
handler403 = "asat_site.errors.permission_denied"
handler404 = "asat_site.errors.page_not_found"
handler500 = "asat_site.errors.server_error"

urlpatterns = [
    path("", RedirectView.as_view(url="/admin/"), name="research"),
    *everywhere,
    path("health/", health, name="health"),
    path("admin/", admin.site.urls),
]
