"""A follow-up written out as a question that stands alone: "What about FY2019?" after a question about FY2015.

Rules, no model. What is written out holds words of the conversation only, of the message itself and of the last two
questions before it, and is shown before it is relied on. Three kinds are told apart:

- only another time ("and in 2019?"): the last question with its time replaced;
- a message that leans on what was said ("and for a company?", "what if it's a car?", "is it deductible?"): the last
  question that stands alone, then the message; a time that the message names replaces the question's;
- anything with a content of its own stays as it is.

A time that dates a fact ("The boat was sold on 3 May 2016. Is a gain …?") is no time that was asked for: it stays.
A time counted from another ("and the year before?") is in nobody's words: such a message is joined and not computed.
A year that was picked and not written is no word either, and is not carried over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from research.law.citation import fold
from research.question.resolve import time_words
from research.question.route import MOST_CHARS

MOST_EARLIER = 2
MOST_CONTENT = 6  # words of content in a message that still leans on the last
MOST_BESIDE_A_PRONOUN = 2

_SMALL_TEXT = """
    a an the of in to for under on at as by from with about into during is are was were be been do does did has have had
    can could may might must shall should will would not and or but so then also too even still again now what which who
    whose how when where why if whether it its that this they them their theirs those these one ones same he she him her
    his i we my our us you your me there here just only instead any year years time before after previous last next
    earlier later following much many long often
"""
# Words of what becomes of a thing, and not of the thing.
_OUTCOME_TEXT = """
    deduct deducts deducted deductible deduction claim claims claimed claimable assessable taxable taxed exempt apply
    applies applied count counts counted allowed allowable change changed changes different differ matter matters rate
    amount limit threshold exception exceptions
"""
_NO_CONTENT = frozenset((_SMALL_TEXT + _OUTCOME_TEXT).split())
_WORD = re.compile(r"\w+(?:-\w+)*")
_SHORTENED = re.compile(r"(?<=\w)(?:n't|'(?:s|re|d|ll|ve|m))(?!\w)", re.IGNORECASE)

_OPENER = (
    r"(?:what|which|who|whose|how|when|where|why|is|are|was|were|do|does|did|can|could|may|might|must|should|would|will"
    r"|has|have|had)"
)
_ASKS = re.compile(rf".*\?$|\W*{_OPENER}\b", re.IGNORECASE)
_JOINER = r"(?:and|but|or|so|ok|okay|also|then|plus|well)\b[\s,]*"
_LEAD = re.compile(rf"^\W*(?:{_JOINER})*(?:what|how)\s+(?:about|if)\b", re.IGNORECASE)
_JOINED_FRAGMENT = re.compile(rf"^\W*(?:{_JOINER})+(?!{_OPENER}\b)", re.IGNORECASE)
_FRAGMENT = re.compile(
    r"^\W*(?:even|only|not|for|with|without|in|under|if|unless|where|when|as|from|to|by|on|at)\b(?!\s+(?:is|are|was"
    r"|were|do|does|did|can|could|may|must|should|would|will|has|have)\b)",
    re.IGNORECASE,
)
_MAIN_CLAUSE = re.compile(
    rf",\s*(?:then\s+)?{_OPENER}\b|\b(?:can|could|do|does|did|may|must|should|would|will)\s+(?:i|we|you|it|they|he|she"
    r"|a|an|the|my|our|this|that)\b",
    re.IGNORECASE,
)
_PRONOUN_FIRST = re.compile(
    rf"^\W*(?:{_JOINER})*(?:(?:what|which|how|when|where|why)\s+)?(?:is|are|was|were|do|does|did|can|could|may|must"
    r"|should|would|will|has|have)(?:n't)?\s+(?:it|that|this|those|these)\b(?!\s+(?:true|possible|correct|right|fair"
    r"|necessary|legal|the\s+case)\b)",
    re.IGNORECASE,
)
_COURTESY = re.compile(r"\W*(?:(?:thanks?|thank\s+you|cheers|hello|hi|hey|great|good|sorry|ok|okay|yes|no)\W*)+", re.I)
_ONLY_TIME = re.compile(
    r"(?:\W|\b(?:and|but|or|so|ok|okay|what|how|about|in|for|the|then|also|again|same|if|it|was|were|is|instead|now"
    r"|please|during|as|at|of|on|between|from|to)\b)*",
    re.IGNORECASE,
)

_PREPOSITION = r"(?:back\s+in|in|during|throughout|within|as\s+(?:at|of)|for|of|from|by|on|between)"
_LED = re.compile(rf"(?:{_PREPOSITION}\s+)?(?:the\s+)?", re.IGNORECASE)
_LED_BEFORE = re.compile(rf"(?:(?<!\w)(?P<preposition>{_PREPOSITION})\s+)?(?:(?<!\w)(?P<the>the)\s+)?$", re.IGNORECASE)
_NAMES_A_YEAR = re.compile(r"\b(?:years?|returns?|one|figures?|rules?|law)$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:,|-|/|or|and|to|versus|vs\.?)\s*(?:(?:in|for|the)\s+)*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=\S)")
_CLOSING = re.compile(r"\s*[.?!]*\s*$")
_DAY = re.compile(
    r"\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]|[a-z]+\s+\d{1,2}\b|\d{1,2}[/.-]\d{1,2}[/.-]", re.IGNORECASE
)


def written_out(typed: str, earlier: Sequence[str]) -> str:
    """The message as a question that stands alone; `typed` itself where it does, or where nothing helps it to.

    typed: cleaned, on one line. earlier: the conversation's questions as asked, oldest first; the last two are read.
    Every word of the result stands in `typed` or in those two, and it is no longer than MOST_CHARS.
    """
    last = next((text for text in reversed(earlier[-MOST_EARLIER:]) if _standing(text)), None)
    if last is None:
        return typed
    time = _time_in(typed)
    if time is not None and _ONLY_TIME.fullmatch(_without_times(typed)):
        found = _with_time(last, time) or _joined(last, typed)
    elif _leans(typed):
        found = _joined(last, typed)
    else:
        return typed
    return found if len(found) <= MOST_CHARS else typed


def _standing(text: str) -> str:
    """The question without what leans on it or thanks for it at its end; "" where nothing is left.

    What leans on a statement before it ("I bought a boat. Can I deduct it?") is the question.
    """
    sentences = _SENTENCE_END.split(text)
    while sentences and (_leans(sentences[-1]) or _COURTESY.fullmatch(sentences[-1])):
        told = [sentence for sentence in sentences[:-1] if not _COURTESY.fullmatch(sentence)]
        if told and sentences[-1].endswith("?") and not any(map(_ASKS.match, told)):
            break
        sentences.pop()
    return " ".join(sentences)


def _leans(text: str) -> bool:
    """Whether the text says something only together with what was said before."""
    folded = fold(text)
    content = _content(folded)
    if not content:
        return bool(_WORD.search(folded))
    if len(content) <= MOST_BESIDE_A_PRONOUN and _PRONOUN_FIRST.match(folded):
        return not re.match(r"\W*\w+\s+this\s+(?:\w+\s+)?year", folded, re.IGNORECASE)
    if len(content) > MOST_CONTENT:
        return False
    if _LEAD.match(folded):
        return True
    return bool((_JOINED_FRAGMENT.match(folded) or _FRAGMENT.match(folded)) and not _MAIN_CLAUSE.search(folded))


def _content(folded: str) -> list[str]:
    """The words that name a thing, once times and small words are gone."""
    left = _SHORTENED.sub("", _without_times(folded).lower())
    return [word for word in _WORD.findall(left) if word not in _NO_CONTENT]


def _without_times(text: str) -> str:
    """The same length, so that offsets hold."""
    letters = list(text)
    for start, end in time_words(text):
        letters[start:end] = " " * (end - start)
    return "".join(letters)


def _joined(last: str, typed: str) -> str:
    """The part of the last question that stands, without its time where the message names one; then the message."""
    standing = _standing(last)
    if time_words(typed):
        standing = _time_removed(standing, typed)
    return f"{standing}{'' if standing.endswith(('.', '?', '!')) else '.'} {typed}"


# ------------------------------------------------------------------------------------------------ times


@dataclass(frozen=True, slots=True)
class _Time:
    """The words of one time, or of two that stand together. text[start:end] are they, without what leads to them.

    led_from: where their preposition starts, `start` where they have none. the_from: where their article does.
    """

    text: str
    start: int
    end: int
    led_from: int
    the_from: int
    preposition: str

    @property
    def words(self) -> str:
        """Without an article, unless they need one: "FY2019", "the 2019 income year"."""
        return self.text[self._first : self.end]

    @property
    def _first(self) -> int:
        return self.the_from if _NAMES_A_YEAR.search(self.text[self.start : self.end]) else self.start

    @property
    def led(self) -> str:
        """With the preposition: "in FY2019"; or after a comma where there is none."""
        return f" {self.preposition} {self.words}" if self.preposition else f", {self.words}"

    def replaced_by(self, other: _Time) -> str:
        """The text with the other's words in place of these; "the FY2015 rate" keeps its article."""
        keeps_article = self.the_from < self.start and not (self.preposition and self._first == self.the_from)
        if keeps_article:
            return self.text[: self.start] + other.text[other.start : other.end] + self.text[self.end :]
        return self.text[: self.the_from] + other.words + self.text[self.end :]


def _time_in(text: str) -> _Time | None:
    """The one place where the text names its time; None where there is none, or where there are several apart."""
    spans = time_words(text)
    if not spans:
        return None
    if any(not _BETWEEN.fullmatch(text[a:b]) for (_, a), (b, _) in pairwise(spans)):
        return None
    start, end = spans[0][0], spans[-1][1]
    led = _LED.match(text, start, end)
    start = led.end() if led and led.end() < end else start
    before = _LED_BEFORE.search(text[:start])
    preposition = (before and before["preposition"]) or ""
    the_from = before.start("the") if before and before["the"] else start
    return _Time(text, start, end, before.start() if before and preposition else start, the_from, preposition)


def _with_time(question: str, time: _Time) -> str | None:
    """The question asked for that time; None where its own words leave no place for it."""
    own = _time_in(question)
    if (own is None and time_words(question)) or (own and _dates_a_fact(own, time.text)):
        return None
    if own is None:
        closing = _CLOSING.search(question)
        at = closing.start() if closing else len(question)
        found = question[:at] + time.led + question[at:]
    elif own.preposition.lower() in {"between", "from"} and time.preposition.lower() != own.preposition.lower():
        return None
    else:
        found = own.replaced_by(time)
    named = [found[start:end] for start, end in time_words(found)]
    return found if any(time.text[time.start : time.end] in words for words in named) or len(named) > 1 else None


def _dates_a_fact(own: _Time, typed: str) -> bool:
    """Whether a question's time is of what happened: in a statement before what is asked, or a day where the message
    names none.
    """
    start = 0
    for end in _SENTENCE_END.finditer(own.text):
        sentence = own.text[start : end.start()]
        if start <= own.start < end.start():
            return sentence.endswith(".") and bool(_content(fold(sentence)))
        start = end.end()
    typed_days = [typed[first:last] for first, last in time_words(typed) if _DAY.search(typed[first:last])]
    return own.preposition.lower() == "on" and not typed_days


def _time_removed(text: str, typed: str) -> str:
    own = _time_in(text)
    if own is None or _dates_a_fact(own, typed):
        return text
    start = own.led_from if own.preposition else own.start
    left = text[:start].rstrip() + text[own.end :]
    return " ".join(left.split()).lstrip(" :,;-")
