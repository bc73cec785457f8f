"""How units without a number of their own are named in document ids, and how what is too long is shortened. Pure."""

from __future__ import annotations

import re
import unicodedata

_NOT_IN_AN_ID = re.compile(r"[^a-z0-9.]+")


def slug(words: str) -> str:
    """`words` as they stand in a document id: small letters, digits, points, and hyphens for the rest; "x" for none."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return _NOT_IN_AN_ID.sub("-", plain).strip("-.")[:80].rstrip("-.") or "x"


def shortened(words: str, longest: int) -> str:
    """`words`, cut to `longest` characters with an ellipsis for the rest."""
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"
