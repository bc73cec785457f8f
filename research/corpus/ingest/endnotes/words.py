"""Endnote text in one form: spaces and hyphens folded, dotted leaders gone, parentheses found in pairs. Pure.

An en dash stays: between numbers it is a range, while a hyphen of any kind is part of a number.
"""

from __future__ import annotations

import re

_LEADER = re.compile(r"\s*(?:…|\.{2,}|(?:\s\.){2,}).*", re.DOTALL)
_HYPHENS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u00ad": None})


def folded(text: str) -> str:
    """With plain spaces and hyphens; line ends stay."""
    lines = (" ".join(line.split()) for line in text.translate(_HYPHENS).splitlines())
    return "\n".join(line for line in lines if line)


def without_leader(text: str) -> str:
    """ "s 18" of "s 18…………"."""
    return _LEADER.sub("", text).strip(" .")


def end_of_parenthesis(text: str, start: int) -> int:
    """Where the parenthesis that opens at `start` has closed; the end of its line if it never does."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    line_end = text.find("\n", start)
    return line_end if line_end >= 0 else len(text)


def without_parentheses(text: str) -> str:
    """The text outside parentheses."""
    kept, at = "", 0
    while (opening := text.find("(", at)) >= 0:
        kept += text[at:opening]
        at = end_of_parenthesis(text, opening)
    return " ".join((kept + text[at:]).split())


def split_outside_parentheses(text: str, separators: str) -> list[str]:
    """The parts between `separators`, empty ones left out; one inside a parenthesis parts nothing."""
    parts, start, at = [], 0, 0
    while at < len(text):
        if text[at] == "(":
            at = end_of_parenthesis(text, at)
            continue
        if text[at] in separators:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]
