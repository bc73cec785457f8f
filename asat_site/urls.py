"""A practice's pages."""

from django.contrib import admin
from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from asat_site.accounts.views import sign_in, sign_out
from asat_site.health import health

handler400 = "asat_site.errors.bad_request"
handler403 = "asat_site.errors.permission_denied"
handler404 = "asat_site.errors.page_not_found"
handler500 = "asat_site.errors.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("sign-in/", sign_in, name="sign_in"),
    path("sign-out/", sign_out, name="sign_out"),
    path("health/", health, name="health"),
    path("admin/", admin.site.urls),
]
if find_spec("research.urls") is not None:
    urlpatterns.append(path("", include("research.urls")))
