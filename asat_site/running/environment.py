"""The environment of a run's processes, and the file that gives it to a shell."""

from __future__ import annotations

import base64
import secrets
import shlex
from collections.abc import Mapping
from pathlib import Path

from asat_site.running import kept
from asat_site.running.servers import Servers

MARK = "ASAT_RUN_DIRECTORY"
"""In the environment of every process of a run, naming its var folder, so that what is left of it can be found."""

_NOT_HANDED_ON = frozenset(
    {"DATABASE_URL", "DATABASE_URL_FILE", "DATABASE_APP_URL_FILE", "REDIS_URL_FILE", "ASAT_SUPERUSER_URL", "MAKEFLAGS"}
)


def of_app(outside: Mapping[str, str], servers: Servers, var: Path) -> dict[str, str]:
    """What web, worker and beat see: never the owner's address."""
    threads = outside.get("ASAT_THREADS") or "1"
    shared = {name: value for name, value in outside.items() if name not in _NOT_HANDED_ON}
    secret = {}
    if not (shared.get("ASAT_SECRET_KEY") or shared.get("ASAT_SECRET_KEY_FILE")):
        secret["ASAT_SECRET_KEY"] = kept.read_or_make(var / "secret-key", lambda: secrets.token_urlsafe(50))
    if not (shared.get("ASAT_ENCRYPTION_KEYS") or shared.get("ASAT_ENCRYPTION_KEYS_FILE")):
        secret["ASAT_ENCRYPTION_KEYS"] = kept.read_or_make(var / "encryption-keys", _new_key)
    return {
        "DJANGO_SETTINGS_MODULE": "asat_site.settings.dev",
        **shared,
        **secret,
        "DATABASE_APP_URL": servers.app_url,
        "REDIS_URL": servers.redis_url,
        "ASAT_THREADS": threads,
        "OMP_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "PYTHONUNBUFFERED": "1",
        MARK: str(var),
    }


def _new_key() -> str:
    """A key as ASAT_ENCRYPTION_KEYS wants it: kept beside the database whose rows it opens."""
    return f"run:{base64.b64encode(secrets.token_bytes(32)).decode()}"


def of_owner(outside: Mapping[str, str], servers: Servers, var: Path) -> dict[str, str]:
    """What upgrades, new practices and the loading of law see."""
    return of_app(outside, servers, var) | {"DATABASE_URL": servers.owner_url}


def write_for_shell(path: Path, environment: Mapping[str, str]) -> None:
    """Write the file that `. var/environment` reads, for management commands beside a run; private, since it
    holds passwords."""
    names = (
        "DJANGO_SETTINGS_MODULE",
        "DATABASE_URL",
        "DATABASE_APP_URL",
        "REDIS_URL",
        "ASAT_SECRET_KEY",
        "ASAT_ENCRYPTION_KEYS",
        "ASAT_THREADS",
    )
    lines = [f"export {name}={shlex.quote(environment[name])}" for name in names if name in environment]
    kept.write_private(path, "\n".join(["# Written by every `make run`.", *lines, ""]))
