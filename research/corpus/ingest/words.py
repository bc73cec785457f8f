"""The words of a provision without the asterisks that mark defined terms, and what makes two wordings one.

Pure. The asterisks are kept as spans. Nothing else of the text is touched, so that a quote stays a literal slice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from research.law.identity import text_sha256

OMITTED_KIND = "table-of-sections-omitted"
OMITTED_PREFIX = "omitted-"

_ASTERISK = re.compile(r"(?<![A-Za-z0-9*])\*(?=[A-Za-z0-9])")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9%&'’\-/]*")
_LOST_IN_CONVERSION = re.compile(r"[\s\-\u00ad\u2010\u2011]+")
_DEFINES = re.compile(
    r"""^(?P<term>[^\n]{1,200}?)
    (?: (?:,\s|\s) (?: (?:has|have)\s(?:the|a|its)\s(?:same\s)?meanings? | (?:has|have)\sthe\ssame\smeaning
          | means? | (?:does\snot\s)?includes? | \(short\sfor | (?:is|are)\s )
      | ,?\s (?: in\srelation\sto | (?:of|for|by|in|to)\san?\s\* | of\san?\s[a-z]+\shas\s | ,\sof\s )
      | \s?: | — )""",
    re.VERBOSE,
)
_MEANING_OF = re.compile(r"Meanings? of (?:the term |the expression )?(?P<term>[^—–:;]{2,120})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wording:
    """Text without asterisks; `spans` are [start, end) of the defined terms that were marked."""

    text: str
    spans: tuple[tuple[int, int], ...]


def strip_asterisks(published: str, terms: Mapping[str, Sequence[str]] | None = None) -> Wording:
    """The text without the asterisks of defined terms, and where those terms stand in it.

    terms: defined terms by their first word, longest first (`terms_by_first_word`); where one of them follows an
    asterisk the span covers the whole term, else only the word that was marked.
    """
    marks = [m.start() for m in _ASTERISK.finditer(published)]
    text = _ASTERISK.sub("", published)
    starts = [mark - before for before, mark in enumerate(marks)]
    return Wording(text, tuple((start, start + _term_length(text, start, terms or {})) for start in starts))


def _term_length(text: str, start: int, terms: Mapping[str, Sequence[str]]) -> int:
    word = _WORD.match(text, start)
    if word is None:  # cannot happen behind the asterisk pattern; a span of nothing would be worse
        return 1
    lowered = text[start : start + 200].lower()
    for term in terms.get(word.group().lower(), terms.get(word.group().lower().removesuffix("s"), ())):
        for ending in ("s", "es", ""):
            candidate = term + ending
            after = lowered[len(candidate) : len(candidate) + 1]
            if lowered.startswith(candidate) and not after.isalnum():
                return len(candidate)
    return len(word.group().rstrip("'’-/"))


def terms_by_first_word(terms: Iterable[str]) -> dict[str, list[str]]:
    """Defined terms, lower-cased, by their first word, longest first."""
    found: dict[str, list[str]] = {}
    for term in sorted({normal_term(t) for t in terms} - {""}, key=lambda t: (-len(t), t)):
        found.setdefault(term.split(" ", 1)[0], []).append(term)
    return found


def normal_term(term: str) -> str:
    """The term as it is looked up: lower case, single spaces, no asterisk or quotation marks."""
    return " ".join(term.replace("*", "").strip(" \"'“”").lower().split())


def defined_term_of(entry: str) -> str:
    """The term that a definition's first line defines, "" when it cannot be told."""
    if entry.startswith("("):  # a numbered subsection, or a paragraph that an empty line parted from its term
        return ""
    found = _DEFINES.match(entry.split("\n", 1)[0])
    return found.group("term").replace("*", "").strip(" ,\"'“”") if found else ""


def meaning_of(heading: str) -> str:
    """The term that a section headed "Meaning of …" defines, "" for any other heading."""
    found = _MEANING_OF.match(heading)
    return found.group("term").strip(" \"'“”") if found else ""


def entries(text: str) -> list[tuple[int, int]]:
    """[start, end) of the entries of a definition section: what blank lines part."""
    found, start = [], 0
    for gap in [*re.finditer(r"\n[ \t]*(?:\n[ \t]*)+", text), None]:
        end = gap.start() if gap else len(text)
        if text[start:end].strip():
            found.append((start, end))
        start = gap.end() if gap else end
    return found


def terms_defined_in(heading: str, kind: str, text: str) -> list[str]:
    """The terms that a section of kind `definition` defines."""
    if kind != "definition":
        return []
    parts = entries(text)
    found = [defined_term_of(text[start:end]) for start, end in parts] if len(parts) > 1 else []
    return [term for term in [meaning_of(heading), *found] if term]


def wording_sha256(heading: str, kind: str, text: str) -> str:
    """Names a wording: heading and text but for white space and hyphens.

    Two compilations hold the same words when these agree. White space and hyphens are left out because the public
    conversions lose them (line ends joined, "405-15" read as "40515", bullets dropped): in ITAA97 257 sections of
    2015 and 2024 differ in nothing else. Every letter, digit, capital, comma and full stop counts.
    A placeholder for what a source does not carry is no wording: its name begins with `OMITTED_PREFIX`.
    """
    digest = text_sha256(_LOST_IN_CONVERSION.sub("", heading), _LOST_IN_CONVERSION.sub("", text))
    return (OMITTED_PREFIX + digest)[:64] if kind == OMITTED_KIND else digest


def fullness(text: str) -> int:
    """How much of the published characters a reading kept; of two readings of one wording the fuller is shown."""
    return len(text) - text.count(" ") - text.count("\n")


def is_omitted(wording: str) -> bool:
    return wording.startswith(OMITTED_PREFIX)
