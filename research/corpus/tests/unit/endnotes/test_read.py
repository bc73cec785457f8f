"""A whole set of endnotes to the history of each provision, on a fictional Act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.corpus.ingest.endnotes.read import read_history
from research.corpus.ingest.history import Address, ApplicationNote, Effect, Event, History
from research.corpus.ingest.published import Cell, EndnoteTable, Ledger, Published, PublishedProvision

D = date
ACT_HEADS = ("Act", "Number and year", "Assent", "Commencement", "Application, saving and transitional provisions")
MADE = ("Harbour Dues and Ferries Act 1999", "7, 1999", "20 Apr 1999", "1 July 1999", "")
ACTS = [
    MADE,
    ("Harbour Dues Amendment Act 2001", "5, 2001", "1 Mar 2001", "Sch 1: 1 July 2001 (s 2(1) item 2)",
     "Sch 1 (item 9)"),
    ("Ferries (Measures No. 1) Act 2003", "66, 2003", "30 June 2003",
     "Sch 1 (items 1–8): 1 July 2003\nSch 2: 1 Jan 2004\nSch 3: 1 July 2004\nSch 4: never commenced", "—"),
    ("Ferries (Consequential) Act 2004", "20, 2004", "1 May 2004", "immediately after the commencement of Sch 2", ""),
    ("Harbour Dues (Rates) Act 2006", "90, 2006", "15 Nov 2006", "1 July 2005", ""),
    ("Ferries Repeal Act 2010", "23, 2010", "2 June 2010", "Royal Assent", ""),
    ("Ferries (Late) Act 2011", "86, 2011", "1 Dec 2011", "1 July 2030", ""),
]  # fmt: skip

Text = str | Cell


def provision(
    section: str, *path: str, schedule: str = "", heading: str = "Dues", kind: str = "operative"
) -> PublishedProvision:
    return PublishedProvision(section, schedule, path, heading, kind, "A ferry pays dues.")


BODY = (
    provision("1", "Part 1—Start"),
    provision("2", "Part 1—Start"),
    provision("18", "Part 2—Dues", "Division 1—Harbours"),
    provision("41", "Part 2—Dues", "Division 2—Ferries"),
    provision("41A", "Part 2—Dues", "Division 2—Ferries"),
    provision("43", "Part 2—Dues", "Division 2—Ferries"),
    provision("50", "Part 3—Rates", "Division 1—Rates"),
    provision("5", "Schedule 2—Tolls", "Part 1—Tolls", schedule="2"),
    provision("18", "Schedule 2—Tolls", "Part 1—Tolls", schedule="2"),
)


def cells(row: Sequence[Text]) -> tuple[Cell, ...]:
    return tuple(one if isinstance(one, Cell) else Cell(one) for one in row)


def table(number: str, title: str, heads: Sequence[str], rows: Sequence[Sequence[Text]]) -> EndnoteTable:
    return EndnoteTable(number, title, tuple(heads), tuple(cells(row) for row in rows))


def published(
    amendments: Sequence[Sequence[Text]],
    acts: Sequence[Sequence[Text]] = ACTS,
    provisions: Sequence[PublishedProvision] = BODY,
    not_commenced: tuple[tuple[int, int], ...] = (),
    number: tuple[int, int] = (7, 1999),
) -> Published:
    endnotes = (
        table("3", "Legislation history", ACT_HEADS, acts),
        table("4", "Amendment history", ("Provision affected", "How affected"), amendments),
    )
    return Published(
        "Harbour Dues and Ferries Act 1999", D(2012, 1, 1), tuple(provisions), Ledger(0, 0),
        act_number=number[0], act_year=number[1], not_commenced=not_commenced, endnotes=endnotes,
    )  # fmt: skip


def told(history: History, section: str, schedule: str = "") -> list[str]:
    """ "am No 5, 2001 @2001-07-01"; "|" parts ambiguous days, "?" unresolved words, "-" what is not applied."""
    return [
        f"{'' if e.is_applied else '-'}{e.effect} {e.act} @{'|'.join(map(str, e.days))}"
        + (f" ?{e.unresolved}" if e.unresolved else "")
        for e in history.events[schedule, section]
    ]


def history_of(*amendments: Sequence[Text]) -> History:
    return read_history(published(amendments))


BEGAN = "began No 7, 1999 @1999-07-01"
AM5, AM23 = "am No 5, 2001 @2001-07-01", "am No 23, 2010 @2010-06-02"
PENDING = "underlined, or named on the cover as not commenced: may not have commenced"
DOUBT = "it is not told which of several provisions is meant"
THREE = "@2003-07-01|2004-01-01|2004-07-01"

ROWS: list[tuple[str, list[Sequence[Text]], str, str, list[str]]] = [
    ("a provision that no row names began with the Act and stayed", [("s 1", "am No 5, 2001")], "", "2", [BEGAN]),
    ("an amendment has the commencement of its Act", [("s 18……", "am No 5, 2001")], "", "18", [BEGAN, AM5]),
    ("50: the code carries over", [("s 18", "am No 5, 2001; No 23, 2010")], "", "18", [BEGAN, AM5, AM23]),
    ("51: numbers of one year are two Acts", [("s 18", "am. Nos. 5 and 6, 2001")], "", "18",
     [BEGAN, AM5, "am No 6, 2001 @ ?not in Endnote 3"]),
    ("52: an empty left cell goes on with the provision above", [("s 18", "am No 5, 2001"), ("", "rs No 23, 2010")],
     "", "18", [BEGAN, AM5, "rs No 23, 2010 @2010-06-02"]),
    ("52: and with its code", [("s 18", "am No 5, 2001;"), ("", "No 23, 2010")], "", "18", [BEGAN, AM5, AM23]),
    ("53: a bare heading is scope and no event", [("Part 1", ""), ("s 1", "am No 5, 2001")], "", "2", [BEGAN]),
    ("54: an amendment that was never applied has no effect",
     [("s 18", "am No 5, 2001 (amdt never applied (Sch 1 item 4))")], "", "18",
     [BEGAN, "-am No 5, 2001 @2001-07-01"]),
    ("54: nor has one that could not be incorporated", [("s 18", "am No 5, 2001 (md not incorp)")], "", "18",
     [BEGAN, "-am No 5, 2001 @2001-07-01"]),
    ("55: an underlined row has not commenced", [("s 18", Cell("am No 66, 2003", is_pending=True))], "", "18",
     [BEGAN, f"am No 66, 2003 {THREE} ?{PENDING}"]),
    ("55: and of an Act of which nothing has, it has no effect yet",
     [("s 18", Cell("am No 86, 2011", is_pending=True))], "", "18", [BEGAN, "-am No 86, 2011 @"]),
    ("55: what never applied is not made to by a line under it",
     [("s 18", Cell("am No 66, 2003 (md not incorp)", is_pending=True))], "", "18",
     [BEGAN, f"-am No 66, 2003 {THREE}"]),
    ("a cite before which no code stands did something", [("s 18", "No 5, 2001")], "", "18",
     [BEGAN, "am No 5, 2001 @ ?what was done is not told"]),
    ("an amendment that is not applied in part is in part", [("s 18", "am No 5, 2001 (partly not applied)")], "", "18",
     [BEGAN, AM5]),
    ("a heading of its own row tells the Schedule as well",
     [("Sch 2 hdg", "rs No 5, 2001"), ("c 18", "am No 23, 2010")],
     "2", "18", [BEGAN, AM23]),
    ("a heading of its own row tells the Part as well", [("Part 3 hdg", "rs No 5, 2001"), ("Div 1", "am No 23, 2010")],
     "", "18", [BEGAN]),
    ("what names a part of a Schedule that is not known may be any of it", [("Sch 2 (item 5)", "am No 5, 2001")],
     "2", "5", [BEGAN, f"am No 5, 2001 @ ?{DOUBT}"]),
    ("what is listed under a Division and not known may be any of it",
     [("Part 2", ""), ("Division 2", ""), ("Table of fares", "am No 5, 2001")], "", "41A",
     [BEGAN, f"am No 5, 2001 @ ?{DOUBT}"]),
    ("several Divisions at once", [("Divs 1 and 2", "am No 5, 2001")], "", "43", [BEGAN, f"am No 5, 2001 @ ?{DOUBT}"]),
    ("several Parts at once", [("Parts 1–2", "am No 5, 2001")], "", "50", [BEGAN]),
    ("several Schedules at once", [("Schs 1, 2", "am No 5, 2001")], "2", "5", [BEGAN, f"am No 5, 2001 @ ?{DOUBT}"]),
    ("a clause is a Schedule's, where the body has none so numbered", [("c 5", "am No 5, 2001")], "2", "5",
     [BEGAN, AM5]),
    ("a clause that the body has a number of too may be either", [("c 18", "am No 5, 2001")], "", "18",
     [BEGAN, f"am No 5, 2001 @ ?{DOUBT}"]),
    ("a Division's life after a section was added is the section's too",
     [("Part 2", ""), ("Division 1", "rep No 23, 2010"), ("s 18", "ad No 5, 2001")], "", "18",
     ["ad No 5, 2001 @2001-07-01", "rep No 23, 2010 @2010-06-02"]),
    ("what was done to a Division was done to a section of it that is gone",
     [("Part 2", ""), ("Division 2", "am No 5, 2001"), ("s 42", "rep No 23, 2010")], "", "42",
     [BEGAN, AM5, "rep No 23, 2010 @2010-06-02"]),
    ("a section of another number before, of which nothing tells when, has no day",
     [("s 18 (prev s 17)", "am No 5, 2001")], "", "18",
     [BEGAN, "renum an Act that is not told @ ?its day is not told", AM5]),
    ("55: of several underlined it is the one that Endnote 3 says has not",
     [("s 18", Cell("am No 5, 2001; No 86, 2011", is_pending=True))], "", "18",
     [BEGAN, AM5, "-am No 86, 2011 @"]),
    ("55: and if it says so of none, none is sure", [("s 18", Cell("am No 5, 2001; No 23, 2010", is_pending=True))],
     "", "18",
     [BEGAN, *(f"{one} ?underlined, or named on the cover as not commenced: may not have commenced"
               for one in (AM5, AM23))]),
    ("a commencement after the compilation's day has not come", [("s 18", "am No 86, 2011")], "", "18",
     [BEGAN, "-am No 86, 2011 @"]),
    ("57: an Act with three commencements is an ambiguous set", [("s 18", "am No 66, 2003")], "", "18",
     [BEGAN, f"am No 66, 2003 {THREE}"]),
    ("58: a commencement before assent is retrospective", [("s 18", "am No 90, 2006")], "", "18",
     [BEGAN, "am No 90, 2006 @2005-07-01"]),
    ("59: words without a day are kept", [("s 18", "am No 20, 2004")], "", "18",
     [BEGAN, "am No 20, 2004 @ ?immediately after the commencement of Sch 2"]),
    ("60: repealed and added again", [("s 18", "rep No 5, 2001\nad No 23, 2010")], "", "18",
     [BEGAN, "rep No 5, 2001 @2001-07-01", "ad No 23, 2010 @2010-06-02"]),
    ("what was added did not begin with the Act", [("s 41A", "ad No 5, 2001\nam No 23, 2010")], "", "41A",
     ["ad No 5, 2001 @2001-07-01", AM23]),
    ("61: a range is each section there is", [("ss 41–43", "am No 5, 2001")], "", "41A", [BEGAN, AM5]),
    ("61: and each that other rows name", [("ss 41–43", "am No 5, 2001"), ("s 42", "rep No 23, 2010")], "", "42",
     [BEGAN, AM5, "rep No 23, 2010 @2010-06-02"]),
    ("61: it does not reach beyond", [("ss 41–43", "am No 5, 2001")], "", "50", [BEGAN]),
    ("a definition that is added amends its section", [("s 18 (def of ferry)", "ad No 5, 2001")], "", "18",
     [BEGAN, AM5]),
    ("so does a paragraph that is repealed, and a note",
     [("s 18(3)(a)", "rep No 5, 2001"), ("Note to s 18", "ad No 23, 2010")],
     "", "18", [BEGAN, AM5, AM23]),
    ("a row of a Division is one of each section in it", [("Division 2", "rs No 5, 2001")], "", "43",
     [BEGAN, "rs No 5, 2001 @2001-07-01"]),
    ("one row for the Division and one for the section are one event",
     [("Division 2", "ad No 5, 2001"), ("s 43", "ad No 5, 2001")], "", "43", ["ad No 5, 2001 @2001-07-01"]),
    ("a section added to a Division later was not added with it",
     [("Division 2", "ad No 5, 2001"), ("s 41A", "ad No 23, 2010")], "", "41A", ["ad No 23, 2010 @2010-06-02"]),
    ("the Part above decides between two Divisions 1", [("Part 3", ""), ("Division 1", "am No 5, 2001")], "", "50",
     [BEGAN, AM5]),
    ("so it does within one label", [("Div 1 of Part 3", "am No 5, 2001")], "", "18", [BEGAN]),
    ("the heading of a Division is in none of its sections", [("Division 2 hdg", "rs No 5, 2001")], "", "41", [BEGAN]),
    ("7: s 18 under Schedule 2 is that of the Schedule",
     [("s 18", "am No 5, 2001"), ("Schedule 2", ""), ("s 18", "am No 23, 2010")], "2", "18", [BEGAN, AM23]),
    ("7: and not that of the body", [("Schedule 2", ""), ("s 18", "am No 23, 2010")], "", "18", [BEGAN]),
    ("a clause under its Schedule", [("Schedule 2—Tolls", ""), ("Part 1", ""), ("c 5", "am No 5, 2001")], "2", "5",
     [BEGAN, AM5]),
    ("a row of a Schedule is one of each clause", [("Sch 2", "ad No 5, 2001")], "2", "5",
     ["ad No 5, 2001 @2001-07-01"]),
    ("an earlier number keeps its history", [("s 43 (prev s 42)", "am No 5, 2001\nrenum No 23, 2010")], "", "43",
     [BEGAN, AM5, "renum No 23, 2010 @2010-06-02"]),
    ("without one what it was before is not told", [("s 43", "renum No 23, 2010")], "", "43",
     ["renum No 23, 2010 @2010-06-02"]),
    ("an editorial change has its compilation", [("s 18", "ed C9")], "", "18", [BEGAN, "ed C9 @ ?made in C9"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "schedule", "section", "wanted"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_what_the_rows_of_endnote_4_say(
    rows: list[Sequence[Text]], schedule: str, section: str, wanted: list[str]
) -> None:
    assert told(history_of(*rows), section, schedule) == wanted


def test_a_retrospective_event_has_both_its_dates() -> None:
    event = history_of(("s 18", "am No 90, 2006")).events["", "18"][-1]
    assert event == Event(Effect.AMENDED, "No 90, 2006", (D(2005, 7, 1),), assent=D(2006, 11, 15))
    assert event.is_retrospective


def test_every_provision_of_the_text_has_a_history() -> None:
    wanted: set[Address] = {(p.schedule, p.section) for p in BODY}
    assert set(history_of(("s 18", "am No 5, 2001")).events) == wanted


def test_application_provisions_are_noted() -> None:
    history = history_of(("s 18", "am No 5, 2001"))
    assert history.applications == (ApplicationNote("No 5, 2001", "Sch 1 (item 9)"),)


def test_rows_that_name_nothing_in_the_text_are_kept_as_published() -> None:
    history = history_of(
        ("Reader's Guide", "ad No 5, 2001"), ("Division 2 hdg", "rs No 5, 2001"), ("s 18", "see Note 2")
    )
    assert history.unread == ("Reader's Guide: ad No 5, 2001", "Division 2 hdg: rs No 5, 2001", "s 18: see Note 2")
    assert told(history, "18") == [BEGAN]


def test_a_division_of_which_there_are_two_may_be_either_and_dates_neither() -> None:
    """Part 2 and Part 3 each have a Division 1, and no row above says which is meant."""
    history = history_of(("Division 1", "rs No 5, 2001"))
    for section in ("18", "50"):
        assert told(history, section) == [
            BEGAN, f"am No 5, 2001 @ ?{DOUBT}",
        ]  # fmt: skip
    assert told(history, "41") == [BEGAN]
    assert history.unread == ("Division 1: rs No 5, 2001",)


def test_56_acts_set_in_under_as_amended_by_amended_another_act() -> None:
    acts: list[Sequence[Text]] = [
        *ACTS[:2],
        (Cell("as amended by", is_indented=True),),
        tuple(Cell(text, is_indented=True) for text in ("Dues Correction Act", "9, 2002", "1 Jan 2002", "1 July 1999")),
        ACTS[5],
    ]  # fmt: skip
    history = read_history(published([("s 18", "am No 5, 2001 (as am by No 9, 2002); No 9, 2002; No 23, 2010")], acts))
    assert told(history, "18") == [BEGAN, AM5, "am No 9, 2002 @ ?not in Endnote 3", AM23]


def test_acts_that_the_cover_says_have_not_commenced_are_not_applied() -> None:
    rows = [("s 18", "am No 5, 2001; No 66, 2003; No 86, 2011")]
    history = read_history(published(rows, not_commenced=((66, 2003), (86, 2011))))
    assert told(history, "18") == [
        BEGAN,
        AM5,
        f"am No 66, 2003 {THREE} ?underlined, or named on the cover as not commenced: may not have commenced",
        "-am No 86, 2011 @",
    ]


def test_provisions_begin_with_their_own_part_of_the_act() -> None:
    said = "s 1: Royal Assent; Part 2: 1 Jan 2000; Schedule 2: 1 Jan 2001; Remainder: 1 July 1999"
    act = (*MADE[:3], said, "")
    history = read_history(published([("s 42", "rep No 5, 2001")], [act, *ACTS[1:]]))
    assert told(history, "1") == ["began No 7, 1999 @1999-04-20"]
    assert told(history, "2") == [BEGAN]
    assert told(history, "41") == ["began No 7, 1999 @2000-01-01"]
    assert told(history, "18", "2") == ["began No 7, 1999 @2001-01-01"]
    # Where a section stood that is gone is not known.
    assert told(history, "42")[0] == "began No 7, 1999 @1999-07-01|2000-01-01|2001-01-01"


def test_a_beginning_whose_part_cannot_be_told_may_be_either() -> None:
    act = (*MADE[:3], "Part 9: 1 Jan 2000; Remainder: 1 July 1999", "")
    history = read_history(published([("s 18", "am No 5, 2001")], [act, *ACTS[1:]]))
    assert told(history, "2") == ["began No 7, 1999 @1999-07-01|2000-01-01"]


def test_a_beginning_that_endnote_3_does_not_tell_is_not_resolved() -> None:
    history = read_history(published([("s 18", "am No 5, 2001")], number=(8, 1999)))
    assert told(history, "2") == ["began No 8, 1999 @ ?not in Endnote 3"]


OLD_ACTS = [
    ("Wharf Dues Act 1936", "27, 1936", "2 June 1936", "2 June 1936", ""),
    ("Wharf Dues Act 1940", "17, 1940", "30 May 1940", "1 July 1940", ""),
    ("Wharf Dues Act (No. 2) 1940", "65, 1940", "14 Nov 1940", "(a)", ""),
]


def test_the_layout_of_before_2012() -> None:
    heads = (
        "Act",
        "Number and year",
        "Date of Assent",
        "Date of commencement",
        "Application, saving or transitional provisions",
    )
    old = Published(
        "Wharf Dues Act 1936", D(2009, 7, 1), (provision("5"), provision("6")), Ledger(0, 0),
        act_number=27, act_year=1936,
        endnotes=(table("", "Table of Acts", heads, OLD_ACTS),
                  table("", "Table of Amendments", ("Provision affected", "How affected"),
                        [("S. 5 . . . . . .", "am. Nos. 17 and 65, 1940")])),
    )  # fmt: skip
    assert told(read_history(old), "5") == [
        "began No 27, 1936 @1936-06-02", "am No 17, 1940 @1940-07-01", "am No 65, 1940 @ ?(a)",
    ]  # fmt: skip


def test_the_layout_of_instruments() -> None:
    heads = ("Name", "Registration", "Commencement", "Application, saving and transitional provisions")
    rows = [
        ("Ferry Tolls Regulation 2014 (SLI No 78, 2014)", "1 July 2014 (F2014L00900)", "2 July 2014", ""),
        ("Ferry Tolls Amendment Regulation 2016", "4 May 2016 (F2016L00669)", "1 July 2016 (s 2(1) item 1)", "—"),
        ("Ferry Tolls Amendment Regulation 2015 (SLI No 78, 2015)", "10 June 2015", "Sch 1: 1 July 2015", ""),
    ]  # fmt: skip
    tolls = Published(
        "Ferry Tolls Regulation 2014", D(2020, 1, 1), (provision("5"), provision("6")), Ledger(0, 0),
        endnotes=(table("3", "Legislation history", heads, rows),
                  table("4", "Amendment history", (), [("s 5", "am F2016L00669; SLI No 78, 2015; SR No 78, 2015")])),
    )  # fmt: skip
    history = read_history(tolls)
    assert told(history, "6") == ["began SLI No 78, 2014 @2014-07-02"]
    assert told(history, "5")[1:] == [
        "am F2016L00669 @2016-07-01", "am SLI No 78, 2015 @2015-07-01", "am SR No 78, 2015 @ ?not in Endnote 3",
    ]  # fmt: skip
    assert history.events["", "5"][1].assent == D(2016, 5, 4)


def test_a_law_without_endnotes_has_no_history() -> None:
    plain = Published("Ferry Tolls Regulation 2014", D(2020, 1, 1), BODY, Ledger(0, 0))
    assert read_history(plain) == History({})


def test_62_an_amendment_history_that_was_lost_is_an_error_and_not_an_act_never_amended() -> None:
    with pytest.raises(ValueError, match="Endnote 4 headed 'Amendment history' holds no table"):
        read_history(published([]))
    acts_alone = published([])
    with pytest.raises(ValueError, match="no amendment history"):
        read_history(Published("x", D(2012, 1, 1), BODY, Ledger(0, 0), endnotes=acts_alone.endnotes[:1]))


def test_62_a_legislation_history_that_was_lost_is_one_too() -> None:
    with pytest.raises(ValueError, match="Endnote 3 headed 'Legislation history' holds no table"):
        read_history(published([("s 18", "am No 5, 2001")], acts=[]))


pieces = st.sampled_from([
    "s 18", "ss 41–43", "Division 2", "Part 3", "Schedule 2", "c 5", "s 18(", "hdg", "(def of ferry)", "……", "Note to ",
    "am", "ad", "rep", "rs", "ed C9", "No 5, 2001", "Nos 5 and 66, 2003", "; ", ", ", " ", "\n", "(", ")", "(as am by ",
    "1 July 2001", "Royal Assent", ":", "Remainder", "see Note 2", "–", "\u2011", "F2016L00669", "1999 No 2",
])  # fmt: skip
texts = st.lists(pieces, max_size=8).map("".join)
any_rows = st.lists(st.lists(st.builds(Cell, texts, st.booleans(), st.booleans()), min_size=2, max_size=6), max_size=6)


@given(any_rows, any_rows)
@settings(deadline=None)
def test_whatever_stands_in_the_cells_every_provision_has_a_history(
    acts: list[list[Cell]], amendments: list[list[Cell]]
) -> None:
    history = read_history(published([("s 18", "am No 5, 2001"), *amendments], [*ACTS, *acts]))
    for provision_ in BODY:
        events = history.events[provision_.schedule, provision_.section]
        assert events
        assert all(event.days or event.unresolved or not event.is_applied for event in events)
        assert all(tuple(sorted(set(event.days))) == event.days for event in events)


def test_prose_beside_the_tables_is_no_row_of_them() -> None:
    plain = published([("s 18", "am No 5, 2001")])
    prose = EndnoteTable("", "Endnote 4—Amendment history", (), (cells(["The table lists what was amended."]),))
    assert read_history(replace(plain, endnotes=(prose, *plain.endnotes))) == read_history(plain)


def test_an_act_that_nothing_amended_has_its_own_row_alone() -> None:
    assert told(read_history(published([], [MADE])), "18") == [BEGAN]
