"""Both sides held to the description of the interface: what AsAt asks, and what the fake answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from asat_site.testing.hubspot_server import Contract, Fault, Received, company
from asat_site.testing.hubspot_server.faults import missing_scopes, problem, too_often
from asat_site.testing.practices import KnownPractice
from clients.models import Client
from integrations.hubspot import runs
from integrations.hubspot.api import EXPIRED
from integrations.tests.integration.hubspot import GOOD, connected, fake, inside, previewed, work_off


@pytest.fixture
def described(contract: Contract | None) -> Contract:
    if contract is None:
        pytest.skip("HubSpot’s interface was NOT checked: its description is not on this machine (HUBSPOT_DESCRIPTION)")
    return contract


def test_every_request_and_answer_of_an_import_is_as_described(
    throwaway: Callable[[], KnownPractice], described: Contract
) -> None:
    known = throwaway()
    listed = [company(number, f"Company {number}", abn=GOOD if number == 7 else None) for number in range(250)]
    with fake(described, companies=listed) as hubspot, inside(known):
        connected(known)
        hubspot.will(None, too_often(), Fault(401, problem("EXPIRED_AUTHENTICATION")))
        run = previewed(known)
        assert run.why == EXPIRED
        connected(known)
        assert runs.go_on(run) and work_off(run).status == "previewed"
        assert runs.confirm(known.users["owner"], run) and work_off(run).status == "done"
        assert Client.objects.count() == 250
        assert len(hubspot.requests) > 8 and hubspot.breaches == []


@pytest.mark.parametrize(
    ("query", "status", "body", "said"),
    [
        ({"limit": "101"}, 200, b'{"results": []}', "101 is greater than the maximum of 100"),
        ({"limit": "x"}, 200, b'{"results": []}', "limit"),
        ({"archived": "maybe"}, 200, b'{"results": []}', "archived"),
        ({}, 200, b"{}", "'results' is a required property"),
        ({}, 200, b'{"results": [{"id": 1, "properties": {}}]}', "1 is not of type 'string'"),
        ({}, 200, b'{"results": [{"id": "1"}]}', "'properties' is a required property"),
        ({}, 200, b'{"results": [], "paging": {"next": {}}}', "'after' is a required property"),
        ({}, 403, b'{"errors": "none"}', "'none' is not of type 'array'"),
    ],
)
def test_the_description_is_really_held_to(
    described: Contract, query: dict[str, str], status: int, body: bytes, said: str
) -> None:
    headers = {"authorization": "Bearer pat-x"}
    asked = Received("GET", "/crm/objects/2026-09/companies", query, headers)
    assert said in " ".join(described.breaches_of(asked, status, body))


def test_a_path_that_is_not_described_is_a_breach(described: Contract) -> None:
    asked = Received("POST", "/crm/objects/2026-09/companies/search", {}, {"authorization": "Bearer pat-x"})
    assert described.breaches_of(asked, 200, b"{}") != []
    good = Received("GET", "/crm/objects/2026-09/companies", {"limit": "100"}, {"authorization": "Bearer pat-x"})
    assert described.breaches_of(good, 200, b'{"results": []}') == []
    assert described.breaches_of(good, 403, str(missing_scopes("a").body).replace("'", '"').encode()) == []
