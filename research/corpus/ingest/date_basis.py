"""How the first and the last certain day of a wording are known, in a plain sentence each. Pure."""

from __future__ import annotations

from datetime import date

from research.corpus.ingest.date_changes import Turn
from research.corpus.ingest.date_windows import ONE_DAY, Window
from research.corpus.ingest.history import Effect
from research.law.provision import ALWAYS, in_words

_DONE = {
    Effect.ADDED: "Added",
    Effect.AMENDED: "Amended",
    Effect.SUBSTITUTED: "Repealed and substituted",
    Effect.REPEALED: "Repealed",
    Effect.EXPIRED: "Expired",
    Effect.RENUMBERED: "Renumbered",
    Effect.RELOCATED: "Relocated",
    Effect.EDITORIAL: "Changed editorially",
}


def start(window: Window, turn: Turn | None) -> str:
    """Of a wording whose first text has this window; turn: what began it, None if nothing tells."""
    if turn is not None:
        return _of_turn(turn, "at the latest")
    if window.sighting.stated is None:
        return of_compilation(window.sighting.day)
    if window.starts == ALWAYS:
        return f"Applies at any time before as well by {_publisher(window)}"
    return f"In force from {in_words(window.starts)} by {_publisher(window)}"


def end(window: Window, turn: Turn | None) -> str:
    """Of a wording whose last text has this window; turn: what ended it, None if nothing tells."""
    if turn is not None:
        return _of_turn(turn, "at the earliest")
    stated = window.sighting.stated
    if stated is None:
        return of_compilation(window.sighting.day)
    if window.ends is None:
        return f"No end is known by {_publisher(window)}"
    if window.is_doubted:
        return f"Not known from {in_words(window.ends)} on: an Act may have changed it then (endnote 4)"
    if window.ends != stated.ends:
        return f"Another text took its place on {in_words(window.ends)} by the publisher's own dates"
    return f"In force until {in_words(window.ends - ONE_DAY)} by {_publisher(window)}"


def of_compilation(day: date) -> str:
    return f"Read from the compilation of {in_words(day)}"


def _publisher(window: Window) -> str:
    return (window.sighting.stated and window.sighting.stated.by) or "the publisher's own dates"


def _of_turn(turn: Turn, otherwise: str) -> str:
    """ "Amended by No 66, 2003, which commenced on 1 July 2003 (endnote 4)".

    otherwise: "at the latest" or "at the earliest", said where the day is but one of those on which it may have been.
    """
    event = turn.change.event
    is_sure = turn.day == turn.change.proven_day
    when = f"commenced {'' if is_sure else otherwise + ' '}on {in_words(turn.day)}"
    if turn.is_before_assent and event.assent is not None:
        when += f", before its assent on {in_words(event.assent)}"
    if event.effect is Effect.BEGAN:
        return f"The {'Act' if event.act.startswith('No ') else 'instrument'} {when} (endnote 3)"
    return f"{_DONE[event.effect]} by {event.act}, which {when} (endnote 4)"
