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
from research.law.numbers import ONE_TO_TWENTY
from research.terms import ResolvedTime

MOST_NAME_WORDS = 10
_AMOUNT = re.compile(
    r"(?<![\w.$])(?P<money>\$)?(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?)(?: ?(?P<scale>million|m|k|bn)(?!\w))?"
    r"(?: ?(?P<percent>%|per ?cent))?(?! ?(?:rule|test|of the|points?)\b)"
)
_SAID = re.compile(
    r"(?:\b(?:of|at|is|was|being|became|are|were|now|only|just|still|set|remains|equals|to|be|stands|stood)\s*"
    r"|[=:(,]\s*)+$"
)
# "Since GST went up to 12.5%": the new value is said, unless a day is named that it changed on.
_BECAME = re.compile(
    r"\s(?:now |just |finally )?(?:went|gone|goes|has gone|rose|risen|has risen|increased|was increased|lifted"
    r"|was lifted|raised|was raised|jumped|was cut|cut|reduced|was reduced|dropped|fell|came down|moved|changed"
    r"|was changed|being cut"
    r"|being raised)(?: up| down)? to\s*(?:just |only )?$"
)
_DAY_NAMED = re.compile(
    r"\b(?:19|20)[0-9]{2}\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|\blast year\b"
)
_HYPOTHESIS = re.compile(
    r"\b(?:if|suppose|supposing|would|should|could|will|may|might|propos\w+|plan\w*|budget|bill|not)\b"
)
# What is said of a figure without its name: how the question says it, and the name.
_REWORDED = (
    (
        re.compile(
            r"\bcompan(?:y|ies)(?: (?:are|is|being|now|get|getting|all|only|tax|to))*"
            r" (?:taxed|pays? tax|paying tax|pays?|pay) (?=(?:now |only )?(?:at |just )?[0-9])"
        ),
        "company tax rate is ",
    ),
    (
        re.compile(r"\bemployers? (?:now |only |must )*(?:pay|paying|contribute) (?=[0-9.]+ ?(?:%|per ?cent) super)"),
        "the ",
    ),
)
_SPELT = re.compile(rf"\b({'|'.join(ONE_TO_TWENTY)}) ?(?:%|per ?cent)(?!\w)")
_NOT_SAID = re.compile(
    r"\b(?:if|suppose|supposing|were to|would|should|could|proposed?|proposal|hypothetical(?:ly)?|not|isn't|wasn't"
    r"|from|before|until|till|previously|formerly|used to|once|earlier|past|historical(?:ly)?|overseas|new zealand|nz"
    r"|uk|up to|exceeds?|above|below|under|over|more than|less than|at least|budget|announced|bill|increase[ds]?"
    r"|reduce[ds]?|when|after|next|increasing|decreasing|rise[sn]?|rose|f[ea]ll(?:s|en)?)\b"
)
_THEN = re.compile(
    r"^\W*(?:before|until|till|prior|previously|at (?:the|that) time|back then|in the past|up to|once)\b"
)
_LEADS_IN = re.compile(r"(?:^|\b(?:the|a|an|its|that|this|with|current|as|because|since|given|under|our|new)\s)$")
_JOINED = re.compile(r"\s(?:and|or|but|when|if|while)\s")
_BREAK = re.compile(r"[.;?!](?:\s|$)|,\s")
_SCALES = {"million": 10**6, "m": 10**6, "k": 10**3, "bn": 10**9, None: 1}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A value said of a figure that it did not have. said: as the question writes it; rows: what is held for then."""

    said: str
    rows: tuple[Held, ...]


def contradicted(question: str, time: ResolvedTime, index: FigureIndex) -> Contradiction | None:
    """The first figure that the question takes wrongly as given; None where there is none."""
    text = without_time(question, time)
    text = _SPELT.sub(lambda spelt: f"{ONE_TO_TWENTY[spelt[1]]}%", text)
    for said, name in _REWORDED:
        text = said.sub(name, text)
    for amount in _AMOUNT.finditer(text):
        kind = "money" if amount["money"] else "percent" if amount["percent"] else ""
        if not kind or _THEN.search(text[amount.end() :]):
            continue
        for name in _names_beside(text, amount):
            rows = _rows_of(name, kind, time, index)
            if rows and not any(_is_value(held, amount) for held in rows):
                return Contradiction(amount.group().strip(" ,").replace(" %", "%"), rows)
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
    became = _BECAME.search(before)
    if became and not _DAY_NAMED.search(text[amount.end() :]):
        clause = _BREAK.split(before[: became.start()])[-1]
        if not _HYPOTHESIS.search(clause) and not _DAY_NAMED.search(clause):
            words = clause.split()[-MOST_NAME_WORDS:]
            yield from (" ".join(words[start:]) for start in range(len(words)))
    if _LEADS_IN.search(before) and not _NOT_SAID.search(_leading(before, is_rate=bool(amount["percent"]))):
        words = _JOINED.split(_BREAK.split(text[amount.end() :])[0])[0].split()[:MOST_NAME_WORDS]
        yield from (" ".join(words[:end]) for end in range(len(words), 0, -1))


def _leading(before: str, *, is_rate: bool) -> str:
    """The clause before an amount. "Under the 20% rate" says it of the rate; "under the $20,000 limit" compares."""
    clause = _BREAK.split(before)[-1]
    return re.sub(r"\bunder(?: the| a| our)?\s*$", "", clause) if is_rate else clause


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
