"""Whether a question takes as given a number that is not the law's: "the 60-day rule", "I've ten years to claim".

Pure; the list of such numbers is handed in. It is for periods and shares that the figure ledger does not hold. A number
that is a fact of the case ("a ten-year loan") is nobody's rule: it counts only where it is called a rule, limit or
term, or said of one, and where the question's other words name the subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.law.citation import fold
from research.law.income_year import IncomeYear
from research.law.numbers import ONE_TO_TWENTY, TENS
from research.question.premise import asserted
from research.terms import Elsewhere, OutsideField


@dataclass(frozen=True, slots=True)
class NumberOfLaw:
    """A number that a rule has. unit: "year", "day" …, "%". right: all values that the rule has had for anybody.

    of: words that name the rule, one of which must stand in the question.
    first_year and last_year: the income years that it holds for, both included.
    """

    subject: str
    told: str
    unit: str
    right: tuple[float, ...]
    of: tuple[str, ...]
    first_year: int = 1980
    last_year: int | None = None

    def holds_in(self, year: IncomeYear) -> bool:
        return self.first_year <= year.year and (self.last_year is None or year.year <= self.last_year)


_WORDS = ONE_TO_TWENTY | TENS
_NUMBER = rf"(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?|{'|'.join(_WORDS)})"
_RULE = (
    r"(?:rules?|limits?|max(?:imum)?|caps?|ceilings?|terms?|periods?|tests?|windows?|deadlines?|thresholds?|exemptions?"
    r"|holding|absence)"
)


def wrong_number(question: str, year: IncomeYear, numbers: Sequence[NumberOfLaw]) -> Elsewhere | None:
    """The first number that the question takes wrongly as a rule's; None where there is none."""
    folded = fold(question).lower()
    for entry in numbers:
        if not entry.holds_in(year) or not any(_named(word, folded) for word in entry.of):
            continue
        said = _called_a_rule(folded, entry.unit) or _said_of_one(folded, entry)
        if said and _value(said["number"]) not in entry.right:
            words = " ".join(said.group().split())
            return Elsewhere(f"“{words}”", OutsideField.NO_SUCH_LAW, "", words, entry.told)
    return None


def _named(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?:s|'s)?(?!\w)", text) is not None


def _unit(unit: str) -> str:
    return r"\s?(?:%|per ?cent)" if unit == "%" else rf"[\s-]+{unit}s?"


def _called_a_rule(text: str, unit: str) -> re.Match[str] | None:
    """ "The 60-day rule", "the 20% ceiling", "a 40-year maximum term"; not where it is supposed or asked about."""
    found = re.search(
        rf"\b(?:the|a|our|usual|its|under|that)\s+{_NUMBER}{_unit(unit)}\s+(?:\w+\s+){{0,2}}{_RULE}\b", text
    )
    asked = found and re.search(r"\b(?:is there|if there (?:is|was|were)|would)\b", text[: found.start()])
    return None if asked else found


def _said_of_one(text: str, entry: NumberOfLaw) -> re.Match[str] | None:
    """ "As I've ten years to claim", "now the limit is 20%", in a clause that states it and names the subject."""
    says = re.compile(
        rf"(?:\b{_RULE}\b(?:\s+\w+){{0,3}}?\s+(?:is|was|of|being|at)|\b(?:have|has|'ve|get|gets|got|allows?"
        rf"|allowed|given)"
        rf"(?:\s+(?:us|me|you|up to|now))?)\s+{_NUMBER}{_unit(entry.unit)}(?!\s+(?:ago|old|of))(?:\s+(?:to"
        rf"|in which)\b|(?=\W*$))"
    )
    for clause in asserted(text):
        if any(_named(word, clause) for word in entry.of) and (found := says.search(clause)):
            return found
    return None


def _value(number: str) -> float:
    return float(_WORDS[number] if number in _WORDS else number.replace(",", ""))
