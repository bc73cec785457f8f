"""The test suite: as production where walls are concerned, quick where they are not."""

import os

os.environ["ASAT_ENV"] = "test"

from asat_site.settings.base import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
if "owner" not in DATABASES:  # noqa: F405
    DATABASES["owner"] = {**DATABASES["default"], "USER": "asat_owner", "CONN_MAX_AGE": 0}  # noqa: F405
TENANT_DB_ALIAS = "owner"

# Celery closes the connection after every task; here it is kept, so that the walls are attacked where they are thin.
CELERY_DB_REUSE_MAX = 10_000
