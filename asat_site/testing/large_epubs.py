"""An EPUB as large as the largest Act: eleven volumes, some 25 MB of mark-up, every word of it made up.

For measuring: how fast one is read, and in how much memory. The same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from itertools import cycle, islice

from asat_site.testing import epubs as e

_SENTENCE = (
    "harbour ferry owner pay dues if the amount of under section and or *vessel income year Collector must not exceed "
    "for each purpose quay barge tonnage a an it is this Division applies"
)
Words = Callable[[int], str]


def large_act(
    volumes: int = 11,
    divisions: int = 45,
    sections: int = 14,
    dated: date = date(2020, 7, 1),
    compilation: str = "12",
    reworded: int = 0,
) -> bytes:
    """The bytes of an Act of `volumes` × `divisions` × `sections` sections, the third of them with a table of rates.

    reworded: how many of its first sections have a further subsection; the rest are as they are without it.
    """
    left = iter(range(reworded))
    words = cycle(_SENTENCE.split())

    def some(count: int) -> str:
        next(words)  # so that no two lines are alike
        return " ".join(islice(words, count))

    return e.epub(
        title="Harbour Dues and Ferries Act 1999",
        number=38,
        year=1999,
        compilation=compilation,
        dated=dated,
        volumes=[
            _volume(number, divisions, sections, some, number == volumes, left) for number in range(1, volumes + 1)
        ],
    )


def _volume(
    number: int, divisions: int, sections: int, some: Words, is_last: bool, reworded: Iterator[int]
) -> e.Volume:
    body: list[e.Item | e.Items] = [e.chapter(str(number), some(3)), e.part(f"{number}-1", some(3))]
    for at in range(1, divisions + 1):
        division = str(100 * number + at)
        body.append(e.division(division, some(4)))
        for n in range(1, sections + 1):
            body.append(_section(f"{division}-{5 * n}", n, some, is_reworded=next(reworded, None) is not None))
    return e.Volume(body, _endnotes(divisions * sections, some) if is_last else ())


def _section(number: str, at: int, some: Words, is_reworded: bool) -> e.Items:
    rows = [["Item", some(3), some(2)], *([str(n), some(12), f"{n}%"] for n in range(1, 9))]
    lines = [
        e.subsection("(1)", some(40)),
        e.paragraph("(a)", some(15)),
        e.paragraph("(b)", some(15)),
        e.subparagraph("(i)", some(12)),
        e.note(some(20)),
        e.subsection("(2)", some(60)),
        e.subsection("(3)", some(60)),
    ]
    if is_reworded:
        lines.append(e.subsection("(4)", f"This subsection of section {number} is new."))
    return e.section(number, some(5), [*lines, e.table(rows, caption=some(4))] if at % 3 == 0 else lines)


def _endnotes(sections: int, some: Words) -> e.Items:
    acts = [[some(5), f"{n}, 2000", "1 May 2000", "2 May 2000", "—"] for n in range(1, 301)]
    amendments = [[f"s {n}\u20115", f"am No {n % 300 + 1}, 2000"] for n in range(1, 6 * sections)]
    return [
        e.endnote("3", "Legislation history", e.table_of_acts(acts)),
        e.endnote("4", "Amendment history", e.table_of_amendments(amendments)),
    ]
