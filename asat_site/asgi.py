"""The ASGI entry point: checks the database role first, then serves."""

import os
from concurrent.futures import ThreadPoolExecutor

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asat_site.settings.dev")
# A request runs on a thread of its own, so connections are shared by a pool; workers and commands keep one each.
os.environ.setdefault("ASAT_DATABASE_POOL", "8")

from django.core.asgi import get_asgi_application

application = get_asgi_application()

from asat_site.tenancy.checks import UnsafeDatabase, refuse_unsafe_database  # noqa: E402 (needs the applications loaded)

try:
    with ThreadPoolExecutor(1) as aside:  # where there are several web processes, each imports this in its event loop
        aside.submit(refuse_unsafe_database).result()
except UnsafeDatabase as error:
    raise SystemExit(str(error)) from None
