"""What was read, to and from what JSON holds: kept beside a document, and compared with what a person decided."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from clients.extraction.terms import (
    Alternative,
    Box,
    Check,
    Extraction,
    FoundField,
    Kind,
    LineItem,
    Name,
    Page,
    Source,
    State,
    StatementRow,
    Word,
)


def extraction_as_json(read: Extraction) -> dict[str, Any]:
    """Every part by its name; enumerations as their text."""
    return asdict(read)


def extraction_of(plain: dict[str, Any]) -> Extraction:
    """An extraction out of what `extraction_as_json` made. Raises KeyError, TypeError or ValueError for aught else."""
    return Extraction(
        Kind(plain["kind"]),
        tuple(_field(each) for each in plain["fields"]),
        tuple(LineItem(**(each | {"region": Box(**each["region"])})) for each in plain["lines"]),
        tuple(StatementRow(**(each | {"region": Box(**each["region"])})) for each in plain["rows"]),
        tuple(Check(each["name"], State(each["state"]), each["sentence"]) for each in plain["checks"]),
    )


def page_as_json(page: Page) -> dict[str, Any]:
    """The page; each word as [text, left, top, right, bottom, confidence, source, is hidden], places to a hundredth."""
    plain = {
        name: getattr(page, name) for name in ("number", "width", "height", "turned", "skew", "read_by", "problem")
    }
    return plain | {"words": [_word_as_list(word) for word in page.words]}


def page_of(plain: dict[str, Any]) -> Page:
    """A page out of what `page_as_json` made. Raises KeyError, TypeError or ValueError for aught else."""
    return Page(**(plain | {"words": tuple(_word(each) for each in plain["words"])}))


def _word_as_list(word: Word) -> list[Any]:
    places = [round(each, 2) for each in (word.box.left, word.box.top, word.box.right, word.box.bottom)]
    return [word.text, *places, round(word.confidence, 4), str(word.source), word.is_hidden]


def _word(plain: list[Any]) -> Word:
    text, left, top, right, bottom, confidence, source, is_hidden = plain
    return Word(text, Box(left, top, right, bottom), confidence, Source(source), is_hidden)


def _field(plain: dict[str, Any]) -> FoundField:
    others = tuple(Alternative(**(each | {"region": Box(**each["region"])})) for each in plain["alternatives"])
    changes = {"name": Name(plain["name"]), "region": Box(**plain["region"]), "alternatives": others}
    return FoundField(**(plain | changes))
