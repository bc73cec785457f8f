"""Reads the figure ledger from its YAML files, once per process; a mistake is named by file, row and field.

Nothing here looks at the law: whether a value stands in the text of its provision is checked when it is answered with.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from research.figures.ledger import THIRD, UNITS, Band, Figure, Ledger, Row, Scale, ScaleRow, SetBy, gaps_in
from research.figures.names import canonical
from research.law.citation import CODES

FOLDER = Path(__file__).resolve().parent.parent / "figure_ledger"
CONFIDENCES = ("high", "medium")
_FIGURE = {"key", "name", "unit", "names", "rows", "short", "also", "set_by", "beside", "together", "year"}
_ROW = {"value", "from", "to", "source", "confidence", "unit", "set_by", "by", "note", "in_text"}
_SCALE, _SCALE_ROW = {"key", "name", "set_by", "rows"}, {"from", "to", "source", "confidence", "note", "bands"}
_BAND = {"over", "to", "rate", "of_all"}
_SET_BY = {"act", "section", "schedule", "pinpoint", "text"}


class LedgerRejected(ValueError):
    """A ledger that cannot be used; the message names the file, the row and the field, and what was wanted."""


@functools.cache
def ledger(folder: Path = FOLDER) -> Ledger:
    """The whole ledger in `folder`. Raises LedgerRejected for the first mistake in it."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise LedgerRejected(f"{folder.name} holds no YAML file; a ledger needs at least one.")
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    return ledger_of(texts)


def ledger_of(texts: Mapping[str, str]) -> Ledger:
    """The ledger in `texts`: YAML by file name."""
    parsed = {name: _yaml(name, text) for name, text in sorted(texts.items())}
    sources: dict[str, str] = {}
    for name, plain in parsed.items():
        sources |= {
            str(key): str(title) for key, title in _mapping(name, "sources", plain.get("sources") or {}).items()
        }
    figures = [_figure(f"{name}", entry, sources) for name, entry in _entries(parsed, "figures")]
    scales = [_scale(f"{name}", entry, sources) for name, entry in _entries(parsed, "scales")]
    _once([*(figure.key for figure in figures), *(scale.key for scale in scales)])
    whole = hashlib.sha256()
    for name, text in sorted(texts.items()):
        whole.update(f"{name}\0{text}\0".encode())
    return Ledger(tuple(figures), tuple(scales), sources, whole.hexdigest())


def _yaml(name: str, text: str) -> dict[str, Any]:
    try:
        return _mapping(name, "the file", yaml.load(text, Loader=_loader()))
    except yaml.YAMLError as error:
        raise LedgerRejected(f"{name}: this is no YAML. {error}") from error


def _loader() -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _entries(parsed: Mapping[str, dict[str, Any]], field: str) -> Iterable[tuple[str, Any]]:
    for name, plain in parsed.items():
        if unknown := set(plain) - {"figures", "scales", "sources"}:
            raise LedgerRejected(f"{name}: {sorted(unknown)[0]} is unknown; give figures, scales or sources.")
        yield from ((name, entry) for entry in plain.get(field) or ())


def _figure(where: str, entry: Any, sources: Mapping[str, str]) -> Figure:
    plain = _fields(where, entry, _FIGURE, {"key", "name", "unit", "names", "rows"})
    where = f"{where}: {plain['key']}"
    unit = _unit(where, plain["unit"])
    year = plain.get("year", "income")
    if year not in ("income", "fbt"):
        raise LedgerRejected(f"{where}: year is {year!r}; give fbt, or leave it out.")
    default = _set_by(where, plain["set_by"]) if "set_by" in plain else None
    rows = [_row(where, row, unit, default, sources) for row in _listed(where, "rows", plain["rows"])]
    names = tuple(map(str, _listed(where, "names", plain["names"])))
    for name in names:
        if not canonical(name).words:
            raise LedgerRejected(f"{where}: the name {name!r} holds no word that could identify it.")
    _in_order(where, rows)
    return Figure(
        key=str(plain["key"]),
        name=str(plain["name"]),
        unit=unit,
        names=names,
        rows=tuple(rows),
        short=tuple(map(str, plain.get("short") or ())),
        also=tuple(map(str, plain.get("also") or ())),
        beside=tuple(map(str, plain.get("beside") or ())),
        together=str(plain.get("together") or ""),
        is_fbt_year=year == "fbt",
    )


def _row(where: str, entry: Any, unit: str, default: SetBy | None, sources: Mapping[str, str]) -> Row:
    plain = _fields(where, entry, _ROW, {"value", "from", "source", "confidence"})
    starts, ends = _days(where, plain)
    where = f"{where}, row from {starts}"
    unit = _unit(where, plain.get("unit", unit))
    value = plain["value"]
    is_number = isinstance(value, str) and re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", value)
    if not isinstance(value, str) or not value or not (is_number or unit == "text" or value == THIRD):
        raise LedgerRejected(f'{where}: value is {value!r}; give a number in quotation marks, such as "9.5".')
    set_by = _set_by(where, plain["set_by"]) if "set_by" in plain else default
    if set_by is None:
        raise LedgerRejected(f"{where}: set_by is missing, and its figure has none; say what sets the value.")
    in_text = plain.get("in_text", False)
    if not isinstance(in_text, bool):
        raise LedgerRejected(f"{where}: in_text is {in_text!r}; give true or false.")
    return Row(
        value=value,
        unit=unit,
        starts=starts,
        ends=ends,
        set_by=set_by,
        source=_source(where, plain["source"], sources),
        confidence=_confidence(where, plain["confidence"]),
        in_text=in_text,
        by=str(plain.get("by") or ""),
        note=str(plain.get("note") or ""),
    )


def _scale(where: str, entry: Any, sources: Mapping[str, str]) -> Scale:
    plain = _fields(where, entry, _SCALE, _SCALE)
    where = f"{where}: {plain['key']}"
    rows = tuple(_scale_row(where, row, sources) for row in _listed(where, "rows", plain["rows"]))
    return Scale(str(plain["key"]), str(plain["name"]), _set_by(where, plain["set_by"]), rows)


def _scale_row(where: str, entry: Any, sources: Mapping[str, str]) -> ScaleRow:
    plain = _fields(where, entry, _SCALE_ROW, {"from", "source", "confidence", "bands"})
    starts, ends = _days(where, plain)
    where = f"{where}, row from {starts}"
    bands = tuple(_band(where, band) for band in _listed(where, "bands", plain["bands"]))
    if problem := gaps_in(bands):
        raise LedgerRejected(f"{where}: {problem}; bands must cover every income from nil.")
    return ScaleRow(
        starts,
        ends,
        bands,
        _source(where, plain["source"], sources),
        _confidence(where, plain["confidence"]),
        str(plain.get("note") or ""),
    )


def _band(where: str, entry: Any) -> Band:
    plain = _fields(where, entry, _BAND, {"over", "rate"})
    try:
        to = Decimal(plain["to"]) if "to" in plain else None
        return Band(Decimal(plain["over"]), to, Decimal(str(plain["rate"])), bool(plain.get("of_all")))
    except ArithmeticError as error:
        raise LedgerRejected(f"{where}: the band {plain!r} holds what is no number.") from error


# Fields


def _fields(where: str, entry: Any, known: set[str], wanted: set[str]) -> dict[str, Any]:
    plain = _mapping(where, "an entry", entry)
    name = plain.get("key") or plain.get("from")
    where = f"{where}: {name}" if name and str(name) not in where else where
    if unknown := set(plain) - known:
        raise LedgerRejected(f"{where}: {sorted(unknown)[0]} is no field; the fields are {', '.join(sorted(known))}.")
    if missing := wanted - set(plain):
        raise LedgerRejected(f"{where}: {sorted(missing)[0]} is missing.")
    return plain


def _mapping(where: str, what: str, plain: Any) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise LedgerRejected(f"{where}: {what} is {plain!r:.60}; give fields with their values.")
    return plain


def _listed(where: str, field: str, plain: Any) -> list[Any]:
    if not isinstance(plain, list) or not plain:
        raise LedgerRejected(f"{where}: {field} is {plain!r:.60}; give a list with at least one entry.")
    return plain


def _days(where: str, plain: Mapping[str, Any]) -> tuple[date, date | None]:
    starts, ends = plain["from"], plain.get("to")
    if type(starts) is not date or not (ends is None or type(ends) is date):
        raise LedgerRejected(f"{where}: from is {starts!r} and to is {ends!r}; give days such as 2015-07-01.")
    if ends is not None and ends < starts:
        raise LedgerRejected(f"{where}, row from {starts}: to is {ends}, which is before from.")
    return starts, ends


def _set_by(where: str, entry: Any) -> SetBy:
    plain = _mapping(where, "set_by", entry)
    if unknown := set(plain) - _SET_BY:
        raise LedgerRejected(f"{where}: set_by has no {sorted(unknown)[0]}; it has {', '.join(sorted(_SET_BY))}.")
    set_by = SetBy(**{name: str(value) for name, value in plain.items()})
    if bool(set_by.text) == bool(set_by.act) or bool(set_by.act) != bool(set_by.section):
        raise LedgerRejected(f"{where}: set_by is {entry!r}; give act and section, or text alone.")
    if set_by.act and set_by.act not in CODES:
        raise LedgerRejected(f"{where}: set_by names the Act {set_by.act!r}, which has no code; give it as text.")
    return set_by


def _unit(where: str, unit: Any) -> str:
    if unit not in UNITS:
        raise LedgerRejected(f"{where}: unit is {unit!r}; give one of {', '.join(UNITS)}.")
    return str(unit)


def _source(where: str, source: Any, sources: Mapping[str, str]) -> str:
    if source not in sources:
        raise LedgerRejected(f"{where}: source is {source!r}, which sources.yaml does not name.")
    return str(source)


def _confidence(where: str, confidence: Any) -> str:
    if confidence not in CONFIDENCES:
        raise LedgerRejected(f"{where}: confidence is {confidence!r}; give {' or '.join(CONFIDENCES)}.")
    return str(confidence)


def _in_order(where: str, rows: Iterable[Row]) -> None:
    before: Row | None = None
    for row in rows:
        if before is not None and row.starts <= before.starts:
            raise LedgerRejected(f"{where}: the row from {row.starts} stands after the one from {before.starts}.")
        if before is not None and before.ends is None:
            raise LedgerRejected(
                f"{where}: the row from {before.starts} has no end, and one from {row.starts} follows."
            )
        before = row


def _once(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise LedgerRejected(f"{key}: this key stands twice; give every figure one of its own.")
        seen.add(key)
