"""Fixed words that pages share: decisions, stages, how a date is known, ranges of days."""

from __future__ import annotations

from datetime import date, timedelta

from research.decision.words import BADGES
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

DATINGS = {
    "register": "same words in consecutive compilations",
    "endnote": "dated by an endnote",
    "commencement": "dated from commencement",
    "inferred": "same words in the compilations on either side",
    "unknown": "known from this compilation only",
}

KINDS = {"rule": "", "limit": "limits the rule above", "definition": "defined term", "note": "note, not a rule"}

ROLES = {"note": "note, not a rule", "example": "example, not a rule", "guide": "guide, not a rule"}


def decision_words(decision: str) -> str:
    """The badge of a recorded decision; a decision that this version does not know is shown as it was recorded."""
    try:
        return BADGES[Decision(decision)]
    except ValueError:
        return decision


def tone_of(decision: str) -> str:
    return TONES.get(decision, "refused")


def long_date(day: date) -> str:
    """22 June 2015."""
    return f"{day.day} {day:%B} {day.year}"


def short_date(day: date) -> str:
    """22 Jun 2015."""
    return f"{day.day} {day:%b} {day.year}"


def last_day(ends: date | None) -> date | None:
    """The last day inside a half-open range that ends before `ends`."""
    return ends - timedelta(days=1) if ends else None


def in_force_words(starts: date, ends: date | None) -> str:
    """How long words are known to have been the law; `ends` is the first day on which that is not known."""
    last = last_day(ends)
    if last is None:
        return f"In force from {long_date(starts)}"
    if last <= starts:
        return f"In force on {long_date(starts)}"
    return f"In force at least {long_date(starts)} – {long_date(last)}"


def dating_words(dating: str, starts: date, ends: date | None) -> str:
    """How the range is known. A single day rests on its own compilation, whatever could have reached further."""
    if last_day(ends) == starts and dating in ("register", "inferred"):
        return DATINGS["unknown"]
    return DATINGS.get(dating, "")


def milliseconds(ms: float) -> str:
    """84 ms, 1.2 s: a time a reader can take in."""
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.0f} ms"
