"""Questions to measure retrieval by, at the level of controls, as a JSON file gives them. Pure.

A list of objects, or {"cases": [...]}:

    {"id": "q1", "query": "Who must approve remote access?", "language": "en", "framework": "Harbour Security Code",
     "relevant": [{"framework": "Harbour Security Code", "controlId": "HS-4"}, "HS-5"]}

Read liberally: `query` or `question`; `framework` or `frameworks`, one name or a list; `relevant`, or `controls`,
`expected` or `gold`; a relevant control is an object (`framework` or `act`; `controlId` or `section`) or its id alone.
A framework goes by its name, its title, its code or the first part of its document ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

QUERY = ("query", "question", "text")
RELEVANT = ("relevant", "controls", "expected", "gold")
FRAMEWORK = ("framework", "frameworks", "act", "actShort", "instrument")
CONTROL = ("controlId", "control", "section", "documentId", "id")


class QueriesRejected(ValueError):
    """A file of queries that cannot be used; the message gives the position and what is wanted, and no text."""


@dataclass(frozen=True, slots=True)
class Control:
    """framework: folded, "" for any; control: folded, without the "s" of a section."""

    framework: str
    control: str


@dataclass(frozen=True, slots=True)
class Query:
    """language: of the words, as a tag, "" where not stated. year: income year to ask for, None for the controls'."""

    text: str
    language: str
    frameworks: tuple[str, ...]
    relevant: tuple[Control, ...]
    year: int | None = None


def queries_of(plain: Any) -> list[Query]:
    """The queries of a parsed file. Raises QueriesRejected for the first that is not of the form."""
    listed = plain.get("cases", plain.get("queries")) if isinstance(plain, dict) else plain
    if not isinstance(listed, list) or not listed:
        raise QueriesRejected("The file holds no list of queries; give a JSON list with at least one.")
    return [_query(entry, position) for position, entry in enumerate(listed, 1)]


def _query(entry: Any, position: int) -> Query:
    if not isinstance(entry, dict):
        raise QueriesRejected(f"Query {position} is no object; give {{id, query, relevant}}.")
    text = _first(entry, QUERY)
    if not isinstance(text, str) or not text.strip():
        raise QueriesRejected(f"Query {position} has no words; give query, as text.")
    frameworks = tuple(fold(name) for name in _listed(_first(entry, FRAMEWORK)) if isinstance(name, str))
    relevant = _listed(_first(entry, RELEVANT))
    controls = tuple(dict.fromkeys(_control(one, position) for one in relevant))
    if not controls:
        raise QueriesRejected(f"Query {position} names no relevant control; give relevant, a list of control ids.")
    year = _first(entry, ("income_year", "incomeYear", "year"))
    if year is not None and (isinstance(year, bool) or not isinstance(year, int)):
        raise QueriesRejected(f"Query {position}: income_year is not a year such as 2020, or null.")
    language = _first(entry, ("language", "lang"))
    return Query(text, language if isinstance(language, str) else "", frameworks, controls, year)


def _control(plain: Any, position: int) -> Control:
    if isinstance(plain, str):
        return Control("", fold_control(plain))
    name = _first(plain, CONTROL) if isinstance(plain, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise QueriesRejected(f"Query {position}: a relevant control has no id; give {{framework, controlId}}.")
    framework = _first(plain, FRAMEWORK)
    return Control(fold(framework) if isinstance(framework, str) else "", fold_control(name))


def _first(entry: dict[str, Any], names: Iterable[str]) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def _listed(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


def fold(name: str) -> str:
    return " ".join(name.casefold().split())


def fold_control(name: str) -> str:
    """A control's id as it is compared: "s 8-1" and "Section 8-1" are "8-1"."""
    folded = fold(name)
    for sign in ("section ", "s ", "s. "):
        folded = folded.removeprefix(sign)
    return folded


def language_of(tag: str) -> str:
    """The language of a tag, without its region: "en" of "en-AU"."""
    return tag.casefold().partition("-")[0].partition("_")[0]
