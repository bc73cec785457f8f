"""AsAt refuses to start wherever a wall would not hold, and says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connections

from asat_site.settings.env import parse_database_url
from asat_site.tenancy import checks
from asat_site.tenancy.bootstrap import address, bootstrap
from asat_site.tenancy.context import practice_connection
from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import child_environment
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security


@contextmanager
def connected_as(url: str) -> Iterator[None]:
    """The default connection uses another address meanwhile."""
    wrapper = practice_connection()
    before = {name: wrapper.settings_dict[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    found = parse_database_url("test", url)
    wrapper.close()
    wrapper.settings_dict.update(
        NAME=found.name, USER=found.user, PASSWORD=found.password, HOST=found.host, PORT=found.port
    )
    try:
        yield
    finally:
        wrapper.close()
        wrapper.settings_dict.update(before)


@pytest.fixture
def superuser(services: Services) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(services.superuser_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def login(services: Services, superuser: psycopg.Connection[Any]) -> Iterator[str]:
    """A role of its own to spoil, with the app's rights; the value is its address."""
    superuser.execute("CREATE ROLE spoilt LOGIN PASSWORD 'spoilt' IN ROLE asat_app")
    found = parse_database_url("test", services.app_url)
    yield address("spoilt", "spoilt", found.host, int(found.port), found.name)
    practice_connection().close()
    superuser.execute("DROP OWNED BY spoilt")
    superuser.execute("DROP ROLE spoilt")


def ids(url: str | None = None) -> list[str]:
    if url is None:
        return [finding.id for finding in checks.findings()]
    with connected_as(url):
        return [finding.id for finding in checks.findings()]


def test_the_database_of_this_suite_is_safe(practice: KnownPractice, other_practice: KnownPractice) -> None:
    assert checks.findings() == []
    checks.refuse_unsafe_database()
    assert connections["default"].connection is None


def test_a_plain_role_with_the_apps_rights_is_accepted(login: str) -> None:
    assert ids(login) == []


def test_a_superuser_is_refused(services: Services) -> None:
    assert ids(services.superuser_url) == ["asat.E003"]


def test_the_owner_is_refused_with_the_remedy(services: Services) -> None:
    with connected_as(services.owner_url), pytest.raises(checks.UnsafeDatabase) as refusal:
        checks.refuse_unsafe_database()
    assert "asat.E005" in str(refusal.value)
    assert "Connect as asat_app: give its address in DATABASE_APP_URL." in str(refusal.value)


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    [
        ("ALTER ROLE spoilt BYPASSRLS", ["asat.E004"]),
        ("ALTER ROLE spoilt SUPERUSER", ["asat.E003"]),
        ("GRANT asat_owner TO spoilt", ["asat.E005"]),
        ("GRANT asat_owner TO spoilt WITH INHERIT FALSE", ["asat.E005"]),
        ("GRANT postgres TO spoilt", ["asat.E003"]),
        ("CREATE TABLE public.theirs (id int); ALTER TABLE public.theirs OWNER TO spoilt", ["asat.E005"]),
        ("CREATE SCHEMA theirs AUTHORIZATION spoilt", ["asat.E005"]),
    ],
)
def test_a_role_that_could_step_over_a_wall_is_refused(
    superuser: psycopg.Connection[Any], login: str, spoil: str, wanted: list[str]
) -> None:
    superuser.execute(spoil)
    assert ids(login) == wanted


def test_a_role_that_disguises_itself_is_refused(
    services: Services, superuser: psycopg.Connection[Any], login: str
) -> None:
    # Signs in as one role and is put into another by its own settings: both are looked at.
    superuser.execute("GRANT asat_owner TO spoilt WITH INHERIT FALSE")
    superuser.execute("ALTER ROLE spoilt SET role = 'asat_app'")
    assert ids(login) == ["asat.E005"]


@pytest.mark.parametrize(
    ("number", "accepted"),
    [
        (150018, False),
        (160009, False),
        (160010, True),
        (170005, False),
        (170006, True),
        (180000, True),
        (180006, True),
        (190000, True),
    ],
)
def test_releases_with_known_leaks_are_refused(number: int, accepted: bool) -> None:
    assert (checks.judge_version(number) == []) is accepted


def test_an_extension_outside_public_is_refused(services: Services, superuser: psycopg.Connection[Any]) -> None:
    superuser.execute("CREATE SCHEMA elsewhere; CREATE EXTENSION pg_trgm WITH SCHEMA elsewhere")
    try:
        found = checks.findings()
        assert [finding.id for finding in found] == ["asat.E006"]
        assert found[0].remedy == "ALTER EXTENSION pg_trgm SET SCHEMA public."
    finally:
        superuser.execute("DROP SCHEMA elsewhere CASCADE")


def test_a_database_without_pgvector_is_refused(services: Services) -> None:
    bootstrap(services.superuser_url, owner_password="owner", app_password="app", database="asat_bare")
    bare = services.app_url.rsplit("/", 1)[0] + "/asat_bare"
    with psycopg.connect(services.superuser_url.rsplit("/", 1)[0] + "/asat_bare", autocommit=True) as connection:
        connection.execute("DROP EXTENSION vector")
    try:
        assert ids(bare) == ["asat.E007"]
    finally:
        with psycopg.connect(services.superuser_url, autocommit=True) as connection:
            connection.execute("DROP DATABASE asat_bare WITH (FORCE)")


def test_a_practice_behind_the_code_is_refused(practice: KnownPractice, superuser: psycopg.Connection[Any]) -> None:
    table = f"{practice.practice.schema_name}.django_migrations"
    row = superuser.execute(
        f"DELETE FROM {table} WHERE app = 'research' AND name LIKE '0001%' RETURNING app, name, applied, practice_id"
    ).fetchone()
    try:
        found = checks.findings()
        assert [finding.id for finding in found] == ["asat.E008"]
        assert practice.practice.schema_name in found[0].found
    finally:
        superuser.execute(f"INSERT INTO {table} (app, name, applied, practice_id) VALUES (%s, %s, %s, %s)", row)
    assert checks.findings() == []


def test_a_wall_that_fell_in_a_restore_is_found(practice: KnownPractice, superuser: psycopg.Connection[Any]) -> None:
    table = f"{practice.practice.schema_name}.research_auditrow"
    superuser.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
    try:
        assert ids() == ["asat.E009"]
        with pytest.raises(SystemCheckError, match="does not FORCE"):
            call_command("check", databases=["default"])
    finally:
        superuser.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    assert ids() == []


def test_a_database_that_is_down_is_said_to_be(services: Services) -> None:
    assert ids(address("asat_app", "app", "127.0.0.1", 1, "asat_test")) == ["asat.E001"]


# Poolers. This one keeps real sessions and lends each out for one transaction, as pgbouncer does in transaction mode.


class Pool:
    """Real server sessions, lent out for a transaction at a time; a caller waits while all are lent."""

    def __init__(self, url: str, size: int) -> None:
        self.free = [psycopg.connect(url, autocommit=True) for _ in range(size)]
        self.returned = threading.Condition()

    def take(self) -> psycopg.Connection[Any]:
        with self.returned:
            while not self.free:
                self.returned.wait()
            return self.free.pop()

    def give(self, session: psycopg.Connection[Any]) -> None:
        with self.returned:
            self.free.append(session)
            self.returned.notify()


class PooledConnection:
    """A client of the pool: outside a transaction it holds no session of its own."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self.autocommit, self.held = pool, False, None

    def execute(self, query: str, parameters: Any = None) -> Any:
        session = self.held or self.pool.take()
        if not self.autocommit and self.held is None:
            self.held = session
            session.execute("BEGIN")
        cursor = session.execute(query, parameters)
        if self.held is None:
            self.pool.give(session)
        return cursor

    def close(self) -> None:
        if self.held is not None:
            self.held.execute("ROLLBACK")
            self.pool.give(self.held)
            self.held = None


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_pooler_in_transaction_mode_is_refused(services: Services, size: int) -> None:
    pool = Pool(services.app_url, size)
    found = checks.check_pooler(lambda: PooledConnection(pool), patience_s=1.0)  # type: ignore[arg-type,return-value]
    assert [finding.id for finding in found] == ["asat.E010"]
    assert "session mode" in found[0].remedy
    for session in pool.free:
        session.close()


def test_connections_of_their_own_are_accepted(services: Services) -> None:
    assert checks.check_pooler(lambda: psycopg.connect(services.app_url)) == []


# The processes themselves.


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-c", "import asat_site.asgi"],
        [sys.executable, "-m", "celery", "-A", "asat_site.celery", "worker", "--concurrency", "1"],
        [sys.executable, "-m", "celery", "-A", "asat_site.celery", "beat"],
    ],
    ids=["web", "worker", "beat"],
)
def test_web_worker_and_beat_do_not_start_as_the_owner(services: Services, command: list[str]) -> None:
    environment = child_environment(DATABASE_APP_URL=services.owner_url)
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode != 0
    assert "asat.E005" in done.stderr
    assert "owner@" not in done.stderr and "owner:" not in done.stderr  # no password in the message
    assert os.environ["DATABASE_APP_URL"] == services.app_url


@pytest.mark.parametrize(("behind", "trusted", "warned"), [(True, 0, True), (True, 1, False), (False, 0, False)])
def test_a_proxy_that_is_not_trusted_is_warned_of(settings: Any, behind: bool, trusted: int, warned: bool) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if behind else None
    settings.TRUSTED_PROXIES = trusted
    assert ("asat.W022" in [found.id for found in checks.settings_check()]) is warned
