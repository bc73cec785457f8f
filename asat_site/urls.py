"""A practice's pages."""

from django.contrib import admin
from django.urls import include, path

from asat_site.accounts.views import api_tokens, revoke_api_token, sign_in, sign_out
from asat_site.health import health

handler400 = "asat_site.errors.bad_request"
handler403 = "asat_site.errors.permission_denied"
handler404 = "asat_site.errors.page_not_found"
handler500 = "asat_site.errors.server_error"

urlpatterns = [
    path("sign-in/", sign_in, name="sign_in"),
    path("sign-out/", sign_out, name="sign_out"),
    path("account/tokens/", api_tokens, name="api_tokens"),
    path("account/tokens/<int:token_id>/revoke/", revoke_api_token, name="revoke_api_token"),
    path("health/", health, name="health"),
    path("admin/", admin.site.urls),
    path("", include("clients.urls")),
    path("", include("integrations.urls")),
    path("", include("research.urls")),
]
