"""Which of a compilation's endnote tables is the legislation history and which the amendment history. Pure.

A table that is announced but empty is a table that was lost: an Act is never taken to be unamended for that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.corpus.ingest.published import EndnoteTable

_LEGISLATION = re.compile(
    r"legislati(?:on|ve) history|table of (?:acts|(?:.{3,60} )?(?:instruments|rules|regulations))",
    re.IGNORECASE,
)
_AMENDMENTS = re.compile(r"amendment history|table of amendments", re.IGNORECASE)


def legislation_and_amendments(tables: Sequence[EndnoteTable]) -> tuple[list[EndnoteTable], list[EndnoteTable]]:
    """Tables of Endnote 3, tables of Endnote 4. Raises ValueError if one is announced and its table is not there."""
    legislation, amendments = _named(tables, _LEGISLATION, "3"), _named(tables, _AMENDMENTS, "4")
    acts, changes = _in_columns(legislation), _in_columns(amendments)
    rows = sum(len(table.rows) for table in acts)
    if legislation and not rows:
        raise ValueError(_lost(legislation[0], "the Acts that made and amended this one"))
    if amendments and not changes and rows != 1:
        raise ValueError(_lost(amendments[0], "the provisions that were amended"))
    if rows > 1 and not amendments:
        raise ValueError(
            f"the endnotes list {rows} rows of Acts but no amendment history (Endnote 4); give the volume that holds it"
        )
    return acts, changes


def _named(tables: Sequence[EndnoteTable], title: re.Pattern[str], number: str) -> list[EndnoteTable]:
    by_title = [table for table in tables if title.search(table.title)]
    return by_title or [table for table in tables if table.number == number and not table.title.strip()]


def _in_columns(tables: Sequence[EndnoteTable]) -> list[EndnoteTable]:
    """Those that are tables: prose under the same heading comes as rows of one cell."""
    return [table for table in tables if any(len(row) > 1 for row in table.rows)]


def _lost(table: EndnoteTable, wanted: str) -> str:
    name = f"Endnote {table.number}" if table.number else "the endnote"
    return f"{name} headed {table.title!r} holds no table; give a file with the table that lists {wanted}"
