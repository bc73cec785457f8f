"""A question that asks for two times at once: "what changed in s 25-10 between FY2015 and FY2024".

Two years in one question are otherwise a question back to the user. They are asked for together only where the words
say so: the two are joined ("in FY2015 and FY2024", "2015 compared with 2024"), or a change between them is asked for.
"or" joins nothing: it leaves open which year is meant. "Between 2015 and 2020" and "from 2015 to 2020" are a period,
and two times only where it is asked what changed in the law; what changed with the asker is not that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.question.resolve import YearConflict
from research.terms import ResolvedTime

_JOIN = r"\s*,?\s*(?:and|&|to|versus|vs\.?|v\.?|(?:as\s+)?compared\s+(?:with|to)|against|with)\s+(?:again\s+)?"
_BEFORE = r"(?:\b(?:between|from|in|for|on|as\s+at|during|both|the|of)\s+)*"
_CHANGE = re.compile(
    r"\b(?:chang(?:e|es|ed)|differ(?:s|ed|ence|ences)?|compar(?:e|es|ed|ison)|amend(?:ed|ments?)|unchanged|versus|vs"
    r"|(?:different|the\s+same)(?=\s*(?:[?.,;]|$|(?:in|for|as|between|from|at|now|on|than|to|during)\b)))\b",
    re.IGNORECASE,
)
# Before the word of change in its sentence: then it is somebody's affairs that changed.
_SOMEBODY = re.compile(
    r"\b(?:I|we|he|she|they|you|my|our|his|her|their|your|clients?|taxpayers?|circumstances)\b[^.;?!]*$", re.IGNORECASE
)
_PERIOD = re.compile(r"^\W*between\b|(?<!compared )\bto\b", re.IGNORECASE)
_FRAME = re.compile(
    r"^\s*(?:please\s+)?(?:(?:what|how|when|where)(?:['’]s|\s+(?:has|have|is|are|was|were|did|does|do))?\s+)?"
    r"(?:(?:the|any)\s+)?(?:wording|words|text|law)?\s*(?:in|of)?\s*"
    r"(?:chang(?:e|es|ed)|differ(?:s|ed|ences?|ent)?|compar(?:e|ison))\s+(?:(?:in|to|of|about|with|the)\s+)*"
    r"|\b(?:has|have|did|does|is|are|was|were)\b(?=.{0,80}\b(?:chang|differ|amend|same|unchanged))"
    r"|\b(?:been\s+)?(?:chang(?:e|es|ed)|differ(?:s|ed|ent)?|amend(?:ed)?|unchanged|(?:stay(?:ed)?|remain(?:ed)?)?\s*the\s+same)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TwoTimes:
    """One question for two times. text: the question without them; earlier and later: when."""

    text: str
    earlier: ResolvedTime
    later: ResolvedTime


def two_times(question: str, conflict: YearConflict) -> TwoTimes | None:
    """The question as one for two times, or None where its words leave open which is meant."""
    if len(conflict.candidates) != 2:
        return None
    earlier, later = sorted(conflict.candidates, key=lambda time: time.window.first)
    mentions = [time.read_from for time in conflict.candidates]
    asks_for_change = any(not _SOMEBODY.search(question, 0, found.start()) for found in _CHANGE.finditer(question))
    joined = _joined(question, mentions)
    if _are_alternatives(question, mentions):
        return None
    if not asks_for_change and (joined is None or _PERIOD.search(joined[0])):
        return None
    rest = joined[1] if joined else _cut_out(question, mentions)
    text = " ".join((_FRAME.sub(" ", rest) if asks_for_change else rest).split()).strip(" ,;:?.")
    return TwoTimes(text, earlier, later) if re.search(r"[A-Za-z0-9]{2}", text) else None


def _joined(question: str, mentions: Sequence[str]) -> tuple[str, str] | None:
    """(two times that are joined, the question without them); None where they are not."""
    first, second = (re.escape(words) for words in mentions)
    both = first if first == second else rf"{first}{_JOIN}{_BEFORE}{second}"
    if first == second and not re.search(r"\band\b|&|\bto\b|\bvs\b|\bversus\b", mentions[0], re.IGNORECASE):
        return None
    found = re.search(_BEFORE + both, question, re.IGNORECASE)
    return (found[0], f"{question[: found.start()]} {question[found.end() :]}") if found else None


def _are_alternatives(question: str, mentions: Sequence[str]) -> bool:
    """Whether "or" stands between the two: "the same in FY2014 or FY2016"."""
    first, second = (re.escape(words) for words in mentions)
    return bool(re.search(rf"{first}\s*,?\s*or\s+{_BEFORE}{second}", question, re.IGNORECASE))


def _cut_out(question: str, mentions: Sequence[str]) -> str:
    for words in mentions:
        question = re.sub(_BEFORE + re.escape(words), " ", question, count=1, flags=re.IGNORECASE)
    return question
