"""Two answers side by side: which words differ, and what changed in what both cite."""

from __future__ import annotations

from typing import Any

import pytest

from research.presentation.answer import answer_view
from research.presentation.records import EarlierLine, earlier_of
from research.presentation.sides import wordings_compared
from research.tests.unit.test_answer_view import citation, outcome

pytestmark = pytest.mark.unit

OLD = "(1) The cap is $900 for each vessel.\n(2) It is paid monthly."
NEW = "(1) The cap is $1,200 for each vessel.\n(2) It is paid monthly.\n(3) A leased vessel has no cap."
TEXTS = {7: OLD, 8: NEW}


def side(year: int, version: int, quote: str, **changed: Any) -> dict[str, Any]:
    text = TEXTS[version]
    start = text.index(quote)
    cited = citation(version_id=version, quote=quote, start_chars=start, end_chars=start + len(quote), **changed)
    return outcome(
        time={
            "window": {"first": f"{year - 1}-07-01", "last": f"{year}-06-30"},
            "year": year,
            "source": "question",
            "read_from": f"FY{year}",
        },
        claims=[{"prose": "HLA01 s 25-40(1) says:", "kind": "rule", "citations": [cited]}],
    )


def both(*sides: dict[str, Any]) -> dict[str, Any]:
    return outcome(claims=[], sides=list(sides), message="Answered for FY2015 and FY2024.")


FIRST, SECOND = "The cap is $900 for each vessel.", "The cap is $1,200 for each vessel."
CHANGED = both(side(2015, 7, FIRST), side(2024, 8, SECOND))


def differs(view: Any, at: int) -> list[str]:
    lines = view.sides[at].claims[0].cited[0].lines
    return [piece.text for line in lines for piece in line.pieces if piece.change]


def test_the_words_that_differ_are_marked_in_each_quote() -> None:
    view = answer_view(CHANGED, TEXTS)
    assert (differs(view, 0), differs(view, 1)) == (["$900"], ["$1,200"])


def test_a_sentence_that_one_side_alone_quotes_is_marked_only_where_the_law_changed() -> None:
    view = answer_view(both(side(2015, 7, "It is paid monthly."), side(2024, 8, SECOND)), TEXTS)
    assert (differs(view, 0), differs(view, 1)) == ([], ["$1,200"])


def test_what_changed_in_the_provision_is_told_whole() -> None:
    (change,) = answer_view(CHANGED, TEXTS).changed
    assert (change.authority, change.query, change.has_more) == ("HLA01 s 25-40", "from=FY2015&to=FY2024", False)
    assert [line.marker or line.text for line in change.lines] == ["(1)", "[…]", "(3)"]


def test_one_wording_at_both_times_needs_no_text_and_marks_nothing() -> None:
    same = both(side(2015, 7, FIRST), side(2024, 7, FIRST))
    assert wordings_compared(same) == []
    view = answer_view(same)
    assert view.changed == () and differs(view, 0) == []


def test_two_wordings_of_one_provision_are_asked_for() -> None:
    assert wordings_compared(CHANGED) == [7, 8]
    assert wordings_compared(outcome()) == []


def test_provisions_that_only_one_side_cites_are_not_compared() -> None:
    apart = both(side(2015, 7, FIRST), side(2024, 8, SECOND, section="30-1"))
    assert wordings_compared(apart) == [] and answer_view(apart, TEXTS).changes == ()


def test_without_the_texts_nothing_is_marked_and_the_comparison_is_still_one_click_away() -> None:
    view = answer_view(CHANGED)
    assert differs(view, 0) == [] and [change.query for change in view.changed] == ["from=FY2015&to=FY2024"]


def test_a_side_that_is_refused_keeps_its_place_and_its_reason() -> None:
    refused = outcome(
        decision="abstain_wording_unknown", claims=[], message="Not answered: it is not known.", time=None
    )
    view = answer_view(both(side(2015, 7, FIRST), refused), TEXTS)
    assert [one.tone for one in view.sides] == ["answered", "refused"]
    assert view.sides[1].message == "It is not known." and view.changes == ()


def test_both_times_stand_at_the_top_and_each_step_once() -> None:
    twice = CHANGED | {"stages": [{"stage": "resolve", "ms": 1.0, "detail": f"FY{year}"} for year in (2015, 2024)]}
    view = answer_view(twice, TEXTS)
    assert [chip.label for chip in view.chips] == ["FY2015", "FY2024"]
    assert [(stage.stage, stage.detail, stage.time) for stage in view.stages] == [
        ("resolve", "FY2015 · FY2024", "2 ms")
    ]


def test_the_line_of_an_earlier_question_names_both_years() -> None:
    from research.models import Answer, Question

    question = Question(text="What changed?")
    question.answer = Answer(outcome=CHANGED, decision="answer", income_year=2024)
    line: EarlierLine = earlier_of(question)
    assert line.year_label == "FY2015, FY2024"
