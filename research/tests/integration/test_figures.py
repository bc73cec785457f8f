"""A figure on its way through command, audit, replay and page, in a real practice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.asking import ask
from asat_site.testing.practices import KnownPractice
from research import composition, services
from research.audit import replay
from research.figures.names import FigureIndex
from research.models import AuditRow
from research.outcome_json import outcome_to_json
from research.presentation.answer import answer_view

pytestmark = pytest.mark.integration
RATE = "What was the super guarantee rate in FY2015?"
TAX = "tax on $95,000 for a resident in FY2015"


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


def test_a_figure_is_printed_with_its_days_who_sets_it_and_how_far_it_is_proved(here: KnownPractice) -> None:
    code, printed = ask(here, RATE)
    assert code == 0
    assert "Superannuation guarantee rate (charge percentage): 9.5%" in printed
    assert "1 July 2014 – 30 June 2021 · set by SGAA92 s 19(2)" in printed
    assert "Recorded, not verified in text. Published in: ATO, Key superannuation rates and thresholds" in printed


def test_a_figure_as_json_has_its_value_and_its_inputs(here: KnownPractice) -> None:
    code, printed = ask(here, TAX, "--json")
    line = json.loads(printed)
    (figure,) = line["figures"]
    assert (code, line["decision"], line["reason"], line["provider"]) == (0, "answer", "figure_found", "figures")
    assert (figure["value"], figure["status"], line["citations"]) == (
        "$23,097",
        "recorded",
        [],
    )
    assert [each["value"] for each in figure["inputs"]] == [
        "0% of $18,200 = $0",
        "19% of $18,800 = $3,572",
        "32.5% of $43,000 = $13,975",
        "37% of $15,000 = $5,550",
    ]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("GST rate FY1999", "holds no GST rate for FY1999"),
        ("company tax rate FY2018", "Which figure is meant?"),
        ("With the super guarantee at 8% in FY2015, how is the shortfall worked out?", "takes 8% as given"),
    ],
)
def test_what_is_refused_or_asked_back_exits_with_three(here: KnownPractice, question: str, says: str) -> None:
    code, printed = ask(here, question)
    assert code == 3 and says in printed


def test_a_recorded_figure_is_reproduced_and_superseded_when_the_ledger_moved(
    here: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(here, RATE)
    with in_practice(here.practice):
        row = AuditRow.objects.get()
        assert services.replay_row(row)[1] == replay.Replay(replay.REPRODUCED)
        moved = FigureIndex(replace(composition.figures().ledger, digest="f" * 64))
        monkeypatch.setattr(composition, "figures", lambda: moved)
        composition.ports.cache_clear()
        try:
            found = services.replay_row(row)[1]
        finally:
            composition.ports.cache_clear()
    assert found.verdict == replay.SUPERSEDED
    assert any("The setting figures was" in sentence and "ffffffffffff" in sentence for sentence in found.moved)


def test_the_page_shows_the_value_the_badge_and_the_table_of_inputs(here: KnownPractice) -> None:
    with in_practice(here.practice):
        page = _page(TAX)
        assert '<p class="figure-value">$23,097</p>' in page
        assert "Worked out from figures recorded, not verified in text" in page
        assert page.count('<th scope="row">') == 5  # four bands and their sum
        assert "<td>37%</td><td>$15,000</td><td>$5,550</td>" in page
        assert "Search by words only" not in page
        both = _page("company tax rate FY2018")
        assert both.count('class="figure-value"') == 2 and "Which figure is meant?" in both


def _page(question: str) -> str:
    outcome = services.try_question(question, None, timezone.localdate())
    return render_to_string("research/_answer.html", {"a": answer_view(outcome_to_json(outcome)), "on_audit": True})
