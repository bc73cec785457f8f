"""The payload of an audit row: what is written is read again, and what is kept beside it is compared with it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from research.audit import record
from research.ports import Asked

pytestmark = pytest.mark.unit

ASKED = Asked("q1", "May oil be set off?", 2015, date(2026, 3, 1), "u1")
OUTCOME: dict[str, Any] = {"decision": "answer", "retrieved": [{"act": "LTA01", "score": 0.25}], "time": None}
PAYLOAD = record.payload_of(7, datetime(2026, 3, 1, 9, tzinfo=UTC), ASKED, OUTCOME)


def test_what_is_written_is_read_again_with_floats_as_text() -> None:
    found = record.recorded_in(PAYLOAD)
    assert (found.text, found.year_field, found.today) == ("May oil be set off?", 2015, date(2026, 3, 1))
    assert found.outcome == {**OUTCOME, "retrieved": [{"act": "LTA01", "score": "0.25"}]}
    assert found.outcome == record.as_recorded(OUTCOME)


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({}, ""),
        ({"text": "May oil be sold?"}, "The question that is kept is not the one recorded."),
        ({"year_field": None}, "The question that is kept is not the one recorded."),
        ({"outcome": {**OUTCOME, "decision": "error"}}, "The answer that is kept is not the one recorded."),
        ({"outcome": {**OUTCOME, "retrieved": []}}, "The answer that is kept is not the one recorded."),
        ({"payload": '{"number":7}'}, "An answer is kept beside a record that holds none."),
        ({"payload": "one"}, "An answer is kept beside a record that holds none."),
    ],
)
def test_what_is_kept_is_compared_with_what_was_recorded(kept: dict[str, Any], said: str) -> None:
    whole: dict[str, Any] = {"payload": PAYLOAD, "text": ASKED.text, "year_field": 2015, "outcome": OUTCOME}
    assert record.unlike(**{**whole, **kept}) == said


def test_minus_nought_which_a_database_does_not_keep_is_nought() -> None:
    assert record.as_recorded({"score": -0.0}) == record.as_recorded({"score": 0.0}) == {"score": "0.0"}


def test_letters_composed_in_another_way_are_the_same_question() -> None:
    payload = record.payload_of(
        1, datetime(2026, 3, 1, tzinfo=UTC), Asked("q", "Café?", None, date(2026, 3, 1), ""), {}
    )
    assert record.unlike(payload, "Cafe\u0301?", None, {}) == ""
