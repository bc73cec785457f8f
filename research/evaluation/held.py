"""What the served corpus itself says of cases and results: whether authorities are there, and quotes stand there.

It asks the tables anew and believes nothing that a result says of itself; call it inside the practice that was asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from research.corpus.models import Reading, VersionDates
from research.evaluation.cases import Authority, Case
from research.evaluation.gates import Integrity, QuoteFound
from research.evaluation.measures import Days
from research.law.income_year import IncomeYear
from research.verification.normalise import normalise

Range = tuple[date | None, date | None]  # half-open; None: no bound


def integrity(cases: Sequence[Case]) -> Integrity:
    """How far the authorities of `cases` resolve, those that an answer may be held against and those that it may not.

    Gold of a case that may not be answered says what was wanted and is not there: it is not asked for.
    """
    wanted = [(case.id, one) for case in cases if case.may_be_answered for one in case.acceptable]
    traps = [(case.id, one) for case in cases for one in case.must_not_cite]
    served = _served({one for _, one in (*wanted, *traps)})
    named = {one for _, one in wanted}
    return Integrity(
        VersionDates.objects.filter(recorded__upper_inf=True).exists(),
        len(named),
        len(named & set(served)),
        tuple(pair for pair in wanted if pair[1] not in served),
        tuple(pair for pair in traps if pair[1] not in served),
        tuple(case.id for case in cases if case.is_answerable and not _is_reachable(case, served)),
    )


def _served(authorities: Iterable[Authority]) -> dict[Authority, list[Range]]:
    """The certain days of each authority that is served, as they are known now."""
    sections: dict[str, set[str]] = defaultdict(set)
    for one in authorities:
        sections[one.act].add(one.section)
    found: dict[Authority, list[Range]] = defaultdict(list)
    for act, wanted in sections.items():
        rows = VersionDates.objects.filter(
            recorded__upper_inf=True, provision__instrument_id=act, provision__section__in=wanted
        )
        for section, certain in rows.values_list("provision__section", "certain"):
            found[Authority(act, section)].append(_range(certain))
    return dict(found)


def _is_reachable(case: Case, served: dict[Authority, list[Range]]) -> bool:
    ranges = [certain for one in case.acceptable for certain in served.get(one, ())]
    if case.income_year is None:
        return bool(ranges)
    year = IncomeYear(case.income_year)
    return any(_meets(certain, (year.starts, year.ends)) for certain in ranges)


def _range(certain: Any) -> Range:
    """The bounds of a range as the database gives it; an empty one meets no day."""
    return (date.max, date.max) if certain.isempty else (certain.lower, certain.upper)


def _meets(certain: Range, days: Days) -> bool:
    starts, ends = certain
    return (starts is None or starts <= days[1]) and (ends is None or ends > days[0])


Key = tuple[str, str, str, date]  # act, schedule, section, compilation date
Wording = tuple[int, str]  # provision, wording_sha256


def check_quotes(results: Sequence[dict[str, Any]], windows: Sequence[Sequence[Days]]) -> list[QuoteFound]:
    """Every citation of every result. windows: for each result, the days asked about of each of its citations."""
    cited = [
        (result["id"], citation, days)
        for result, all_days in zip(results, windows, strict=True)
        for citation, days in zip(result["citations"], all_days, strict=True)
    ]
    held = _Texts([citation for _, citation, _ in cited])
    return [
        QuoteFound(name, Authority(citation["act"], citation["section"]), *held.check(citation, days))
        for name, citation, days in cited
    ]


class _Texts:
    """The texts that compilations give for the provisions cited, read once; each is normalised once."""

    def __init__(self, citations: Iterable[dict[str, Any]]) -> None:
        sections: dict[str, set[str]] = defaultdict(set)
        for citation in citations:
            sections[citation["act"]].add(citation["section"])
        self._at: dict[Key, set[Wording]] = defaultdict(set)
        self._own: dict[tuple[Key, Wording], set[int]] = defaultdict(set)
        self._printings: dict[Wording, set[int]] = defaultdict(set)
        self._texts: dict[int, str] = {}
        self._normal: dict[int, str] = {}
        for act, named in sections.items():
            self._read(act, named)
        self._certain = _certain_days(self._texts)

    def _read(self, act: str, sections: set[str]) -> None:
        rows = Reading.objects.filter(compilation__instrument_id=act, provision__section__in=sections).values_list(
            "provision__schedule",
            "provision__section",
            "compilation__dated",
            "provision_id",
            "words__wording_sha256",
            "words_id",
            "words__text",
        )
        for schedule, section, dated, provision, sha256, words, text in rows:
            key, wording = (act, schedule, section, dated), (provision, sha256)
            self._at[key].add(wording)
            self._own[key, wording].add(words)
            self._printings[wording].add(words)
            self._texts[words] = text

    def check(self, citation: dict[str, Any], days: Days) -> tuple[bool, bool, bool]:
        """stands, is_respelt and was_in_force of a citation."""
        quote = normalise(citation["quote"]).text
        dated = date.fromisoformat(citation["compilation_date"])
        key = (citation["act"], citation["schedule"] or "", citation["section"], dated)
        holding = {
            wording: {words for words in self._printings[wording] if quote and quote in self._normalised(words)}
            for wording in self._at.get(key, ())
        }
        standing = {wording: words for wording, words in holding.items() if words}
        is_own = any(words & self._own[key, wording] for wording, words in standing.items())
        certain = [
            one for wording in standing for words in self._printings[wording] for one in self._certain.get(words, ())
        ]
        return bool(standing), bool(standing) and not is_own, any(_meets(one, days) for one in certain)

    def _normalised(self, words: int) -> str:
        if words not in self._normal:
            self._normal[words] = normalise(self._texts[words]).text
        return self._normal[words]


def _certain_days(words: Iterable[int]) -> dict[int, list[Range]]:
    """The certain days of the versions that carry these words, as they are known now."""
    found: dict[int, list[Range]] = defaultdict(list)
    rows = VersionDates.objects.filter(recorded__upper_inf=True, version__words_id__in=list(words))
    for held, certain in rows.values_list("version__words_id", "certain"):
        found[held].append(_range(certain))
    return dict(found)
