"""The report's pictures, drawn here as SVG: lines, a reliability diagram, stacked and plain bars. Pure.

Colours are classes that the page defines for light, dark and paper. Lines differ by dash and mark as well as colour,
and parts of a bar carry their number, so that none of it is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from research.evaluation.calibration import Band
from research.evaluation.report.parts import Picture

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 72, 28, 40, 48
SERIES = ("s1", "s2", "s3", "s4", "s5")


@dataclass(frozen=True, slots=True)
class Axis:
    """label, the largest value, and the values that are written; from 0."""

    label: str
    most: float
    ticks: Sequence[tuple[float, str]]


def share_axis(label: str, most: float = 1.0) -> Axis:
    """In per cent, from 0 to the next round number above `most`."""
    top = next((round_one for round_one in (0.05, 0.1, 0.25, 0.5) if most <= round_one), 1.0)
    return Axis(label, top, [(top * step / 5, f"{100 * top * step / 5:.0f} %") for step in range(6)])


def lines(
    title: str, told: str, x: Axis, y: Axis, series: Sequence[tuple[str, Sequence[tuple[float, float]]]]
) -> Picture:
    """One line for each named series of points; a value above an axis is drawn at its end."""
    drawn = [*_frame(x, y)]
    for kind, (name, points) in zip(SERIES, series, strict=False):
        path = " ".join(f"{_x(at, x):.1f},{_y(value, y):.1f}" for at, value in points)
        drawn.append(f'<polyline class="line {kind}" points="{path}"><title>{escape(name)}</title></polyline>')
        if len(points) <= 12:
            drawn += [_mark(kind, _x(at, x), _y(value, y)) for at, value in points]
    return Picture(title, _svg(title, told, [*drawn, *_legend([name for name, _ in series])]))


def reliability(title: str, told: str, series: Sequence[tuple[str, Sequence[Band]]]) -> Picture:
    """Stated against true, with the diagonal on which both agree; the mark grows with the cases in its band."""
    x, y = share_axis("confidence stated"), share_axis("share right")
    ideal = f"M{_x(0, x):.1f} {_y(0, y):.1f}L{_x(1, x):.1f} {_y(1, y):.1f}"
    drawn = [*_frame(x, y), f'<path class="ideal" d="{ideal}"/>']
    for kind, (_, bands) in zip(SERIES, series, strict=False):
        path = " ".join(f"{_x(band.stated, x):.1f},{_y(band.true, y):.1f}" for band in bands)
        drawn.append(f'<polyline class="line {kind}" points="{path}"/>')
        for band in bands:
            size = 3 + min(6.0, band.n**0.5 / 2)
            said = f"{band.n} cases: {band.stated:.0%} stated, {band.true:.0%} right"
            drawn.append(_mark(kind, _x(band.stated, x), _y(band.true, y), size, said))
    return Picture(title, _svg(title, told, [*drawn, *_legend([name for name, _ in series])]))


def stacked(title: str, told: str, parts: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> Picture:
    """A bar a row, cut into counts; every bar is as long as its row's cases are, of all of them."""
    height = TOP + 28 * len(rows) + 8
    left, wide = 120, WIDTH - 120 - 60
    drawn: list[str] = []
    for at, (name, counts) in enumerate(rows):
        top, begins, total = TOP + 28 * at, float(left), sum(counts)
        drawn.append(f'<text class="end" x="{left - 8}" y="{top + 15}">{escape(name)}</text>')
        for kind, part, count in zip(SERIES, parts, counts, strict=True):
            width = wide * count / total if total else 0.0
            if count:
                drawn.append(
                    f'<rect class="fill {kind}" x="{begins:.1f}" y="{top}" width="{width:.1f}" height="21">'
                    f"<title>{escape(name)}: {count} {escape(part)}</title></rect>"
                )
            if width >= 20:
                drawn.append(f'<text class="on mid {kind}" x="{begins + width / 2:.1f}" y="{top + 15}">{count}</text>')
            begins += width
        drawn.append(f'<text x="{left + wide + 8}" y="{top + 15}">{total}</text>')
    return Picture(title, _svg(title, told, [*drawn, *_legend(parts, x=8, is_filled=True)], height))


def bars(title: str, told: str, unit: str, rows: Sequence[tuple[str, float, float]]) -> Picture:
    """(name, value, a larger value that is marked on the same bar), in one unit."""
    height = TOP + 28 * len(rows) + 8
    left, wide = 110, WIDTH - 110 - 130
    most = max((larger for _, _, larger in rows), default=0) or 1.0
    drawn: list[str] = []
    for at, (name, value, larger) in enumerate(rows):
        top = TOP + 28 * at
        drawn += [
            f'<text class="end" x="{left - 8}" y="{top + 15}">{escape(name)}</text>',
            f'<rect class="fill s5" x="{left}" y="{top + 6}" width="{wide * larger / most:.1f}" height="9"/>',
            f'<rect class="fill s1" x="{left}" y="{top}" width="{wide * value / most:.1f}" height="21"/>',
            f'<text x="{left + wide * larger / most + 8:.1f}" y="{top + 15}">{value:.1f} · {larger:.1f} {unit}</text>',
        ]
    legend = _legend(("p50", "p95"), x=left, is_filled=True, kinds=("s1", "s5"))
    return Picture(title, _svg(title, told, [*drawn, *legend], height))


# Pieces


def _x(value: float, axis: Axis) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * min(value, axis.most) / axis.most


def _y(value: float, axis: Axis) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(value, axis.most) / axis.most


def _frame(x: Axis, y: Axis) -> list[str]:
    foot, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    drawn = [f'<path class="axis" d="M{LEFT} {TOP}V{foot}H{end}"/>']
    for value, written in y.ticks:
        at = _y(value, y)
        drawn.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{end}"/>')
        drawn.append(f'<text class="end" x="{LEFT - 6}" y="{at + 4:.1f}">{escape(written)}</text>')
    for value, written in x.ticks:
        drawn.append(f'<text class="mid" x="{_x(value, x):.1f}" y="{foot + 18}">{escape(written)}</text>')
    drawn.append(f'<text class="mid label" x="{(LEFT + end) / 2:.0f}" y="{HEIGHT - 8}">{escape(x.label)}</text>')
    turned = f'transform="rotate(-90 14 {(TOP + foot) / 2:.0f})"'
    drawn.append(f'<text class="mid label" x="14" y="{(TOP + foot) / 2:.0f}" {turned}>{escape(y.label)}</text>')
    return drawn


def _mark(kind: str, x: float, y: float, size: float = 4, said: str = "") -> str:
    title = f"<title>{escape(said)}</title>" if said else ""
    if kind in ("s2", "s4"):
        box = f'x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:.1f}" height="{2 * size:.1f}"'
        return f'<rect class="mark {kind}" {box}>{title}</rect>'
    return f'<circle class="mark {kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}">{title}</circle>'


def _legend(names: Sequence[str], x: float = LEFT, is_filled: bool = False, kinds: Sequence[str] = SERIES) -> list[str]:
    drawn, at = [], float(x)
    for kind, name in zip(kinds, names, strict=False):
        drawn.append(
            f'<rect class="fill {kind}" x="{at:.0f}" y="12" width="14" height="12"/>'
            if is_filled
            else f'<path class="line {kind}" d="M{at:.0f} 18h22"/>' + _mark(kind, at + 11, 18)
        )
        at += 20 if is_filled else 28
        drawn.append(f'<text x="{at:.0f}" y="22">{escape(name)}</text>')
        at += 6.0 * len(name) + 14
    return drawn


def _svg(title: str, told: str, drawn: Sequence[str], height: int = HEIGHT) -> str:
    inside = "".join(drawn)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(title)}</title><desc>{escape(told)}</desc>{inside}</svg>"
    )
