"""The review of amounts: what is refused, turned round, or entered on somebody's word alone, and that this is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients.extraction.standing import Act
from clients.models import Client, Document, FieldDecision
from clients.review import deciding, services
from clients.review.deciding import Wanted
from clients.services import NotDone
from clients.tests.integration.review_setup import STATEMENT, entered, made_client, read_document, speaking
from clients.tests.unit.test_extraction_rules import CREDIT
from clients.tests.unit.test_revised import CARD

pytestmark = pytest.mark.security


@pytest.fixture(scope="module")
def known(services: Any, django_db_blocker: Any) -> Iterator[KnownPractice]:
    from asat_site.testing.practices import make_throwaway

    with django_db_blocker.unblock():
        yield make_throwaway("Reviewing amounts")


@pytest.fixture
def client(known: KnownPractice) -> Client:
    return made_client(known)


def decided(known: KnownPractice, document: Document, *wanted: Wanted) -> None:
    with speaking(known) as user:
        deciding.decide(user, document.pk, wanted)


def approved(known: KnownPractice, document: Document) -> None:
    with speaking(known) as user:
        last = services.stand_of(Document.objects.get(pk=document.pk)).last
        services.approve(user, document.pk, last)


def decisions(known: KnownPractice, document: Document) -> list[tuple[str, str, str, str]]:
    with in_practice(known.practice), as_keeper():
        rows = FieldDecision.objects.filter(document=document).order_by("id")
        return list(rows.values_list("field", "act", "was", "value"))


def test_an_amount_in_another_currency_is_refused(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client)
    posted = {"field": "total", "act": "corrected", "value": "US$5.00"}
    response = known.client().post(f"/documents/{document.pk}/decide/", posted)
    assert response.status_code == 422
    assert "This amount is in USD, and the document is in AUD." in response.content.decode()
    account = read_document(known, client, STATEMENT)
    decided(known, account, Wanted("currency", Act.CORRECTED, "AUD"))
    row = {"field": "row-1", "act": "corrected", "amount": "US$5.00"}
    assert known.client().post(f"/documents/{account.pk}/decide/", row).status_code == 422
    assert decisions(known, document) == [] and len(decisions(known, account)) == 1


def test_what_no_balance_holds_is_entered_on_somebodys_word_that_is_kept(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client, STATEMENT)
    browser, path = known.client(), f"/documents/{document.pk}/decide/"
    said = {"field": "check-balances", "act": "accepted"}
    assert browser.post(path, said).status_code == 302
    assert decisions(known, document) == []
    decided(
        known,
        document,
        Wanted("currency", Act.CORRECTED, "AUD"),
        Wanted("closing_balance", Act.EMPTIED),
        Wanted("row-2-balance", Act.EMPTIED),
    )
    offered = browser.get(f"/documents/{document.pk}/").content.decode()
    assert "The amount of row 2 is held by no balance." in offered
    assert "It was not checked: there is no closing balance." in offered
    assert "I have looked at the amounts: enter them unchecked" in offered
    with pytest.raises(NotDone, match="held by no balance"):
        approved(known, document)
    assert browser.post(path, said).status_code == 302
    assert decisions(known, document)[-1] == ("check-balances", "accepted", "", "")
    shown = browser.get(f"/documents/{document.pk}/").content.decode()
    assert "Somebody accepted it all the same." in shown and "Balances: accepted all the same" in shown
    approved(known, document)
    assert len(entered(known, document)) == 2


def test_a_credit_above_nil_is_turned_round_by_one_act_that_is_kept(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client, CREDIT)
    browser, path, at = known.client(), f"/documents/{document.pk}/decide/", f"/documents/{document.pk}/"
    offered = browser.get(at).content.decode()
    assert "It is: turn all amounts round" in offered and "It is no credit" in offered
    with pytest.raises(NotDone, match="calls itself a credit"):
        approved(known, document)
    assert browser.post(path, {"field": "sign", "act": "corrected", "value": "sideways"}).status_code == 422
    assert browser.post(path, {"field": "sign", "act": "corrected", "value": "turned"}).status_code == 302
    assert decisions(known, document) == [("sign", "corrected", "", "turned")]
    shown = browser.get(at).content.decode()
    assert "Turned round" in shown and "\u2212110.00" in shown and "It is no credit" not in shown
    approved(known, document)
    (entry,) = entered(known, document)
    assert (entry.total_cents, entry.gst_cents, entry.lines[0]["amount_cents"]) == (-11000, -1000, -11000)


def test_a_credit_that_is_none_is_entered_as_printed(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client, CREDIT)
    decided(known, document, Wanted("sign", Act.CORRECTED, "as printed"))
    approved(known, document)
    assert [each.total_cents for each in entered(known, document)] == [11000]


def test_which_way_is_decided_only_where_it_is_asked(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client)
    for field in ("sign", "direction"):
        posted = {"field": field, "act": "corrected", "value": "turned"}
        assert known.client().post(f"/documents/{document.pk}/decide/", posted).status_code == 302
    assert decisions(known, document) == []


def test_a_statement_of_a_card_is_turned_round_by_one_act(known: KnownPractice, client: Client) -> None:
    document = read_document(known, client, CARD)
    decided(known, document, Wanted("currency", Act.CORRECTED, "AUD"))
    offered = known.client().get(f"/documents/{document.pk}/").content.decode()
    assert "Amounts without a sign are money out" in offered
    assert "Nothing says which of its amounts are money in." in offered
    with pytest.raises(NotDone, match="not approved yet"):
        approved(known, document)
    posted = {"field": "direction", "act": "corrected", "value": "turned"}
    assert known.client().post(f"/documents/{document.pk}/decide/", posted).status_code == 302
    approved(known, document)
    assert [each.total_cents for each in entered(known, document)] == [-10000, 50000, 2000]
