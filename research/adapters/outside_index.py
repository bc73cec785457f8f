"""The outside index from its YAML files, read once per process, with the vectors of its phrases where they are kept.

It is read in the space of the subject index, so that a question's nearness to what lies outside and to what lies inside
are one measure. Until the vectors of both are kept it is read by its names alone, and its identity says so.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import yaml

from research.adapters.subject_index import LOOK_AGAIN_S, SubjectIndexReader
from research.law.identity import text_sha256
from research.law.income_year import IncomeYear
from research.question.numbers import NumberOfLaw, wrong_number
from research.question.outside import Near, Outside, OutsideIndex
from research.question.premise import NoSuchLaw, false_premise
from research.terms import Elsewhere, OutsideField

_Matrix = np.ndarray[Any, np.dtype[np.float32]]
NEAREST = 3  # phrases whose mean cosine says how near a side is: one alone may be a chance likeness
_KEYS_OF_A_FILE = {"reason", "who", "entries"}
NO_SUCH_LAW = "no_such_law.yaml"
NUMBERS = "numbers_of_law.yaml"
_KEYS_OF_A_NUMBER = {"subject", "told", "unit", "right", "of"}
_KEYS_OF_NONE_SUCH = {"subject", "told", "names", "of", "claimed", "first_year", "last_year"}
_KEYS_OF_AN_ENTRY = {"subject", "reason", "who", "names", "phrases"}


class OutsideIndexRefused(ValueError):
    """A file of the index that is not of its form; the message names the file, the entry and what was wanted."""


@functools.cache
def outside_index() -> OutsideIndex:
    """The index that ships with AsAt. Raises OutsideIndexRefused."""
    kept = ((name, plain) for name, plain in _files() if name not in (NO_SUCH_LAW, NUMBERS))
    return OutsideIndex.of([entry for name, plain in kept for entry in outside_of(name, plain)])


@functools.cache
def no_such_law() -> tuple[NoSuchLaw, ...]:
    """What federal law has not had, of the file that ships. Raises OutsideIndexRefused."""
    return tuple(entry for name, plain in _files() if name == NO_SUCH_LAW for entry in none_such_of(name, plain))


@functools.cache
def numbers_of_law() -> tuple[NumberOfLaw, ...]:
    """The numbers that rules have, of the file that ships. Raises OutsideIndexRefused."""
    return tuple(entry for name, plain in _files() if name == NUMBERS for entry in numbers_of(name, plain))


@functools.cache
def _files() -> tuple[tuple[str, Any], ...]:
    folder = files("research").joinpath("outside_index")
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".yaml")), key=lambda path: path.name)
    return tuple((path.name, yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)) for path in paths)


def none_such_of(name: str, plain: Any) -> list[NoSuchLaw]:
    """The entries of the file of what there is none of. Raises OutsideIndexRefused."""
    if not isinstance(plain, dict) or set(plain) != {"reason", "entries"} or plain["reason"] != "no_such_law":
        raise OutsideIndexRefused(f"{name}: give the reason no_such_law and entries, and nothing else.")
    found = []
    for entry in plain["entries"] or ():
        if not isinstance(entry, dict) or not {"subject", "told"} <= set(entry) or set(entry) - _KEYS_OF_NONE_SUCH:
            raise OutsideIndexRefused(
                f"{name}: an entry is {entry!r}; give subject, told, and names or of and claimed."
            )
        said = f"{name}: {entry['subject']!r}"
        names, of, claimed = (_texts(said, key, entry.get(key) or []) for key in ("names", "of", "claimed"))
        if not names and not (of and claimed):
            raise OutsideIndexRefused(f"{said} has nothing to be known by; give names, or of and claimed.")
        years = {key: int(entry[key]) for key in ("first_year", "last_year") if key in entry}
        found.append(NoSuchLaw(str(entry["subject"]), str(entry["told"]), names, of, claimed, **years))
    return found


def numbers_of(name: str, plain: Any) -> list[NumberOfLaw]:
    """The entries of the file of numbers. Raises OutsideIndexRefused."""
    found = []
    for entry in plain["entries"] if isinstance(plain, dict) else ():
        if not isinstance(entry, dict) or set(entry) - {"first_year", "last_year"} != _KEYS_OF_A_NUMBER:
            raise OutsideIndexRefused(f"{name}: an entry is {entry!r}; give subject, told, unit, right and of.")
        of = _texts(f"{name}: {entry['subject']!r}", "of", entry["of"])
        right = tuple(float(value) for value in entry["right"])
        years = {key: int(entry[key]) for key in ("first_year", "last_year") if key in entry}
        found.append(NumberOfLaw(str(entry["subject"]), str(entry["told"]), str(entry["unit"]), right, of, **years))
    return found


def outside_of(name: str, plain: Any) -> list[Outside]:
    """The entries of one file. name: of the file, for what is refused. Raises OutsideIndexRefused."""
    if not isinstance(plain, dict) or set(plain) != _KEYS_OF_A_FILE:
        raise OutsideIndexRefused(f"{name}: give reason, who and entries, and nothing else.")
    return [_entry_of(name, plain, entry) for entry in plain["entries"] or ()]


def _entry_of(name: str, file: dict[str, Any], plain: Any) -> Outside:
    if not isinstance(plain, dict) or not isinstance(plain.get("subject"), str) or set(plain) - _KEYS_OF_AN_ENTRY:
        raise OutsideIndexRefused(f"{name}: an entry is {plain!r}; give subject, phrases and names.")
    said = f"{name}: {plain['subject']!r}"
    reason = plain.get("reason", file["reason"])
    if reason not in set(OutsideField):
        raise OutsideIndexRefused(f"{said} has the reason {reason!r}; give one of {', '.join(OutsideField)}.")
    return Outside(
        subject=plain["subject"],
        field=OutsideField(reason),
        who=str(plain.get("who", file["who"])),
        phrases=_texts(said, "phrases", plain.get("phrases")),
        names=_texts(said, "names", plain.get("names") or []),
    )


def _texts(said: str, what: str, plain: Any) -> tuple[str, ...]:
    if not isinstance(plain, list) or not all(isinstance(text, str) and text.strip() for text in plain):
        raise OutsideIndexRefused(f"{said} has the {what} {plain!r}; give a list of texts.")
    return tuple(plain)


class OutsideIndexReader:
    """`research.ports.OutsideReader` over `index`, None for the one that ships. inside: in whose space it is read."""

    def __init__(
        self,
        inside: SubjectIndexReader,
        index: OutsideIndex | None = None,
        none_such: Sequence[NoSuchLaw] | None = None,
        numbers: Sequence[NumberOfLaw] | None = None,
    ) -> None:
        self._inside = inside
        self._index = index if index is not None else outside_index()
        self._none_such = none_such if none_such is not None else no_such_law()
        self._numbers = numbers if numbers is not None else numbers_of_law()
        entries = (*self._index.entries, *self._none_such, *self._numbers)
        self._digest = text_sha256(*(repr(entry) for entry in entries))[:12]
        self._entry_of_phrase = self._index.entry_of_phrase
        self._known: _Matrix | None = None
        self._look_again_at = 0.0

    @property
    def identity(self) -> str:
        by = "words and meaning" if self._phrases() is not None else "words"
        return f"{self._digest} by {by}"

    def place(self, question: str) -> Elsewhere | None:
        return self._index.place(question, self._near(question))

    def false_premise(self, question: str, year: IncomeYear) -> Elsewhere | None:
        return false_premise(question, year, self._none_such) or wrong_number(question, year, self._numbers)

    def _near(self, question: str) -> Near | None:
        phrases = self._phrases()
        found = self._inside.cosines(question, phrases) if phrases is not None else None
        if found is None:
            return None
        inside, outside = found
        nearest = self._entry_of_phrase[int(np.argmax(outside))]
        return Near(_mean_of_best(outside), _mean_of_best(inside), nearest)

    def _phrases(self) -> _Matrix | None:
        """The phrases in the space of the subject index; looked for anew now and then until all are kept."""
        if self._known is None and time.monotonic() >= self._look_again_at:
            self._look_again_at = time.monotonic() + LOOK_AGAIN_S
            self._known = self._inside.turned(self._index.phrases)
        return self._known


def _mean_of_best(cosines: _Matrix) -> float:
    least = max(0, len(cosines) - NEAREST)
    return float(np.partition(cosines, least)[least:].mean())
