"""What a measuring must hold to pass: four gates, and the recorded ceilings of wrong authority. Pure.

A gate that could not be measured fails. The ceilings stand in a YAML file: by the set that was measured ("tune",
"test", "all", or a name of a test's own), then by mode of search, the largest share of the answers given that may
rest on a wrong authority:

    test: {hybrid: 0.02, lexical: 0.05}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from research.evaluation.cases import Authority
from research.evaluation.measures import Verdict

MODES = ("hybrid", "lexical")


@dataclass(frozen=True, slots=True)
class Integrity:
    """Whether what cases name is served. named, resolved: distinct gold and alternative authorities.

    missing: (case id, authority) of those that are not there. missing_traps: the same of `must_not_cite`, which holds
    no answer back if it is not there. unreachable: answerable cases none of whose authorities is certain in their
    year. is_measured: whether there is any law to look in.
    """

    is_measured: bool
    named: int
    resolved: int
    missing: tuple[tuple[str, Authority], ...]
    missing_traps: tuple[tuple[str, Authority], ...]
    unreachable: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """Resolved over named; 1.0 where nothing needs naming, None where it could not be measured."""
        return None if not self.is_measured else self.resolved / self.named if self.named else 1.0


@dataclass(frozen=True, slots=True)
class QuoteFound:
    """One citation of a result, looked up again.

    stands: its words are literally in that provision's wording as at that compilation. is_respelt: not in that
    compilation's own letters, but in another's of the same wording, which may write hyphens and white space otherwise.
    was_in_force: by the corpus' own dates that wording is certain on a day asked about.
    """

    case_id: str
    authority: Authority
    stands: bool
    is_respelt: bool
    was_in_force: bool


class CeilingRejected(ValueError):
    """A ceilings file that cannot be used; the message says what was found and what is wanted."""


@dataclass(frozen=True, slots=True)
class Gate:
    """name: what is held. says: what was found, in a sentence."""

    name: str
    passed: bool
    says: str


def ceiling_in(plain: Any, measured: str, mode: str) -> float:
    """The ceiling recorded for a set and a mode. Raises CeilingRejected where none is recorded."""
    of_set = plain.get(measured) if isinstance(plain, Mapping) else None
    value = of_set.get(mode) if isinstance(of_set, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise CeilingRejected(f"no ceiling from 0 to 1 stands under {measured}: {mode}, but {value!r}; record one")
    return float(value)


def has_ceiling(plain: Any, measured: str) -> bool:
    """Whether a ceiling is recorded for a set in any mode."""
    return isinstance(plain, Mapping) and isinstance(plain.get(measured), Mapping) and bool(plain[measured])


def gates(
    integrity: Integrity,
    verdicts: Sequence[Verdict],
    quotes: Sequence[QuoteFound],
    ceiling: float | CeilingRejected | None,
) -> list[Gate]:
    """All four, the last only where a ceiling is given; it fails where none is recorded for what was measured."""
    found = [_resolves(integrity), _in_period(verdicts, quotes), _stand(quotes)]
    return found if ceiling is None else [*found, _below(ceiling, verdicts)]


def _resolves(integrity: Integrity) -> Gate:
    name = "every authority resolves in the served corpus"
    if not integrity.is_measured:
        return Gate(name, False, "It could not be measured: no law is loaded.")
    if not integrity.named:
        return Gate(name, True, "No case may be answered, so none is named.")
    missing = ", ".join(f"{one.act} {one.section} ({case})" for case, one in integrity.missing[:5])
    more = len(integrity.missing) - 5
    found = f"{integrity.resolved} of {integrity.named} resolve"
    return Gate(
        name,
        not integrity.missing,
        f"{found}; not there: {missing}{f' and {more} more' if more > 0 else ''}." if missing else f"{found}.",
    )


def _in_period(verdicts: Sequence[Verdict], quotes: Sequence[QuoteFound]) -> Gate:
    late = {verdict.case_id for verdict in verdicts if verdict.is_out_of_period}
    late |= {quote.case_id for quote in quotes if quote.stands and not quote.was_in_force}
    return Gate(
        "nothing is cited that was not in force",
        not late,
        f"Out of period: {_named(late)}." if late else f"{len(quotes)} citations, all in force on a day asked about.",
    )


def _stand(quotes: Sequence[QuoteFound]) -> Gate:
    false = {quote.case_id for quote in quotes if not quote.stands}
    respelt = sum(quote.is_respelt for quote in quotes)
    found = f"{len(quotes)} quotes, each found again"
    if respelt:
        found += f"; {respelt} in another compilation's letters of the same wording (hyphens, white space)"
    return Gate(
        "every quote stands in the provision it names",
        not false,
        f"Not there: {_named(false)}." if false else f"{found}.",
    )


def _below(ceiling: float | CeilingRejected, verdicts: Sequence[Verdict]) -> Gate:
    name = "wrong authority stays below its recorded ceiling"
    if isinstance(ceiling, CeilingRejected):
        return Gate(name, False, f"It could not be measured: {ceiling}.")
    wrong = sum(verdict.kind == "wrong" for verdict in verdicts)
    answered = sum(verdict.is_answer for verdict in verdicts)
    return Gate(
        name,
        wrong <= ceiling * answered + 1e-9,
        f"{wrong} of {answered} answers, {wrong} of {len(verdicts)} cases; the ceiling is {ceiling:.2%} of answers.",
    )


def _named(cases: set[str]) -> str:
    first = sorted(cases)[:5]
    return ", ".join(first) + (f" and {len(cases) - 5} more" if len(cases) > 5 else "")
