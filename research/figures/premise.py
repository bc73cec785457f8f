"""Whether a question takes a wrong figure as given: "with the super guarantee at 8% …", "now that the GST rate is 15%".

Only a value that is said of a figure by its whole name counts, and only where the ledger holds that figure on the days
asked about. An amount that merely stands in the question ("I earned $80,000") is nobody's figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from research.figures.asked import without_time
from research.figures.ledger import THIRD, kind_of
from research.figures.lookup import Held
from research.figures.names import FigureIndex, Named, canonical
from research.terms import ResolvedTime

MOST_NAME_WORDS = 10
_AMOUNT = re.compile(
    r"(?<![\w.$])(?P<money>\$)?(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?)(?: ?(?P<scale>million|m|k|bn)(?!\w))?"
    r"(?: ?(?P<percent>%|per ?cent))?(?! ?(?:rule|test|of the|points?)\b)"
)
_SAID = re.compile(
    r"(?:\b(?:of|at|is|was|being|became|are|were|now|only|just|still|set|remains|equals|to|be|stands|stood)\s*|[=:(,]\s*)+$"
)
_NOT_SAID = re.compile(
    r"\b(?:if|suppose|supposing|were to|would|should|could|proposed?|proposal|hypothetical(?:ly)?|not|isn't|wasn't"
    r"|from|before|until|till|previously|formerly|used to|once|earlier|past|historical(?:ly)?|overseas|new zealand|nz"
    r"|uk|up to|exceeds?|above|below|under|over|more than|less than|at least|budget|announced|bill|increase[ds]?"
    r"|reduce[ds]?|when|after|next|increasing|decreasing|rise[sn]?|rose|f[ea]ll(?:s|en)?)\b"
)
_THEN = re.compile(
    r"^\W*(?:before|until|till|prior|previously|at (?:the|that) time|back then|in the past|up to|once)\b"
)
_LEADS_IN = re.compile(r"(?:^|\b(?:the|a|an|its|that|this|with|current|as|because|since|given)\s)$")
_BREAK = re.compile(r"[.;?!](?:\s|$)|,\s")
_SCALES = {"million": 10**6, "m": 10**6, "k": 10**3, "bn": 10**9, None: 1}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A value said of a figure that it did not have. said: as the question writes it; rows: what is held for then."""

    said: str
    rows: tuple[Held, ...]


def contradicted(question: str, time: ResolvedTime, index: FigureIndex) -> Contradiction | None:
    """The first figure that the question takes wrongly as given; None where there is none."""
    if not any(character.isdigit() for character in question):
        return None
    text = without_time(question, time)
    for amount in _AMOUNT.finditer(text):
        kind = "money" if amount["money"] else "percent" if amount["percent"] else ""
        if not kind or _THEN.search(text[amount.end() :]):
            continue
        for name in _names_beside(text, amount):
            rows = _rows_of(name, kind, time, index)
            if rows and not any(_is_value(held, amount) for held in rows):
                return Contradiction(amount.group().strip().replace(" %", "%"), rows)
            if rows:
                break
    return None


def _names_beside(text: str, amount: re.Match[str]) -> Iterator[str]:
    """The words that the amount may be said of, longest first: those before "is 15%", those after "the 15%"."""
    before = text[: amount.start()]
    said = _SAID.search(before)
    clause = _BREAK.split(before[: said.start()] if said else before)[-1]
    if said and not _NOT_SAID.search(f"{clause} {said.group()}"):
        words = clause.split()[-MOST_NAME_WORDS:]
        yield from (" ".join(words[start:]) for start in range(len(words)))
    if _LEADS_IN.search(before) and not _NOT_SAID.search(_BREAK.split(before)[-1]):
        words = _BREAK.split(text[amount.end() :])[0].split()[:MOST_NAME_WORDS]
        yield from (" ".join(words[:end]) for end in range(len(words), 0, -1))


def _rows_of(name: str, kind: str, time: ResolvedTime, index: FigureIndex) -> tuple[Held, ...]:
    """The rows on the days asked about of what `name` names, whole and nothing else, where the kind of value fits."""
    match = index.match(Named(canonical(name).words, frozenset(), wants_amount=kind == "percent"))
    if not match.is_sure:
        return ()
    rows = tuple(Held(figure, row) for figure in match.figures for row in figure.rows_in(time.window))
    fits = all(kind_of(held.row.unit) == kind and _number(held.row.value) is not None for held in rows)
    return rows if fits else ()


def _is_value(held: Held, amount: re.Match[str]) -> bool:
    number = Decimal(amount["number"].replace(",", "")) * _SCALES[amount["scale"]]
    value = _number(held.row.value)
    return value is not None and abs(value - number) < Decimal("0.01")


def _number(value: str) -> Decimal | None:
    if value == THIRD:
        return Decimal(100) / 3
    try:
        return Decimal(value)
    except InvalidOperation:
        return None
