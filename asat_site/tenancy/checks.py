"""Refuses to start on a database whose walls would not hold, and says what to do about it.

Web, worker and beat call `refuse_unsafe_database` before they take work, commands that ask or read a practice
`refuse_unsafe_role`; `manage.py check --database default` lists all findings. Nothing here is repaired silently.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg
from django.conf import settings
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from asat_site.tenancy.catalogue import holes
from asat_site.tenancy.context import practice_connection
from asat_site.tenancy.models import Practice
from asat_site.tenancy.upgrades import expected_migrations, pending_migrations

LEAST_MINOR = {16: 10, 17: 6, 18: 0}
"""The first release of each major version without the known leaks round row-level security and statistics
(CVE-2023-2455, CVE-2024-10976, CVE-2025-8713)."""

POOLER_PATIENCE_S = 5.0

_ROLE = (
    "Connect as asat_app: give its address in DATABASE_APP_URL. `python -m asat_site.running.roles` makes the roles."
)


class UnsafeDatabase(Exception):
    """A wall would not hold, or cannot be examined; the message holds each finding with its remedy."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason not to start: a stable id, what was found, and what to do."""

    id: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.id}: {self.found} {self.remedy}"


def refuse_unsafe_database() -> None:
    """Return when every wall would hold, leaving no connection; raise UnsafeDatabase with all findings if not."""
    try:
        found = findings()
    finally:
        connections[DEFAULT_DB_ALIAS].close()
    if found:
        raise UnsafeDatabase("AsAt does not start on this database.\n" + "\n".join(f"- {finding}" for finding in found))


def refuse_unsafe_role() -> None:
    """For a command, which has no time for more: raise UnsafeDatabase if policies do not bind the role it uses."""
    practice_connection().clear_practice()
    found = check_role(DEFAULT_DB_ALIAS)
    if found:
        connections[DEFAULT_DB_ALIAS].close()
        raise UnsafeDatabase("\n".join(str(finding) for finding in found))


def findings(using: str = DEFAULT_DB_ALIAS) -> list[Finding]:
    """All reasons not to start. What cannot be asked because an earlier answer was bad is not asked."""
    practice_connection(using).clear_practice()
    try:
        found = [*check_version(using), *check_role(using), *check_pooler(connector(using))]
        if not found:
            found = check_extensions(using)
        if not found:
            found = [*check_schemas(using), *check_walls(using)]
    except (DatabaseError, InterfaceError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        return [
            Finding("asat.E001", f"The database cannot be examined: {reason}.", "Start it, or mend DATABASE_APP_URL.")
        ]
    return found


def check_version(using: str = DEFAULT_DB_ALIAS) -> list[Finding]:
    """PostgreSQL is new enough that its own row-level security has no known leak."""
    return judge_version(int(_rows(using, "SHOW server_version_num")[0][0]))


def judge_version(number: int) -> list[Finding]:
    """number: as `server_version_num` says it, 180006 for 18.6."""
    major, minor = divmod(number, 10000)
    newest = max(LEAST_MINOR)
    least = LEAST_MINOR.get(major, 0 if major > newest else None)
    if least is not None and minor >= least:
        return []
    wanted = ", ".join(f"{known}.{low}" for known, low in sorted(LEAST_MINOR.items()))
    return [
        Finding(
            "asat.E002",
            f"PostgreSQL is {major}.{minor}.",
            f"Older releases have known leaks round row-level security; upgrade to at least one of {wanted}.",
        )
    ]


def check_role(using: str = DEFAULT_DB_ALIAS) -> list[Finding]:
    """The role we connect as, and every role it could become, is bound by policies and owns nothing of ours."""
    found = []
    for role, is_super, bypasses in _rows(
        using,
        "SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER')"
        " OR pg_has_role(session_user, oid, 'MEMBER') ORDER BY rolname IN (current_user, session_user) DESC, rolname",
    ):
        if is_super:
            found.append(Finding("asat.E003", f"The role {role} is a superuser, which no policy binds.", _ROLE))
        elif bypasses:
            found.append(Finding("asat.E004", f"The role {role} has BYPASSRLS, so no policy binds it.", _ROLE))
    if found:
        return found[:1]  # our own first; a superuser counts as a member of every other role as well
    owned = _rows(
        using,
        "SELECT r.rolname, count(*) FROM pg_roles r JOIN ("
        " SELECT c.relowner AS owner FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        "  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"
        " UNION ALL SELECT nspowner FROM pg_namespace WHERE nspname !~ '^pg_'"
        " UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database()"
        ") o ON o.owner = r.oid"
        " WHERE pg_has_role(current_user, r.oid, 'MEMBER') OR pg_has_role(session_user, r.oid, 'MEMBER')"
        " GROUP BY r.rolname ORDER BY r.rolname",
    )
    return [
        Finding(
            "asat.E005", f"The role {role} owns {count} tables, schemas or databases and could lift their walls.", _ROLE
        )
        for role, count in owned
    ]


def check_extensions(using: str = DEFAULT_DB_ALIAS) -> list[Finding]:
    """pgvector is there, in public, and computes a distance; nothing else stands in a practice's schema."""
    places = dict(
        _rows(using, "SELECT e.extname, n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace")
    )
    found = [
        Finding(
            "asat.E006", f"The extension {name} is in the schema {place}.", f"ALTER EXTENSION {name} SET SCHEMA public."
        )
        for name, place in sorted(places.items())
        if place not in ("public", "pg_catalog")
    ]
    if "vector" not in places:
        remedy = "Install pgvector 0.8 or later on the server, then run `manage.py upgrade`."
        return [*found, Finding("asat.E007", "The extension vector is missing.", remedy)]
    if not found:
        distance = _rows(using, "SELECT '[1,0]'::halfvec <=> '[0,1]'::halfvec")[0][0]
        if abs(float(distance) - 1.0) > 1e-6:
            remedy = "Install a sound pgvector; vectors at right angles are 1 apart."
            found.append(Finding("asat.E007", f"pgvector says that a distance is {distance}.", remedy))
    return found


def check_schemas(using: str = DEFAULT_DB_ALIAS) -> list[Finding]:
    """Public and every practice have had every migration that this code has, and no other."""
    expected = expected_migrations()
    behind = []
    for practice in list(Practice.objects.using(using).all()):
        if pending_migrations(practice, expected, using=using):
            behind.append(practice.schema_name)
    if not behind:
        return []
    named = ", ".join(behind[:5]) + (f" and {len(behind) - 5} more" if len(behind) > 5 else "")
    return [Finding("asat.E008", f"Behind this code: {named}.", "Run `manage.py upgrade`.")]


def check_walls(using: str = DEFAULT_DB_ALIAS) -> list[Finding]:
    """Every table that carries a practice enforces it."""
    remedy = "After a restore, run `manage.py upgrade`; otherwise mend the migration."
    return [Finding("asat.E009", hole, remedy) for hole in holes(using)]


Connect = Callable[[], "psycopg.Connection[Any]"]


def check_pooler(connect: Connect, patience_s: float = POOLER_PATIENCE_S) -> list[Finding]:
    """Two connections are two sessions: what one sets stays its own while the other is inside a transaction.

    A pooler in transaction mode hands the first one's session to the second, which no error ever shows. Behind a
    pooler with one server connection the first would wait for ever; more than `patience_s` counts as pooled.
    """
    kept: list[bool] = []
    asking = threading.Thread(target=lambda: kept.append(_sessions_are_kept(connect)), daemon=True)
    asking.start()
    asking.join(patience_s)
    if kept == [True]:
        return []
    return [
        Finding(
            "asat.E010",
            "Settings do not stay with their connection: a pooler in transaction or statement mode, or one that"
            " gives out fewer than three sessions, stands in between.",
            "Connect to PostgreSQL directly, or set the pooler to session mode with room for every process.",
        )
    ]


def _sessions_are_kept(connect: Connect) -> bool:
    """Whether the first connection still has its session after the second began a transaction."""
    try:
        with closing(connect()) as first, closing(connect()) as second:
            first.autocommit = True
            backend = _mark(first, "first")
            _mark(second, "second")  # opens a transaction, and keeps whatever session it was given
            found = first.execute("SELECT pg_backend_pid(), current_setting('asat.self_test', true)").fetchone()
            return found == (backend, "first")
    except psycopg.Error:  # pgbouncer in statement mode refuses a transaction
        return False


def connector(using: str = DEFAULT_DB_ALIAS) -> Connect:
    """Opens connections of our own with the settings' address, outside Django's."""
    parameters = connections[using].get_connection_params()
    plain = {key: value for key, value in parameters.items() if key not in ("context", "cursor_factory")}
    return lambda: psycopg.connect(**plain)


def _mark(connection: psycopg.Connection[Any], text: str) -> int:
    row = connection.execute("SELECT pg_backend_pid(), set_config('asat.self_test', %s, false)", [text]).fetchone()
    return int(row[0]) if row else 0


def _rows(using: str, query: str) -> list[tuple[Any, ...]]:
    with connections[using].cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


@checks.register(checks.Tags.database)
def database_check(databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """The findings as system checks, for `manage.py check --database default`."""
    if not databases or DEFAULT_DB_ALIAS not in databases:
        return []
    return [checks.Error(finding.found, hint=finding.remedy, id=finding.id) for finding in findings()]


@checks.register()
def settings_check(**_: Any) -> list[checks.CheckMessage]:
    """Combinations of settings that would do harm later."""
    found: list[checks.CheckMessage] = []
    visible = int(settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"])
    if visible <= settings.CELERY_TASK_TIME_LIMIT:
        found.append(
            checks.Error(
                f"A task is given away again after {visible} s, and may run {settings.CELERY_TASK_TIME_LIMIT} s.",
                hint="Make the visibility timeout longer than CELERY_TASK_TIME_LIMIT.",
                id="asat.E020",
            )
        )
    if settings.PRODUCTION and "*" in settings.ALLOWED_HOSTS:
        found.append(
            checks.Error(
                "ASAT_ALLOWED_HOSTS allows every host.",
                hint="List the domains that practices live under, such as .example.com.",
                id="asat.E021",
            )
        )
    if getattr(settings, "SECURE_PROXY_SSL_HEADER", None) and not settings.TRUSTED_PROXIES:
        found.append(
            checks.Warning(
                "A proxy stands in front (ASAT_BEHIND_TLS_PROXY), and no proxy is trusted (ASAT_TRUSTED_PROXIES is 0):"
                " everybody seems to come from the proxy, and 50 failed sign-ins make everybody wait.",
                hint="Set ASAT_TRUSTED_PROXIES to how many proxies of your own; with none, ASAT_BEHIND_TLS_PROXY=0.",
                id="asat.W022",
            )
        )
    return found
