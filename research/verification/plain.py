"""Whether a model's prose is plain: a sentence or two, in ordinary characters, on nobody and nothing but its quotes'.

What is not plain could show a reader what no check has read: an address, markup, a character that cannot be seen, words
in quotation marks that stand nowhere. And no prose may rest on a source that speaks to a model and not of the law.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from research.law.citation import fold
from research.terms import Passage
from research.verification.normalise import normalise
from research.verification.vocabulary import strangers

MOST_CHARS = 600  # of a sentence
MOST_SENTENCES = 2

_SENTENCE = re.compile(r"(?<=[a-z0-9)%\"'\u201d\u2019][.?!])[\"'\u201d\u2019)]*\s+(?=[A-Z(\"\u201c])")
_ADDRESS = re.compile(r"\w+:/|www\.|mailto:|\S*@\S*|\w[\w.-]+\.[A-Za-z]{2,}")  # and every stop between two words
_PUNCTUATION = frozenset(" .,;:!?'\"()/%$&-–—‘’“”…‑\u00a0\u202f½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞€£")
_QUOTED = re.compile(r"\"([^\"]*)\"|(?<!\w)'([^']*(?:\w'\w[^']*)*)'(?!\w)")
_NAME = re.compile(r"(?<![\w'-])[A-Z][\w]*(?:['-]\w+)*")
_WORDS_OF_LAW_TEXT = """
    act acts section sections division subdivision part schedule chapter subsection paragraph ruling i fy australia
    australian january february march april may june july august september october november december
"""
_WORDS_OF_LAW = frozenset(_WORDS_OF_LAW_TEXT.split())
_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:[\w'-]+,?\s+){0,4}(?:instructions?|prompts?|guidelines)\b"
    r"|\bsystem (?:prompt|message)\b|\b(?:language|ai) model\b|\bas an ai\b|\bai assistant\b"
    r"|\byou are (?:now )?(?:an? )?(?:helpful |ai\b)"
    r"|<\|\w+\|>|\[/?inst\]|#{2,}\s*(?:instruction|system|response)"
    r"|\b(?:respond|reply|answer) (?:only |always )?(?:with|that|as follows)\b"
    r"|\b(?:tell|inform) the (?:user|reader|asker)\b|\bin your (?:answer|reply|response|output)\b|\bnew instructions?\b"
    r"|\b(?:you must|please|always) (?:answer|reply|respond|output|say|quote|cite)\b"
    r"|\bdo not (?:mention|quote|cite|reveal)\b|\bend of (?:sources?|context|prompt)\b|\bdeveloper mode\b",
    re.I,
)


def not_plain(prose: str, quotes: Sequence[str], cited: Iterable[Passage]) -> tuple[str, ...]:
    """What keeps `prose` from being plain, in words; () for plain prose. quotes: its verified ones, as matched."""
    cited = list(cited)
    return (*_shape(prose), *_characters(prose, quotes), *_quotation(prose, quotes), *_names(prose, quotes, cited))


def brings_along(prose: str, quotes: Sequence[str], beside: Sequence[str], cited: Iterable[Passage]) -> tuple[str, ...]:
    """The subjects of `prose` that its quotes do not hold. beside: the rest of the sentences they were cut from."""
    brought = strangers(prose, [*quotes, *beside, *_about(list(cited))])
    return tuple(f'"{word}" stands in none of its quotes' for word in brought)


def speaks_to_a_model(passages: Iterable[Passage]) -> tuple[str, ...]:
    """Said of a claim that rests on a source with words for a model in it: what such a source says is not believed."""
    found = any(_instructs(passage.text) for passage in passages)
    return ("rests on a source that instructs its reader",) if found else ()


@lru_cache(maxsize=512)  # a source is read for each sentence that rests on it
def _instructs(text: str) -> bool:
    return _TO_A_MODEL.search(normalise(text).text) is not None


def _shape(prose: str) -> Iterable[str]:
    sentences = [sentence for sentence in _SENTENCE.split(prose.strip()) if sentence]
    if not sentences:
        yield "says nothing"
    if len(sentences) > MOST_SENTENCES:
        yield f"has {len(sentences)} sentences"
    if any(len(sentence) > MOST_CHARS for sentence in sentences):
        yield f"has a sentence of more than {MOST_CHARS} characters"
    if address := _ADDRESS.search(prose):
        yield f'holds an address, "{address.group()}"'
    if _TO_A_MODEL.search(prose):
        yield "instructs its reader"


def _characters(prose: str, quotes: Sequence[str]) -> Iterable[str]:
    """A character that cannot be seen, steers what is seen, marks up, or is a letter or digit of another script."""
    quoted = {character for character in set().union(*quotes) if not _is_hidden(character)}
    for character in dict.fromkeys(prose):
        if _is_hidden(character):
            yield f"holds a hidden character, U+{ord(character):04X}"
        elif not (_is_plain(character) or character in quoted):
            yield f'holds the character "{character}"'


def _is_hidden(character: str) -> bool:
    return character != " " and unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


def _is_plain(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in _PUNCTUATION
    is_latin = unicodedata.category(character).startswith("L") and unicodedata.name(character, "").startswith("LATIN")
    return character in _PUNCTUATION or (is_latin and unicodedata.normalize("NFKC", character) == character)


def _quotation(prose: str, quotes: Sequence[str]) -> Iterable[str]:
    text = normalise(prose).text
    sources = [normalise(quote).text for quote in quotes]
    for match in _QUOTED.finditer(text):
        words = (match[1] if match[1] is not None else match[2]).strip(" .,;:")
        if not any(_holds(source, words) for source in sources):
            yield f'puts in quotation marks what its quotes do not say: "{words}"'
    if _QUOTED.sub("", text).count('"'):
        yield "opens quotation marks that it does not close"


def _holds(source: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", source) is not None


def _names(prose: str, quotes: Sequence[str], cited: Sequence[Passage]) -> Iterable[str]:
    """Names inside the prose that its quotes, their headings and their Acts' titles do not hold."""
    known = {word.lower() for text in (*quotes, *_about(cited)) for word in re.findall(r"\w+", text)} | _WORDS_OF_LAW
    folded = fold(prose)
    starts = {0, *(match.end() for match in _SENTENCE.finditer(folded))}
    for match in _NAME.finditer(folded):
        follows = re.match(r"\s+[A-Z]\w+", folded[match.end() :])
        opens = match.start() in starts and not follows and not (len(match.group()) > 1 and match.group().isupper())
        words = re.findall(r"\w+", match.group().removesuffix("'s"))
        if not opens and not all(word.lower() in known or any(map(str.isdigit, word)) for word in words):
            yield f'names "{match.group()}"'


def _about(cited: Sequence[Passage]) -> Iterable[str]:
    for passage in cited:
        yield from (passage.instrument, passage.instrument_title, passage.heading, passage.authority, *passage.path)
