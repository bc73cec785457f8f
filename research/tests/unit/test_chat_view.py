"""The sources of a conversation: each numbered once, and the numbers at the claims."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from research.presentation.answer import answer_view
from research.presentation.chat import numbered, sources_of
from research.presentation.records import Entry
from research.tests.unit.test_answer_view import citation, outcome


def claims(*citations: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"prose": "It is so.", "kind": "rule", "citations": [each]} for each in citations]


def entry(**changed: Any) -> Entry:
    asked_at = datetime(2026, 11, 30, tzinfo=UTC)
    return Entry(UUID(int=1), "What is due?", asked_at, None, answer_view(outcome(**changed)), 1, (), ())


def numbers(shown: Entry) -> list[int]:
    assert shown.answer is not None
    return [cited.number for claim in shown.answer.claims for cited in claim.cited]


HERE, ELSEWHERE = citation(), citation(section="8-1", version_id=9)


def test_sources_are_numbered_in_the_order_of_their_first_appearance() -> None:
    found = sources_of([outcome(claims=claims(ELSEWHERE, HERE)), outcome(claims=claims(HERE))])
    assert [(source.number, source.authority) for source in found] == [(1, "HLA01 s 8-1"), (2, "HLA01 s 25-40")]
    assert numbers(numbered(entry(claims=claims(HERE, ELSEWHERE)), found)) == [2, 1]


def test_another_wording_of_the_same_provision_is_another_source() -> None:
    found = sources_of([outcome(claims=claims(HERE, citation(version_id=8)))])
    assert [(source.number, source.authority) for source in found] == [(1, "HLA01 s 25-40"), (2, "HLA01 s 25-40")]


def test_a_source_opens_with_all_the_words_marked_that_any_answer_quotes() -> None:
    found = sources_of(
        [
            outcome(claims=claims(citation(start_chars=90, end_chars=120), HERE)),
            outcome(claims=claims(citation(start_chars=60, end_chars=70))),
        ]
    )
    assert [source.query for source in found] == [
        "as_at=FY2015&version=7&quote_start=4&quote_end=58&quote_start=60&quote_end=70&quote_start=90&quote_end=120"
    ]


def test_words_beside_a_refusal_are_no_source_and_have_no_number() -> None:
    refused = {"decision": "abstain_no_evidence", "claims": claims(HERE)}
    assert sources_of([outcome(**refused)]) == ()
    found = sources_of([outcome(claims=claims(HERE))])
    assert numbers(numbered(entry(**refused), found)) == [0]


def test_both_sides_of_an_answer_for_two_times_are_numbered() -> None:
    sides = [outcome(claims=claims(HERE)), outcome(claims=claims(citation(version_id=8)))]
    found = sources_of([outcome(claims=[], sides=sides)])
    assert [source.number for source in found] == [1, 2]
    shown = numbered(entry(claims=[], sides=sides), found).answer
    assert shown is not None
    assert [c.number for side in shown.sides for claim in side.claims for c in claim.cited] == [1, 2]


def test_a_figure_has_the_number_of_the_provision_that_sets_it() -> None:
    figure = {
        "name": "Rate of dues",
        "value": "$12",
        "act": "HLA01",
        "section": "3-10",
        "set_by": "HLA01 s 3-10",
        "status": "verified",
        "starts": "2014-07-01",
    }
    held = {
        "snapshot": {
            "snapshot_id": "ab",
            "mode": "hybrid",
            "passages_in_force": 1,
            "compilations": ["HLA01 2015-06-22"],
        }
    }
    found = sources_of([outcome(claims=[], figures=[figure], **held)])
    assert [(source.number, source.authority, source.heading) for source in found] == [
        (1, "HLA01 s 3-10", "Rate of dues")
    ]
    shown = numbered(entry(claims=[], figures=[figure], **held), found).answer
    assert shown is not None and [each.number for each in shown.figures] == [1]


def test_a_running_message_has_no_numbers() -> None:
    running = Entry(UUID(int=1), "What is due?", datetime(2026, 11, 30, tzinfo=UTC), None, None, None, (), ())
    assert numbered(running, sources_of([outcome()])) is running
