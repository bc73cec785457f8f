"""Which words of a text carry its content, and how much each tells apart: the measure that picks sentences.

A light stemmer of our own, for English as the Acts write it: it makes "deduct", "deducted", "deduction" and
"deductible" one word and does no more, because two words of law that merely look alike must stay two.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Iterable, Mapping

FULL_RARITY = 4.0  # idf of a stem in one of some eighty documents
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?(?:-[a-z0-9]+)*")
_STOPWORDS_TEXT = """
    a about act acts after all allow allowed also am amount amounts an and any applied applies apply are as ask
    at australia australian be because been before being between both but by can cannot claim claimed claiming
    claims client clients could did do does doing done each for from further fy get gets give given gives had
    happen happens has have having he her here him his how i if in income-year into is it its itself just law
    like may me mean meaning means meant might more most must my need needs of off on once only or other our out
    over own paragraph people person please provision provisions question rule rules same say says section
    sections shall she should so some someone subsection subsections such taken tax taxpayer taxpayers than that
    the their them then there these they thing things this those through to too treated under until up upon us
    very want wants was we were what whats when where whether which while who whom whose why will with within
    without would year years yes you your
"""
_STOPWORDS = frozenset(_STOPWORDS_TEXT.split())
_SAME_WORD = {
    "deductible": "deduct",
    "deductibility": "deduct",
    "deduction": "deduct",
    "writeoff": "deduct",
    "write-off": "deduct",
    "taxable": "taxabl",
    "taxed": "taxabl",
    "sold": "dispos",
    "sell": "dispos",
    "sells": "dispos",
    "selling": "dispos",
    "sale": "dispos",
    "disposal": "dispos",
    "bought": "acquir",
    "buy": "acquir",
    "buying": "acquir",
    "purchase": "acquir",
    "purchased": "acquir",
    "acquisition": "acquir",
    "acquisitions": "acquir",
    "home": "dwell",
    "house": "dwell",
    "dwelling": "dwell",
    "paid": "pay",
    "payable": "pay",
    "payment": "pay",
    "payments": "pay",
    "expenses": "expend",
    "expense": "expend",
    "expenditure": "expend",
    "gst-free": "gst-free",
    "fine": "penalt",
    "fines": "penalt",
    "penalties": "penalt",
    "penalty": "penalt",
    "super": "superannu",
    "superannuation": "superannu",
    "trip": "travel",
    "assessable": "assessabl",
    "australian": "australia",
    "depreciating": "depreciat",
    "depreciation": "depreciat",
    "depreciate": "depreciat",
}
# Longest first; what is cut off, and what takes its place. A stem keeps at least three letters.
_ENDINGS = (
    ("isations", "is"),
    ("isation", "is"),
    ("ations", "at"),
    ("ation", "at"),
    ("ments", "ment"),
    ("ities", "it"),
    ("ances", "anc"),
    ("ance", "anc"),
    ("ences", "enc"),
    ("ence", "enc"),
    ("ibles", "ibl"),
    ("ables", "abl"),
    ("ible", "ibl"),
    ("able", "abl"),
    ("ions", ""),
    ("ings", ""),
    ("ated", "at"),
    ("ates", "at"),
    ("ate", "at"),
    ("ion", ""),
    ("ing", ""),
    ("ies", "i"),
    ("ity", "it"),
    ("ers", "er"),
    ("ed", ""),
    ("es", ""),
    ("ly", ""),
    ("s", ""),
    ("e", ""),
    ("y", "i"),
)


@functools.lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """`word`, lower case, without its ending; words of three letters or fewer, or with a digit, stay as they are."""
    word = word.replace("’", "'").removesuffix("'s")
    if word in _SAME_WORD:
        return _SAME_WORD[word]
    if len(word) <= 3 or any(character.isdigit() for character in word):
        return word
    for ending, instead in _ENDINGS:
        least = 5 if ending == "ly" else 3  # "supply" is no adverb
        if word.endswith(ending) and not (ending == "s" and word.endswith("ss")) and len(word) - len(ending) >= least:
            return _undouble(word[: len(word) - len(ending)] + instead)
    return word


def _undouble(stemmed: str) -> str:
    """ "travell" → "travel", "planned" → "plan"; "assess" stays."""
    doubled = len(stemmed) > 4 and stemmed[-1] == stemmed[-2] and stemmed[-1] in "bdglmnprt"
    return stemmed[:-1] if doubled else stemmed


@functools.lru_cache(maxsize=8_000)
def content_stems(text: str) -> frozenset[str]:
    """The stems of the words in `text` that carry content; a hyphenated word counts whole and in its parts."""
    return frozenset().union(*map(_stems_of, set(_WORD.findall(text.lower()))))


def stems_in_order(text: str) -> tuple[str, ...]:
    """The stems of the words in `text` that carry content, in order; a hyphenated word whole, then its parts."""
    return tuple(itertools.chain.from_iterable(map(_stems_of, _WORD.findall(text.lower()))))


@functools.lru_cache(maxsize=40_000)
def _stems_of(word: str) -> tuple[str, ...]:
    """The stems of one word that carries content, () for one that does not; a hyphenated word whole, then its parts."""
    parts = dict.fromkeys((word, *word.split("-")))
    return tuple(stem(part) for part in parts if part not in _STOPWORDS and (len(part) > 1 or part.isdigit()))


def rarity(documents: Iterable[frozenset[str]]) -> dict[str, float]:
    """How much each stem tells apart among `documents`, from 0.5 to 1.5.

    BM25's idf, flattened: the documents were found by the question's own words, so that its subject is common among
    them and an accidental word rare. Unflattened, "how long must" outweighs "discount capital gain".
    """
    frequency: dict[str, int] = {}
    total = 0
    for stems in documents:
        total += 1
        for found in stems:
            frequency[found] = frequency.get(found, 0) + 1
    return {
        found: 0.5 + min(1.0, math.log(1 + (total - df + 0.5) / (df + 0.5)) / FULL_RARITY)
        for found, df in frequency.items()
    }


@functools.lru_cache(maxsize=4_000)
def content_pairs(text: str) -> frozenset[tuple[str, str]]:
    """Neighbouring content stems of `text`, in order: "CGT event A1" gives (cgt, event) and (event, a1)."""
    stems = [stem(word) for word in _WORD.findall(text.lower()) if word not in _STOPWORDS]
    return frozenset(itertools.pairwise(stems))


def weight(stems: Iterable[str], weights: Mapping[str, float]) -> float:
    """The sum of the stems' weights, in an order of its own so that the sum is the same each time."""
    return sum(weights.get(found, 0.0) for found in sorted(stems))
