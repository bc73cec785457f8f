"""The sentences on every answer, to the letter."""

from __future__ import annotations

from datetime import date

import pytest

from research.audit.provenance import NOT_ADVICE, attribution
from research.terms import Citation, Dating, Role

pytestmark = pytest.mark.unit


def citation(dated: date, title: str = "Widget Levies Act 2011", act: str = "WLA11") -> Citation:
    return Citation(
        1, 2, act, title, "3-5", "", "Widgets", "words", 0, 5, dated, "", dated, None, Dating.INFERRED, Role.OPERATIVE
    )


ONE, TWO, THREE = date(2015, 6, 22), date(2024, 1, 1), date(2003, 7, 1)
FICTIONAL = "Lantern Tax Act 2001 (fictional)"


def test_the_registers_sentence_is_exact() -> None:
    assert attribution([citation(ONE)]) == (
        "Based on content from the Federal Register of Legislation at 22 June 2015. For the latest information on "
        "Australian Government law please go to https://www.legislation.gov.au."
    )


@pytest.mark.parametrize(
    ("dates", "words"),
    [
        ([TWO, ONE], "at 22 June 2015 and 1 January 2024. For"),
        ([ONE, ONE], "at 22 June 2015. For"),
        ([TWO, ONE, THREE], "at 1 July 2003, 22 June 2015 and 1 January 2024. For"),
    ],
)
def test_several_compilations_are_each_named_once_in_order(dates: list[date], words: str) -> None:
    assert words in attribution([citation(day) for day in dates])


def test_a_fictional_act_is_called_so_and_not_laid_to_the_register() -> None:
    words = attribution([citation(ONE, FICTIONAL)])
    assert words == f"{FICTIONAL} is fictional: written to show how AsAt works, and not the law anywhere."


def test_real_law_and_fictional_law_side_by_side_are_told_apart() -> None:
    words = attribution([citation(ONE, FICTIONAL), citation(TWO)])
    assert words.startswith("Based on content from the Federal Register of Legislation at 1 January 2024.")
    assert words.endswith("not the law anywhere.")


def test_an_answer_without_citations_has_no_attribution() -> None:
    assert attribution([]) == ""


def test_the_line_on_advice_is_exact() -> None:
    assert NOT_ADVICE == "Not tax advice: a registered tax agent reviews every output."
