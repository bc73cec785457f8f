"""Fixed words that pages share: decisions, stages, dates. How a range is told is said in `law.provision` alone."""

from __future__ import annotations

from datetime import date, timedelta

from research.decision.words import BADGES, REASON_BADGES
from research.law.identity import shown_code
from research.law.provision import describe_days, describe_range
from research.terms import Decision

# how a decision looks: "answered", "refused" (never an alarm), "asked" (a question back), "fault"
TONES = {"answer": "answered", "ambiguous": "asked", "error": "fault"}

STAGES = {
    "resolve": "Read the income year",
    "retrieve": "Search the law in force",
    "rerank": "Rank the passages",
    "generate": "Choose the words to quote",
    "verify": "Match every quote to its source",
    "decide": "Decide",
}

# the same steps where there is room for two words
STAGES_SHORT = {
    "resolve": "Income year",
    "retrieve": "Search",
    "rerank": "Rank",
    "generate": "Choose words",
    "verify": "Match quotes",
    "decide": "Decide",
}

KINDS = {
    "rule": "",
    "limit": "limits the rule above",
    "definition": "defined term",
    "note": "note, not a rule",
    "ruling": "ruling, not law: the Commissioner’s view",
}

ROLES = {"note": "note, not a rule", "example": "example, not a rule", "guide": "guide, not a rule"}


def decision_words(decision: str, reason: str = "") -> str:
    """The badge of a recorded decision, or of its reason where that has one of its own.

    A decision that this version does not know is shown as it was recorded.
    """
    of_reason = {each.value: badge for each, badge in REASON_BADGES.items()}
    if reason in of_reason:
        return of_reason[reason]
    try:
        return BADGES[Decision(decision)]
    except ValueError:
        return decision


def tone_of(decision: str) -> str:
    return TONES.get(decision, "refused")


def short_date(day: date) -> str:
    """22 Jun 2015."""
    return f"{day.day} {day:%b} {day.year}"


def last_day(ends: date | None) -> date | None:
    """The last day inside a half-open range that ends before `ends`."""
    return ends - timedelta(days=1) if ends else None


def in_force_words(starts: date, ends: date | None, dating: str = "") -> str:
    """How long words are known to have been the law, and how that is known, as a sentence starts."""
    said = describe_range(starts, ends, dating) if dating else describe_days(starts, ends)
    return f"{said[:1].upper()}{said[1:]}"


def milliseconds(ms: float) -> str:
    """84 ms, 1.2 s: a time a reader can take in."""
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.0f} ms"


def instrument_name(code: str, title: str) -> str:
    """The short code; the title of an instrument that has none, whose code is made of its title's words."""
    return title if code.islower() else shown_code(code)
