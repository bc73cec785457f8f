"""Answers a question about a figure from the ledger: exact value, exact period, or the reason why not.

Pure; ledger and store are handed in. A question that asks for no figure goes on to search.
"""

from __future__ import annotations

from research.ports import CorpusStore
from research.terms import Outcome, ResolvedTime


def answered(question: str, time: ResolvedTime, store: CorpusStore) -> Outcome | None:
    """The outcome of a question about a figure; None for every other question."""
    return None
