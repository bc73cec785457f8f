"""What a question asks, as far as choosing sentences needs to know: its words, a meaning, a pinpoint."""

from __future__ import annotations

import re
from dataclasses import dataclass

from research.law.content_words import content_pairs, content_stems, stem

_MEANING = tuple(  # tried in this order: "what is the meaning of X" asks X
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:definition|meaning)\s+of\s+(?P<term>.+)",
        r"\bwhat\s+(?:does|do|did)\s+(?P<term>.+?)\s+mean\b",
        r"\b(?:define|defined\s+as)\s+(?P<term>.+)",
        r"\bhow\s+(?:is|was|are)\s+(?P<term>.+?)\s+defined\b",
        r"\b(?:what|who)(?:'s|\s+is|\s+are|\s+was|\s+were|\s+counts?\s+as|\s+qualif\w+\s+as)\s+(?P<term>.+)",
    )
)
_AFTER_TERM = re.compile(r"\b(?:in|for|under|during|as at|on|mean|means|when|if)\b|[?,;.(]", re.IGNORECASE)
_NOT_THE_SUBJECT = re.compile(
    r"\b(?:ss?|sec|sections?|subsections?)\.?\s*\d[\w-]*(?:\(\w+\))*"
    r"|\b(?:fy\s?\d{2,4}|(?:19|20)\d\d[-–/]\d\d(?:\d\d)?|20\d\d|itaa\s?(?:97|36|1997|1936)?|act\s+(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_PINPOINT = re.compile(r"\b(?P<section>\d+[A-Z]{0,4}(?:-\d+[A-Z]*)?)\s*\((?P<label>\d+[A-Z]*)\)", re.IGNORECASE)
_SMALL_WORDS = frozenset(("a", "an", "the", "of", "term", "expression", "word"))


@dataclass(frozen=True, slots=True)
class Asked:
    """stems and pairs: content words, alone and as neighbours. term: what a meaning is asked of, or empty.

    pinpoints: (section, subsection) as written, such as ("25-5", "2").
    """

    stems: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    term: frozenset[str]
    pinpoints: frozenset[tuple[str, str]]


def read_question(text: str) -> Asked:
    """What `text` asks. The year, the section and the Act it names say where to look, not what for."""
    pinpoints = frozenset((match["section"].upper(), match["label"].upper()) for match in _PINPOINT.finditer(text))
    subject = _NOT_THE_SUBJECT.sub(" ", text)
    return Asked(content_stems(subject), content_pairs(subject), term_asked(subject), pinpoints)


def term_asked(question: str) -> frozenset[str]:
    """The stems of the term whose meaning the question may ask, empty when it asks none.

    "What is a depreciating asset?" asks one. "What is the rate of tax on …" is read so too, which does no harm:
    no definition bears that name.
    """
    for pattern in _MEANING:
        if match := pattern.search(question):
            return term_stems(_AFTER_TERM.split(match["term"], maxsplit=1)[0])
    return frozenset()


def term_stems(words: str) -> frozenset[str]:
    """What `term_words` gives, as a set: "Australian resident" and "resident of Australia" are one term."""
    return frozenset(term_words(words))


def term_words(words: str) -> list[str]:
    """The stems of every word but articles and "of", in order."""
    return [stem(word) for word in re.findall(r"[a-z0-9%'-]+", words.lower()) if word not in _SMALL_WORDS]
