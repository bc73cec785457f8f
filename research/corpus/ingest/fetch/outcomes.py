"""The three things that a question to the Register can come back with: found, absent, not checked.

Pure values. Trouble upstream is never "does not exist": only a well-formed answer of the Register makes an `Absent`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class Absent:
    """The Register itself says that there is none. reason: a sentence for a person, with what there is instead."""

    reason: str


@dataclass(frozen=True, slots=True)
class NotChecked:
    """Nothing is known, because the Register could not be asked or its answer could not be trusted; reason says why."""

    reason: str
