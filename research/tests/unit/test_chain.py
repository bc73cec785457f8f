"""The hash chain: one text for one content, and every break found and named."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.audit.chain import FIRST_DIGEST, ChainReport, canonical, digest, verify_chain
from research.terms import Decision

pytestmark = pytest.mark.unit

Row = tuple[int, str, str, str]


def chain_of(*payloads: str) -> list[Row]:
    rows: list[Row] = []
    prev = FIRST_DIGEST
    for number, payload in enumerate(payloads, 1):
        rows.append((number, payload, prev, digest(prev, payload)))
        prev = rows[-1][3]
    return rows


FIVE = chain_of(*(canonical({"number": number, "said": f"row {number}"}) for number in range(1, 6)))


def broken(rows: list[Row]) -> tuple[int | None, str]:
    report = verify_chain(rows)
    assert report.is_whole == (report.broken_at is None)
    assert bool(report.how) == (not report.is_whole)
    return report.broken_at, report.problem


def test_a_payload_has_one_text() -> None:
    payload = {
        "b": [1, None, True, "é"],
        "a": {"day": date(2015, 6, 22), "at": datetime(2015, 6, 22, 1, tzinfo=UTC)},
        "id": UUID(int=1),
        "d": Decimal("1.50"),
        "decision": Decision.ANSWER,
        "pair": (1, 2),
    }
    assert canonical(payload) == (
        '{"a":{"at":"2015-06-22T01:00:00+00:00","day":"2015-06-22"},"b":[1,null,true,"é"],"d":"1.50",'
        '"decision":"answer","id":"00000000-0000-0000-0000-000000000001","pair":[1,2]}'
    )


def test_text_is_composed_so_that_two_writings_are_one() -> None:
    assert canonical({"a": "cafe\u0301"}) == canonical({"a": "caf\u00e9"})


@pytest.mark.parametrize(
    ("payload", "named"),
    [
        ({"a": {"b": [1, 1.5]}}, r"payload\.a\.b\[1\] is a float"),
        ({"a": float("nan")}, "float"),
        ({"a": {1, 2}}, "set"),
        ({"a": object()}, "object"),
        ({"a": b"x"}, "bytes"),
        ({1: "a"}, "key 1"),
    ],
)
def test_what_has_no_one_text_is_refused_by_its_place(payload: dict[str, object], named: str) -> None:
    with pytest.raises(TypeError, match=named):
        canonical(payload)


@pytest.mark.parametrize(
    "payload",
    [{"a": datetime(2015, 6, 22, 1)}, {"e\u0301": 1, "\u00e9": 2}, {"a": "\ud800"}],  # noqa: DTZ001
)
def test_what_would_lose_something_is_refused(payload: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        canonical(payload)


def test_the_digest_is_over_the_digest_before_and_the_payload() -> None:
    # printf '%064d{"a":1}' 0 | sha256sum
    assert digest(FIRST_DIGEST, '{"a":1}') == "fc6cee09194dd2578bd7664604fcb72a539066fd34544cea0009c43eb6cdc289"


def test_a_whole_chain_is_whole_and_so_is_an_empty_one() -> None:
    assert verify_chain(FIVE) == ChainReport(5, None, "", "", FIVE[-1][3])
    assert verify_chain([]) == ChainReport(0, None, "", "", FIRST_DIGEST)
    assert verify_chain(iter(FIVE), expected_last=5, expected_head=FIVE[-1][3]).is_whole


@pytest.mark.parametrize("index", range(5))
def test_an_altered_row_is_named(index: int) -> None:
    rows = list(FIVE)
    number, payload, prev, row_digest = rows[index]
    rows[index] = (number, payload.replace("row", "raw"), prev, row_digest)
    assert broken(rows) == (index + 1, "altered")


@pytest.mark.parametrize("index", range(4))
def test_an_altered_row_with_its_digest_made_anew_breaks_the_next(index: int) -> None:
    rows = list(FIVE)
    number, payload, prev, _ = rows[index]
    forged = payload.replace("row", "raw")
    rows[index] = (number, forged, prev, digest(prev, forged))
    assert broken(rows) == (index + 2, "wrong_prev")


@pytest.mark.parametrize("index", range(4))
def test_a_missing_row_is_named(index: int) -> None:
    assert broken([*FIVE[:index], *FIVE[index + 1 :]]) == (index + 1, "missing")


def test_rows_swapped_renumbered_or_repeated_are_found() -> None:
    assert broken([FIVE[1], FIVE[0], *FIVE[2:]]) == (1, "missing")
    assert broken([FIVE[0], FIVE[0]]) == (1, "repeated")
    closed_up = [FIVE[0], *[(number - 1, *row) for number, *row in FIVE[2:]]]
    assert broken(closed_up) == (2, "wrong_prev")  # type: ignore[arg-type]


def test_a_row_recorded_under_another_number_is_found_by_its_own_words() -> None:
    rows = chain_of(canonical({"number": 7}))
    assert broken(rows) == (1, "altered")


def test_a_first_row_that_claims_a_past_is_found() -> None:
    payload = canonical({"number": 1})
    assert broken([(1, payload, "f" * 64, digest("f" * 64, payload))]) == (1, "wrong_prev")


def test_newest_rows_cut_off_are_found_with_what_was_noted_elsewhere_only() -> None:
    assert verify_chain(FIVE[:3]).is_whole
    report = verify_chain(FIVE[:3], expected_last=5, expected_head=FIVE[-1][3])
    assert (report.broken_at, report.problem) == (4, "cut_off")


def test_a_chain_written_anew_is_found_with_the_head_noted_elsewhere() -> None:
    forged = chain_of(*(canonical({"number": number, "said": "other"}) for number in range(1, 6)))
    assert verify_chain(forged).is_whole
    assert not verify_chain(forged, expected_last=5, expected_head=FIVE[-1][3]).is_whole
    report = verify_chain(forged, expected_last=3, expected_head=FIVE[2][3])  # noted before the last two came
    assert (report.broken_at, report.problem) == (3, "altered")
    assert verify_chain(FIVE, expected_last=3, expected_head=FIVE[2][3]).is_whole


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcdef", max_size=4), inner, max_size=4),
    max_leaves=12,
)
PAYLOADS = st.dictionaries(st.text("abcdef", min_size=1, max_size=6), JSON, max_size=5)


@settings(max_examples=40)
@given(PAYLOADS, st.randoms(use_true_random=False))
def test_the_order_of_keys_makes_no_difference_and_reading_it_back_gives_the_same_text(payload, random) -> None:  # type: ignore[no-untyped-def]
    keys = list(payload)
    random.shuffle(keys)
    text = canonical({key: payload[key] for key in keys})
    assert text == canonical(payload) == canonical(json.loads(text))


@settings(max_examples=40)
@given(st.lists(PAYLOADS, min_size=1, max_size=4), st.data())
def test_any_one_character_changed_anywhere_is_found(payloads: list[dict[str, object]], data: st.DataObject) -> None:
    rows = chain_of(*(canonical({"said": payload}) for payload in payloads))
    assert verify_chain(rows).is_whole
    index = data.draw(st.integers(0, len(rows) - 1))
    number, *parts = rows[index]
    field = data.draw(st.integers(0, 2))
    at = data.draw(st.integers(0, len(parts[field]) - 1))
    old = parts[field][at]
    parts[field] = parts[field][:at] + ("0" if old != "0" else "1") + parts[field][at + 1 :]
    rows[index] = (number, *parts)
    report = verify_chain(rows)
    assert report.broken_at is not None and report.broken_at - (index + 1) in (0, 1)
