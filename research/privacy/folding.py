"""Text as it is compared: words and numbers one after another, without capitals, accents, punctuation or blanks.

So "O’Brien & Sons PTY. LTD.", "O'BRIEN AND SONS Pty Limited" and "obrien sons pty ltd" fold to the same, and
"51 824 753 556" to "51824753556". What is found in a fold is found in the text: every token keeps its place.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_INSIDE = "\u0300-\u036f\u00ad\u200b-\u200f\u2060-\u2064\ufeff"  # accents of their own, and what nobody sees
TOKEN = re.compile(rf"\d+|[^\W\d_](?:[^\W\d_]|[{_INSIDE}])*")
GAP_CHARS, GAP_MARKS = 12, 3  # between two tokens that may belong together: characters, and those that are no blank

# Written either way; and "and", which is as often "&".
_SAME = {
    "and": "", "limited": "ltd", "proprietary": "pty", "incorporated": "inc", "company": "co",
    "street": "st", "saint": "st", "road": "rd", "avenue": "ave", "av": "ave", "drive": "dr", "court": "ct",
    "place": "pl", "crescent": "cres", "cr": "cres", "highway": "hwy", "parade": "pde", "terrace": "tce", "lane": "ln",
    "boulevard": "blvd", "close": "cl", "circuit": "cct", "square": "sq", "mount": "mt", "superannuation": "super",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Folded:
    """A text's tokens. line: them all in one; at[i]: where token i begins in it, with the end behind the last.

    spans[i]: where it stands in the text. joins[i]: whether token i stands near enough to the one before it.
    """

    text: str
    line: str
    at: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    joins: tuple[bool, ...]


def fold(text: str) -> Folded:
    """The text's tokens, folded."""
    parts: list[str] = []
    at: list[int] = [0]
    spans: list[tuple[int, int]] = []
    joins: list[bool] = []
    length, before = 0, 0
    for found in TOKEN.finditer(text):
        part = fold_token(found[0])
        start, end = found.span()
        gap = text[before:start]
        joins.append(gap == " " or _is_near(gap))  # nearly every gap is a blank
        parts.append(part)
        spans.append((start, end))
        length += len(part)
        at.append(length)
        before = end
    return Folded(text, "".join(parts), tuple(at), tuple(spans), tuple(joins))


def fold_token(token: str) -> str:
    """One word or number, folded; "" for what is not compared."""
    if token.isascii():
        low = token.lower()
    else:
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", token).casefold())
        low = "".join(each for each in plain if each.isalnum())
    return _SAME.get(low, low)


def key_of(text: str) -> str:
    """The text folded into one word: two that have the same are the same name, number or address."""
    return "".join(fold_token(found) for found in TOKEN.findall(text))


def words_of(text: str) -> list[str]:
    """The text's words at its blanks and commas, each folded into one, without those that are not compared."""
    return [key for word in re.split(r"[\s,&]+", text) if (key := key_of(word))]


def _is_near(gap: str) -> bool:
    if len(gap) > GAP_CHARS or any(mark in gap for mark in ";:?!"):
        return False
    return len(gap) - sum(map(str.isspace, gap)) <= GAP_MARKS
