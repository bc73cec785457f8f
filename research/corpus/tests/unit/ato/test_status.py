"""Whether a ruling stands, to what days it applies, and which days its text may be quoted for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.corpus.ingest.ato.dates import days_in
from research.corpus.ingest.ato.effect import Effect, effect_of
from research.corpus.ingest.ato.status import Change, Days, Ending, State, days_of, ending_of
from research.law.provision import ALWAYS

ISSUED = date(2008, 3, 12)

DATES = [
    ("1 July 2019", [date(2019, 7, 1)]),
    ("on 12\u00a0March\u00a02008, and 3 Sept. 2010", [date(2008, 3, 12), date(2010, 9, 3)]),
    ("31 February 2025", []),
    ("29 February 2023 or 29 Feb 2024", [date(2024, 2, 29)]),
    ("1 May 2020", [date(2020, 5, 1)]),
    ("July 2019; 2019; 1 Harbour 2019", []),
    ("30 June 20190", []),
]


@pytest.mark.parametrize(("text", "days"), DATES)
def test_a_date_is_read_if_a_calendar_has_it(text: str, days: list[date]) -> None:
    assert days_in(text) == days


EFFECTS = [
    ("This Ruling applies to years of income commencing both before and after its date of issue.", ALWAYS, None),
    (
        "This Determination applies both before and after its date of issue. However, it does not apply to x.",
        ALWAYS,
        None,
    ),
    ("This Ruling applies from 1 July 2023 to 30 June 2024.", date(2023, 7, 1), date(2024, 7, 1)),
    ("The Ruling applies for the period 1 July 2023 – 30 June 2026.", date(2023, 7, 1), date(2026, 7, 1)),
    ("This Guideline applies on and from 1 July 2020.", date(2020, 7, 1), None),
    ("This Ruling applies to arrangements begun to be carried out on or after 1 July 2010.", date(2010, 7, 1), None),
    ("It applies to income years commencing on 1 July 2015.", date(2015, 7, 1), None),
    ("This Ruling applies to the 2019–20 income year and later income years.", date(2019, 7, 1), None),
    ("This Ruling applies to the 2019-20 income year.", date(2019, 7, 1), date(2020, 7, 1)),
    ("This Class Ruling applies to the 2019-20 to 2021-22 income years.", date(2019, 7, 1), date(2022, 7, 1)),
    ("This Ruling applies from its date of issue.", ISSUED, None),
    ("This Ruling does not apply before 1 July 2010.", None, None),
    ("The Act applies from 1 July 2010.", None, None),
    ("This Ruling applies from 31 February 2025.", None, None),
    ("This Ruling applies from 1 July 2024 to 30 June 2023.", None, None),
    ("This Ruling sets out how berths are let.", None, None),
]


@pytest.mark.parametrize(("text", "starts", "ends"), EFFECTS)
def test_the_date_of_effect_is_read_from_its_sentence(text: str, starts: date | None, ends: date | None) -> None:
    wanted = Effect(starts, ends, "its date of effect") if starts else None
    assert effect_of([text], [], ISSUED) == wanted


ELSEWHERE = [
    ("This Determination applies both before and after its date of issue.", ALWAYS),
    ("This Ruling applies from 1 July 2010.", date(2010, 7, 1)),
    ("This Ruling applies to the 2019-20 income year and later income years.", date(2019, 7, 1)),
    ("This Ruling applies to ferries that were built after 1 July 1999.", None),
    ("It applies from 1 July 2010.", None),
    ("The Ruling applies from 1 July 2010.", None),
]


@pytest.mark.parametrize(("text", "starts"), ELSEWHERE)
def test_outside_its_paragraphs_on_effect_a_ruling_must_say_outright_when_it_applies(
    text: str, starts: date | None
) -> None:
    found = effect_of([], [text], ISSUED)
    assert (found and found.starts) == starts


def test_the_first_paragraph_that_says_so_decides() -> None:
    later = "This Ruling applies from 1 July 2020."
    assert effect_of(["Nothing here.", "This Ruling applies from 1 July 2010.", later], ["x"], None) == Effect(
        date(2010, 7, 1), None, "its date of effect"
    )


ALERT = "This document has been Withdrawn. View the Withdrawal notice for this document."
GONE = date(2019, 7, 1)
ENDINGS = [
    # title, notes, body, (state, day, by)
    ("TR 2008/1", [], [], (State.CURRENT, None, "")),
    ("TR 2008/1 (Withdrawn)", [], [], (State.WITHDRAWN, None, "")),
    ("TR 2008/1", [ALERT], [], (State.WITHDRAWN, None, "")),
    ("TR 2008/1", [ALERT], ["TR 2008/1 is withdrawn with effect from 1 July 2019."], (State.WITHDRAWN, GONE, "")),
    ("TR 2008/1", [], ["This Ruling was withdrawn on 1 July 2019."], (State.WITHDRAWN, GONE, "")),
    ("TR 2008/1", ["This document has been superseded by TR 2020/1."], [], (State.SUPERSEDED, None, "TR 2020/1")),
    (
        "TR 2008/1",
        ["This Ruling is replaced by TR 2020/1 from 1 July 2019."],
        [],
        (State.SUPERSEDED, GONE, "TR 2020/1"),
    ),
    (
        "TR 2008/1",
        [ALERT, "It has been replaced by TR 2020/1."],
        ["This Ruling was withdrawn on 1 July 2019."],
        (State.WITHDRAWN, GONE, "TR 2020/1"),
    ),
    ("TR 2008/1", ["This version is no longer current."], [], (State.OLD_VERSION, None, "")),
    # The other ruling is the one that went.
    ("TR 2008/1", [], ["This Ruling replaces TR 95/1, which was withdrawn on 1 July 2007."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["This Ruling replaces TR 95/1, withdrawn on 1 July 2007."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["TR 95/1 was withdrawn on 1 July 2007. It is not law."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["This Ruling withdraws TR 95/1 with effect from 1 July 2007."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["Following the withdrawal of TR 95/1 on 1 July 2007 this applies."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["TR 95/1 has been superseded by TR 2008/1."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["TR 95/1 has been superseded by TR 98/2."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["This Ruling replaces TR 95/1, which was superseded by TR 98/2."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["TR 95/1 was a draft. It was withdrawn on 1 July 2007."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["See TR 95/1. The Ruling was withdrawn on 1 July 2007."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["A benefit that is withdrawn in part is income."], (State.CURRENT, None, "")),
    (
        "TR 2008/1",
        [],
        ["This Ruling, issued on 12 March 2008, was withdrawn on 1 July 2019 for the Act of 3 May 2018."],
        (State.WITHDRAWN, GONE, ""),
    ),
    # Nothing happened yet, or ever.
    (
        "TR 2008/1",
        [],
        ["If this Ruling is withdrawn before 30 June 2024, it still applies."],
        (State.CURRENT, None, ""),
    ),
    ("TR 2008/1", [], ["This Ruling has not been withdrawn as at 1 July 2019."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["Money withdrawn on 1 July 2019 is income."], (State.CURRENT, None, "")),
    ("TR 2008/1", [], ["This Ruling was withdrawn on 31 February 2025."], (State.CURRENT, None, "")),
]


@pytest.mark.parametrize(("title", "notes", "body", "wanted"), ENDINGS)
def test_the_strongest_sign_about_this_ruling_says_how_it_ended(
    title: str, notes: list[str], body: list[str], wanted: tuple[State, date | None, str]
) -> None:
    found = ending_of("TR 2008/1", title, notes, body, [])
    assert (found.state, found.day, found.by, found.in_part) == (*wanted, "")


def test_a_row_of_the_history_dates_a_withdrawal_that_no_sentence_dates() -> None:
    history = [Change(ISSUED, "12 March 2008 Original ruling"), Change(GONE, "1 July 2019 Withdrawn")]
    assert ending_of("TR 2008/1", "TR 2008/1", [ALERT], [], history) == Ending(State.WITHDRAWN, GONE)


PARTIAL = [
    "Paragraphs 12 to 15 of this Ruling are withdrawn with effect from 1 July 2019.",
    "This Ruling is withdrawn in part from 1 July 2019.",
    "This Ruling is withdrawn with effect from 1 July 2019 to the extent that it concerns moorings.",
]


@pytest.mark.parametrize("sentence", PARTIAL)
def test_what_takes_back_a_part_leaves_the_rest_and_is_said_with_every_quote(sentence: str) -> None:
    found = ending_of("TR 2008/1", "TR 2008/1", [sentence], [], [])
    assert (found.state, found.day, found.notice) == (State.CURRENT, None, f"Withdrawn in part: {sentence}")


NOTICES = [
    (Ending(), ""),
    (Ending(State.WITHDRAWN, GONE), "Withdrawn with effect from 1 July 2019."),
    (Ending(State.WITHDRAWN), "Withdrawn; the date is not stated."),
    (Ending(State.WITHDRAWN, GONE, "TR 2020/1"), "Withdrawn with effect from 1 July 2019; superseded by TR 2020/1."),
    (Ending(State.SUPERSEDED, None, "TR 2020/1"), "Superseded by TR 2020/1."),
    (Ending(State.SUPERSEDED, GONE, "TR 2020/1"), "Superseded by TR 2020/1 on 1 July 2019."),
    (Ending(State.OLD_VERSION), "An earlier version of this ruling, which was changed since."),
]


@pytest.mark.parametrize(("ending", "notice"), NOTICES)
def test_the_notice_is_one_sentence(ending: Ending, notice: str) -> None:
    assert ending.notice == notice


SAVED = date(2024, 5, 1)
AFTER_SAVED = date(2024, 5, 2)
BOTH = Effect(ALWAYS, None, "its date of effect")
ORIGINAL = Change(ISSUED, "Original ruling")
ADDENDUM = Change(date(2010, 7, 1), "Consolidated ruling Addendum")
WINDOWS: list[tuple[str, Ending, Effect | None, Sequence[Change], date | None, tuple[date, date, date, bool]]] = [
    ("current, both before and after", Ending(), BOTH, [], None, (ALWAYS, AFTER_SAVED, ISSUED, False)),
    (
        "current, from a day",
        Ending(),
        Effect(date(2010, 7, 1), None, ""),
        [],
        None,
        (date(2010, 7, 1), AFTER_SAVED, date(2010, 7, 1), False),
    ),
    ("no date of effect", Ending(), None, [], None, (ISSUED, AFTER_SAVED, ISSUED, False)),
    ("withdrawn on a day", Ending(State.WITHDRAWN, GONE), BOTH, [], None, (ALWAYS, GONE, ISSUED, True)),
    ("withdrawn on no stated day", Ending(State.WITHDRAWN), BOTH, [], None, (ALWAYS, date(2008, 3, 13), ISSUED, False)),
    (
        "a closed period over before it was issued",
        Ending(),
        Effect(date(2005, 7, 1), date(2006, 7, 1), ""),
        [],
        None,
        (date(2005, 7, 1), date(2006, 7, 1), date(2006, 6, 30), True),
    ),
    (
        "a closed period that goes on",
        Ending(),
        Effect(date(2023, 7, 1), date(2026, 7, 1), ""),
        [],
        None,
        (date(2023, 7, 1), AFTER_SAVED, date(2023, 7, 1), False),
    ),
    (
        "a consolidated text begins with its change",
        Ending(),
        BOTH,
        [ORIGINAL, ADDENDUM],
        None,
        (date(2010, 7, 1), AFTER_SAVED, date(2010, 7, 1), False),
    ),
    (
        "and one withdrawn on no stated day stood at least then",
        Ending(State.WITHDRAWN),
        BOTH,
        [ORIGINAL, ADDENDUM],
        None,
        (date(2010, 7, 1), date(2010, 7, 2), date(2010, 7, 1), False),
    ),
    (
        "an earlier version ends where the next begins",
        Ending(State.OLD_VERSION),
        BOTH,
        [Change(ISSUED, "Original ruling", is_here=True), ADDENDUM],
        None,
        (ALWAYS, date(2010, 7, 1), ISSUED, False),
    ),
    (
        "also where only its address says which it is",
        Ending(State.OLD_VERSION),
        BOTH,
        [ORIGINAL, ADDENDUM],
        date(2009, 1, 1),
        (ALWAYS, date(2010, 7, 1), ISSUED, False),
    ),
]


@pytest.mark.parametrize(
    ("ending", "effect", "history", "version_day", "wanted"),
    [window[1:] for window in WINDOWS],
    ids=[window[0] for window in WINDOWS],
)
def test_a_text_may_be_quoted_for_the_days_it_is_known_to_apply_to(
    ending: Ending,
    effect: Effect | None,
    history: Sequence[Change],
    version_day: date | None,
    wanted: tuple[date, date, date, bool],
) -> None:
    found = days_of(ending, effect, ISSUED, history, version_day, SAVED)
    assert isinstance(found, Days)
    assert (found.starts, found.ends, found.dated, found.is_exhaustive) == wanted


NO_DAY = [
    (Ending(), Effect(date(2024, 7, 1), None, ""), [], "would begin on 1 July 2024 and end before 2 May 2024"),
    (Ending(State.WITHDRAWN, date(2008, 1, 1)), Effect(ISSUED, None, ""), [], "would begin on 12 March 2008"),
    (Ending(State.OLD_VERSION), BOTH, [], "the page does not say of which days"),
]


@pytest.mark.parametrize(("ending", "effect", "history", "why"), NO_DAY)
def test_a_text_without_a_day_says_why(ending: Ending, effect: Effect, history: list[Change], why: str) -> None:
    found = days_of(ending, effect, ISSUED, history, None, SAVED)
    assert isinstance(found, str) and why in found


DAY = st.dates(date(1990, 1, 1), date(2030, 1, 1))


@given(
    st.sampled_from(State),
    st.none() | DAY,
    st.none() | DAY,
    st.none() | DAY,
    st.lists(st.builds(Change, DAY, st.sampled_from(["Original ruling", "Addendum", "Withdrawn"]), st.booleans())),
    DAY,
)
def test_no_day_after_the_page_was_saved_or_the_ruling_ended_is_ever_claimed(
    state: State, ended: date | None, starts: date | None, issued: date | None, history: list[Change], saved: date
) -> None:
    effect = Effect(starts, None, "its date of effect") if starts else None
    history.sort(key=lambda change: change.day)
    found = days_of(Ending(state, ended), effect, issued, history, None, saved)
    if isinstance(found, Days):
        assert found.starts <= found.dated < found.ends <= saved + timedelta(days=1)
        assert ended is None or found.ends <= ended
        assert starts is None or found.starts >= starts
