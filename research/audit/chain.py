"""The hash chain: canonical bytes of what is recorded, the digest that binds a row to the one before, the walk.

A row's digest is sha256 over the previous digest and its own payload, so that changing, dropping or swapping
rows shows. Pure: rows are handed in.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

FIRST_DIGEST = "0" * 64  # what stands in place of a digest before the first row


def canonical(payload: dict[str, Any]) -> str:
    """`payload` as the one JSON text for it: keys sorted, no spaces, text in NFC, dates as ISO text.

    Raises TypeError for what has no one text (floats, sets, objects), naming where it stands: a caller gives a
    measured number as text. Raises ValueError for a moment without a zone, or two keys that are one in NFC.
    """
    plain = _plain(payload, "payload")
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _plain(value: Any, where: str) -> Any:
    if isinstance(value, Enum):
        return _plain(value.value, where)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _text(value, where)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{where} is a moment without a zone; give one with a zone")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, dict):
        return _plain_dict(value, where)
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{index}]") for index, item in enumerate(value)]
    raise TypeError(
        f"{where} is a {type(value).__name__}, which has no one JSON text; give text, a whole number or a date"
    )


def _text(value: str, where: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{where} holds half a surrogate pair, which is no text") from None
    return unicodedata.normalize("NFC", value)


def _plain_dict(value: dict[Any, Any], where: str) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise TypeError(f"{where} has the key {key!r}; keys are text")
        name = _text(str(key.value) if isinstance(key, Enum) else key, f"{where} key")
        if name in plain:
            raise ValueError(f"{where} has the key {name!r} twice once written in NFC")
        plain[name] = _plain(item, f"{where}.{name}")
    return plain


def digest(prev_digest: str, payload_text: str) -> str:
    """sha256 hex over the previous digest and the payload's canonical text, one after the other."""
    return hashlib.sha256((prev_digest + payload_text).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What a walk along the chain found. rows: how many were read, the broken one included.

    broken_at: the number of the first row that does not hold, None when all do. problem: "", "altered",
    "missing", "wrong_prev", "repeated" or "cut_off". how: the same in a sentence. head: the last digest that held.
    """

    rows: int
    broken_at: int | None
    problem: str
    how: str
    head: str

    @property
    def is_whole(self) -> bool:
        return self.broken_at is None


def verify_chain(
    rows: Iterable[tuple[int, str, str, str]], *, expected_last: int | None = None, expected_head: str | None = None
) -> ChainReport:
    """Walks rows of (number, payload, prev_digest, digest) in ascending order of number, from 1.

    expected_last, expected_head: the number and digest of the last row as noted elsewhere at some time; without
    them a chain whose newest rows were cut off, or that was written anew from the start, still looks whole.
    """
    head, number, count = FIRST_DIGEST, 0, 0
    for row_number, payload, prev_digest, row_digest in rows:
        count += 1
        problem = _fault(number + 1, head, row_number, payload, prev_digest, row_digest)
        if problem is not None:
            return ChainReport(count, row_number if problem[0] != "missing" else number + 1, *problem, head)
        if row_number == expected_last and expected_head not in (None, row_digest):
            how = f"row {row_number} with another digest was noted elsewhere: the chain was written anew"
            return ChainReport(count, row_number, "altered", how, head)
        head, number = row_digest, row_number
    if expected_last is not None and number < expected_last:
        how = f"the chain ends at row {number}; row {expected_last} was noted elsewhere"
        return ChainReport(count, number + 1, "cut_off", how, head)
    return ChainReport(count, None, "", "", head)


def _fault(
    expected: int, head: str, number: int, payload: str, prev_digest: str, row_digest: str
) -> tuple[str, str] | None:
    """What is wrong with one row, and the sentence for it; None when nothing is."""
    if number > expected:
        return "missing", f"row {expected} is missing: row {number} follows row {expected - 1}"
    if number < expected:
        return "repeated", f"row {number} stands where row {expected} was to come: a number twice, or out of order"
    if digest(prev_digest, payload) != row_digest:
        return "altered", f"row {number} was altered: its content does not give the digest recorded with it"
    if prev_digest != head:
        return (
            "wrong_prev",
            f"row {number} does not continue row {number - 1}: it names another digest as the one before it",
        )
    said = _number_in(payload)
    if said is not None and said != number:
        return "altered", f"row {number} was altered: its content was recorded as row {said}"
    return None


def _number_in(payload: str) -> int | None:
    """The row number that the payload itself states, None where it states none."""
    try:
        said = json.loads(payload)
    except ValueError:
        return None
    number = said.get("number") if isinstance(said, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None
