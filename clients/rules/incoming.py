"""A file of clients as rows: columns found by headings, each cell read or refused, what is there already left out.

Pure: a row is what it says, and nothing is made up for what it does not. A row with anything wrong does not come in.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from clients.rules import entity, identifiers
from clients.rules.matching import fold, match_key

MOST_ROWS = 10_000
MOST_BYTES = 5 * 1024 * 1024
MOST_LISTED = 500  # lines of a report that are named one by one
LONGEST_NAME = 300
SEPARATOR = ";"  # between several values in one cell

_HEADINGS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "client name", "client", "company name", "business name", "entity name", "legal name"),
    "trading_names": ("trading names", "trading name", "trading as", "t a"),
    "entity_type": ("entity type", "entity", "type", "structure"),
    "abn": ("abn", "australian business number"),
    "acn": ("acn", "australian company number"),
    "tfn": ("tfn", "tax file number"),
    "gst_registered": ("gst registered", "gst", "registered for gst", "gst registration"),
    "bas_cycle": ("bas cycle", "bas", "bas frequency", "bas period"),
    "income_year_end": ("income year end", "year end", "balance date", "income year ends", "accounting period ends"),
    "addresses": ("addresses", "address", "postal address", "street address"),
    "emails": ("emails", "email", "e mail", "email address"),
    "phones": ("phones", "phone", "phone number", "telephone", "mobile"),
    "tags": ("tags", "tag", "labels"),
}
_BY_HEADING = {heading: name for name, headings in _HEADINGS.items() for heading in headings}
WORDS = {
    "name": "Name", "trading_names": "Trading names", "entity_type": "Entity type", "abn": "ABN", "acn": "ACN",
    "tfn": "TFN", "gst_registered": "GST registered", "bas_cycle": "BAS cycle", "income_year_end": "Income year end",
    "addresses": "Addresses", "emails": "Emails", "phones": "Phones", "tags": "Tags",
}  # fmt: skip


class Unreadable(Exception):
    """The file cannot be read as clients; `message` says why and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Incoming:
    """One client of a file. line: as a spreadsheet numbers it. values: by field of the register; tfn, digits alone."""

    line: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of one line. `why` holds no tax file number."""

    line: int
    name: str
    why: str


@dataclass(slots=True)
class Report:
    """What a file would bring in. columns: heading → what it was taken for, "" for left out. The lists name up to
    MOST_LISTED lines each; the counts are of all."""

    columns: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    new: int = 0
    skipped: list[Remark] = field(default_factory=list)
    skipped_count: int = 0
    wrong: list[Remark] = field(default_factory=list)
    wrong_count: int = 0

    def skip(self, remark: Remark) -> None:
        self.skipped_count += 1
        if len(self.skipped) < MOST_LISTED:
            self.skipped.append(remark)

    def refuse(self, remark: Remark) -> None:
        self.wrong_count += 1
        if len(self.wrong) < MOST_LISTED:
            self.wrong.append(remark)

    def as_plain(self) -> dict[str, Any]:
        return asdict(self)


def read_file(content: bytes) -> str:
    """The text of the file. Raises Unreadable."""
    if len(content) > MOST_BYTES:
        raise Unreadable("The file is larger than 5 MB. Split it, and bring the parts in one after another.")
    if content.startswith((b"PK", b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise Unreadable("The file is a workbook or a document. Save the sheet as CSV and choose that.")
    for encoding in ("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" in text:
            break
        if not text.strip():
            raise Unreadable("The file is empty.")
        return text
    raise Unreadable("The file is not text. Save the sheet as CSV and choose that.")


def rows_of(text: str) -> tuple[dict[str, str], list[tuple[int, dict[str, str]]]]:
    """(heading → field, "" for one left out; each line with its cells by field). Raises Unreadable."""
    first = text.lstrip().split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        headings = next((row for row in reader if any(cell.strip() for cell in row)), [])
        columns = _columns(headings)
        found: list[tuple[int, dict[str, str]]] = []
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(found) == MOST_ROWS:
                raise Unreadable(f"The file has more than {MOST_ROWS:,} lines. Split it, and bring the parts in.")
            found.append((reader.line_num, _by_field(headings, columns, cells)))
    except csv.Error as error:
        raise Unreadable(f"Line {reader.line_num} cannot be read as CSV: {error}.") from None
    return columns, found


def check(text: str, known_abns: Iterable[str], known_keys: Iterable[str]) -> tuple[Report, list[Incoming]]:
    """What would come in of the file, and what is said of the rest. Raises Unreadable.

    known_abns, known_keys: of the clients there are, as digits and as `matching.match_key` gives them. A line that is
    one of them, or that an earlier line was, is skipped: nothing in the register is overwritten.
    """
    columns, rows = rows_of(text)
    report = Report(columns={heading: WORDS.get(name, "") for heading, name in columns.items()}, rows=len(rows))
    abns, keys = dict.fromkeys(known_abns, 0), dict.fromkeys(known_keys, 0)
    coming = []
    for line, cells in rows:
        values, problems = read_row(cells)
        name = str(values.get("name", ""))[:80]
        if problems:
            report.refuse(Remark(line, name, " ".join(problems)))
            continue
        key, abn = match_key(values["name"]), values.get("abn", "")
        same = ("ABN", abns[abn]) if abn and abn in abns else ("name", keys[key]) if key in keys else None
        if same is not None:
            what, earlier = same
            where = f"line {earlier} of this file" if earlier else "the register"
            report.skip(Remark(line, name, f"A client with this {what} is in {where}."))
            continue
        keys[key] = line
        if abn:
            abns[abn] = line
        coming.append(Incoming(line, values))
    report.new = len(coming)
    return report, coming


def read_row(cells: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """(what the cells say, by field; what is wrong with them, a sentence each)."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    name = " ".join(cells.get("name", "").split())
    values["name"] = name
    if not name:
        problems.append("The name is missing.")
    elif len(name) > LONGEST_NAME:
        problems.append(f"The name is longer than {LONGEST_NAME} characters.")
    for column, read, told in _READ:
        typed = cells.get(column, "").strip()
        if not typed:
            continue
        found = read(typed)
        if found is None:
            problems.append(told)
        elif found != "":
            values[column] = found
    for column, longest in _SEVERAL.items():
        several = [" ".join(part.split()) for part in cells.get(column, "").split(SEPARATOR)]
        several = list(dict.fromkeys(filter(None, several)))
        if any(len(part) > longest for part in several):
            problems.append(f"One of the {WORDS[column].lower()} is longer than {longest} characters.")
        if several:
            values[column] = several
    return values, problems


_READ: tuple[tuple[str, Callable[[str], Any], str], ...] = (
    ("entity_type", entity.read_entity, "The entity type is none that AsAt knows."),
    ("abn", identifiers.read_abn, "The ABN is wrong: a digit is wrong, missing or too many."),
    ("acn", identifiers.read_acn, "The ACN is wrong: a digit is wrong, missing or too many."),
    ("tfn", identifiers.read_tfn, "The TFN is wrong: a digit is wrong, missing or too many."),
    ("gst_registered", entity.read_yes_or_no, "GST registered is neither yes nor no."),
    ("bas_cycle", entity.read_cycle, "The BAS cycle is not monthly, quarterly or annual."),
    ("income_year_end", entity.read_month, "The income year end is no month."),
)
_SEVERAL = {"trading_names": 300, "addresses": 300, "emails": 254, "phones": 40, "tags": 40}


def _columns(headings: Sequence[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    taken: set[str] = set()
    for heading in headings:
        name = _BY_HEADING.get(fold(heading), "")
        columns[heading] = "" if name in taken else name
        taken.add(name)
    if "name" not in taken:
        raise Unreadable(
            "No column is headed Name. The first line holds the headings: Name, ABN, Entity type and so on."
        )
    return columns


def _by_field(headings: Sequence[str], columns: Mapping[str, str], cells: Sequence[str]) -> dict[str, str]:
    return {columns[heading]: cell for heading, cell in zip(headings, cells, strict=False) if columns[heading]}
