"""Who sent the document: the supplier's ABN, and its name near it or at the top; never whom it was sent to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clients.extraction import labels
from clients.extraction.heads import field
from clients.extraction.layout import Piece, Row, below
from clients.extraction.tables import headings
from clients.extraction.terms import FoundField, Name
from clients.rules.identifiers import read_abn

# Letters that OCR reads for digits; taken for them in an ABN alone, whose check digits then must be right.
_LIKE_DIGITS = str.maketrans("OoQDIl|SsBZ", "00001115582")
_DIGITS = re.compile(r"[\s:.\-#]*((?:[\dOoQDIl|SsBZ][\s.\-]{0,3}){10}[\dOoQDIl|SsBZ])(?![\d])")
_FURNITURE = re.compile(  # of an address block: no name
    r"^(?:a\.?b\.?n|a\.?c\.?n|ph|tel|phone|mob|fax|email|e:|w:|www|po box|p\.?o\.?\s?box|gpo)\b"
    r"|^(?:level|unit|suite|shop|page|floor)\s?\w?\d"
    r"|@|\bwww\.|\b(?:nsw|vic|qld|sa|wa|tas|act|nt)\s?\d{4}\b|^\d+\s?[a-z]?[/,]?\s|^[\d\s()+\-.:/#]+$",
    re.IGNORECASE,
)
_BLOCK_GAP = 1.9  # heights of a line; a wider gap parts two blocks


def read_printed_abn(text: str) -> str:
    """The 11 digits of an ABN as printed or as OCR reads it; "" if its check digits are wrong either way."""
    return read_abn(text) or read_abn(text.translate(_LIKE_DIGITS)) or ""


def abn_pieces(rows: Sequence[Row]) -> list[tuple[int, Piece, str]]:
    """Each labelled ABN: its row's place, the piece that is its digits, and the 11 digits ("" if they check wrong)."""
    found = []
    for at, row in enumerate(rows):
        for label in labels.ABN.finditer(row.text):
            digits = _DIGITS.match(row.text, label.end())
            if digits:
                found.append((at, row.piece(*digits.span(1)), read_printed_abn(digits[1])))
            elif re.match(r"[\s:.]*(?:$|\s{3})", row.text[label.end() :]):
                found.extend(_below(rows, at, row.piece(*label.span())))
    return found


def _below(rows: Sequence[Row], at: int, label: Piece) -> list[tuple[int, Piece, str]]:
    """The ABN under a label that stands alone."""
    for under, piece in below(rows, at, label.box, most=1):
        digits = _DIGITS.fullmatch(piece.text)
        if digits:
            own = under.piece(piece.start + digits.start(1), piece.start + digits.end(1))
            return [(at + 1, own, read_printed_abn(digits[1]))]
    return []


def supplier_abn(rows: Sequence[Row]) -> tuple[FoundField | None, Piece | None]:
    """The supplier's ABN; and the first labelled one of theirs whose check digits are wrong, where none is right."""
    theirs = [each for each in abn_pieces(rows) if not is_recipients(rows, each[0], each[1])]
    right = [each for each in theirs if each[2]]
    if (
        len({digits for _, _, digits in right}) > 1
    ):  # a payee's or an agent's beside it: the first at the head is theirs
        right = right[:1]
    if right:
        at, piece, digits = right[0]
        how = "labelled ABN" if read_abn(piece.text) else "labelled ABN, letters read as digits"
        return field(Name.SUPPLIER_ABN, digits, rows[at], piece, how), None
    return None, theirs[0][1] if theirs else None


def supplier(rows: Sequence[Row], may_lack_abn: bool = True) -> FoundField | None:
    """The supplier's name: that of the block its ABN stands in, else the largest text at the top of the first page.

    may_lack_abn: whether the document is of a kind that names whoever sent it at its top.
    """
    first_page = [row for row in rows if row.page == rows[0].page] if rows else []
    for at, piece, _ in abn_pieces(rows):
        if not is_recipients(rows, at, piece):
            is_labelled_above = not labels.ABN.search(rows[at].text[: piece.start])  # in a column of such values
            named = None if is_labelled_above else _beside(rows, at, piece) or _atop(rows, at, piece)
            if named:
                return field(Name.SUPPLIER, named[1].text, named[0], named[1], "beside its ABN")
            break
    largest = _largest(first_page) if may_lack_abn else None
    return (
        field(Name.SUPPLIER, largest[1].text, largest[0], largest[1], "the largest text at the top")
        if largest
        else None
    )


def is_recipients(rows: Sequence[Row], at: int, piece: Piece) -> bool:
    """Whether the piece belongs to whom the document was sent: in line below, or beside, such a label."""
    row = rows[at]
    for up in range(at, max(-1, at - 7), -1):
        if rows[up].page != row.page:
            return False
        for label in recipient_labels(rows[up]):
            is_under = up < at and abs(label.box.left - piece_block_left(row, piece)) < 3 * label.box.height
            is_same = up == at and label.start <= piece.start <= label.end
            if (is_under and not _is_parted(rows, up, at, label)) or is_same:
                return True
    return False


def recipient_labels(row: Row) -> list[Piece]:
    """The segments of a row that begin as those that say to whom."""
    return [segment for segment in row.segments if labels.RECIPIENT.search(segment.text)]


def piece_block_left(row: Row, piece: Piece) -> float:
    """The left end of the segment that a piece belongs to."""
    return next((part.box.left for part in row.segments if part.start <= piece.start < part.end), piece.box.left)


def _is_parted(rows: Sequence[Row], first: int, last: int, label: Piece) -> bool:
    """Whether a wide gap stands between a label and a row below it, in the label's own column."""
    bottom = label.box.bottom
    for row in rows[first + 1 : last + 1]:
        there = [part for part in row.segments if abs(part.box.left - label.box.left) < 3 * label.box.height]
        if there and there[0].box.top - bottom > _BLOCK_GAP * label.box.height:
            return True
        bottom = there[0].box.bottom if there else bottom
    return False


def _is_name(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    is_label = any(
        pattern.search(text) for pattern in (labels.TITLE, labels.RECIPIENT, labels.INVOICE_NUMBER, labels.NO_NAME)
    )
    return letters >= 3 and not is_label and not _FURNITURE.search(text) and len(text) <= 80


def _beside(rows: Sequence[Row], at: int, piece: Piece) -> tuple[Row, Piece] | None:
    """A name in the same line before the ABN: "Name | ABN 12 …"."""
    row = rows[at]
    before = [found for found in labels.ABN.finditer(row.text) if found.end() <= piece.start + 1]
    start = before[-1].start() if before else piece.start
    for part in row.segments:
        if part.start < start:
            text = re.split(r"[|•·,]|\s[-–]\s", row.text[part.start : min(part.end, start)])[0].rstrip(" (|:-–")
            if _is_name(text):
                return row, row.piece(part.start, part.start + len(text))
    return None


def _atop(rows: Sequence[Row], at: int, piece: Piece) -> tuple[Row, Piece] | None:
    """The topmost name of the block that the ABN stands in: lines with its left end, right end or middle."""
    own = next(part for part in rows[at].segments if part.start <= piece.start < part.end)
    top, best = own.box, None
    for row in reversed([row for row in rows[:at] if row.page == rows[at].page]):
        aligned = [part for part in row.segments if _is_aligned(part, own)]
        if not aligned:
            continue
        part = aligned[0]
        if top.top - part.box.bottom > _BLOCK_GAP * max(part.box.height, top.height):
            break
        if _is_name(part.text):
            best = (row, part)
        elif labels.TITLE.search(part.text) and best:
            break
        top = part.box
    return best


def _is_aligned(part: Piece, own: Piece) -> bool:
    near = 0.9 * max(part.box.height, own.box.height)
    middles = abs((part.box.left + part.box.right) - (own.box.left + own.box.right)) / 2
    return min(abs(part.box.left - own.box.left), abs(part.box.right - own.box.right), middles) < near


def _largest(rows: Sequence[Row]) -> tuple[Row, Piece] | None:
    """The largest name among the first lines above any table, the first of those as large."""
    table = next((at for at, row in enumerate(rows) if headings(row)), 12)
    named = [
        (row, part)
        for at, row in enumerate(rows[: min(12, table)])
        for part in row.segments
        if _is_name(part.text) and not is_recipients(rows, at, part)
    ]
    return max(named, key=lambda each: round(each[1].box.height), default=None)
