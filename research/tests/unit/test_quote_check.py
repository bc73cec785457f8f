"""The check of a text against two wordings of a made-up Act: every verdict, the first word that differs, the bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from asat_site.testing.memory_store import MemoryCorpusStore
from asat_site.testing.passages import section
from research.law.income_year import IncomeYear
from research.presentation.as_at import AsAt
from research.presentation.quote_check import view_of
from research.quote_check import (
    MOST_CHARS,
    CheckedQuotation,
    Difference,
    Match,
    QuoteCheck,
    Standing,
    TooLong,
    check_text,
    first_difference,
    subsection_of,
)
from research.terms import Passage, Role, Window
from research.verification import quotes
from research.verification.normalise import normalise

pytestmark = pytest.mark.unit

FICTIONAL, TITLE = "HDFA99", "Harbour Dues (Fictional) Act 1999"
EARLY, LATE = (date(2014, 7, 1), date(2018, 7, 1)), (date(2018, 7, 1), None)
MEALS_THEN = "(1) A pilot can deduct a meal on board after more than six hours without a break ashore."
MEALS_NOW = "(1) A pilot can deduct a meal on board after more than five hours without a break ashore."
SECOND = "(2) The deduction for one meal cannot be more than thirty dollars in all."
ROOM = "(1) A pilot who keeps a chart room at home can deduct the cost of heating the room."


def act() -> list[list[Passage]]:
    made = {"act": FICTIONAL, "title": TITLE}
    return [
        section("5-20", "Meals", MEALS_THEN, certain=EARLY, wording=1, compiled=date(2014, 7, 1), **made),
        section("5-20", "Meals", MEALS_NOW, SECOND, certain=LATE, wording=2, compiled=date(2018, 7, 1), **made),
        section("5-30", "Rooms", ROOM, certain=(EARLY[0], None), path=("Division 5—Pilots",), **made),
        section("5-40", "Table", "[table of rates not carried by the source]", certain=LATE, kind=Role.OMITTED, **made),
    ]


class Whole:
    """Each version's passages as one."""

    def wordings_of(self, provision_ids: Sequence[int]) -> list[Passage]:
        whole = [replace(v[0], text="\n".join(p.text for p in v), chunk_id=0, offset_chars=0) for v in act()]
        return [passage for passage in whole if passage.provision_id in provision_ids]


def check(text: str, day: date = date(2020, 1, 1)) -> QuoteCheck:
    store = MemoryCorpusStore([passage for version in act() for passage in version])
    return check_text(text, Window(day, day), store, Whole())


def one(text: str, day: date = date(2020, 1, 1)) -> CheckedQuotation:
    (citation,) = check(text, day).citations
    (quotation,) = citation.quotations
    return quotation


def test_words_that_stand_there_are_matched_with_their_place() -> None:
    found = one("HDFA99 s 5-20 says “after more than five hours without a break ashore”.")
    assert found.match is Match.MATCHED
    (place,) = found.places
    ((start, end),) = place.spans
    assert place.wording.text[start:end] == "after more than five hours without a break ashore"
    assert found.difference is None


def test_the_normalisation_is_that_of_every_quote() -> None:
    assert one("HDFA99 s 5-20: “after more  than five\nhours without a break ashore”.").match is Match.MATCHED
    assert one("HDFA99 s 5-20: “after more than *five hours without a **break** ashore”.").match is Match.MATCHED
    assert one("HDFA99 s 5-20: “After more than five hours without a break ashore”.").match is Match.NOT_FOUND


def test_a_quotation_may_run_over_two_passages_of_the_provision() -> None:
    assert one("HDFA99 s 5-20: “without a break ashore. (2) The deduction for one meal”.").match is Match.MATCHED


def test_the_mark_before_a_closing_quotation_mark_may_be_the_writers() -> None:
    assert one("HDFA99 s 5-20: “can deduct a meal on board after more than five,” it says.").match is Match.MATCHED


def test_half_a_word_is_not_matched() -> None:
    assert one("HDFA99 s 5-20: “can deduct a meal on board after more than fiv”.").match is Match.NOT_FOUND


def test_another_wording_is_named_with_the_first_word_that_differs() -> None:
    found = one("HDFA99 s 5-20: “can deduct a meal on board after more than six hours”.")
    assert found.match is Match.OTHER_WORDING
    assert [place.wording.compilation_date for place in found.places] == [date(2014, 7, 1)]
    assert found.difference == Difference("meal on board after more than", "six", "five")


def test_the_same_words_are_matched_on_the_days_of_that_wording() -> None:
    text = "HDFA99 s 5-20: “can deduct a meal on board after more than six hours”."
    assert one(text, date(2016, 1, 1)).match is Match.MATCHED


def test_a_year_in_which_the_words_changed_is_said_to_have_both() -> None:
    year = IncomeYear(2018)
    days = Window(date(2018, 1, 1), date(2018, 12, 31))
    store = MemoryCorpusStore([passage for version in act() for passage in version])
    texts = ("on board after more than six hours", "A pilot can deduct a meal on board")
    (citation,) = check_text(" ".join(f"HDFA99 s 5-20: “{text}”." for text in texts), days, store, Whole()).citations
    told = view_of(QuoteCheck((citation,), (), 0, 0), AsAt(days, year)).citations[0].quotations
    assert [quotation.state for quotation in told] == ["words_matched", "words_matched"]
    assert [quotation.says for quotation in told] == [
        "These words stand there on some of the days in FY2018, and not on others: in force at least 1 July 2014 –"
        " 30 June 2018.",
        "These words stand there in FY2018.",
    ]


def test_another_provision_is_named() -> None:
    found = one("HDFA99 s 5-20: “can deduct the cost of heating the room”.")
    assert found.match is Match.ELSEWHERE
    assert [place.wording.section for place in found.places] == ["5-30"]


@pytest.mark.parametrize(
    ("cited", "match"),
    [
        ("HDFA99 s 5-20(1)", Match.MATCHED),
        ("HDFA99 s 5-20(1)(a)", Match.MATCHED),
        ("HDFA99 s 5-20", Match.MATCHED),
        ("HDFA99 s 5-20(2)", Match.ELSEWHERE),
        ("HDFA99 s 5-20(7)", Match.ELSEWHERE),  # there is none
        ("HDFA99 s 5-20(2) and (1)", Match.MATCHED),
    ],
)
def test_words_of_another_subsection_are_not_matched(cited: str, match: Match) -> None:
    found = one(f"{cited}: “can deduct a meal on board after more than five hours”.")
    assert found.match is match
    assert [place.wording.section for place in found.places] == ["5-20"]


def test_words_that_stand_in_two_subsections_are_matched_in_the_one_cited() -> None:
    text = "(1) The dues for one visit are thirty dollars.\n(2) The dues for one visit are payable once.\n(2) Twice."
    assert subsection_of(text, "(1)") == (0, 47)
    assert subsection_of(text, "(2)") == (0, len(text))  # which of the two cannot be told
    assert subsection_of(text, "(a)") == subsection_of(text, "") == (0, len(text))


def test_a_text_is_read_whole_and_once_however_many_pieces_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(quotes, "normalise", lambda text: read.append(text) or normalise(text))
    first, second = "A pilot can deduct a meal on board", "cannot be more than thirty dollars"
    found = one(f"HDFA99 s 5-20: “{first} … {second}”.")
    whole = f"{MEALS_NOW}\n{SECOND}"
    assert [whole[start:end] for start, end in found.places[0].spans] == [first, second]
    assert {text for text in read if len(text) > len(first)} == {whole}  # each text that is read is kept for a while


def test_words_that_stand_nowhere_are_not_found() -> None:
    found = one("HDFA99 s 5-20: “can deduct a meal on board after more than nine hours”.")
    assert (found.match, found.places) == (Match.NOT_FOUND, ())
    assert found.difference == Difference("meal on board after more than", "nine", "five")


@pytest.mark.parametrize(
    "short", ["a meal on board", "more-than-five-hours without-a-break", "unconstitutionally worded"]
)
def test_short_words_get_no_verdict(short: str) -> None:
    assert one(f"HDFA99 s 5-20: “{short}”.").match is Match.TOO_SHORT


def test_pieces_beside_an_ellipsis_must_stand_in_order() -> None:
    first, second = "A pilot can deduct a meal on board", "cannot be more than thirty dollars"
    assert one(f"HDFA99 s 5-20: “{first} … {second}”.").match is Match.MATCHED
    assert len(one(f"HDFA99 s 5-20: “{first} [...] {second}”.").places[0].spans) == 2
    assert one(f"HDFA99 s 5-20: “{second} ... {first}”.").match is Match.NOT_FOUND
    with_short = one(f"HDFA99 s 5-20: “{first} … more”.")
    assert (with_short.match, with_short.has_short_pieces) == (Match.MATCHED, True)


def test_the_placeholder_of_a_table_holds_no_words() -> None:
    text = "HDFA99 s 5-30: “table of rates not carried by the source”."
    assert one(text).match is Match.NOT_FOUND


@pytest.mark.parametrize(
    ("text", "day", "standing"),
    [
        ("HDFA99 s 5-20", date(2020, 1, 1), Standing.THERE),
        ("HDFA99 s 5-20(2)", date(2020, 1, 1), Standing.THERE),
        ("HDFA99 s 5-20(7)", date(2020, 1, 1), Standing.NOT_THERE),
        ("HDFA99 s 5-40", date(2014, 7, 1), Standing.NOT_THERE),
        ("Corporations Act 2001 s 5", date(2020, 1, 1), Standing.CANNOT_SAY),
        ("TR 2024/3", date(2020, 1, 1), Standing.CANNOT_SAY),
    ],
)
def test_what_is_said_of_a_provision(text: str, day: date, standing: Standing) -> None:
    (citation,) = check(f"See {text}.", day).citations
    assert citation.standing is standing


def test_a_subsection_that_is_not_there_is_named_and_the_words_are_still_looked_for() -> None:
    (citation,) = check("HDFA99 s 5-20(7): “cannot be more than thirty dollars in all”.").citations
    assert citation.missing == "section 5-20(7)"
    assert citation.quotations[0].match is Match.ELSEWHERE


def test_a_provision_cited_twice_is_checked_once_with_the_quotations_of_both() -> None:
    text = "HDFA99 s 5-20 has “for one meal cannot be more than thirty”."
    text += " HDFA99 s 5-20 has “on board after more than five hours”."
    (citation,) = check(text).citations
    assert citation.mentions == 2
    assert [quotation.match for quotation in citation.quotations] == [Match.MATCHED, Match.MATCHED]


def test_a_quotation_without_a_citation_is_looked_for_and_kept_apart() -> None:
    found = check("It says “can deduct the cost of heating the room”.")
    assert found.citations == ()
    assert [(q.match, [p.wording.section for p in q.places]) for q in found.loose] == [(Match.ELSEWHERE, ["5-30"])]


def test_the_bounds() -> None:
    with pytest.raises(TooLong):
        check("x" * (MOST_CHARS + 1))
    many = " ".join(f"HDFA99 s {number}-5." for number in range(1, 104))
    assert (len(check(many).citations), check(many).citations_left_out) == (100, 3)
    quoted = " ".join("“can deduct the room”" for _ in range(102))
    assert (len(check(quoted).loose), check(quoted).quotations_left_out) == (100, 2)


@pytest.mark.parametrize(
    ("quoted", "text", "found"),
    [
        ("a b c d", "x a b c e f", Difference("a b c", "d", "e")),
        ("a b c d", "x a b c", Difference("a b c", "d", "")),
        ("q b c d", "x a b c d e", Difference("", "q", "a")),
        ("a b c", "x a b c d", None),
        ("a b q r", "a b c d", None),
        ("a b c q", "a b z a b c y", Difference("a b c", "q", "y")),
    ],
)
def test_the_first_word_that_differs(quoted: str, text: str, found: Difference | None) -> None:
    assert first_difference(quoted, text) == found
