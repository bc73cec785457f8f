"""Production: secrets have no defaults, cookies travel by TLS only, static files carry their hash in their names."""

import os

os.environ["ASAT_ENV"] = "production"

from asat_site.settings.base import *  # noqa: F403
from asat_site.settings.base import environment

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-asat_session"
CSRF_COOKIE_NAME = "__Host-asat_csrf"
SECURE_HSTS_SECONDS = environment.integer("ASAT_HSTS_SECONDS", 31_536_000)
SECURE_SSL_REDIRECT = False  # the proxy in front does that; behind it every request would look like plain HTTP
if environment.flag("ASAT_BEHIND_TLS_PROXY", True):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
