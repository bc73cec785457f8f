"""How far words are borne out by other words: the share of content words in common, 0 to 1.

A plain measure that needs no model. It says that the subject is shared, not that a sentence follows: the checks
on quotes and values decide what may be shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from research.law.citation import mask_citations

IDENTITY = "word-overlap:1"

_WORD = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")
_STOPWORDS_TEXT = """
    a about after all am an and any are as at be because been before being but by can cannot could did do does
    doing during each either else for from further get gets got had happens has have having he her here his how i if
    in into is it its just know like may me might more most much must my need no nor not of off on once only or other
    our out over own please same shall she should so some such tell than that the their them then there these they
    this those through to too under until up upon us very want was we were what when where whether which while who
    whom whose why will with within without would you your say says said mean means meaning meant claim claimed
    apply applies act section law tax australia australian fy year years income-year rule rules question ato
"""
_STOPWORDS = frozenset(_STOPWORDS_TEXT.split())
_ENDINGS_TEXT = (
    "isations isation ations ation ibilities ibility abilities ability ements ement ments ment nesses ness ibles ible"
    " ables able ances ance ences ence ions ion ings ing ities ity ives ive ies ied edly ers er ed es ly al s y e"
)
_ENDINGS = _ENDINGS_TEXT.split()


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A crude stem: one common ending off, at least three letters left; enough to match "deduction" and "deduct"."""
    if any(character.isdigit() for character in word):
        return word
    if len(word) <= 4:  # "care" is no form of "car"
        return word.removesuffix("s") if not word.endswith("ss") else word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
            return word[: -len(ending)]
    return word


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words in `text` that carry its subject; hyphenated words count whole and in parts."""
    found: set[str] = set()
    for word in _WORD.findall(text.lower().replace("\u2011", "-").replace("\u2019", "'")):
        for part in {word, *word.split("-")}:
            base = part.removesuffix("'s")
            if base and base not in _STOPWORDS and (len(base) > 1 or base.isdigit()):
                found.add(stem(base))
    return frozenset(found)


def word_overlap(prose: str, quotes: Iterable[str]) -> float:
    """The share of the prose's content words that stand in the quotes, 0 to 1; 1 for prose that has none."""
    said = content_stems(prose)
    if not said:
        return 1.0
    quoted = content_stems(" ".join(quotes))
    return len(said & quoted) / len(said)


def question_stems(question: str) -> frozenset[str]:
    """The stems of what a question is about: its citations and years say where to look, and do not count."""
    return content_stems(re.sub(r"[0-9]+", " ", mask_citations(question)))


def coverage(question: str, quotes: Iterable[str]) -> float:
    """The share of the question's content words that the quotes hold.

    0 for a question with no content words of its own, such as a bare citation.
    """
    asked = question_stems(question)
    if not asked:
        return 0.0
    quoted = content_stems(" ".join(quotes))
    return len(asked & quoted) / len(asked)


class OverlapScorer:
    """Groundedness by word overlap, behind the port."""

    identity = IDENTITY

    def score(self, prose: str, quotes: Sequence[str]) -> float:
        return word_overlap(prose, quotes)
