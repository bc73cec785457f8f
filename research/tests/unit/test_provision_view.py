"""A provision's page, from what the corpus holds of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from research.corpus.queries import ProvisionPage, VersionLine
from research.corpus.references import Meaning
from research.law.income_year import IncomeYear
from research.presentation.as_at import as_at_of
from research.presentation.provision import Looked, ProvisionView, provision_view
from research.presentation.wordings import Known
from research.terms import Window

pytestmark = pytest.mark.unit

YEAR, TODAY = IncomeYear(2015), date(2026, 11, 30)
TEXT = "(1) A berth due is paid if:\n(a) the berth is let; and\n(b) the vessel is moored; and\n(c) it is night."
DAY = VersionLine(
    id=7,
    heading="Berth due",
    certain_from=date(2015, 6, 22),
    certain_to=date(2015, 6, 23),
    possible_from=None,
    possible_to=None,
    dating="unknown",
    basis_from="Read from the compilation of 22 June 2015",
    basis_to="Read from the compilation of 22 June 2015",
    is_retrospective=False,
    compilation_date=date(2015, 6, 22),
    register_id="H2015C1",
    notice="",
    is_shown=True,
    is_in_force=True,
)


def page(text: str = TEXT, **changed: Any) -> ProvisionPage:
    values: dict[str, Any] = {
        "instrument": "HLA01",
        "instrument_title": "Harbour Levies Act 2001",
        "pin": "12",
        "section": "12",
        "schedule": "",
        "heading": "Berth due",
        "path": (),
        "window": Window.of_year(YEAR),
        "versions": (DAY,),
        "shown": DAY,
        "text": text,
        "kind": "operative",
        "term_spans": (),
        "before": None,
        "after": None,
        "source_uri": "",
        "licence": "",
    }
    return ProvisionPage(**(values | changed))


def view(shown: ProvisionPage, quoted: tuple[tuple[int, int], ...] = ()) -> ProvisionView:
    return provision_view(shown, as_at_of("FY2015", YEAR), [YEAR], TODAY, Looked(quoted=quoted))


def marked(shown: ProvisionView) -> list[str]:
    return [piece.text for line in shown.lines for piece in line.pieces if piece.is_quoted]


def test_each_quote_is_marked_and_the_words_between_them_are_not() -> None:
    spans = tuple((TEXT.index(words), TEXT.index(words) + len(words)) for words in ("the berth is let", "it is night."))
    shown = view(page(), spans)
    assert marked(shown) == ["the berth is let", "it is night."]
    assert shown.quoted_line == 1 and not shown.quote_missing


def test_a_quote_beyond_the_text_is_said_to_be_missing() -> None:
    shown = view(page(), ((4, 10), (5, 9_999)))
    assert marked(shown) == [TEXT[4:10]] and shown.quote_missing


def test_words_known_on_one_day_say_that_it_is_the_day_of_their_compilation() -> None:
    (row,) = view(page()).versions
    assert row.known is not None
    assert row.known.in_force == "In force on 22 June 2015, the date of its compilation"


def known(**changed: Any) -> Known:
    shown = replace(DAY, **changed)
    found = view(page(versions=(shown,), shown=shown)).known
    assert found is not None
    return found


def test_both_ends_known_alike_are_said_once_and_not_at_all_where_the_day_says_it() -> None:
    by = "In force by the publisher's own dates"
    assert known(basis_from=by, basis_to=by).ends == (("", f"{by}."),)
    assert known().ends == ()


def test_each_end_says_how_it_is_known() -> None:
    found = known(
        basis_from="Amended by No 7, 2015, which commenced on 1 July 2015, before its assent on 20 August 2015",
        basis_to="",
        is_retrospective=True,
    )
    assert found.ends == (
        ("From", "Amended by No 7, 2015, which commenced on 1 July 2015, before its assent on 20 August 2015."),
    )
    assert found.is_retrospective


def test_a_notice_goes_with_its_wording() -> None:
    assert known(notice="Withdrawn with effect from 1 July 2019.").notice == "Withdrawn with effect from 1 July 2019."


def test_a_borrowed_meaning_names_the_act_that_gives_it() -> None:
    text = "(1) An entity must quote its number to an entity."
    spans = ((7, 13), (19, 24))
    meanings = {"entity": Meaning("entity means a person.", ""), "quote": Meaning("quote means state.", "Other Act")}
    shown = provision_view(
        page(text, term_spans=spans), as_at_of("FY2015", YEAR), [YEAR], TODAY, Looked(meanings=meanings)
    )
    assert [(d.term, d.meaning, d.act) for d in shown.definitions] == [
        ("entity", "entity means a person.", ""),
        ("quote", "quote means state.", "Other Act"),
    ]


def test_a_heading_is_compared_with_the_words() -> None:
    other = (3, "Berth levy", TEXT)
    versions = (replace(DAY, id=3, heading="Berth levy", is_shown=False), DAY)
    shown = provision_view(page(versions=versions), as_at_of("FY2015", YEAR), [YEAR], TODAY, Looked(other=other))
    assert [(piece.text, piece.change) for piece in shown.heading_changed] == [
        ("Berth ", ""),
        ("levy", "deleted"),
        ("due", "inserted"),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(1) The due is in the table.\nItem In this zone: The due is:\n1 Outer $2", "held as lines"),
        ("(1) The due is worked out using the following table.", "The table that these words refer to is not held"),
        (
            "(1) It is worked out by the formula:\nwhere:\nA is a day.",
            "The formula that these words refer to is not held",
        ),
        ("(1) See the table.\nIt is by the formula where:\nA is a day.", "The formula and the table that"),
        ("(1) It is worked out by the formula:\nA x B\nwhere:\nA is a day.", ""),
        ("(1) The due is worked out using the table.\nItem | Zone | Due\n1 | Outer | $2", ""),
        ("(1) See the table in section 13.", ""),
        (TEXT, ""),
    ],
)
def test_what_is_not_held_with_the_words_is_owned_up_to(text: str, says: str) -> None:
    absent = view(page(text)).absent
    assert says in absent and bool(absent) is bool(says)


def test_a_part_of_a_schedule_is_cited_as_what_it_is() -> None:
    shown = view(page(section="Sch 7 Pt I", schedule="7", pin="sch-7-pt-i"))
    assert shown.authority == "HLA01 Sch 7 Pt I"
    assert shown.citation.startswith("Harbour Levies Act 2001 Sch 7 Pt I (Berth due), ")


def test_where_no_wording_is_known_nothing_is_said_to_be_missing_from_it() -> None:
    shown = view(page("", shown=None))
    assert (shown.lines, shown.absent) == ((), "")


BEFORE = replace(DAY, id=3, certain_from=date(2010, 7, 1), certain_to=date(2012, 7, 1), is_shown=False)
AFTER = replace(DAY, id=9, certain_from=date(2018, 7, 1), certain_to=None, is_shown=False)


@pytest.mark.parametrize(
    ("versions", "says"),
    [
        ((BEFORE, AFTER), "Here is what is known on either side; none is picked for you."),
        ((BEFORE,), "Here are the last words known before that; they are not picked for you."),
        ((AFTER,), "Here are the first words known after that; they are not picked for you."),
    ],
)
def test_where_no_wording_is_known_the_page_says_what_it_shows_instead(versions: tuple[Any, ...], says: str) -> None:
    looked = Looked(side_texts={version.id: TEXT for version in versions})
    shown = provision_view(page("", versions=versions, shown=None), as_at_of("FY2015", YEAR), [YEAR], TODAY, looked)
    assert shown.unknown == f"The wording in FY2015 is not known. {says}"


def test_a_text_that_is_behind_the_law_says_so_on_its_page() -> None:
    looked = Looked(not_current_from=date(2015, 1, 1))
    shown = provision_view(page(), as_at_of("FY2015", YEAR), [YEAR], TODAY, looked)
    assert shown.caution.startswith("Harbour Levies Act 2001 was amended from 1 January 2015, and the Register has not")
    assert view(page()).caution == ""
