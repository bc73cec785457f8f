"""The law in memory behind the `CorpusStore` port: exact, deterministic, and without any trick.

What PostgreSQL does in SQL stands here in plain Python, so that the road can be tested with histories made up by
the hundred. The time filter comes first in every method: nothing outside it is counted, scored or returned.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from research.law.identity import text_sha256
from research.ports import Embedder, Horizon, Lookup
from research.retrieval.fusion import in_total_order
from research.retrieval.time_filter import NO_END_DAY, day_bounds, day_number, is_certain, meets
from research.terms import Fit, Hit, Measured, Passage, Pin, Snapshot, Sought, Window
from research.verification.overlap import content_stems

K1, B = 1.2, 0.75
PIVOT = 40.0  # words; BM25's average length, fixed: an average over all text would let other years move a score
_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class MemoryCorpusStore:
    """`research.ports.CorpusStore` over a list of passages.

    compilations: dates of the compilations held, by instrument; left out, those that the passages name. A wording
    is possible from the end of the one before it to the start of the one after it.
    """

    def __init__(
        self,
        passages: Iterable[Passage],
        embedder: Embedder | None = None,
        compilations: Mapping[str, Sequence[date]] | None = None,
    ) -> None:
        self.embedder = embedder
        self.behind: dict[str, date] = {}
        self._passages = sorted(passages, key=lambda passage: (passage.version_id, passage.ordinal))
        self._words = {passage.chunk_id: words_of(passage) for passage in self._passages}
        self._compilations = {code: sorted(dates) for code, dates in (compilations or self._named()).items()}

    # What is held

    def horizon(self) -> Horizon | None:
        held = tuple((code, dates[0], dates[-1]) for code, dates in sorted(self._compilations.items()) if dates)
        return Horizon(min(row[1] for row in held), max(row[2] for row in held), held) if held else None

    def titles(self) -> Mapping[str, str]:
        return {}

    def snapshot(self, window: Window) -> Snapshot:
        held = sorted(f"{p.chunk_id} {p.certain_from} {p.certain_to} {text_sha256(p.text)}" for p in self._passages)
        identity = self.embedder.identity if self.embedder else "none"
        compilations = sorted(f"{code} {day}" for code, days in self._compilations.items() for day in days)
        return Snapshot(
            snapshot_id=text_sha256(*held, identity),
            mode="hybrid" if self.embedder else "lexical",
            embedder=identity,
            passages_in_force=len(self._in_force(window)),
            degraded=() if self.embedder else ("Search by words only: no embedder is configured.",),
            compilations=tuple(compilations),
        )

    # Search

    def search_lexical(self, question: str, window: Window, limit: int) -> list[Hit]:
        return self._bm25(question, self._in_force(window))[:limit]

    def search_dense(self, question: str, window: Window, limit: int) -> list[Hit]:
        scores = self.similarities(question, [passage.chunk_id for passage in self._in_force(window)])
        return in_total_order(Hit(chunk_id, score) for chunk_id, score in scores.items())[:limit]

    def similarities(self, question: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Cosine of the question with each chunk; none without an embedder."""
        known = {passage.chunk_id: passage for passage in self._passages}
        wanted = [known[chunk_id] for chunk_id in chunk_ids if chunk_id in known]
        if self.embedder is None or not wanted:
            return {}
        asked, *vectors = self.embedder.embed([question, *(f"{p.heading}\n{p.text}" for p in wanted)])
        return {
            passage.chunk_id: sum(a * b for a, b in zip(asked, vector, strict=True))
            for passage, vector in zip(wanted, vectors, strict=True)
        }

    # Reading

    def passages(self, chunk_ids: Sequence[int], window: Window) -> list[Passage]:
        found = {passage.chunk_id: passage for passage in self._in_force(window)}
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    def siblings(self, passages: Sequence[Passage], window: Window) -> list[Passage]:
        wanted = {(passage.version_id, passage.defined_term) for passage in passages}
        versions = {version for version, _ in wanted}
        return [
            passage
            for passage in self._in_force(window)
            if passage.version_id in versions
            and (not passage.defined_term or (passage.version_id, passage.defined_term) in wanted)
        ]

    def not_current_from(self, window: Window) -> Mapping[str, date]:
        return {code: day for code, day in self.behind.items() if day <= window.last}

    def look_up(self, instrument: str, schedule: str, section: str, window: Window) -> Lookup:
        cited = [
            passage
            for passage in self._passages
            if (passage.instrument, passage.schedule) == (instrument, schedule)
            and (not section or passage.section.lower() == section.lower())
        ]
        found = tuple(passage for passage in cited if is_certain(passage, window))
        if found:
            return Lookup("found", found)
        around = tuple(passage for passage in cited if self._is_possible(passage, window))
        if around:
            return Lookup("gap", around)
        return Lookup("absent" if self._is_compiled(instrument, window) else "not_held", ())

    def part_state(self, instrument: str, titled: str, window: Window) -> str:
        paths = [p.path for p in self._in_force(window) if p.instrument == instrument]
        titles = {title.partition("—")[0] for path in paths for title in path}
        beside = titled.rpartition("-")[0] or titled.rstrip("0123456789ABCDEFGHJKLMNOPQRSTUWYZ")
        if titled in titles:
            return "found"
        return "absent" if any(title.startswith(beside) for title in titles) else "not_held"

    def search_provisions(self, question: str, pins: Sequence[Pin], window: Window, each: int) -> list[Hit]:
        found = []
        for place, pin in enumerate(pins):
            own = [p for p in self._in_force(window) if (p.instrument, p.pin) == pin]
            best = {hit.chunk_id: hit.score for hit in self._bm25(question, own)}
            own.sort(key=lambda passage: (-best.get(passage.chunk_id, 0.0), passage.ordinal, passage.chunk_id))
            found += [Hit(passage.chunk_id, 1.0 / (1 + place)) for passage in own[:each]]
        return found

    def measure(self, question: str, chunk_ids: Sequence[int], window: Window | None) -> dict[int, Measured]:
        wanted = set(chunk_ids)
        those = [p for p in self._passages if window is None or p.chunk_id in wanted or is_certain(p, window)]
        lexical = {hit.chunk_id: hit.score for hit in self._bm25(question, those)}
        return {chunk_id: Measured(lexical.get(chunk_id, 0.0), None) for chunk_id in chunk_ids}

    def undated_near(self, question: str, window: Window, limit: int, pointed_at: Sequence[Pin] = ()) -> list[Passage]:
        settled = {passage.provision_id for passage in self._in_force(window)}
        undated = [
            passage
            for passage in self._passages
            if passage.provision_id not in settled
            and self._is_possible(passage, window)
            and not self._is_compiled(passage.instrument, window)
        ]
        by_id = {passage.chunk_id: passage for passage in undated}
        best = [by_id[hit.chunk_id] for hit in self._bm25(question, undated)[:limit]]
        return best + [p for p in undated if (p.instrument, p.pin) in pointed_at and p not in best]

    # How

    def _in_force(self, window: Window) -> list[Passage]:
        return [passage for passage in self._passages if is_certain(passage, window)]

    def _bm25(self, question: str, passages: Sequence[Passage]) -> list[Hit]:
        """BM25 over `passages` alone: their number and document frequencies, and the fixed pivot."""
        counts = {passage.chunk_id: self._words[passage.chunk_id] for passage in passages}
        scores: dict[int, float] = {}
        for word in sorted(set(_WORD.findall(question.lower()))):
            holding = sorted(chunk_id for chunk_id, words in counts.items() if word in words)
            idf = math.log(1 + (len(counts) - len(holding) + 0.5) / (len(holding) + 0.5))
            for chunk_id in holding:
                words = counts[chunk_id]
                often, length = words[word], words.total()
                impact = often * (K1 + 1) / (often + K1 * (1 - B + B * length / PIVOT))
                scores[chunk_id] = scores.get(chunk_id, 0.0) + idf * impact
        return in_total_order(Hit(chunk_id, score) for chunk_id, score in scores.items())

    def _is_possible(self, passage: Passage, window: Window) -> bool:
        others = [other for other in self._passages if other.provision_id == passage.provision_id]
        before = [o.certain_to for o in others if o.certain_to and o.certain_to <= passage.certain_from]
        after = [o.certain_from for o in others if passage.certain_to and o.certain_from >= passage.certain_to]
        starts = day_number(max(before)) if before else day_number(passage.certain_from)
        ends = day_number(min(after)) if after else NO_END_DAY
        return meets(starts, ends, day_bounds(window))

    def _is_compiled(self, instrument: str, window: Window) -> bool:
        return any(window.first <= day <= window.last for day in self._compilations.get(instrument, ()))

    def _named(self) -> dict[str, list[date]]:
        found: dict[str, set[date]] = {}
        for passage in self._passages:
            found.setdefault(passage.instrument, set()).add(passage.compilation_date)
        return {code: sorted(days) for code, days in found.items()}


class SharedWordsReranker:
    """`research.ports.Reranker`: the share of the question's content words that the passage holds, 0 to 1."""

    identity = "overlap:1"

    def score(self, sought: Sought, passages: Sequence[Passage]) -> list[Fit]:
        asked = content_stems(sought.question)
        shares = [len(asked & content_stems(f"{p.heading} {p.text}")) / max(1, len(asked)) for p in passages]
        return [Fit(share, share) for share in shares]


def words_of(passage: Passage) -> Counter[str]:
    """The words that a passage is found by: its heading's and its own."""
    return Counter(_WORD.findall(f"{passage.heading} {passage.text}".lower()))
