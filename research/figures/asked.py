"""Reads a question as one for a figure: the words that name it, without its time, and the form it asks in.

What asks whether, how, why or when asks for no figure, whatever figure it mentions; it goes on to search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from research.figures.names import Named, canonical, plain
from research.figures.vocabulary import AMOUNT_ASKED, DENIES, YES_OR_NO
from research.law.citation import CitationKind, FoundCitation, act_mentions, find_citations
from research.terms import ResolvedTime

MOST_WORDS = 30  # a question for a figure is short; a longer one tells a case
_VALUE = re.compile(
    r"(?<![\w.])\$?[0-9][0-9,]*(?:\.[0-9]+)?(?: ?(?:%|per ?cent|m\b|million|cents?|c\b|dollars))?(?!\w)"
)


@dataclass(frozen=True, slots=True)
class FigureQuestion:
    """A question that may be for a figure. cites: (act or "", section) of a provision that it names."""

    named: Named
    cites: tuple[tuple[str, str], ...] = ()


def without_time(question: str, time: ResolvedTime) -> str:
    """The question, plain, without the words that its time was read from and the provisions that it cites.

    Divisions stay: "Division 293" and "Division 7A" are names of figures.
    """
    letters = list(question)
    places = [(found.start, found.end) for found in _sections(question)]
    places += [(found.start, found.end) for found in act_mentions(question)]
    for start, end in places:
        letters[start:end] = " " * (end - start)
    text = plain("".join(letters))
    for words in filter(None, (plain(piece) for piece in time.read_from.split("…"))):
        text = text.replace(words, " ", 1)
    return " ".join(text.split())


def read(question: str, time: ResolvedTime) -> FigureQuestion | None:
    """The question as one for a figure, or None where its form asks for something else."""
    text = without_time(question, time)
    if len(text.split()) > MOST_WORDS or DENIES.search(text):
        return None
    if YES_OR_NO.search(text):
        if not _VALUE.search(text):
            return None
        text = _VALUE.sub(" ", text)
    cited = [found.citation for found in _sections(question)]
    words = canonical(text).words
    in_time = canonical(time.read_from).words if "fbt" in time.read_from.lower() else frozenset()
    named = Named(words, in_time & {"fbt"}, bool(AMOUNT_ASKED.search(text)) or time.source == "question")
    return FigureQuestion(named, tuple((cite.instrument or "", cite.section) for cite in cited))


def _sections(question: str) -> list[FoundCitation]:
    if not any(character.isdigit() for character in question):
        return []
    return [found for found in find_citations(question) if found.citation.kind is CitationKind.SECTION]
