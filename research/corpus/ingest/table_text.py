"""A table as lines of text: each row one line that names each cell's head, so that one line of rates can be quoted.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from research.corpus.ingest.visible import solid


def table_lines(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], int]:
    """The lines, "Berth: outer; Fee: $10", and how many of their characters the table has fewer times than they.

    An empty cell is left out with its head; a head under which no cell stands comes first, on a line of its own.
    """
    lines: list[str] = []
    kept = sum(map(solid, heads))
    said: set[int] = set()
    for row in rows:
        pieces = []
        for place, cell in enumerate(row):
            if not cell:
                continue
            kept += solid(cell)
            head = heads[place] if place < len(heads) else ""
            said.add(place)
            pieces.append(f"{head}: {cell}" if head else cell)
        if pieces:
            lines.append("; ".join(pieces))
    unsaid = [head for place, head in enumerate(heads) if head and place not in said]
    if unsaid:
        lines.insert(0, " | ".join(unsaid))
    return lines, sum(map(solid, lines)) - kept
