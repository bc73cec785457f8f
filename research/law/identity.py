"""Identities that do not depend on the order in which the law was loaded.

Ids made from content, not from a sequence: the same law loaded in another order, or again, gets the same
ids, so that ties in a ranking fall the same way and a stored answer still points at what it quoted.
"""

from __future__ import annotations

import hashlib


def stable_id(*parts: str | int) -> int:
    """A positive 63-bit integer made from `parts`; the same parts always give the same one.

    At a million ids the chance that any two collide is about one in ten million; the primary key would refuse it.
    """
    joined = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(joined.encode()).digest()[:8]) >> 1


def text_sha256(*parts: str) -> str:
    """sha256 hex of the parts, parted so that moving a border changes it."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def own_code(number: str, practice: str) -> str:
    """The code of a practice's own document: two practices may both have a "KB-12". practice: hex that names it."""
    return f"{number}@{practice}"


def is_own_code(code: str) -> bool:
    """Whether a code is that of a practice's own document, which nobody else may read."""
    return "@" in code


def shown_code(code: str) -> str:
    """A code as a page shows it: "KB-12" of "KB-12@0f3a…", any other as it is."""
    return code.partition("@")[0]
