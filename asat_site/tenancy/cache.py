"""Cache keys carry the practice, so that one practice can never be answered from another's entry."""

from __future__ import annotations

from asat_site.tenancy.context import current_practice_id


def practice_key(key: str, key_prefix: str, version: int) -> str:
    """The key as stored; outside any practice it is in a space of its own, shared with none."""
    return f"asat:{current_practice_id() or 'none'}:{key_prefix}:{version}:{key}"
