"""A ruling, determination or guideline of the ATO, saved from its legal database, read whole.

Reads the file and nothing else. Taking the page apart is `page.py`'s, cutting it into paragraphs `paragraphs.py`'s, its
days `status.py`'s; here they become records, with an account of every character. Drafts are refused: they bind nobody
and are replaced under another number. Acts, regulations and cases of that database are a publisher's and are refused.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from research.corpus.ingest.ato.dates import first_day_in
from research.corpus.ingest.ato.docid import (
    NEVER_BINDING,
    PRIVATE,
    PUBLISHERS,
    Number,
    family_of,
    number_headed,
    number_of_docid,
    numbers_in,
)
from research.corpus.ingest.ato.effect import THIS, effect_of, sentences_in
from research.corpus.ingest.ato.lines import Line
from research.corpus.ingest.ato.page import BadPage, Page, page_of
from research.corpus.ingest.ato.paragraphs import Body, Unit, body_of, front_of
from research.corpus.ingest.ato.status import Change, Days, Ending, State, days_of, ending_of
from research.corpus.ingest.history import Stated
from research.corpus.ingest.json_origin import GUIDANCE, RULINGS
from research.corpus.ingest.naming import shortened, slug
from research.corpus.ingest.origin import Kind, Origin
from research.corpus.ingest.published import Ledger
from research.corpus.ingest.read import CompilationRecords, CorpusRejected
from research.corpus.ingest.record import Record
from research.corpus.ingest.visible import solid
from research.corpus.ingest.whole_file import MAX_UNEXPLAINED, bytes_of
from research.law.rulings import SERIES

MAX_BYTES = 16_000_000  # the longest rulings are some 2 MB; a tree takes about ten times the page
LICENCE = "ATO"
ADDRESS = "https://www.ato.gov.au/law/view/document?docid="

_KINDS = {"ruling": Kind.RULING, "determination": Kind.DETERMINATION, "guideline": Kind.GUIDELINE}
_PUBLISHER = re.compile(r"CCH\s+(?:Note|Australia)\b")
_IS_PUBLIC = re.compile(rf"\b{THIS}\b.*?\b(?:is|was|be|being)\b[^.]{{0,60}}?\bpublic ruling\b", re.IGNORECASE)
_EFFECT = re.compile(
    r"^(?:date of (?:effect|application)|when (?:does )?this .{3,40} appl(?:y|ies)|application of this )", re.IGNORECASE
)
_NOT = re.compile(r"\b(?:not|n[o’']t)\b", re.IGNORECASE)
_DRAFT = re.compile(r"\bdraft\b", re.IGNORECASE)
_ISSUED = re.compile(
    r"date of (?:issue|publication)\s*:?\s*(.{0,30})|^(?:issued|published)\s*:?\s*(.{0,30})", re.IGNORECASE
)
_NOTICE_TYPES = (("W", "notice of withdrawal"), ("ER", "erratum"), ("A", "addendum"), ("EC", "compendium"))


@dataclass(frozen=True, slots=True)
class _Head:
    """What the head of a page says. lines: its text."""

    number: Number
    title: str
    lines: tuple[str, ...]


def read_ruling(path: Path, saved_on: date) -> CompilationRecords:
    """The document at `path`, as it stood on the day its page was saved. Raises CorpusRejected, and nothing was read.

    Its `origin` holds the days for which it may be quoted, the notice that goes with every quote, and the ledger.
    """
    raw = bytes_of(path, MAX_BYTES, "save the page without its pictures")
    try:
        page = page_of(raw)
    except (BadPage, RecursionError) as error:
        raise CorpusRejected(path, None, str(error)) from None
    _refuse_what_is_not_theirs(path, page)
    front, lines = (page.front, page.body) if page.front else front_of(page.body)
    if front is not page.front:
        page.dropped["title page"] += sum(solid(line.text) for line in front)
    body = body_of(lines)
    head = _head(path, page, front)
    if not body.units:
        raise CorpusRejected(path, None, f"the page of {head.number.code} holds no text; save the page that shows it")
    ledger = _ledger(path, page, body)
    history = _changes(page)
    ending = _ending(head, page, body, history)
    days = _days(path, head, page, body, history, ending, saved_on)
    binds = _binds(head, page, body)
    return CompilationRecords(
        head.number.code,
        days.dated,
        _records(head, page, body.units, days, binds),
        hashlib.sha256(raw).hexdigest(),
        origin=_origin(head, page, days, ending, binds, ledger, body.units),
    )


def _refuse_what_is_not_theirs(path: Path, page: Page) -> None:
    family = family_of(page.docid)
    texts = [line.text for line in (*page.front, *page.body)] + page.notes
    if family in PUBLISHERS or any(_PUBLISHER.search(text) for text in texts):
        raise CorpusRejected(
            path,
            None,
            f"the page ({page.docid or 'with CCH notes'}) is an Act, regulation or case, and those pages are CCH "
            "Australia's, a commercial publisher's; take Acts from the Federal Register of Legislation",
        )
    if family in PRIVATE:
        raise CorpusRejected(
            path, None, f"{page.docid} is edited private advice, which nobody may rely on; leave it out"
        )


# -- what it is


def _head(path: Path, page: Page, front: Sequence[Line]) -> _Head:
    """Number and title. The printed number goes before the docid, and one in a heading of its own before any other."""
    texts = tuple(line.text for line in front)
    own_line = [text for text in texts if number_headed(text)]
    printed = number_headed(own_line[0]) if own_line else None
    number = printed or number_of_docid(page.docid) or next(iter(numbers_in("".join(texts[:1]))), None)
    if number is None:
        known = ", ".join(SERIES)
        shown = f" ({page.docid})" if page.docid else ""
        raise CorpusRejected(path, None, f"the page{shown} has no number of a series that is read; give one of {known}")
    if number.is_draft or any(_DRAFT.search(text) for text in texts[:1]):
        raise CorpusRejected(path, None, f"{number.code} is a draft, which binds nobody; give the final document")
    if not number.suffix:
        kind = " ".join(texts[:2]).lower()
        suffix = next((suffix for suffix, name in _NOTICE_TYPES if name in kind), "")
        decoded = number_of_docid(page.docid)
        if suffix and decoded is not None and decoded.suffix.startswith(suffix):
            suffix = decoded.suffix
        number = Number(number.series, number.year, number.number, suffix=suffix)
    rest = [text for text in texts if text not in own_line][1:]
    return _Head(number, " ".join(rest), texts)


def _binds(head: _Head, page: Page, body: Body) -> bool:
    """Whether it is a public ruling, by its own words; never what its series cannot be, or a notice about another."""
    if head.number.series in NEVER_BINDING or head.number.suffix:
        return False
    lines = (*page.preamble, *body.protection, *(line for unit in body.units for line in unit.lines))
    found = (match for line in lines for said in sentences_in(line) if (match := _IS_PUBLIC.search(said)))
    return any(not _NOT.search(match.group()) for match in found)


# -- its days


def _changes(page: Page) -> list[Change]:
    rows = [(first_day_in(row.text), row) for row in page.history]
    return sorted((Change(day, row.text, row.is_here) for day, row in rows if day), key=lambda change: change.day)


def _ending(head: _Head, page: Page, body: Body, history: Sequence[Change]) -> Ending:
    """A notice ends nothing here: it speaks of the ruling's end, not of its own."""
    if head.number.suffix:
        return Ending()
    texts = [line for unit in body.units for line in unit.lines]
    notes = (*page.notes, *body.notes)
    return ending_of(head.number.ruling, "\n".join(head.lines), notes, texts, history)


def _days(
    path: Path, head: _Head, page: Page, body: Body, history: Sequence[Change], ending: Ending, saved_on: date
) -> Days:
    issued = _issued(head, body, history)
    on_effect = [unit.text for unit in body.units if _EFFECT.search(unit.heading)]
    others = [unit.text for unit in body.units if not _EFFECT.search(unit.heading)]
    effect = None if head.number.suffix else effect_of(on_effect, others, issued)
    days = days_of(ending, effect, issued, history, _version_day(page), saved_on)
    if isinstance(days, str):
        raise CorpusRejected(path, None, f"{head.number.code}: {days}")
    return days


def _issued(head: _Head, body: Body, history: Sequence[Change]) -> date | None:
    original = next((row.day for row in history if row.is_original), None)
    if original or (signed := first_day_in(body.signed)) is None:
        return original or _issued_in(head.lines)
    return signed


def _issued_in(texts: Iterable[str]) -> date | None:
    found = (match.group(1) for text in texts for match in _ISSUED.finditer(text))
    return next((day for said in found if (day := first_day_in(said))), None)


def _version_day(page: Page) -> date | None:
    try:
        return datetime.strptime(page.version_day, "%Y%m%d").date() if page.version_day else None  # noqa: DTZ007
    except ValueError:
        return None


# -- what is handed on


def _ledger(path: Path, page: Page, body: Body) -> Ledger:
    """Where every character of the document went. Raises CorpusRejected where too many are unaccounted for."""
    kept = sum(solid(unit.text) for unit in body.units) + body.headings - page.added.total()
    ledger = Ledger(page.read, kept, dict(page.dropped + body.dropped), dict(page.added))
    if ledger.share > MAX_UNEXPLAINED:
        raise CorpusRejected(
            path,
            None,
            f"{abs(ledger.unexplained):,} of the {ledger.read:,} characters of the document are not accounted for "
            f"({ledger.share:.1%}; at most {MAX_UNEXPLAINED:.1%}); the page has a form that is not known, so save "
            "its print view",
        )
    return ledger


def _records(head: _Head, page: Page, units: Sequence[Unit], days: Days, binds: bool) -> list[Record]:
    taken: Counter[str] = Counter()
    records = []
    for unit in units:
        section = unit.number or shortened(unit.heading, 80) or "Introduction"
        if unit.number and unit.appendix:
            section = f"Appendix {unit.number}" if unit.appendix == 1 else f"Appendix ({unit.appendix}) {unit.number}"
        name = section if unit.number and not unit.appendix else slug(section)
        taken[name] += 1
        again = f"~{taken[name]}" if taken[name] > 1 else ""
        records.append(
            Record(
                document_id=f"{head.number.prefix}/{name}{again}",
                dated=days.dated,
                instrument=head.number.code,
                instrument_title=shortened(f"{head.number.code} {head.title}".strip(), 400),
                compilation_number="",
                register_id=page.docid[:40],
                source_uri=f"{ADDRESS}{page.docid}" if page.docid else "",
                licence=LICENCE,
                section=section,
                schedule="",
                path=tuple(shortened(step, 400) for step in unit.path),
                heading=shortened(unit.heading or head.title or head.number.code, 600),
                kind="operative" if binds and unit.is_binding else "guide",
                text=unit.text,
                is_act=False,
                stated_from=days.starts,
                stated_to=days.ends,
            )
        )
    return records


def _origin(
    head: _Head, page: Page, days: Days, ending: Ending, binds: bool, ledger: Ledger, units: Sequence[Unit]
) -> Origin:
    number = head.number
    about = f"{number.notice_of} {number.ruling}, and not that document itself." if number.suffix else ""
    decoded = number_of_docid(page.docid)
    warnings = []
    if decoded is not None and decoded.ruling != number.ruling:
        warnings.append(f"the page is headed {number.code}, its address is of {decoded.code}; the heading was taken")
    if days.by == "its history of versions":
        warnings.append(f"the words before {days.starts.isoformat()} are in earlier versions; load them for those days")
    if ending.in_part:
        warnings.append("a part of it was withdrawn: which paragraphs is said in words only, so all of them are kept")
    if any(unit.appendix for unit in units):
        warnings.append("paragraph numbers begin again in an appendix")
    return Origin(
        kind=_KINDS[number.kind],
        licence=LICENCE,
        framework=RULINGS if binds else GUIDANCE,
        title_id=page.docid,
        stated=Stated(days.starts, days.ends, days.by, days.is_exhaustive),
        notice=about or ending.notice,
        superseded_by=ending.by if ending.state in (State.SUPERSEDED, State.WITHDRAWN) else "",
        ledger=ledger,
        warnings=tuple(warnings),
    )
