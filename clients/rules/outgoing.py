"""CSV that is taken out: what a spreadsheet would take for a formula stays text. Of clients no tax file numbers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_AMOUNT = re.compile(r"-?[0-9]+\.[0-9]{2}")  # a number below nil, and no formula
HEADINGS = (
    "Name", "Trading names", "Entity type", "ABN", "ACN", "GST registered", "BAS cycle", "Income year end", "Addresses",
    "Emails", "Phones", "Tags", "Assigned to", "Archived",
)  # fmt: skip


def guarded(text: str) -> str:
    """The text as a cell that no spreadsheet works out: an apostrophe before what starts like a formula."""
    starts_one = text.lstrip(" ").startswith(_STARTS_A_FORMULA) and not _AMOUNT.fullmatch(text)
    return f"'{text}" if starts_one else text


def csv_lines(rows: Iterable[Sequence[str]], headings: Sequence[str] = HEADINGS) -> Iterator[str]:
    """The lines of the file, headings first, each cell guarded; a byte order mark so that Excel reads UTF-8."""
    yield "\ufeff" + _line(headings)
    for row in rows:
        yield _line([guarded(cell) for cell in row])


def _line(cells: Sequence[str]) -> str:
    held = io.StringIO()
    csv.writer(held, lineterminator="\r\n").writerow(cells)
    return held.getvalue()
