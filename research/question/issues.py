"""A question that asks for several things, taken apart so that each is answered or refused on its own.

Only clear joints are read: a numbered or bulleted list, one question sentence after another, "; also", and ", and" or
";" before words that open a question of its own. Leading statements are the facts of all the parts, and the time that
is named once goes with each. What depends on another part ("does it", "that", "then what"), says too little by itself
or hangs on a condition is not taken apart: a question answered whole is the lesser fault.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from research.law.content_words import content_stems
from research.question.resolve import YearConflict, YearRefused, resolve, time_words
from research.terms import ResolvedTime

MOST_PARTS = 5
FEWEST_OWN = 2  # content words that a part must hold and no other part does; one where the asker numbered them
_ANY_DAY = date(2020, 7, 1)  # times are only held against one another, and read alike on both sides

_ABBREVIATED = re.compile(
    r"(?:\b(?:s|ss|sub-?s|div|pt|sch|reg|para|no|vs?|e\.g|i\.e|etc|approx|pty|ltd|co|dr|mr|mrs|ms|st|yrs?|p\.a|u\.s)"
    r"|^\s*\(?[0-9a-z])\.$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.?!]+(?=\s|$)")
_VERB = (
    r"(?:is|are|was|were|do|does|did|can|could|may|must|will|would|should|has|have|had|am)(?:n['’]t)?"
    r"\s+(?!not\s+\w+ed\b)"
)
_ASKS = re.compile(
    rf"(?:also\s+)?(?:{_VERB}|(?:what|which|who|whose|when|where|why|how(?:\s+(?:much|many|long|far|often|soon))?)\b"
    r"(?!\s+(?:if|about|else|so|then)\b)(?=.*\b(?:is|are|was|were|do|does|did|can|could|may|must|will|would|should|has"
    r"|have|had|need|needs|counts?|applies|apply)\b))",
    re.IGNORECASE,
)
_WHEN_CLAUSE = re.compile(rf"(?:when|where)\s+(?!{_VERB})", re.IGNORECASE)  # "when I sell …, do I": a condition
_JOINT = re.compile(
    r"(?:;\s*(?:and\s+)?(?:also,?\s+)?|,?\s+and\s+also,?\s+|,\s+and\s+|,\s+also\s+)(?=\S)", re.IGNORECASE
)
_LEAD = re.compile(r"^(?:in|for|during|as\s+at)\s+[^,?]{2,40},\s*", re.IGNORECASE)
_OF_A_TIME = re.compile(
    r"(?:\W|\b(?:in|for|during|as\s+at|the|income|financial|tax|years?|ended|ending|both|and|to)\b)*", re.IGNORECASE
)
_FILLER = re.compile(r"^(?:(?:also|and|secondly|second|finally|next|further|furthermore|plus|then)\b[,:]?\s*)+", re.I)
_DEPENDS = re.compile(
    r"\b(?:it|its|it['’]s|they|them|their|theirs|he|she|him|her|his|that|those|these|this(?!\s+(?:year|financial|income|tax))"
    r"|one|ones|both|either|neither|same|other|others|another|such|so|then|there|too|instead|else|otherwise|afterwards"
    r"|still|even|again|former|latter|above|on\s+top|as\s+well|if|unless|while|before|after|until|once|assuming|supposing"
    r"|provided\s+that|(?:as|so)\s+long\s+as|on\s+condition)\b|,\s*(?:where|when|given|provided|providing|except|who|whose|which|being)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    r"\b(?:count|apply|applies|qualify|matter|help|change|do|work)\s*\??$", re.IGNORECASE
)  # to what?
_WANTS_A_VERB = re.compile(r"(?:can|could|may|must|will|would|should|do|does|did)\b", re.IGNORECASE)
_ITEM = re.compile(r"(?:(?<=^)|(?<=[\s:;]))(?:\(?(?P<number>[1-9])[.)]|\((?P<letter>[a-e])\))\s+(?=\S)")
_BULLET = re.compile(r"(?:(?<=^)|(?<=[\s:;]))[•▪–*-]\s+(?=\S)")


def issues_of(question: str) -> tuple[str, ...]:
    """The parts of `question`, each a question by itself with the facts and the time that all share; else (question,).

    At least two parts and at most five; the words of each stand in the question, in its order.
    """
    listed = _of_a_list(question)
    facts, asked = listed if listed else _of_sentences(question)
    parts = asked if listed else [part for sentence in asked for part in _of_a_sentence(sentence)]
    parts = [_FILLER.sub("", part).strip(" ,;") for part in parts]
    if not listed and any(map(_has_a_condition_first, parts[:-1])):
        return (question,)
    if not 2 <= len(parts) <= MOST_PARTS or not all(
        _stands_alone(part, parts, 1 if listed else FEWEST_OWN) for part in parts
    ):
        return (question,)
    timed = _with_time(question, [_with_facts(facts, part) for part in parts])
    return tuple(timed) if timed else (question,)


# Joints


def _of_a_list(question: str) -> tuple[str, list[str]] | None:
    """(what stands before a list, its items), each item of which asks; None where there is no such list."""
    marks = list(_ITEM.finditer(question))
    names = [mark["number"] or mark["letter"] for mark in marks]
    if len(names) < 2 or names not in (list("123456789"[: len(names)]), list("abcde"[: len(names)])):
        marks = list(_BULLET.finditer(question))
    if len(marks) < 2:
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(question)]
    items = [question[mark.end() : end].strip(" ;,") for mark, end in zip(marks, ends, strict=True)]
    before = question[: marks[0].start()].strip(" :-")
    if not all(_asks(item) for item in items) or _asks(before):
        return None
    if not all(_asks(sentence) for sentence in _sentences(items[-1])):  # said after the list, it may be of all of them
        return None
    return before, items


def _of_sentences(question: str) -> tuple[str, list[str]]:
    """(the statements that come first, the questions after them); no questions where a statement follows one."""
    sentences = _sentences(question)
    first = next((at for at, sentence in enumerate(sentences) if _asks(sentence)), len(sentences))
    asked = sentences[first:]
    if not all(_asks(sentence) for sentence in asked):
        return "", []
    return " ".join(sentences[:first]), asked


def _sentences(text: str) -> list[str]:
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        if end[0] == "." and _ABBREVIATED.search(text[start : end.end()]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    return [sentence for sentence in (*found, text[start:].strip()) if sentence]


def _of_a_sentence(sentence: str) -> list[str]:
    """The questions that one sentence joins, each with an opening and a verb of its own; else the sentence."""
    pieces, start = [], 0
    for joint in _JOINT.finditer(sentence):
        if _asks(sentence[joint.end() :]):
            pieces.append(sentence[start : joint.start()])
            start = joint.end()
    pieces.append(sentence[start:])
    return pieces if all(_asks(piece) for piece in pieces) else [sentence]


def _asks(text: str) -> bool:
    """Whether the words open a question, after a time put first ("In FY2020, …")."""
    bare = _LEAD.sub("", _FILLER.sub("", text.strip()))
    return bool(_ASKS.match(bare)) and not _WHEN_CLAUSE.match(bare)


# Parts


def _stands_alone(part: str, parts: Sequence[str], fewest_own: int) -> bool:
    """Whether a part can be understood and answered without the others, and asks for something that they do not."""
    opening = _ASKS.match(_LEAD.sub("", part))
    own = content_stems(part)
    others = frozenset().union(*(content_stems(other) for other in parts if other != part))
    rest = part[opening.end() if opening else 0 :]
    if (
        opening and _WANTS_A_VERB.match(opening[0]) and len(rest.split()) < 3
    ):  # "Can sole traders, and are companies, …"
        return False
    return not _DEPENDS.search(rest) and not _ELLIPTIC.search(rest) and len(own - others) >= fewest_own


def _has_a_condition_first(part: str) -> bool:
    """Whether more than a time stands before the question: "For a small business, …" may be of all the parts."""
    lead = _LEAD.match(part)
    if lead is None:
        return False
    letters = list(lead[0])
    for start, end in time_words(lead[0]):
        letters[start:end] = " " * (end - start)
    return not _OF_A_TIME.fullmatch("".join(letters))


def _with_facts(facts: str, part: str) -> str:
    asked = part if part.endswith("?") else f"{part.rstrip('.!')}?"
    asked = f"{asked[:1].upper()}{asked[1:]}"
    if not facts:
        return asked
    return f"{facts} {asked}" if facts[-1] in ".!?" else f"{facts}: {asked}"


def _with_time(question: str, parts: Sequence[str]) -> list[str] | None:
    """The parts, each for the time that the question names or for one of its own; None where that cannot be kept."""
    whole = _time_of(question)
    timed = []
    for part in parts:
        own = _time_of(part)
        if isinstance(whole, ResolvedTime) and whole.source == "question" and own != whole:
            if isinstance(own, ResolvedTime) and own.source == "question":
                return None
            forms = (f"{part[:-1]} ({whole.read_from})?", f"{part[:-1]}, {whole.read_from}?")
            part = next((form for form in forms if _is_read_alike(_time_of(form), whole)), "")
            own = _time_of(part)
            if not part:
                return None
        if not isinstance(own, ResolvedTime) or (not isinstance(whole, ResolvedTime) and own.source != "question"):
            return None
        timed.append(part)
    return timed


def _is_read_alike(time: ResolvedTime | YearConflict | YearRefused, whole: ResolvedTime) -> bool:
    return isinstance(time, ResolvedTime) and (time.window, time.year) == (whole.window, whole.year)


def _time_of(text: str) -> ResolvedTime | YearConflict | YearRefused:
    return resolve(text, None, _ANY_DAY)
