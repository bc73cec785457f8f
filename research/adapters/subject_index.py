"""The subject index from its YAML files, read once per process, with the vectors of its phrases where they are kept.

The vectors are computed beside those of the law (`corpus/ingest/embed.py`) and read once: a few megabytes that one
matrix product searches. Until all are there the index is read by words alone, and its identity says so.
"""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

import numpy as np
import yaml
from django.db import connection
from pgvector import HalfVector

from research.corpus.ingest.embed import embedding_key
from research.law.identity import text_sha256
from research.law.income_year import IncomeYear
from research.ports import Embedder
from research.question.subject_index import Entry, Nearness, SubjectIndex
from research.terms import Pin, SubjectReading

_Matrix = np.ndarray[Any, np.dtype[np.float32]]
NEAREST = 400  # phrases looked at by meaning
LOOK_AGAIN_S = 20.0  # counting tens of thousands of kept vectors takes 60 ms: not for every question
SHRINKAGE = 1.0  # towards the plain cosine, in units of the mean variance; 0.1 to 1 were tried and came out alike
_YEARS = re.compile(r"(?P<first>\d{4})-(?P<last>\d{4})?")
_KEYS_OF_A_FILE = {"topic", "act", "years", "entries"}
_KEYS_OF_AN_ENTRY = {"term", "provisions", "limits", "phrases", "years"}


class SubjectIndexRefused(ValueError):
    """A file of the index that is not of its form; the message names the file, the entry and what was wanted."""


@functools.cache
def subject_index() -> SubjectIndex:
    """The index that ships with AsAt. Raises SubjectIndexRefused."""
    folder = files("research").joinpath("subject_index")
    found: list[Entry] = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".yaml"):
            found += entries_of(path.name, yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    return SubjectIndex.of(found)


def digest_of(index: SubjectIndex) -> str:
    """Twelve digits for every entry: what an answer's settings name the index by."""
    return text_sha256(*(repr(entry) for entry in index.entries))[:12]


def entries_of(name: str, plain: Any) -> list[Entry]:
    """The entries of one file. name: of the file, for what is refused. Raises SubjectIndexRefused."""
    if not isinstance(plain, dict) or set(plain) != _KEYS_OF_A_FILE:
        raise SubjectIndexRefused(f"{name}: give topic, act, years and entries, and nothing else.")
    return [_entry_of(name, plain, entry) for entry in plain["entries"] or ()]


def _entry_of(name: str, file: dict[str, Any], plain: Any) -> Entry:
    if not isinstance(plain, dict) or not isinstance(plain.get("term"), str) or set(plain) - _KEYS_OF_AN_ENTRY:
        raise SubjectIndexRefused(f"{name}: an entry is {plain!r}; give term, provisions and phrases.")
    said = f"{name}: {plain['term']!r}"
    phrases = plain.get("phrases") or []
    if not phrases or not all(isinstance(phrase, str) and phrase.strip() for phrase in phrases):
        raise SubjectIndexRefused(f"{said} has the phrases {phrases!r}; give at least one, as text.")
    provisions = [_pin_of(said, file["act"], written) for written in plain.get("provisions") or ()]
    if not provisions:
        raise SubjectIndexRefused(f"{said} names no provision; give the one that governs first.")
    years = _YEARS.fullmatch(str(plain.get("years", file["years"])))
    if years is None:
        raise SubjectIndexRefused(f'{said} holds for {plain.get("years")!r}; give years as "2002-" or "2013-2016".')
    return Entry(
        term=plain["term"],
        provisions=tuple(provisions),
        phrases=tuple(phrases),
        first_year=int(years["first"]),
        last_year=int(years["last"]) if years["last"] else None,
        limits=tuple(_pin_of(said, file["act"], written) for written in plain.get("limits") or ()),
        topic=str(file["topic"]),
    )


def _pin_of(said: str, act: str, written: Any) -> Pin:
    """ "40-25" of the file's Act, or "TAA53 sch1/12-35" of another."""
    if not isinstance(written, str) or not written.strip():
        raise SubjectIndexRefused(f'{said} names the provision {written!r}; give it as text, such as "40-25".')
    other, _, pin = written.partition(" ")
    return (other, pin) if pin else (act, written)


class SubjectIndexReader:
    """`research.ports.SubjectReader` over `index`, None for the one that ships.

    vector_of: the vector of a question, None for none.
    """

    def __init__(
        self,
        embedder: Embedder | None,
        vector_of: Callable[[str], Sequence[float]] | None,
        index: SubjectIndex | None = None,
    ) -> None:
        self._embedder = embedder
        self._vector_of = vector_of
        self._index = index if index is not None else subject_index()
        self._digest = digest_of(self._index)
        self._known_space: _Space | None = None
        self._look_again_at = 0.0
        self._last: tuple[str, _Matrix, _Matrix] | None = None

    @property
    def identity(self) -> str:
        return self._identity_by(self._space())

    def _identity_by(self, space: _Space | None) -> str:
        return f"{self._digest} by {'words' if space is None else 'words and meaning'}"

    def read(self, question: str, year: IncomeYear) -> SubjectReading:
        """The reading, under the identity of how it was made: vectors may come to be there at any moment."""
        space = self._space()
        near = space.nearness(*self._asked(question, space)) if space is not None else None
        return replace(self._index.read(question, year, near), identity=self._identity_by(space))

    def turned(self, phrases: Sequence[str]) -> _Matrix | None:
        """Other phrases in the space of this index, a row each; None until their vectors and its own are kept."""
        space = self._space()
        if space is None or self._embedder is None:
            return None
        kept = _kept_vectors(self._embedder.identity, phrases)
        return space.turned(kept) if kept is not None else None

    def cosines(self, question: str, others: _Matrix) -> tuple[_Matrix, _Matrix] | None:
        """The cosines of a question with every phrase of this index, and with `others`, rows that `turned` gave."""
        space = self._space()
        if space is None:
            return None
        asked, near = self._asked(question, space)
        return near, others @ asked

    def _asked(self, question: str, space: _Space) -> tuple[_Matrix, _Matrix]:
        """A question's vector in the space, and its cosine with every phrase: asked for twice on one road."""
        last = self._last
        if last is None or last[0] != question:
            assert self._vector_of is not None
            asked = space.turned(np.asarray([self._vector_of(question)], dtype=np.float32))[0]
            last = self._last = (question, asked, space.phrases @ asked)
        return last[1], last[2]

    def _space(self) -> _Space | None:
        """Made once the vectors of all phrases are kept; looked for anew now and then until then."""
        if self._known_space is not None or self._embedder is None or self._vector_of is None:
            return self._known_space
        if time.monotonic() >= self._look_again_at:
            self._look_again_at = time.monotonic() + LOOK_AGAIN_S
            kept = _kept_vectors(self._embedder.identity, self._index.phrases)
            self._known_space = _Space.of(kept, self._index.entry_of_phrase) if kept is not None else None
        return self._known_space


@dataclass(frozen=True, slots=True)
class _Space:
    """The phrases' vectors turned so that those of one entry lie close: within-class covariance normalisation.

    What differs between two ways to say one thing (the scatter within the entries) is shrunk before cosines are taken
    (Hatch, Kajarekar and Stolcke 2006). On the tune half of the gold set the nearest phrase then names an acceptable
    provision first in 45 of 100 questions, and in 31 by the plain cosine (30 November 2026).
    """

    middle: _Matrix
    turn: _Matrix
    phrases: _Matrix
    entries: _Matrix

    @classmethod
    def of(cls, vectors: _Matrix, entry_of: Sequence[int]) -> _Space:
        places = np.asarray(entry_of)
        scatter = vectors - _means(vectors, places)[places]
        covariance = scatter.T.astype(np.float64) @ scatter
        size = len(covariance)
        covariance *= size / max(float(np.trace(covariance)), 1e-9)
        spread, axes = np.linalg.eigh(covariance + SHRINKAGE * np.eye(size))
        turn = ((axes / np.sqrt(spread)) @ axes.T).astype(np.float32)
        middle = vectors.mean(axis=0)
        phrases = _unit((vectors - middle) @ turn)
        return cls(middle, turn, phrases, _unit(_means(phrases, places)))

    def turned(self, vectors: _Matrix) -> _Matrix:
        """Further vectors, a row each, as unit vectors of this space."""
        return _unit((vectors - self.middle) @ self.turn)

    def nearness(self, asked: _Matrix, near: _Matrix) -> Nearness:
        """The nearest phrases, and the middle of every entry.

        asked: a question turned into this space; near: its cosine with each phrase.
        """
        nearest = np.argpartition(-near, min(NEAREST, len(near) - 1))[:NEAREST]
        nearest = nearest[np.lexsort((nearest, -near[nearest]))]
        return Nearness({int(at): float(near[at]) for at in nearest}, (self.entries @ asked).tolist())


def _means(rows: _Matrix, groups: np.ndarray[Any, np.dtype[np.int64]]) -> _Matrix:
    """The mean of the rows of each group, by the group's number."""
    sums = np.zeros((int(groups.max()) + 1, rows.shape[1]), dtype=np.float32)
    np.add.at(sums, groups, rows)
    return (sums / np.maximum(np.bincount(groups), 1)[:, None]).astype(np.float32)


def _unit(rows: np.ndarray[Any, Any]) -> _Matrix:
    return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def _kept_vectors(identity: str, phrases: Sequence[str]) -> _Matrix | None:
    keys = [embedding_key(identity, text_sha256(phrase)) for phrase in phrases]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM corpus_embedding WHERE key = ANY(%s)", [keys])
        if not keys or cursor.fetchone()[0] < len(set(keys)):
            return None
        # As bytes: 25,000 of them as lists of numbers are 300 MB for a moment, in every worker.
        cursor.execute("SELECT key, halfvec_send(vector) FROM corpus_embedding WHERE key = ANY(%s)", [keys])
        kept = {key: HalfVector.from_binary(sent).to_numpy() for key, sent in cursor}
    return np.asarray([kept[key] for key in keys], dtype=np.float32)
