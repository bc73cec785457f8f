"""How well the law held is dated, instrument by income year: as a picture in per cent, and as a table with the numbers.

The picture is one path for each way of dating and instrument, so that fifteen Acts over thirty years stay light. What a
way looks like (a pattern, never a colour alone) is in the stylesheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from research.corpus.coverage import Coverage
from research.law.income_year import IncomeYear
from research.presentation.words import instrument_name

HEIGHT = 24  # of a row of the picture, in pixels
WIDTH = 560  # of the picture, as near as whole pixels for each year allow
NARROWEST, WIDEST = 14, 44  # from one year to the next

_Bar = tuple[float, float]
"""(where it stands, how tall it is), in pixels, down from the top"""

# way of dating: (short head, what it means); the best first, as they are stacked from the ground up
WAYS = {
    "register": ("Register", "by the Register’s own dates or by consecutive compilations"),
    "endnote": ("Endnote", "by the amendment history in the endnotes"),
    "commencement": ("Commencement", "by its commencement"),
    "inferred": ("Inferred", "the same words in compilations before and after"),
    "unknown": ("Not known", "read from one compilation, or not known which wording"),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """All that is drawn of one way of dating in one instrument's row: the `d` of a path."""

    way: str
    path: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """Income years, one or several in a run, with equal numbers; a number is "" for none."""

    years: str
    counts: tuple[str, ...]
    total: str


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One instrument. name: its title without the code that stands before it; says: the picture in a sentence."""

    code: str
    title: str
    name: str
    shapes: tuple[Shape, ...]
    says: str
    table: tuple[TableRow, ...]
    compilations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class YearTick:
    """A year named above the picture; x: the middle of its bar."""

    x: int
    label: str


@dataclass(frozen=True, slots=True)
class CoveragePicture:
    width: int
    height: int
    ticks: tuple[YearTick, ...]
    rows: tuple[CoverageRow, ...]
    ways: tuple[tuple[str, str, str], ...]  # (key, head, meaning)


def coverage_picture(
    held: Sequence[Coverage], years: Sequence[IncomeYear], compilations: Mapping[str, Sequence[str]]
) -> CoveragePicture:
    """The picture over `years` and any earlier ones in which something is dated. compilations: by code, in words."""
    shown = _years_shown(held, years)
    step = min(max(WIDTH // max(len(shown), 1), NARROWEST), WIDEST)
    return CoveragePicture(
        width=max(len(shown) * step, 1),
        height=HEIGHT,
        ticks=tuple(
            YearTick(at * step + step // 2, str(year)) for at, year in enumerate(shown) if _is_named(year, shown)
        ),
        rows=tuple(_row(each, shown, step, tuple(compilations.get(each.code, ()))) for each in held),
        ways=tuple((way, head, meaning) for way, (head, meaning) in WAYS.items()),
    )


def _years_shown(held: Sequence[Coverage], years: Sequence[IncomeYear]) -> list[int]:
    if not years:
        return []
    dated = [year for each in held for year, ways in each.counts.items() if set(ways) != {"unknown"}]
    return list(range(min([*dated, years[0].year]), years[-1].year + 1))


def _is_named(year: int, shown: Sequence[int]) -> bool:
    """Every fifth year, and the last where the one before it leaves room."""
    return year % 5 == 0 or len(shown) <= 8 or (year == shown[-1] and year % 5 > 2)


def _row(each: Coverage, shown: Sequence[int], step: int, compilations: tuple[str, ...]) -> CoverageRow:
    most = max((sum(ways.values()) for year, ways in each.counts.items() if year in shown), default=0)
    bars = [_bars(each.counts.get(year, {}), most) for year in shown]
    paths = {way: _path([bar.get(way) for bar in bars], step) for way in WAYS}
    return CoverageRow(
        instrument_name(each.code, each.title),
        each.title,
        each.title.removeprefix(instrument_name(each.code, each.title)).strip(),
        tuple(Shape(way, path) for way, path in paths.items() if path),
        _says(each, shown),
        _table(each, shown),
        compilations,
    )


def _bars(ways: Mapping[str, int], most: int) -> dict[str, _Bar]:
    """The bars of one year, to half a pixel, none of them lower than that: one provision in doubt is seen."""
    bars: dict[str, _Bar] = {}
    drawn = [way for way in WAYS if ways.get(way, 0)]
    ground, reached = float(HEIGHT), 0
    for above, way in zip(reversed(range(len(drawn))), drawn, strict=True):
        reached += ways[way]
        top = round((1 - reached / most) * HEIGHT * 2) / 2
        top = min(max(top, above / 2), ground - 0.5)
        bars[way] = (ground, ground - top)
        ground = top
    return bars


def _path(bars: Sequence[_Bar | None], step: int) -> str:
    """One rectangle for each run of years in which a bar is the same, with a gap after it."""
    parts = []
    at = 0
    for bar, run in groupby(bars):
        years = len(list(run))
        if bar is not None:
            ground, tall = bar
            parts.append(f"M{at * step} {ground:g}v-{tall:g}h{years * step - 1}v{tall:g}z")
        at += years
    return "".join(parts)


def _says(each: Coverage, shown: Sequence[int]) -> str:
    """The best and the worst year in a sentence, for who does not see the picture."""
    shares = {year: _dated(ways) for year in shown if (ways := each.counts.get(year))}
    if not shares:
        return f"{instrument_name(each.code, each.title)}: nothing held in these years"
    best = max(shares, key=lambda year: (shares[year][0] / shares[year][1], year))
    worst = min(shares, key=lambda year: (shares[year][0] / shares[year][1], year))
    said = f"{instrument_name(each.code, each.title)}: {_of(*shares[best])} provisions dated in FY{best}"
    if shares[best][0] * shares[worst][1] == shares[worst][0] * shares[best][1]:
        return f"{said}, the same share in every year"
    return f"{said}, the best year; {_of(*shares[worst])} in FY{worst}, the least known"


def _dated(ways: Mapping[str, int]) -> tuple[int, int]:
    total = sum(ways.values())
    return total - ways.get("unknown", 0), total


def _of(dated: int, total: int) -> str:
    return f"{dated:,} of {total:,}"


def _table(each: Coverage, shown: Sequence[int]) -> tuple[TableRow, ...]:
    """The numbers, with years that are alike in one row."""
    numbers = [(year, tuple(each.counts.get(year, {}).get(way, 0) for way in WAYS)) for year in shown]
    rows = []
    for counts, run in groupby(numbers, key=lambda pair: pair[1]):
        years = [year for year, _ in run]
        label = f"FY{years[0]}" if len(years) == 1 else f"FY{years[0]} – FY{years[-1]}"
        rows.append(TableRow(label, tuple(f"{n:,}" if n else "" for n in counts), f"{sum(counts):,}"))
    return tuple(rows)
