"""The Register's JSON read: both casings, names and ordinals, days without zone; and what is refused as unclear."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.corpus.ingest.fetch.answers import (
    Collection,
    DocumentType,
    Format,
    RegisterUnclear,
    Status,
    day_of,
    document_row,
    rows_of,
    title_row,
    version_row,
)

VERSION: dict[str, Any] = {
    "titleId": "C1999A00123",
    "start": "2019-07-01T00:00:00",
    "retrospectiveStart": "2019-07-01T00:00:00",
    "end": "2020-07-01T00:00:00",
    "isCurrent": False,
    "isLatest": False,
    "name": "Harbour Dues and Ferries Act 1999",
    "status": "InForce",
    "registerId": "C2019C00200",
    "compilationNumber": "12",
    "hasUnincorporatedAmendments": False,
    "registeredAt": "2019-07-03T13:40:38.9539588",
    "reasons": [
        {"affect": "Amend", "markdown": "sch 1 (item 66)", "affectedByTitle": {"name": "Ferries Amendment Act 2019"}}
    ],
}
PASCAL = {name[0].upper() + name[1:]: value for name, value in VERSION.items()} | {"Status": 0}
TITLE: dict[str, Any] = {
    "id": "C1999A00123",
    "name": "Harbour Dues and Ferries Act 1999",
    "collection": "Act",
    "status": "InForce",
    "isInForce": True,
    "nameHistory": [
        {"name": "Harbour Dues Act 1999", "start": "1999-01-01T00:00:00"},
        {"name": "Harbour Dues and Ferries Act 1999", "start": "2004-01-01T00:00:00"},
    ],
}
DOCUMENT: dict[str, Any] = {
    "titleId": "C1999A00123",
    "start": "2019-07-01T00:00:00",
    "retrospectiveStart": "2019-07-01T00:00:00",
    "rectificationVersionNumber": 1,
    "type": "Primary",
    "uniqueTypeNumber": 0,
    "volumeNumber": 0,
    "format": "Epub",
    "registerId": "C2019C00200",
    "sizeInBytes": 5000,
}


def test_a_version_reads_the_same_in_both_casings() -> None:
    row = version_row(VERSION)
    assert row == version_row(PASCAL)
    assert (row.start, row.end) == (date(2019, 7, 1), date(2020, 7, 1))
    assert (row.register_id, row.compilation_number, row.status) == ("C2019C00200", "12", Status.IN_FORCE)
    assert row.amended_by == ("Ferries Amendment Act 2019",)


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("register_id", {"registerId": None, "compilationNumber": None}, None),
        ("register_id", {"registerId": ""}, None),
        ("compilation_number", {"compilationNumber": None}, None),  # an old compilation may have a text and no number
        ("compilation_number", {"compilationNumber": 12}, "12"),
        ("compilation_number", {"compilationNumber": "0"}, "0"),
        ("end", {"end": None}, None),
        ("retrospective_start", {"retrospectiveStart": "2021-03-02T00:00:00"}, date(2021, 3, 2)),
        ("retrospective_start", {"retrospectiveStart": None}, date(2019, 7, 1)),
        ("status", {"status": 2}, Status.REPEALED),
        ("status", {"status": "2"}, Status.REPEALED),
        ("status", {"status": "ceased"}, Status.CEASED),
        ("is_current", {"isCurrent": None}, None),
        ("has_unincorporated_amendments", {"hasUnincorporatedAmendments": True}, True),
        ("amended_by", {"reasons": None}, ()),
    ],
)
def test_each_field_of_a_version(name: str, value: dict[str, Any], read: object) -> None:
    assert getattr(version_row(VERSION | value), name) == read


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"titleId": "c1999a00123"}, "titleId of the version is 'c1999a00123'; wanted a title id like C2004A05138"),
        ({"titleId": None}, "titleId of the version is None; wanted some text"),
        ({"start": None}, "start of the version is None; wanted a date"),
        ({"start": "2019-02-31T00:00:00"}, "that the calendar has"),
        ({"start": "2019-07-01T14:00:00Z"}, "without zone"),  # midnight in Canberra, and another day by its letters
        ({"end": "2019-06-30T00:00:00"}, "wanted a day that is not before it"),
        ({"status": 9}, "status of the version is 9; wanted one of InForce, Ceased, Repealed, NeverEffective"),
        ({"status": True}, "status of the version is True"),
        ({"isCurrent": "yes"}, "isCurrent of the version is 'yes'; wanted true, false or null"),
        ({"registerId": "../../etc"}, "wanted a register id"),
        ({"registerId": 7}, "wanted text or null"),
        ({"compilationNumber": ["12"]}, "wanted text or null"),
        ({"Start": "2001-01-01T00:00:00"}, "one value for a name"),
    ],
)
def test_a_version_that_is_not_as_known_is_unclear(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(RegisterUnclear) as raised:
        version_row(VERSION | changed)
    assert said in str(raised.value)


@pytest.mark.parametrize("answer", [None, [], "text", 4, {"value": None}, {"value": {}}, {}])
def test_a_list_without_rows_is_unclear(answer: object) -> None:
    with pytest.raises(RegisterUnclear):
        rows_of(answer)


@pytest.mark.parametrize(
    "written",
    [
        "2024-10-14",
        "2024-10-14T00:00:00",
        "2024-10-14T00:00:00.0000000",
        "2024-10-14T13:40:38.9539588",
        "2024-10-14T00:00:00Z",
        "2024-10-14T00:00:00+10:00",
    ],
)
def test_a_day_is_read_as_written_and_never_converted(written: str) -> None:
    assert day_of(written) == date(2024, 10, 14)


@pytest.mark.parametrize(
    "written", ["", "14/10/2024", "2024-10-14 00:00:00", "2024-10-14T00:00:00.12345678", "2024-13-01", 20241014, None]
)
def test_what_is_no_day_is_unclear(written: object) -> None:
    with pytest.raises(RegisterUnclear):
        day_of(written)


@given(st.dates(), st.times(), st.integers(0, 7))
def test_any_time_of_day_is_its_day(day: date, time: Any, digits: int) -> None:
    fraction = f".{time.microsecond:06d}0"[: digits + 1] if digits else ""
    assert day_of(f"{day.isoformat()}T{time:%H:%M:%S}{fraction}") == day


def test_a_title_reads_with_the_names_it_once_had() -> None:
    row = title_row(TITLE)
    assert row.former_names == ("Harbour Dues Act 1999",)
    assert (row.collection, row.status, row.is_in_force) == (Collection.ACT, Status.IN_FORCE, True)
    assert title_row(TITLE | {"collection": 1, "nameHistory": None}).collection is Collection.LEGISLATIVE_INSTRUMENT


def test_a_document_reads_by_name_and_by_ordinal() -> None:
    row = document_row(DOCUMENT)
    assert (row.type, row.format, row.rectification) == (DocumentType.PRIMARY, Format.EPUB, 1)
    assert row == document_row(DOCUMENT | {"type": 0, "format": 3})
    assert document_row(DOCUMENT | {"type": 5}).type is DocumentType.SUPPLEMENTARY_ES


@pytest.mark.parametrize(
    "changed", [{"type": 4}, {"format": 0}, {"type": None}, {"volumeNumber": -1}, {"volumeNumber": "0"}]
)
def test_a_document_that_is_not_as_known_is_unclear(changed: dict[str, Any]) -> None:
    with pytest.raises(RegisterUnclear):
        document_row(DOCUMENT | changed)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*VERSION, "id", "type"]), inner),
    )
)
def test_whatever_json_comes_it_is_read_or_unclear(answer: object) -> None:
    for read in (version_row, title_row, document_row, rows_of):
        try:
            read(answer)
        except RegisterUnclear as error:
            assert "wanted" in str(error)
