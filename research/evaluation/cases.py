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
REFUSALS = ("abstain_no_basis", "abstain_thin_evidence", "abstain_wording_unknown", "abstain_ungrounded")
"""Refusals that no case expects by name; each counts as `abstain_out_of_corpus`."""

UNTAGGED = "untagged"


class CasesRejected(ValueError):
    """A case that cannot be measured; the message names its id, the field and what was wanted."""


@dataclass(frozen=True, slots=True)
class Authority:
    act: str
    section: str


@dataclass(frozen=True, slots=True)
class Tags:
    """What a case is counted under. split: "tune", "test" or "" where the file has none."""

    topic: str = UNTAGGED
    kind: str = UNTAGGED
    words: str = UNTAGGED
    split: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A question and what is expected of its answer. acceptable: gold and also_acceptable, gold first."""

    id: str
    question: str
    income_year: int | None
    behaviour: str
    also_acceptable_behaviours: tuple[str, ...]
    acceptable: tuple[Authority, ...]
    must_not_cite: tuple[Authority, ...]
    gold: tuple[Authority, ...] = ()
    tags: Tags = Tags()
    why: str = ""

    @property
    def is_answerable(self) -> bool:
        """Whether an answer is what is wanted; where one is merely accepted, `may_be_answered`."""
        return self.behaviour == "answer"

    @property
    def may_be_answered(self) -> bool:
        return self.is_answerable or "answer" in self.also_acceptable_behaviours


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


def of_split(cases: list[Case], split: str) -> list[Case]:
    """The cases of one split, "tune" or "test", or of "all". Raises CasesRejected where there are none."""
    chosen = cases if split == "all" else [case for case in cases if case.tags.split == split]
    if not chosen:
        raise CasesRejected(f"No case is tagged with the split {split!r}; give --split all, or tag the cases.")
    return chosen


def _case_of(entry: Any, position: int) -> Case:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise CasesRejected(f"Case {position} has no id; give it one, as text.")
    name = entry["id"]
    question = entry.get("question")
    if not isinstance(question, str) or not question.strip():
        raise CasesRejected(f"Case {name!r}: question is {question!r}; give the question's text.")
    year = entry.get("income_year")
    if year is not None and (isinstance(year, bool) or not isinstance(year, int)):
        raise CasesRejected(f"Case {name!r}: income_year is {year!r}; give a year such as 2020, or null.")
    expected = entry.get("expected")
    if not isinstance(expected, dict) or expected.get("behaviour") not in BEHAVIOURS:
        found = expected.get("behaviour") if isinstance(expected, dict) else expected
        raise CasesRejected(f"Case {name!r}: expected behaviour is {found!r}; give one of {', '.join(BEHAVIOURS)}.")
    also = tuple(expected.get("also_acceptable_behaviours") or entry.get("also_acceptable_behaviours") or ())
    gold = _authorities(name, expected.get("gold"))
    if expected["behaviour"] == "answer" and not gold:
        raise CasesRejected(f"Case {name!r}: an answer is expected and gold is empty; name an act and section.")
    return Case(
        name,
        question,
        year,
        expected["behaviour"],
        also,
        tuple(dict.fromkeys(gold + _authorities(name, expected.get("also_acceptable")))),
        _authorities(name, expected.get("must_not_cite")),
        gold,
        _tags(entry.get("tags")),
        str(entry.get("why") or ""),
    )


def _tags(plain: Any) -> Tags:
    """Whatever a file has of the tags that cases are counted under; another's file may have none, or of its own."""
    told = plain if isinstance(plain, dict) else {}
    return Tags(**{field: str(told[field]) for field in ("topic", "kind", "words", "split") if told.get(field)})


def _authorities(name: str, plain: Any) -> tuple[Authority, ...]:
    try:
        return tuple(Authority(str(entry["act"]), str(entry["section"])) for entry in plain or ())
    except (TypeError, KeyError) as error:
        raise CasesRejected(f"Case {name!r}: an authority is not {{act, section}}: {plain!r}.") from error
