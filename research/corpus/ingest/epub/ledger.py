"""The account of a document's characters: read = kept + dropped by name, with what AsAt adds taken off.

Pure. Counts each character by itself, so that a loss in one place and a doubling in another do not make up for each
other. White space is not counted; the three hyphens count as one, because section numbers are written with the plain.
"""

from __future__ import annotations

from collections import Counter

from research.corpus.ingest.published import Ledger

MAX_UNEXPLAINED_SHARE = 0.005
_HYPHENS = "\u2010\u2011"


def size(text: str) -> int:
    """Its characters but for white space."""
    return len("".join(text.split()))


class Account:
    """What goes in and out while a document is read; `closed` draws the line."""

    def __init__(self) -> None:
        self._read: Counter[str] = Counter()
        self._out: Counter[str] = Counter()
        self._added: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._dropped_by_name: Counter[str] = Counter()
        self._added_by_name: Counter[str] = Counter()

    def read(self, text: str) -> None:
        """Text of the source."""
        self._read.update(text)

    def drop(self, name: str, text: str) -> None:
        """Text of the source left out on purpose, and what it is."""
        if count := size(text):
            self._dropped.update(text)
            self._dropped_by_name[name] += count

    def add(self, name: str, text: str) -> None:
        """Text that comes out and that the source does not have there, and why."""
        if count := size(text):
            self._added.update(text)
            self._added_by_name[name] += count

    def out(self, text: str) -> None:
        """Text handed on, as it stands in a provision or an endnote."""
        self._out.update(text)

    def closed(self) -> tuple[Ledger, int]:
        """The ledger, and the unexplained characters: lost and come from nowhere, added up."""
        kept = _bag(self._out)
        kept.subtract(_bag(self._added))
        explained = Counter(kept)
        explained.update(_bag(self._dropped))
        explained.subtract(_bag(self._read))
        unexplained = sum(abs(count) for count in explained.values())
        ledger = Ledger(
            sum(_bag(self._read).values()), sum(kept.values()), dict(self._dropped_by_name), dict(self._added_by_name)
        )
        return ledger, unexplained


def _bag(characters: Counter[str]) -> Counter[str]:
    bag = Counter({sign: count for sign, count in characters.items() if not sign.isspace()})
    bag["-"] += sum(bag.pop(hyphen, 0) for hyphen in _HYPHENS)
    return bag
