"""Whether a ruling still stands, how it ended, and for which days its text may be quoted.

Pure: sentences and history rows in, days out. Date of issue, date of effect and date of a consolidation are three
facts. A ruling that was withdrawn still rules on what happened before, so it ends rather than goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from research.corpus.ingest.ato.dates import first_day_in
from research.corpus.ingest.ato.docid import numbers_in
from research.corpus.ingest.ato.effect import THIS, Effect, sentences_in
from research.law.provision import ALWAYS, in_words

_REPLACING = re.compile(
    r"\b(?:replac(?:es|ed|ing)|supersed(?:es|ed|ing)|which|that (?:was|were|is)|following the withdrawal of)\b", re.I
)
_WITHDRAWN = re.compile(r"\b(?:withdrawn|withdraws|withdrawal of)\b", re.IGNORECASE)
_NOT_SAID = re.compile(
    r"\b(?:if|when|whenever|where|unless|until|may be|could be|can be|even though|proposed|not)\b", re.IGNORECASE
)
# How a ruling is spoken of: by the database in its notes, and by itself, where "it" may be another.
_IN_NOTES = re.compile(rf"\b(?:{THIS}|the (?:ruling|determination|document|guideline)|it)\b", re.IGNORECASE)
_IN_BODY = re.compile(rf"\b{THIS}\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:replaces|supersedes|which|paragraphs?)\b", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:paragraphs?|examples?|appendix|parts?|sections?) [\dA-Z].{0,80}\b(?:is|are|was|were|been) withdrawn"
    r"|\bto the extent\b|\bin part\b|\bpartially\b|\bpartly\b|\bso far as\b|\binsofar as\b",
    re.IGNORECASE | re.DOTALL,
)
_SUPERSEDED = re.compile(r"\b(?:superseded|replaced) by\b", re.IGNORECASE)
_WITHDRAWN_TITLE = re.compile(r"[(\[]\s*withdrawn\s*[)\]]", re.IGNORECASE)
_CHANGED = re.compile(r"consolidated|addendum|erratum|corrigendum", re.IGNORECASE)


class State(StrEnum):
    """Whether a ruling stands, as of the day on which its page was saved."""

    CURRENT = "current"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    OLD_VERSION = "no longer current"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a ruling ended. day: the first on which it no longer applies, None if not stated. by: what took its place.

    in_part: the sentence that takes back a part of it and leaves the rest.
    """

    state: State = State.CURRENT
    day: date | None = None
    by: str = ""
    in_part: str = ""

    @property
    def notice(self) -> str:
        """The sentence that goes with every quote, "" for a ruling that stands whole."""
        by = f"; superseded by {self.by}" if self.by else ""
        if self.state is State.WITHDRAWN:
            if self.day:
                return f"Withdrawn with effect from {in_words(self.day)}{by}."
            return f"Withdrawn{by}; the date is not stated."
        if self.state is State.SUPERSEDED:
            return f"Superseded by {self.by}{f' on {in_words(self.day)}' if self.day else ''}."
        if self.state is State.OLD_VERSION:
            return "An earlier version of this ruling, which was changed since."
        return f"Withdrawn in part: {self.in_part}" if self.in_part else ""


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the history panel."""

    day: date
    text: str
    is_here: bool = False

    @property
    def is_withdrawal(self) -> bool:
        return bool(re.search(r"\bwithdrawn\b|\bwithdrawal\b", self.text, re.IGNORECASE))

    @property
    def is_original(self) -> bool:
        return "original" in self.text.lower()

    @property
    def is_change(self) -> bool:
        return not self.is_withdrawal and not self.is_original and bool(_CHANGED.search(self.text))


def ending_of(ruling: str, title: str, notes: Iterable[str], body: Iterable[str], history: Sequence[Change]) -> Ending:
    """How the ruling named `ruling` ended, by the strongest sign there is.

    title: its head. notes: what the database says about it. body: its own text. A date comes from a sentence about this
    ruling, else from the history; a bare sign without any leaves the day open.
    """
    said = [sentence for text in (title, *notes) for sentence in sentences_in(text)]
    told = [sentence for text in body for sentence in sentences_in(text)]
    subjects = [(sentence, _IN_NOTES) for sentence in said] + [(sentence, _IN_BODY) for sentence in told]
    in_part = next((each for each, subject in subjects if _takes_back_part(each, ruling, subject)), "")
    withdrawals = [(each, subject is _IN_NOTES) for each, subject in subjects if _withdraws(each, ruling, subject)]
    is_marked = bool(_WITHDRAWN_TITLE.search(title)) or any(is_note for _, is_note in withdrawals)
    days = [day for each, _ in withdrawals if (day := _day_of(each))]
    days += [row.day for row in history if row.is_withdrawal]
    by, by_day = _successor(subjects, ruling)
    if days or is_marked:
        return Ending(State.WITHDRAWN, days[0] if days else None, by)
    if by:
        return Ending(State.SUPERSEDED, by_day, by)
    if any("no longer current" in each.lower() for each in said) or _is_old(history):
        return Ending(State.OLD_VERSION, in_part=in_part)
    return Ending(in_part=in_part[:300])


def _is_old(history: Sequence[Change]) -> bool:
    here = next((row.day for row in history if row.is_here), None)
    return here is not None and any(row.day > here and row.is_change for row in history)


def _is_subject(before: str, ruling: str, subject: re.Pattern[str]) -> bool:
    """Whether what stands before a verb makes this ruling its subject: the number named last, else `subject`."""
    named = numbers_in(before)
    return named[-1].ruling == ruling if named else subject.search(before) is not None


def _withdraws(sentence: str, ruling: str, subject: re.Pattern[str]) -> bool:
    """Whether it says that this ruling is withdrawn, as a whole.

    "This Ruling replaces TR 95/1, which was withdrawn on 1 July 2007" withdraws the other: no replacing verb may stand
    before, and what is named nearest before must be this ruling.
    """
    found = _WITHDRAWN.search(sentence)
    if found is None or _PART.search(sentence):
        return False
    before = sentence[: found.start()]
    if _REPLACING.search(before) or _NOT_SAID.search(before):
        return False
    if found.group().lower() != "withdrawn":  # "withdraws TR 95/1", "the withdrawal of TR 95/1"
        named = numbers_in(sentence[found.end() :])
        return bool(named) and named[0].ruling == ruling
    return _is_subject(before, ruling, subject)


def _day_of(withdrawal: str) -> date | None:
    """The day from which a sentence withdraws: the first that it names after the verb."""
    found = _WITHDRAWN.search(withdrawal)
    return first_day_in(withdrawal[found.end() :]) if found else None


def _takes_back_part(sentence: str, ruling: str, subject: re.Pattern[str]) -> bool:
    if not _WITHDRAWN.search(sentence) or not _PART.search(sentence) or _NOT_SAID.search(sentence):
        return False
    named = {number.ruling for number in numbers_in(sentence)}
    return ruling in named or (not named and subject.search(sentence) is not None)


def _successor(sentences: Iterable[tuple[str, re.Pattern[str]]], ruling: str) -> tuple[str, date | None]:
    """What this ruling was superseded by, and when; ("", None) where no sentence says so of it."""
    for sentence, subject in sentences:
        found = _SUPERSEDED.search(sentence)
        if found is None:
            continue
        before, after = sentence[: found.start()], sentence[found.end() :]
        if _NOT_SAID.search(before) or _OTHERS.search(before) or not _is_subject(before, ruling, subject):
            continue
        others = [number.ruling for number in numbers_in(after) if number.ruling != ruling]
        if others:
            return others[0], first_day_in(after)
    return "", None


@dataclass(frozen=True, slots=True)
class Days:
    """The days on which a text is known to have been the ruling, half-open, and the day that names this version.

    is_exhaustive: it can have been so on no other day, because both ends are stated.
    """

    starts: date
    ends: date
    dated: date
    by: str
    is_exhaustive: bool


def days_of(
    ending: Ending,
    effect: Effect | None,
    issued: date | None,
    history: Sequence[Change],
    version_day: date | None,
    saved_on: date,
) -> Days | str:
    """The days for which this text may be quoted; a string instead says why there are none.

    A version begins when the change that made it was published, since the words before were others. It is known to
    stand only as at `saved_on`. Where the day of an ending is not stated, only the days to the last on which it stood,
    by its own history, are known. version_day: of an earlier version that the address asked for.
    """
    here = next((row.day for row in history if row.is_here), None) or version_day
    if ending.state is State.OLD_VERSION and here is None:
        return "it is an earlier version, and the page does not say of which days; save it with its history"
    changes = [row.day for row in history if row.is_change and (here is None or row.day <= here)]
    changed = max(changes, default=None)
    issued = issued or next((row.day for row in history if row.is_original), None)
    applies = effect or (Effect(issued, None, "its date of issue") if issued else None)
    if applies is None:
        applies = Effect(saved_on, None, "the day on which its page was saved")
    is_later = changed is not None and changed > applies.starts
    starts = changed if is_later and changed is not None else applies.starts
    ends = [saved_on + timedelta(days=1)]
    ends += [applies.ends] if applies.ends else []
    ends += [ending.day] if ending.day else []
    ends += [row.day for row in history if here is not None and row.day > here and row.is_change][:1]
    if ending.state in (State.WITHDRAWN, State.SUPERSEDED) and ending.day is None:
        stood = [day for day in (issued, changed) if day]
        ends.append((max(stood) if stood else starts) + timedelta(days=1))
    end = min(ends)
    if starts >= end:
        return (
            f"there is no day on which this text is known to apply: it would begin on {in_words(starts)} and end "
            f"before {in_words(end)}; save the page again once it applies, or its earlier version"
        )
    named = changed or issued or (applies.starts if applies.starts != ALWAYS else saved_on)
    dated = min(max(named, starts), end - timedelta(days=1))
    is_whole = effect is not None and not is_later and end in (ending.day, effect.ends)
    return Days(starts, end, dated, "its history of versions" if is_later else applies.by, is_whole)
