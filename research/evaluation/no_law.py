"""A corpus that holds nothing, for measuring what the figure ledger decides without it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from research.ports import Horizon, Lookup
from research.terms import Snapshot, Window


class NoLaw:
    """`research.figured.Law` over no law at all: nothing is found, and nothing can be said to be absent."""

    def horizon(self) -> Horizon | None:
        return None

    def snapshot(self, window: Window) -> Snapshot:
        return Snapshot("", "lexical", "none", 0)

    def look_up(self, instrument: str, schedule: str, section: str, window: Window) -> Lookup:
        return Lookup("not_held", ())

    def not_current_from(self, window: Window) -> Mapping[str, date]:
        return {}
