"""Which database and broker a run uses: those that the environment names, or embedded ones under var/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg

from asat_site.running import kept, postgres, valkey
from asat_site.tenancy.bootstrap import bootstrap

DATABASE_NAME = "asat"


class WrongEnvironment(RuntimeError):
    """The environment names only half of what is needed; the message says what to add."""


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the run's servers are. identity names an embedded database exactly; "" for a real one, whose
    state cannot be known from here."""

    owner_url: str
    app_url: str
    redis_url: str
    identity: str = ""


def start(var: Path, environment: Mapping[str, str]) -> Servers:
    """The servers of a run, started where they are embedded, with the roles and the database in place.

    Raises WrongEnvironment, postgres.PostgresFailed or valkey.ValkeyFailed.
    """
    owner_url, app_url = environment.get("DATABASE_URL", ""), environment.get("DATABASE_APP_URL", "")
    if bool(owner_url) != bool(app_url):
        missing = "DATABASE_APP_URL (the role asat_app)" if owner_url else "DATABASE_URL (the role asat_owner)"
        raise WrongEnvironment(f"Give {missing} too, or neither, for an embedded PostgreSQL.")
    identity = ""
    if not owner_url:
        owner_url, app_url, identity = _embedded_database(var)
    redis_url = environment.get("REDIS_URL", "") or valkey.start(var / "valkey")
    return Servers(owner_url, app_url, redis_url, identity)


def keep_running(var: Path, environment: Mapping[str, str]) -> None:
    """Start again whichever embedded server has died; its address stays the same while its port is free."""
    if not environment.get("DATABASE_URL"):
        postgres.start(var / "postgres")
    if not environment.get("REDIS_URL"):
        valkey.start(var / "valkey")


def stop(var: Path) -> None:
    """Stop the embedded servers; no harm when none runs."""
    valkey.stop(var / "valkey")
    postgres.stop(var / "postgres")


def _embedded_database(var: Path) -> tuple[str, str, str]:
    """Owner URL, app URL and identity of the database in the embedded server, made if need be."""
    superuser_url = postgres.start(var / "postgres")
    owner_password = kept.password(var / "postgres" / "owner-password")
    app_password = kept.password(var / "postgres" / "app-password")
    bootstrap(superuser_url, owner_password=owner_password, app_password=app_password, database=DATABASE_NAME)
    with psycopg.connect(superuser_url) as connection:
        row = connection.execute(
            "SELECT (SELECT system_identifier FROM pg_control_system()), oid FROM pg_database WHERE datname = %s",
            [DATABASE_NAME],
        ).fetchone()
    return (
        _as_role(superuser_url, "asat_owner", owner_password),
        _as_role(superuser_url, "asat_app", app_password),
        "-".join(str(part) for part in row or ()),
    )


def _as_role(superuser_url: str, role: str, password: str) -> str:
    parts = urlsplit(superuser_url)
    login = f"{role}:{quote(password, safe='')}@{parts.hostname}:{parts.port}"
    return urlunsplit((parts.scheme, login, f"/{DATABASE_NAME}", "", ""))
