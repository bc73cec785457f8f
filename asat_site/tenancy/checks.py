"""Refuses to start on a database whose walls would not hold, and says what to do."""

from __future__ import annotations


class UnsafeDatabase(Exception):
    """The database or the role would let one practice see another; the message holds the remedy."""


def refuse_unsafe_database() -> None:
    """Raise UnsafeDatabase when a wall would not hold."""
