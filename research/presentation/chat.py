"""A conversation as its page shows it: its messages whole or by the line, and its sources, each numbered once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from research.models import Conversation, Question
from research.outcome_json import told_outside
from research.presentation import words
from research.presentation.answer import AnswerView, answer_view
from research.presentation.figures import FigureView
from research.presentation.quotes import Cited, ShownClaim
from research.presentation.records import Entry

MOST_QUOTES = 40  # as many as one provision's page marks

Place = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Source:
    """One wording that answers of the conversation cite. query: opens it with all words marked that they quote.

    in_force: the days its words are known for, or those of a figure it sets.
    """

    number: int
    place: Place
    authority: str
    heading: str
    act_title: str
    instrument: str
    pin: str
    query: str
    in_force: str


def sources_of(answers: Iterable[Mapping[str, Any]]) -> tuple[Source, ...]:
    """The sources in the order of their first appearance, numbered from 1. answers: outcomes, each with its decision.

    Only what was answered counts: words shown beside a refusal are nobody's source.
    """
    found: dict[Place, Source] = {}
    for outcome in answers:
        if words.tone_of(str(outcome.get("decision", ""))) != "answered" and not outcome.get("parts"):
            continue
        for source in _sources(answer_view({key: value for key, value in outcome.items() if value is not None})):
            known = found.get(source.place)
            if known is None:
                found[source.place] = replace(source, number=len(found) + 1)
            else:
                found[source.place] = replace(known, query=_both(known.query, source.query))
    return tuple(found.values())


def numbered(entry: Entry, sources: Sequence[Source]) -> Entry:
    """The entry with the numbers of its sources at its claims; a message that was not answered has none."""
    if entry.answer is None or not entry.answer.answering:
        return entry
    return replace(entry, answer=_numbered(entry.answer, {source.place: source.number for source in sources}))


def exported(conversation: Conversation, messages: Iterable[Question]) -> dict[str, Any]:
    """The conversation as JSON: what was typed, what was asked, and each recorded outcome as it was given.

    Without what a model said before it was checked.
    """
    return {
        "conversation": str(conversation.pk),
        "title": conversation.title,
        "started_at": conversation.started_at.isoformat(),
        "messages": [
            {
                "id": str(message.pk),
                "asked_at": message.asked_at.isoformat(),
                "typed": message.typed or message.text,
                "asked_as": message.text,
                "year_picked": message.year_field,
                "outcome": told_outside(message.answer.outcome) if hasattr(message, "answer") else None,
            }
            for message in messages
        ],
    }


def _sources(answer: AnswerView) -> list[Source]:
    """Of one answer, or of both of an answer for two times, as they are read down the page."""
    if answer.sides or answer.parts:
        return [source for one in answer.answering for source in _sources(one)]
    figures = [_of_figure(figure) for figure in answer.figures if figure.pin]
    return figures + [_of_quote(cited) for claim in answer.claims for cited in claim.cited]


def _of_figure(figure: FigureView) -> Source:
    return Source(0, _figure_place(figure), figure.set_by, figure.name, "", *_where(figure), figure.days)


def _of_quote(cited: Cited) -> Source:
    place = _place(cited)
    return Source(0, place, cited.authority, cited.heading, cited.act_title, *_where(cited), cited.in_force)


def _where(shown: Cited | FigureView) -> tuple[str, str, str]:
    return shown.instrument, shown.pin, shown.query


def _place(cited: Cited) -> Place:
    """The wording: a provision's wordings of two times are two sources."""
    return cited.instrument, cited.pin, dict(parse_qsl(cited.query)).get("version", "")


def _figure_place(figure: FigureView) -> Place:
    return figure.instrument, figure.pin, figure.query


def _both(query: str, other: str) -> str:
    """The first query with the quotes of both, in the order of their places, each once."""
    kept = [(key, value) for key, value in parse_qsl(query) if not key.startswith("quote_")]
    quotes = sorted({*_quotes(query), *_quotes(other)})[:MOST_QUOTES]
    return urlencode([*kept, *(pair for a, b in quotes for pair in (("quote_start", a), ("quote_end", b)))])


def _quotes(query: str) -> list[tuple[int, int]]:
    pairs = parse_qsl(query)
    starts, ends = ([int(value) for key, value in pairs if key == name] for name in ("quote_start", "quote_end"))
    return list(zip(starts, ends, strict=True))


def _numbered(answer: AnswerView, numbers: Mapping[Place, int]) -> AnswerView:
    return replace(
        answer,
        claims=tuple(_claim(claim, numbers) for claim in answer.claims),
        figures=tuple(replace(each, number=numbers.get(_figure_place(each), 0)) for each in answer.figures),
        sides=tuple(_numbered(side, numbers) if side.tone == "answered" else side for side in answer.sides),
        parts=tuple(_numbered(part, numbers) if part.answering else part for part in answer.parts),
    )


def _claim(claim: ShownClaim, numbers: Mapping[Place, int]) -> ShownClaim:
    return replace(claim, cited=tuple(replace(cited, number=numbers.get(_place(cited), 0)) for cited in claim.cited))
