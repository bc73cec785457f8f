"""What speaks against a reading: labels of the contents that are not in it, hyphens lost, headings that became nothing.

Pure. Says what it found; `read.py` decides what is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from research.corpus.ingest.epub.container import Label
from research.corpus.ingest.epub.headings import SECTION_NUMBER, plain_number
from research.corpus.ingest.published import PublishedProvision

MAX_NAMED = 20
_LABEL = re.compile(rf"(?P<number>{SECTION_NUMBER})(?=[.\s]|$)")
_DIVISION = re.compile(r"Division (\d+)\b")
_ENDNOTE = re.compile(r"Endnote\s+(3|4)\b")


def missing_labels(labels: Iterable[Label], provisions: Sequence[PublishedProvision]) -> list[str]:
    """Warnings for sections that the NCX lists and the reading has not. Never proof that a provision does not exist."""
    have = {provision.section for provision in provisions}
    missing = [label.text for label in _leaves(labels) if (number := _number(label.text)) and number not in have]
    shown = [
        f"the contents list {' '.join(text.split())!r}, which was not found in the text" for text in missing[:MAX_NAMED]
    ]
    if len(missing) > MAX_NAMED:
        shown.append(f"the contents list {len(missing) - MAX_NAMED} more sections that were not found in the text")
    return shown


def missing_anchors(labels: Iterable[Label], anchors: dict[str, set[str]]) -> list[str]:
    """Warnings for points of the NCX whose place in a volume does not exist. anchors: by volume."""
    lost = [label for label in labels if label.anchor and label.anchor not in anchors.get(label.document, set())]
    shown = [f"the contents point to a place that is not in {label.document}: {label.text!r}" for label in lost[:3]]
    return shown + ([f"so do {len(lost) - 3} more"] if len(lost) > 3 else [])


def missing_endnotes(labels: Iterable[Label], listed: Iterable[str], found: Iterable[str]) -> list[str]:
    """Endnotes 3 and 4 that the contents list and the text lacks: without them all would pass for never amended."""
    wanted = {m.group(1) for text in (*(label.text for label in labels), *listed) if (m := _ENDNOTE.match(text))}
    have = {m.group(1) for text in found if (m := _ENDNOTE.match(text))}
    return sorted(wanted - have)


def lost_hyphens(labels: Iterable[Label], provisions: Sequence[PublishedProvision]) -> str:
    """A section whose number lost its hyphen ("6-1" read as "61"), "" for none found.

    By the contents where there are any; else by Divisions whose sections all begin with its number while the numbers
    of the text as a whole do not go up.
    """
    have = {provision.section for provision in provisions}
    wanted = {number for label in _leaves(labels) if (number := _number(label.text))}
    for number in sorted(wanted):
        joined = number.replace("-", "")
        if joined != number and number not in have and joined in have and joined not in wanted:
            return f"section {number} of the contents reads {joined} in the text"
    return "" if any("-" in section for section in have) else _by_divisions(provisions)


def _by_divisions(provisions: Sequence[PublishedProvision]) -> str:
    by_division: dict[str, list[int]] = {}
    numbers: list[int] = []
    for provision in provisions:
        step = next((found for each in provision.path if (found := _DIVISION.match(each))), None)
        if step and provision.section.isdigit() and not provision.schedule:
            by_division.setdefault(step.group(1), []).append(int(provision.section))
            numbers.append(int(provision.section))
    within = all(
        str(number).startswith(division) and len(str(number)) > len(division)
        for division, found in by_division.items()
        for number in found
    )
    if len(by_division) > 1 and len(numbers) > 3 and within and numbers != sorted(numbers):
        division, first = next((name, sections[0]) for name, sections in by_division.items())
        return f"Division {division} has a section {first}, as in every Division, and the numbers do not go up"
    return ""


def _leaves(labels: Iterable[Label]) -> list[Label]:
    return [label for label in labels if _LABEL.match(label.text)]


def _number(text: str) -> str:
    found = _LABEL.match(text)
    return plain_number(found["number"]) if found else ""
