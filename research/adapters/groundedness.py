"""Groundedness behind the port: the word-overlap scorer, which needs no model."""

from __future__ import annotations

from collections.abc import Sequence

from research.verification import overlap


class OverlapGroundedness:
    identity = "overlap:1"

    def score(self, prose: str, quotes: Sequence[str]) -> float:
        return overlap.groundedness(prose, quotes)
