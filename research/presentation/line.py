"""A question's place in the line of those that wait, in words."""

from __future__ import annotations

from research.adapters.waiting_line import Place, about


def place_words(place: Place | None) -> str:
    """ "12 questions come first; answered in about 3 minutes."; "" for one that is next, running or answered."""
    if place is None or place.ahead == 0:
        return ""
    first = f"{place.ahead:,} question{' comes' if place.ahead == 1 else 's come'} first"
    return f"{first}." if place.wait_s is None else f"{first}; answered in {about(place.wait_s)}."
