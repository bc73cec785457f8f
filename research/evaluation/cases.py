"""Cases to measure by: read from the YAML of design §7, refused by id and field when they are not of that form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

BEHAVIOURS = (
    "answer",
    "abstain_out_of_corpus",
    "abstain_out_of_horizon",
    "abstain_false_premise",
    "abstain_out_of_scope",
    "ambiguous",
)


class CasesRejected(ValueError):
    """A case that cannot be measured; the message names its id, the field and what was wanted."""


@dataclass(frozen=True, slots=True)
class Authority:
    act: str
    section: str


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    question: str
    income_year: int | None
    behaviour: str
    also_acceptable_behaviours: tuple[str, ...]
    acceptable: tuple[Authority, ...]  # gold and also_acceptable
    must_not_cite: tuple[Authority, ...]


def cases_of(plain: Any) -> list[Case]:
    """The cases in `plain`, a parsed YAML list. Raises CasesRejected for the first that is not of the form."""
    if not isinstance(plain, list) or not plain:
        raise CasesRejected("The cases file holds no list of cases; give a YAML list with at least one.")
    cases = [_case_of(entry, position) for position, entry in enumerate(plain, 1)]
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise CasesRejected(f"Case {case.id!r} stands twice; give every case an id of its own.")
        seen.add(case.id)
    return cases


def _case_of(entry: Any, position: int) -> Case:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise CasesRejected(f"Case {position} has no id; give it one, as text.")
    name = entry["id"]
    question = entry.get("question")
    if not isinstance(question, str) or not question.strip():
        raise CasesRejected(f"Case {name!r}: question is {question!r}; give the question's text.")
    year = entry.get("income_year")
    if year is not None and not isinstance(year, int):
        raise CasesRejected(f"Case {name!r}: income_year is {year!r}; give a year such as 2020, or null.")
    expected = entry.get("expected")
    if not isinstance(expected, dict) or expected.get("behaviour") not in BEHAVIOURS:
        found = expected.get("behaviour") if isinstance(expected, dict) else expected
        raise CasesRejected(f"Case {name!r}: expected behaviour is {found!r}; give one of {', '.join(BEHAVIOURS)}.")
    also = tuple(expected.get("also_acceptable_behaviours") or entry.get("also_acceptable_behaviours") or ())
    gold = _authorities(name, expected.get("gold")) + _authorities(name, expected.get("also_acceptable"))
    if expected["behaviour"] == "answer" and not gold:
        raise CasesRejected(f"Case {name!r}: an answer is expected and gold is empty; name an act and section.")
    return Case(
        name, question, year, expected["behaviour"], also, gold, _authorities(name, expected.get("must_not_cite"))
    )


def _authorities(name: str, plain: Any) -> tuple[Authority, ...]:
    try:
        return tuple(Authority(str(entry["act"]), str(entry["section"])) for entry in plain or ())
    except (TypeError, KeyError) as error:
        raise CasesRejected(f"Case {name!r}: an authority is not {{act, section}}: {plain!r}.") from error
