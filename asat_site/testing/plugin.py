"""The pytest plugin: kinds of tests, the servers and practices they use, and the rules that hold for all of them.

Unit tests start nothing and may not touch the database. Every other test runs as asat_app against real servers and
really commits; a test that leaves audit rows takes `throwaway`. No test may reach beyond this machine, and a
security test that is skipped fails the run.

Fixtures: services, practice, other_practice, platform, throwaway, phrase_vectors, hubspot_port, xero_port, web, worker
(see each).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from asat_site.testing.sockets import forbid_outbound

if TYPE_CHECKING:
    from asat_site.testing.practices import KnownPractice
    from asat_site.testing.servers import Services

KINDS = ("unit", "integration", "browser")


def pytest_configure(config: pytest.Config) -> None:
    forbid_outbound()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with the kind that its folder names, so that `-m unit` is complete by construction."""
    for item in items:
        for kind in KINDS:
            if f"/tests/{kind}/" in item.path.as_posix() and item.get_closest_marker(kind) is None:
                item.add_marker(kind)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """A security test that did not run proves nothing, so skipping it is a failure."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    if report.skipped and item.get_closest_marker("security") is not None:
        report.outcome = "failed"
        report.longrepr = f"A security test was skipped, which fails the run: {report.longrepr}"
        if hasattr(report, "wasxfail"):
            del report.wasxfail
    return report  # type: ignore[return-value]


@pytest.fixture(scope="session")
def services(django_db_blocker: Any) -> Iterator[Services]:
    """PostgreSQL (both roles, migrated as the owner) and Valkey, started once for the run."""
    from asat_site.tenancy.upgrades import upgrade_all
    from asat_site.testing.servers import running

    with django_db_blocker.unblock(), running() as found:
        failed = [outcome for outcome in upgrade_all() if outcome.error]
        assert not failed, failed
        yield found


@pytest.fixture(scope="session")
def django_db_setup(services: Services) -> None:
    """pytest-django's `db` fixtures use our servers, and make no database of their own."""


@pytest.fixture(scope="session")
def practice(services: Services, django_db_blocker: Any) -> KnownPractice:
    """The practice at ashby.localhost, with a user of every role."""
    from asat_site.testing.practices import make_practice

    with django_db_blocker.unblock():
        return make_practice("Ashby Tax", "ashby.localhost")


@pytest.fixture(scope="session")
def other_practice(services: Services, django_db_blocker: Any) -> KnownPractice:
    """The practice at other.localhost, from which nothing of `practice` may be seen, and the other way round."""
    from asat_site.testing.practices import make_practice

    with django_db_blocker.unblock():
        return make_practice("Other Accountants", "other.localhost")


@pytest.fixture(scope="session")
def platform(services: Services, django_db_blocker: Any) -> KnownPractice:
    """The platform, with an administrator."""
    from asat_site.testing.practices import make_platform

    with django_db_blocker.unblock():
        return make_platform()


@pytest.fixture
def throwaway(services: Services) -> Callable[[], KnownPractice]:
    """Makes a practice for this test alone."""
    from asat_site.testing.practices import make_throwaway

    return make_throwaway


@pytest.fixture
def phrase_vectors(services: Services) -> None:
    """The database has the vectors of the index's phrases, which would take minutes to compute."""
    from asat_site.testing.phrases import phrase_vectors_kept

    with phrase_vectors_kept():
        pass


@pytest.fixture(scope="session")
def hubspot_port() -> int:
    """Where the running web server and worker look for HubSpot on loopback. A test serves it there, or nobody does."""
    from asat_site.running.processes import free_port

    return free_port()


@pytest.fixture(scope="session")
def xero_port() -> int:
    """Where they look for Xero on loopback, in the same way."""
    from asat_site.running.processes import free_port

    return free_port()


@pytest.fixture(scope="session")
def web(services: Services, hubspot_port: int, xero_port: int, django_db_blocker: Any) -> Iterator[int]:
    """A running web server; the value is its port. Reach a practice by its host: http://ashby.localhost:<port>/."""
    from asat_site.testing.processes import web as start_web

    log, hubspot, xero = services.directory / "web.log", _loopback(hubspot_port), _loopback(xero_port)
    with django_db_blocker.unblock(), start_web(log, ASAT_HUBSPOT_URL=hubspot, ASAT_XERO_URL=xero) as port:
        yield port


@pytest.fixture(scope="module")
def worker(services: Services, hubspot_port: int, xero_port: int, django_db_blocker: Any) -> Iterator[Path]:
    """A running worker; the value is its log. It ends with the file: tests that take none do the work themselves."""
    with django_db_blocker.unblock(), working(services, hubspot_port, xero_port) as log:
        yield log


@contextmanager
def working(services: Services, hubspot_port: int, xero_port: int) -> Iterator[Path]:
    """What the fixture `worker` is, for one that lasts longer."""
    from asat_site.testing.processes import worker as start_worker

    log, hubspot, xero = services.directory / "worker.log", _loopback(hubspot_port), _loopback(xero_port)
    with start_worker(log, ASAT_HUBSPOT_URL=hubspot, ASAT_XERO_URL=xero):
        yield log


def _loopback(port: int) -> str:
    return f"http://127.0.0.1:{port}"


@pytest.fixture(autouse=True)
def _database_as_the_app(request: pytest.FixtureRequest) -> Iterator[None]:
    """Lets every test but a unit test use the database, from a clean connection, and checks that it is left clean."""
    if request.node.get_closest_marker("unit") is not None or not any(
        request.node.get_closest_marker(kind) for kind in (*KINDS, "security")
    ):
        yield
        return
    request.getfixturevalue("services")
    blocker = request.getfixturevalue("django_db_blocker")
    with blocker.unblock():
        from django.db import connections

        from asat_site.tenancy.context import practice_connection

        practice_connection().clear_practice()
        yield
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close()
        practice_connection().clear_practice()
