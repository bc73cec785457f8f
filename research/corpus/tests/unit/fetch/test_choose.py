"""Which version was in force on a day, as known on a day, and what is said when its text is not there."""

from __future__ import annotations

from datetime import date

import pytest

from research.corpus.ingest.fetch.answers import DocumentRow, DocumentType, Format, VersionRow
from research.corpus.ingest.fetch.choose import (
    Chosen,
    NoText,
    Unapplied,
    choose,
    day_asked,
    newest_text,
    text_not_current_from,
    unapplied,
    whole_epub,
)
from research.corpus.ingest.fetch.outcomes import Absent

TODAY = date(2024, 3, 1)


def version(
    start: str,
    end: str | None,
    register_id: str | None,
    *,
    viewed: str | None = None,
    behind: bool = False,
    by: str = "",
) -> VersionRow:
    first = date.fromisoformat(start)
    return VersionRow(
        "C1999A00123",
        first,
        date.fromisoformat(viewed) if viewed else first,
        date.fromisoformat(end) if end else None,
        register_id,
        has_unincorporated_amendments=behind,
        amended_by=(by,) if by else (),
    )


MADE = version("1999-12-01", "2015-01-01", "C1999A00123")
FIRST = version("2015-01-01", "2015-07-01", "C2015C00001")
SECOND = version("2015-07-01", "2020-01-01", "C2015C00200")
MARKER = version("2020-01-01", "2020-06-01", None, by="Ferries Amendment Act 2019")
MARKER_2 = version("2020-06-01", None, None, by="Ferries Amendment Act 2020")
BOTH = ("Ferries Amendment Act 2019", "Ferries Amendment Act 2020")
PLAIN = [SECOND, MADE, FIRST]  # in no order: the answer must not depend on it


@pytest.mark.parametrize(
    ("day", "wanted"),
    [
        ("1999-12-01", "C1999A00123"),
        ("2014-12-31", "C1999A00123"),
        ("2015-01-01", "C2015C00001"),
        ("2015-06-30", "C2015C00001"),  # the end is the first day of the next
        ("2015-07-01", "C2015C00200"),
        ("2019-12-31", "C2015C00200"),
    ],
)
def test_the_window_that_holds_the_day_is_chosen(day: str, wanted: str) -> None:
    choice = choose(PLAIN, date.fromisoformat(day), TODAY)
    assert isinstance(choice, Chosen)
    assert (choice.register_id, choice.text_not_current_from) == (wanted, None)


def test_before_the_first_version_the_earliest_is_named_and_nothing_is_guessed() -> None:
    choice = choose(PLAIN, date(1999, 11, 30), TODAY)
    assert choice == Absent(
        "No version on 1999-11-30; the earliest that the Register holds starts on 1999-12-01 (C1999A00123)."
    )


def test_after_the_last_version_ended_none_is_in_force() -> None:
    choice = choose(PLAIN, date(2020, 1, 1), TODAY)
    assert choice == Absent(
        "No version was in force on 2020-01-01; the last before it, from 2015-07-01, ended on 2020-01-01."
    )
    assert choose([], TODAY, TODAY) == Absent("The Register lists no version.")


@pytest.mark.parametrize("day", [date(2020, 1, 1), date(2020, 6, 1), TODAY])
def test_a_current_version_without_register_id_falls_back_and_says_from_when(day: date) -> None:
    choice = choose([*PLAIN, MARKER_2, MARKER], day, TODAY)
    assert isinstance(choice, Chosen)
    assert choice.register_id == "C2015C00200"
    assert choice.text_not_current_from == date(2020, 1, 1)  # of the first marker, not of the one in force
    assert not choice.in_force.register_id


def test_the_day_before_an_unpublished_amendment_has_a_current_text() -> None:
    choice = choose([*PLAIN, MARKER, MARKER_2], date(2019, 12, 31), TODAY)
    assert isinstance(choice, Chosen)
    assert (choice.row, choice.text_not_current_from) == (SECOND, None)


def test_a_version_without_any_text_before_it_has_none() -> None:
    assert choose([version("2001-01-01", None, None)], TODAY, TODAY) == NoText(version("2001-01-01", None, None))


def test_a_null_compilation_number_alone_is_a_text() -> None:
    choice = choose([version("2001-01-01", None, "C2001C00009")], TODAY, TODAY)
    assert isinstance(choice, Chosen)
    assert (choice.register_id, choice.row.compilation_number) == ("C2001C00009", None)


THEN = version("2021-07-01", None, "C2021C00300")
SINCE = version("2021-07-01", None, "C2023C00044", viewed="2023-05-01")


@pytest.mark.parametrize(
    ("known_on", "wanted"),
    [
        (date(2021, 7, 1), "C2021C00300"),
        (date(2023, 4, 30), "C2021C00300"),
        (date(2023, 5, 1), "C2023C00044"),
        (TODAY, "C2023C00044"),
    ],
)
def test_two_accounts_of_one_start_are_two_versions_chosen_by_the_day_of_knowledge(known_on: date, wanted: str) -> None:
    for rows in ([THEN, SINCE], [SINCE, THEN]):
        choice = choose(rows, date(2021, 8, 1), known_on)
        assert isinstance(choice, Chosen)
        assert choice.register_id == wanted


def test_a_retrospective_act_that_begins_inside_a_window_counts_from_its_own_start() -> None:
    old = version("2010-01-01", "2015-01-01", "C2010C00001")
    new = version("2012-01-01", "2015-01-01", "C2014C00009", viewed="2014-06-01")
    days = {date(2011, 12, 31): "C2010C00001", date(2012, 1, 1): "C2014C00009"}
    for day, wanted in days.items():
        choice = choose([old, new], day, TODAY)
        assert isinstance(choice, Chosen)
        assert choice.register_id == wanted
    earlier = choose([old, new], date(2013, 1, 1), date(2014, 5, 31))
    assert isinstance(earlier, Chosen)
    assert earlier.register_id == "C2010C00001"


def test_a_retrospective_account_without_text_falls_back_to_the_text_of_the_same_start() -> None:
    choice = choose([THEN, version("2021-07-01", None, None, viewed="2023-05-01")], TODAY, TODAY)
    assert isinstance(choice, Chosen)
    assert (choice.register_id, choice.text_not_current_from) == ("C2021C00300", date(2021, 7, 1))


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (PLAIN, None),  # nothing is in force
        ([MADE, FIRST, version("2015-07-01", None, "C2015C00200")], None),
        ([*PLAIN, MARKER, MARKER_2], Unapplied(date(2020, 1, 1), True, BOTH)),
        ([version("2015-07-01", None, "C2015C00200", behind=True)], Unapplied(date(2015, 7, 1), False)),
        (
            [version("2015-07-01", "2020-01-01", "C2015C00200", behind=True), version("2020-01-01", None, None)],
            Unapplied(date(2015, 7, 1), False),
        ),
        ([version("2001-01-01", None, None)], Unapplied(date(2001, 1, 1), True)),
    ],
)
def test_whether_an_amendment_has_commenced_without_a_published_text(
    rows: list[VersionRow], wanted: Unapplied | None
) -> None:
    assert unapplied(rows, TODAY) == wanted


def test_a_text_is_current_to_its_end_when_the_next_has_a_text_too() -> None:
    assert text_not_current_from(FIRST, [MADE, FIRST, SECOND, MARKER]) is None
    assert text_not_current_from(SECOND, [MADE, FIRST, SECOND, MARKER]) == date(2020, 1, 1)
    assert text_not_current_from(SECOND, [MADE, FIRST, SECOND]) is None


def test_the_newest_text_may_be_registered_ahead_of_its_first_day() -> None:
    ahead = version("2024-07-01", None, "C2024C00100")
    assert newest_text([*PLAIN, MARKER, ahead], TODAY) == ahead
    assert newest_text([MARKER], TODAY) is None


def document(form: Format, *, volume: int = 0, rectification: int = 0, viewed: date | None = None) -> DocumentRow:
    start = SECOND.start
    return DocumentRow("C1999A00123", start, viewed or start, DocumentType.PRIMARY, form, volume, rectification)


def test_the_whole_epub_of_the_highest_rectification_is_taken() -> None:
    listed = [
        document(Format.EPUB),
        document(Format.EPUB, rectification=2),
        document(Format.EPUB, rectification=1),
        document(Format.EPUB, rectification=9, viewed=date(2022, 1, 1)),  # of another account
        document(Format.PDF, volume=1, rectification=3),
    ]
    assert whole_epub(listed, SECOND) == listed[1]


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ([], "C2015C00200: no file of its text is listed."),
        ([document(Format.WORD, volume=1), document(Format.PDF)], "Pdf and Word is, which AsAt does not read"),
        ([document(Format.EPUB, volume=1)], "a single volume is not the Act"),
    ],
)
def test_without_a_whole_epub_it_says_what_there_is(listed: list[DocumentRow], said: str) -> None:
    found = whole_epub(listed, SECOND)
    assert isinstance(found, Absent)
    assert said in found.reason


def test_a_day_is_read_before_anything_is_asked() -> None:
    assert day_asked(" 2020-06-30 ") == date(2020, 6, 30)
    for wrong in ("2025-02-31", "30/06/2020", "2020", "", "2023-02-29"):
        with pytest.raises(ValueError, match="is not a day; give one as 2020-06-30"):
            day_asked(wrong)
    with pytest.raises(ValueError, match="give a day from 1901 on"):
        day_asked("1900-12-31")
