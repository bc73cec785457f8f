"""Asks each query and finds its controls in the ranking that the product gives; only numbers come back.

Controls are looked for in all that is loaded and that the practice may read, its private documents too. A query that
names no year is asked for the income year of the newest day that is covered and on which one of its controls is in
force: time is not what is measured here, and a control that no search may reach then would say nothing of search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone

from research import composition, services
from research.adapters.law_sql import View
from research.corpus.models import Instrument, VersionDates
from research.evaluation.controls import Control, Query, fold, fold_control, language_of
from research.evaluation.ranking import scores
from research.law.identity import shown_code
from research.law.income_year import income_year_of
from research.terms import Decision

Key = tuple[str, str]  # instrument, section


@dataclass(frozen=True, slots=True)
class Held:
    """A control that is served: where it stands, in which language, and the newest day on which it is certain."""

    key: Key
    language: str
    newest: date


@dataclass(frozen=True, slots=True)
class Asked:
    """What is kept of one query: numbers, and the languages of it and of its controls.

    scores: by `ranking.NAMES`. missing: relevant controls that are not served; each counts as a miss.
    """

    scores: tuple[float, ...]
    relevant: int
    missing: int
    is_ranked: bool
    is_failed: bool
    language: str
    languages: frozenset[str]

    @property
    def relation(self) -> str:
        if not self.language or not self.languages:
            return "language not stated"
        return "same language" if self.language in self.languages else "other language"

    @property
    def pair(self) -> str:
        return f"{self.language or '?'} → {'/'.join(sorted(self.languages)) or '?'}"


class Catalogue:
    """The instruments that are served by every name they go by, and where their controls stand."""

    def __init__(self) -> None:
        self._named: dict[str, set[str]] = defaultdict(set)
        self._framework: dict[str, str] = {}
        for one in Instrument.objects.all():
            self._framework[one.code] = one.framework
            for name in (one.code, shown_code(one.code), one.title, one.framework, one.document_prefix):
                self._named[fold(name)].add(one.code)

    def frameworks(self, names: Iterable[str]) -> tuple[str, ...]:
        """The frameworks that these names mean, as search is narrowed to them; names of nothing loaded are left out."""
        return tuple(sorted({self._framework[code] for name in names for code in self._named.get(name, ())}))

    def find(self, controls: Iterable[Control], within: Sequence[str]) -> dict[Control, list[Held]]:
        """Where each control stands. within: names of frameworks, for a control that names none itself."""
        wanted = list(controls)
        codes = {code for name in (*within, *(one.framework for one in wanted)) for code in self._named.get(name, ())}
        anywhere = any(not one.framework for one in wanted) and not within
        rows = VersionDates.objects.filter(recorded__upper_inf=True)
        if not anywhere:
            rows = rows.filter(provision__instrument_id__in=codes)
        ids = {one.control for one in wanted}
        found: dict[Control, list[Held]] = {one: [] for one in wanted}
        columns = ("provision__instrument_id", "provision__section", "provision__document_id", "certain")
        rows = rows.extra(
            where=["lower(corpus_provision.section) = ANY(%s) OR lower(corpus_provision.document_id) = ANY(%s)"],
            params=[list(ids), list(ids)],
        )
        for code, section, document, certain, language in rows.values_list(*columns, "compilation__language"):
            if certain.isempty:
                continue
            newest = min(certain.upper - timedelta(days=1), date.max) if certain.upper else date.max
            held = Held((code, section), language_of(language), newest)
            for one in wanted:
                is_named = not one.framework and (not within or code in self._codes(within))
                if one.control in (fold_control(section), fold(document)) and (
                    is_named or code in self._named.get(one.framework, ())
                ):
                    found[one].append(held)
        return found

    def _codes(self, names: Sequence[str]) -> set[str]:
        return {code for name in names for code in self._named.get(name, ())}


def ask(query: Query, catalogue: Catalogue, is_narrowed: bool = True) -> Asked:
    """What came of one query. is_narrowed: whether it is asked of the frameworks that it names alone."""
    found = catalogue.find(query.relevant, query.frameworks)
    held = [one for places in found.values() for one in places]
    view = View(frameworks=catalogue.frameworks(query.frameworks) if is_narrowed else ())
    year = query.year or _newest_year(held, view)
    outcome = services.try_question(query.text, year, timezone.localdate(), view=view, drafts=services.quoting)
    at: dict[Key, Control] = {one.key: control for control, places in found.items() for one in places}
    ranked = [at.get((one.act, one.section), (one.act, one.section)) for one in outcome.retrieved]
    return Asked(
        tuple(scores(ranked, query.relevant)),
        len(query.relevant),
        sum(not places for places in found.values()),
        bool(outcome.retrieved),
        outcome.decision is Decision.ERROR,
        language_of(query.language),
        frozenset(one.language for one in held),
    )


def _newest_year(held: Sequence[Held], view: View) -> int | None:
    """The income year of the newest day on which any is certain: today, or the last day covered, at most."""
    horizon = composition.ports(view).store.horizon()
    if not held or horizon is None:
        return None
    return income_year_of(min(max(one.newest for one in held), horizon.last, timezone.localdate())).year
