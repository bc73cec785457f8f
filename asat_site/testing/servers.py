"""PostgreSQL and Valkey for one run of the tests: started fresh, both roles made, and gone at the end.

Each run has servers of its own in a folder named after its process, so that runs beside each other cannot meet; they
start one after another. What a killed run left behind is cleared away by the next.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from celery import current_app
from django.conf import settings
from django.core.cache import caches
from django.db import connections

from asat_site.running import kept, postgres, valkey
from asat_site.settings.env import parse_database_url
from asat_site.tenancy.bootstrap import bootstrap

ROOT = settings.BASE_DIR / "var" / "test"


@dataclass(frozen=True, slots=True)
class Services:
    """Where the servers of this run are. superuser_url is for what only a superuser can set up or attack with."""

    superuser_url: str
    owner_url: str
    app_url: str
    redis_url: str
    directory: Path


@contextmanager
def running() -> Iterator[Services]:
    """Servers that run, and settings, connections and environment that point at them."""
    directory = ROOT / str(os.getpid())
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with kept.locked(ROOT / "lock"):
            _clear_leftovers()
            services = _start(directory)
        point_at(services)
        yield services
    finally:
        connections.close_all()
        _stop(directory)


def point_at(services: Services) -> None:
    """Lead this process's settings, and its children's environment, to these servers."""
    os.environ.update(DATABASE_URL=services.owner_url, DATABASE_APP_URL=services.app_url, REDIS_URL=services.redis_url)
    for alias, url in (("default", services.app_url), ("owner", services.owner_url)):
        address = parse_database_url(alias, url)
        parts: dict[str, Any] = {
            "NAME": address.name,
            "USER": address.user,
            "PASSWORD": address.password,
            "HOST": address.host,
            "PORT": address.port,
        }
        connections.settings[alias].update(parts)
        connections[alias].settings_dict.update(parts)
    settings.REDIS_URL = services.redis_url
    settings.CELERY_BROKER_URL = services.redis_url
    settings.CACHES["default"]["LOCATION"] = services.redis_url
    caches.settings["default"]["LOCATION"] = services.redis_url
    with suppress(AttributeError):  # it was not in use yet
        del caches["default"]
    current_app.conf.broker_url = services.redis_url


def _start(directory: Path) -> Services:
    superuser = postgres.start(directory / "postgres", durable=False)
    # A superuser's own database name is in its URL; ours is made beside it.
    addresses = bootstrap(superuser, owner_password="owner", app_password="app", database="asat_test")
    superuser = superuser.rsplit("/", 1)[0] + "/asat_test"
    redis_url = valkey.start(directory / "valkey")
    return Services(superuser, addresses.owner, addresses.app, redis_url, directory)


def _stop(directory: Path) -> None:
    postgres.stop(directory / "postgres")
    valkey.stop(directory / "valkey")
    shutil.rmtree(directory, ignore_errors=True)


def _clear_leftovers() -> None:
    for directory in ROOT.glob("[0-9]*"):
        if directory.name.isdigit() and not psutil.pid_exists(int(directory.name)):
            _stop(directory)
