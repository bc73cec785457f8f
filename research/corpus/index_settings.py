"""How the word index is made: the settings that are part of every snapshot id, and the exact lexemes.

Pure. The import writes by these rules, the search reads by them; a change here changes the fingerprint, and an
index made by another one is reported rather than trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from research.law.identity import text_sha256

K1 = 1.2
B = 0.75
# The length that BM25 calls average, in lexemes of context and text (stop words and the Act's title are none): the mean
# of the 40,871 chunks of the 15 Acts is 47. Fixed, so that adding text elsewhere moves no score.
PIVOT_LENGTH = 47
SPLITTER = "subsection-paragraph-2"  # raise it when `ingest/split.py` would cut the same text another way
TOKENISER = "english+exact-2"

SECTION_MARK = "§"
TERM_MARK = "="

_SECTION_NUMBER = re.compile(r"\b\d{1,4}[A-Z]{0,6}-\d{1,4}[A-Z]{0,3}\b|\b\d{2,4}[A-Z]{1,8}\b")


def fingerprint() -> str:
    """The settings as one line, part of the snapshot id."""
    return f"bm25 k1={K1} b={B} pivot={PIVOT_LENGTH}; split={SPLITTER}; words={TOKENISER}"


def corpus_sha256(compilations: Iterable[Sequence[str]]) -> str:
    """The digest of all that is loaded: rows of (instrument code, date as ISO text, content sha256), any order."""
    return text_sha256(*("|".join(row) for row in sorted(tuple(row) for row in compilations)))


def compilation_line(code: str, dated: date, register_id: str) -> str:
    """A compilation as a snapshot lists it: "ITAA97 2015-06-22 C2015C00285"."""
    return f"{code} {dated} {register_id}".strip()


def section_lexemes(text: str) -> list[str]:
    """Every section number written in `text`, as an exact lexeme: "§8-1", "§109d"."""
    plain = text.replace("‑", "-").replace("–", "-")
    return [f"{SECTION_MARK}{number.lower()}" for number in _SECTION_NUMBER.findall(plain)]


def term_lexeme(term: str) -> str:
    """A defined term as an exact lexeme: "=depreciating asset"."""
    return f"{TERM_MARK}{' '.join(term.lower().split())}"


def exact_lexemes_of_question(question: str) -> list[str]:
    """The exact lexemes a question asks for: its section numbers, and each run of one to four words as a term.

    Runs that are no defined term match nothing in the index and cost one probe each.
    """
    words = re.findall(r"[a-z0-9][a-z0-9'’-]*", question.lower())[:60]
    runs = {term_lexeme(" ".join(words[i : i + n])) for n in (2, 3, 4) for i in range(len(words) - n + 1)}
    return sorted(set(section_lexemes(question.upper())) | runs)
