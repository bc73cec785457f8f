"""Names as they are compared: two spellings of one client give one key. Nothing here says that two are one.

Folded: case, accents, punctuation, "&" and "and", the forms that a company's name may end in (Corporations Act 2001
s 149 lets "Proprietary" and "Limited" be shortened), and what stands before the name of a trustee's trust.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST_KEY = 300
_JOINED = re.compile(r"['’`´.]")
_P_L = re.compile(r"\bp\s?/\s?l\b", re.IGNORECASE)  # for "Pty Ltd"; any other stroke stands between two words
_BETWEEN = re.compile(r"[^\w]+|_+", re.UNICODE)
_TRUSTEE = re.compile(r"^(?:the )?trustees? (?:for|of) (?:the )?|^(?:atf|as trustees? for) (?:the )?")
_ENDINGS = frozenset({"pty", "proprietary", "ltd", "limited", "co", "company", "inc", "incorporated", "nl", "pl"})
_TRUSTS = (("family", "trust"), ("unit", "trust"), ("discretionary", "trust"), ("trust",))


def fold(text: str) -> str:
    """Words in small letters, without accents or punctuation: "O’Brien & Söhne" → "obrien and sohne"."""
    plain = _plain(_plain(text)).replace("&", " and ")  # twice: a letter of the mathematicians' opens into a capital
    return " ".join(_BETWEEN.sub(" ", _JOINED.sub("", plain)).split())


def _plain(text: str) -> str:
    opened = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in opened if not unicodedata.combining(letter))


def match_key(name: str) -> str:
    """The key that two spellings of one name share, at most 300 characters; "" for a name without a letter or digit.

    A name that is nothing but such endings ("Limited") keeps them: an empty key would match every other.
    """
    folded = fold(_P_L.sub("pl", name))
    words = _TRUSTEE.sub("", folded).removeprefix("the ").split()
    ending = _trust_ending(words)
    if ending:
        words = words[: -len(ending)]
    while len(words) > 1 and words[-1] in _ENDINGS:
        words.pop()
    kept = [*words, "trust"] if ending and words else words
    return (" ".join(kept) or folded)[:LONGEST_KEY]


def sought(texts: Iterable[str]) -> str:
    """Names and numbers folded and set side by side, for a search to look in; one bar between, so that none joins."""
    return " | ".join(filter(None, map(fold, texts)))


def _trust_ending(words: list[str]) -> tuple[str, ...]:
    for ending in _TRUSTS:
        if len(words) > len(ending) and tuple(words[-len(ending) :]) == ending:
            return ending
    return ()
