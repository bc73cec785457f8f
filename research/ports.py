"""What the road asks of the world: a Protocol each, with one real and one deterministic implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from research.law.income_year import IncomeYear
from research.model_terms import ModelIdentity, ModelReply, ModelRequest
from research.terms import (
    Draft,
    Elsewhere,
    Fit,
    Hit,
    Measured,
    Outcome,
    ParentGroup,
    Passage,
    Pin,
    Ranked,
    Snapshot,
    Sought,
    SubjectReading,
    Window,
)


class Embedder(Protocol):
    """Turns text into unit vectors.

    identity names the model and its files exactly ("minilm-l6-v2-int8@<sha256 first 12>"): two embedders
    with one identity give the same vectors. max_tokens counts the special tokens too.
    """

    identity: str
    dimensions: int
    max_tokens: int

    def count_tokens(self, text: str) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each passage, in order."""
        ...

    def embed_question(self, question: str) -> list[float]:
        """The vector that passages are compared with: some models read a question under a prompt of its own."""
        ...


class Reranker(Protocol):
    """Says how well each passage fits what is sought; higher is better, on a scale that `identity` names."""

    identity: str

    def score(self, sought: Sought, passages: Sequence[Passage]) -> list[Fit]: ...


class SubjectReader(Protocol):
    """Reads lay words as terms of the law; the reading says which index it was, and by what it was read."""

    def read(self, question: str, year: IncomeYear) -> SubjectReading: ...


class OutsideReader(Protocol):
    """Says whether a question lies outside the Acts held. identity: which index, and by what it was read."""

    @property
    def identity(self) -> str: ...

    def place(self, question: str) -> Elsewhere | None: ...

    def false_premise(self, question: str, year: IncomeYear) -> Elsewhere | None: ...


Waiting = Callable[[str], None]
"""Told now and then, by whoever waits for a model, how far it has come ("340 characters"), at least every two seconds.
What it raises ends the wait: so a question is stopped."""


def waiting_quietly(how_far: str) -> None:
    """For whoever has nobody to tell."""


class Generator(Protocol):
    """Proposes claims with quotes from the passages it is shown, and from nothing else."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    def draft(
        self,
        question: str,
        groups: Sequence[ParentGroup],
        ranked: Sequence[Ranked],
        waiting: Waiting = waiting_quietly,
    ) -> Draft: ...


class LanguageModel(Protocol):
    """Asks one language model and returns what it says. Raises ModelFailed, or what `waiting` raised.

    body: the very JSON that `ask` would send, without headers: what a preview shows.
    """

    @property
    def identity(self) -> ModelIdentity: ...

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply: ...

    def body(self, request: ModelRequest) -> Mapping[str, Any]: ...


class GroundednessScorer(Protocol):
    """Says how far the quotes support the prose, 0 to 1."""

    identity: str

    def score(self, prose: str, quotes: Sequence[str]) -> float: ...


@dataclass(frozen=True, slots=True)
class Grounding:
    """Who holds a model's prose against its quotes, and the least of its scores that lets prose through."""

    scorer: GroundednessScorer
    bar: float


@dataclass(frozen=True, slots=True)
class Horizon:
    """The days that the corpus covers at all, and by Act or regulation: the first and last day certain of it."""

    first: date
    last: date
    instruments: tuple[tuple[str, date, date], ...]

    def covers(self, window: Window) -> bool:
        """Whether any of the days asked about lies between the first and the last."""
        return self.first <= window.last and window.first <= self.last


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a citation look-up found.

    state: "found" (certain on a day asked about), "gap" (held, but its wording then is not known),
    "absent" (the instrument is covered on that date and holds no such provision), "not_held" (cannot be said:
    the instrument, or that part of it, is not in the corpus). passages belong to the versions found;
    for "gap" they are the wordings on either side, to be shown and not picked.
    """

    state: str
    passages: tuple[Passage, ...]


class CorpusStore(Protocol):
    """The law, read as at the days asked about. Every method applies the time filter in its own SQL."""

    def horizon(self) -> Horizon | None: ...

    def titles(self) -> Mapping[str, str]:
        """Title → code of each instrument that is cited by its title, having no short code of its own."""
        ...

    def snapshot(self, window: Window) -> Snapshot: ...

    def search_lexical(self, question: str, window: Window, limit: int) -> list[Hit]: ...

    def search_dense(self, question: str, window: Window, limit: int) -> list[Hit]: ...

    def search_provisions(self, question: str, pins: Sequence[Pin], window: Window, each: int) -> list[Hit]:
        """The passages in force of provisions named, `each` of one at most, nearest first; in the pins' order."""
        ...

    def measure(self, question: str, chunk_ids: Sequence[int], window: Window | None) -> dict[int, Measured]:
        """How near each passage is by words and by meaning. window: whose frequencies count, None for any day's."""
        ...

    def passages(self, chunk_ids: Sequence[int], window: Window) -> list[Passage]: ...

    def siblings(self, passages: Sequence[Passage], window: Window) -> list[Passage]:
        """All passages of the same versions, in reading order; of a dictionary, only pieces of the same definitions."""
        ...

    def look_up(self, instrument: str, schedule: str, section: str, window: Window) -> Lookup:
        """What is held of a provision on the days asked about; section "" for all of the instrument."""
        ...

    def part_state(self, instrument: str, titled: str, window: Window) -> str:
        """Of a Part, Division or Subdivision ("Subdivision 40-Z"): "found", "absent" or "not_held", as in `Lookup`.

        Absent only where its neighbours are held: Subdivisions of the same Division, Parts of the same numeral; a
        Division only where its number is beyond that of the Act's dictionary.
        """
        ...

    def not_current_from(self, window: Window) -> Mapping[str, date]:
        """By instrument, since when its text is behind the law: an amendment commenced then, on or before the last day
        asked about, and the amended text is not published. Found, not guessed: what was never checked is not here.
        """
        ...

    def undated_near(self, question: str, window: Window, limit: int, pointed_at: Sequence[Pin] = ()) -> list[Passage]:
        """Passages that were possibly, but not certainly, in force: a ground to refuse, never to answer from.

        The best `limit` by words, and some of each provision that is pointed at.
        """
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What a replay needs besides the outcome: who asked what, when, with which year in the field, and of which law.

    balance_month: in which the income year of the client ends that it was asked for; 6 for the ordinary 30 June.
    """

    question_id: str
    text: str
    year_field: int | None
    today: date
    asked_by: str
    frameworks: tuple[str, ...] = ()
    uses_subject_index: bool = True
    balance_month: int = 6


class AuditStore(Protocol):
    """Records an answer with its link of the practice's chain, in one transaction. The only writer of audit rows."""

    def append(self, asked: Asked, outcome: Outcome) -> int:
        """The number of the new audit row."""
        ...
