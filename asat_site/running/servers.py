"""Which database and broker a run uses: those that the environment names, or embedded ones under var/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis

from asat_site.running import kept, postgres, valkey
from asat_site.settings.env import Environment
from asat_site.tenancy.bootstrap import bootstrap

DATABASE_NAME = "asat"


class WrongEnvironment(RuntimeError):
    """The environment names only half of what is needed, or what does not answer; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Given:
    """The addresses that the environment names; "" where an embedded server is wanted."""

    owner_url: str
    app_url: str
    redis_url: str


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the run's servers are. identity names an embedded database exactly; "" for a real one, whose
    state cannot be known from here."""

    owner_url: str
    app_url: str
    redis_url: str
    identity: str = ""


def read(values: Mapping[str, str], var: Path) -> Given:
    """The addresses in the environment, or in the files that it names; those of var's own servers count as none.

    A shell that has read `var/environment` names them, and they may not run yet.

    Raises WrongEnvironment for one database address without the other, and env.BadSetting for an unreadable file.
    """
    environment = Environment(values, lambda path: Path(path).read_text(encoding="utf-8"))
    owner_url, app_url = environment.secret("DATABASE_URL", ""), environment.secret("DATABASE_APP_URL", "")
    if bool(owner_url) != bool(app_url):
        missing = "DATABASE_APP_URL (the role asat_app)" if owner_url else "DATABASE_URL (the role asat_owner)"
        raise WrongEnvironment(f"Give {missing} too, or neither, for an embedded PostgreSQL.")
    redis_url = environment.secret("REDIS_URL", "")
    if _is_ours(owner_url, var / "postgres" / "owner-password"):
        owner_url = app_url = ""
    if _is_ours(redis_url, var / "valkey" / "password"):
        redis_url = ""
    return Given(owner_url, app_url, redis_url)


def _is_ours(url: str, password_file: Path) -> bool:
    """Whether the address holds the password that was generated for the embedded server."""
    try:
        return bool(url) and urlsplit(url).password == password_file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return False


def start(var: Path, given: Given) -> Servers:
    """The servers of a run, started where they are embedded, with the roles and the database in place.

    Raises postgres.PostgresFailed, valkey.ValkeyFailed or, for a broker that is given and does not answer,
    WrongEnvironment.
    """
    if given.redis_url:
        _require_broker(given.redis_url)
    owner_url, app_url, identity = given.owner_url, given.app_url, ""
    if not owner_url:
        owner_url, app_url, identity = _embedded_database(var)
    return Servers(owner_url, app_url, given.redis_url or valkey.start(var / "valkey"), identity)


def _require_broker(url: str) -> None:
    try:
        with redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise WrongEnvironment(
            f"REDIS_URL cannot be used ({error}). Start the server that it names, or mend it."
        ) from None


def keep_running(var: Path, given: Given, known: Servers) -> Servers:
    """Start again whichever embedded server has died; returns where they are now.

    That is where they were, unless another program has taken a port meanwhile.
    """
    redis_url = given.redis_url or valkey.start(var / "valkey")
    owner_url, app_url = known.owner_url, known.app_url
    if not given.owner_url and urlsplit(postgres.start(var / "postgres")).port != urlsplit(app_url).port:
        owner_url, app_url, _ = _embedded_database(var)
    return Servers(owner_url, app_url, redis_url, known.identity)


def stop(var: Path) -> None:
    """Stop the embedded servers; no harm when none runs."""
    valkey.stop(var / "valkey")
    postgres.stop(var / "postgres")


def _embedded_database(var: Path) -> tuple[str, str, str]:
    """Owner URL, app URL and identity of the database in the embedded server, made if need be."""
    superuser_url = postgres.start(var / "postgres")
    addresses = bootstrap(
        superuser_url,
        owner_password=kept.password(var / "postgres" / "owner-password"),
        app_password=kept.password(var / "postgres" / "app-password"),
        database=DATABASE_NAME,
    )
    with psycopg.connect(superuser_url) as connection:
        row = connection.execute(
            "SELECT (SELECT system_identifier FROM pg_control_system()), oid FROM pg_database WHERE datname = %s",
            [DATABASE_NAME],
        ).fetchone()
    return addresses.owner, addresses.app, "-".join(str(part) for part in row or ())
