"""Verified quotes an answer, week by week, counted from what was recorded; each practice sees its own alone."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import services
from research.queries_density import densities
from research.terms import Decision

ZONE = "Australia/Sydney"


def test_quotes_of_two_times_and_of_parts_are_counted_too(throwaway: Callable[[], KnownPractice], law: str) -> None:
    here = throwaway()
    with in_practice(here.practice):
        text = "What changed in the deduction of a harbour pilot for travel between ports between FY2020 and FY2021?"
        question = services.ask(user=here.users["agent"], text=text, year=None)
        claimed = services.claim(question.pk, timezone.now())
        assert claimed is not None
        outcome = services.run(claimed)
        quotes = sum(len(claim.citations) for side in outcome.sides for claim in side.claims)
        assert len(outcome.sides) == 2 and quotes
        (line,) = densities(ZONE)
        assert (outcome.decision, line.quotes) == (Decision.ANSWER, quotes)


def ask(here: KnownPractice, text: str) -> tuple[Decision, int]:
    question = services.ask(user=here.users["agent"], text=text, year=2020)
    claimed = services.claim(question.pk, timezone.now())
    assert claimed is not None
    outcome = services.run(claimed)
    return outcome.decision, sum(len(claim.citations) for claim in outcome.claims)


def test_quotes_are_counted_over_answers_and_refusals_are_not_answers(
    throwaway: Callable[[], KnownPractice], law: str
) -> None:
    here, there = throwaway(), throwaway()
    with in_practice(here.practice):
        decision, quotes = ask(here, "Can a harbour pilot deduct travel between ports?")
        assert decision is Decision.ANSWER and quotes
        ask(here, "How much stamp duty is payable on a house in Victoria?")  # no provider drafted it
        (line,) = densities(ZONE)
        assert (line.provider, line.asked, line.answered, line.quotes) == ("extractive", 1, 1, quotes)
        assert (line.per_answer, line.tokens, line.week.weekday()) == (quotes, 0, 0)
    page = here.client("staff").get("/status/").content.decode()
    assert "Quotes to an answer" in page and f"{quotes:.1f}" in page
    with in_practice(there.practice):
        assert densities(ZONE) == []
    assert "Quotes to an answer" not in there.client("staff").get("/status/").content.decode()
