"""Fetching: an Act's text as at some days, or all of its compilations since one, each file once, a line for each.

The road of a fetch on one page: title, versions, choice, listed files, held already or downloaded, checked, kept. The
steps are in the modules beside this one. A list that is not whole stops the fetch: from a part of it a wrong version
would be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from zoneinfo import ZoneInfo

from research.corpus.ingest.fetch.answers import DocumentRow, TitleRow, VersionRow
from research.corpus.ingest.fetch.choose import (
    Chosen,
    NoText,
    choose,
    in_order,
    text_not_current_from,
    whole_epub,
)
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.files import Wanted, WrongFile, epub_in
from research.corpus.ingest.fetch.outcomes import Absent, NotChecked
from research.corpus.ingest.fetch.partial import Partial
from research.corpus.ingest.fetch.shelf import SameBytes, Shelf, ShelfInUse
from research.corpus.ingest.origin import Fetched
from research.law.instruments import KnownAct

GIVE_UP_AFTER = 3  # files in a row that could not be had: the Register is down, and each of them was retried already
_CANBERRA = ZoneInfo("Australia/Sydney")  # the same time, by the name that every zone database has


class Outcome(StrEnum):
    """What became of one day or one compilation. Each value begins a line of the report."""

    FETCHED = "fetched"
    HELD = "held already"
    NO_TEXT = "no text published"
    ABSENT = "absent"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class FetchReport:
    """One line. day: the one asked for, None where all compilations were. reason: a sentence, "" where all is well.

    fetched, path: the file, where there is one. register_id, starts: of the version the line is about, where known.
    text_not_current_from: set if the file may not be the law of the day asked for, with the first such day.
    """

    outcome: Outcome
    title_id: str
    day: date | None = None
    register_id: str = ""
    starts: date | None = None
    fetched: Fetched | None = None
    path: Path | None = None
    text_not_current_from: date | None = None
    reason: str = ""

    @property
    def is_there(self) -> bool:
        return self.outcome in (Outcome.FETCHED, Outcome.HELD)

    def __str__(self) -> str:
        about = [self.title_id, f"as at {self.day}" if self.day else "", self.register_id]
        if self.starts:
            about.append(f"in force from {self.starts}")
        return f"{self.outcome}: {' '.join(filter(None, about))}{f'. {self.reason}' if self.reason else ''}"


def now_in_utc() -> datetime:
    return datetime.now(UTC)


def no_telling(report: FetchReport) -> None:
    """What `tell` is where nobody listens."""


def fetch_as_at(
    client: RegisterClient,
    act: KnownAct | str,
    days: Sequence[date],
    folder: Path,
    known_on: date,
    *,
    now: Callable[[], datetime] = now_in_utc,
    tell: Callable[[FetchReport], None] = no_telling,
) -> list[FetchReport]:
    """The text in force on each day, as known on `known_on`, kept in `folder`; a line for each day, in their order.

    act: one that AsAt knows, or a title id. tell: called with each line as soon as it is known. Raises ValueError,
    before anything is asked, for what is not a title id.
    """
    asked = list(dict.fromkeys(days))

    def each(fetching: _Fetching) -> Iterator[FetchReport]:
        for day in asked:
            yield fetching.as_at(day, known_on)

    return _fetch(client, act, folder, now, tell, asked, each)


def fetch_all(
    client: RegisterClient,
    act: KnownAct | str,
    since: date,
    folder: Path,
    *,
    now: Callable[[], datetime] = now_in_utc,
    tell: Callable[[FetchReport], None] = no_telling,
) -> list[FetchReport]:
    """Every version in force on `since` or later, retrospective accounts too, oldest first; a line for each.

    A version without a text has its line as well. Otherwise as `fetch_as_at`.
    """

    def each(fetching: _Fetching) -> Iterator[FetchReport]:
        wanted = [row for row in in_order(fetching.rows, date.max) if row.end is None or row.end > since]
        if not wanted:
            reason = f"The last version of it ended before {since}."
            yield FetchReport(Outcome.ABSENT, fetching.title.title_id, reason=reason)
        for row in wanted:
            yield fetching.version(row)

    return _fetch(client, act, folder, now, tell, [None], each)


def _fetch(
    client: RegisterClient,
    act: KnownAct | str,
    folder: Path,
    now: Callable[[], datetime],
    tell: Callable[[FetchReport], None],
    days: Iterable[date | None],
    each: Callable[[_Fetching], Iterator[FetchReport]],
) -> list[FetchReport]:
    """The lines of `each`, all told; or for every day the reason for which nothing can be said of the title."""
    shelf, named = Shelf(folder), (act.title_id or act.code) if isinstance(act, KnownAct) else act
    reports = []
    try:
        with shelf.alone():
            begun = _begin(client, act, shelf, now)
            lines = each(begun) if isinstance(begun, _Fetching) else (_none(named, day, begun) for day in days)
            for report in lines:
                tell(report)
                reports.append(report)
    except ShelfInUse as error:
        reports = [_none(named, day, NotChecked(f"{error}.")) for day in days]
        for report in reports:
            tell(report)
    return reports


def _begin(
    client: RegisterClient, act: KnownAct | str, shelf: Shelf, now: Callable[[], datetime]
) -> _Fetching | Absent | NotChecked:
    title = client.title_of(act)
    if isinstance(title, Absent | NotChecked):
        return title
    versions = client.versions(title.value.title_id)
    if isinstance(versions, Absent | NotChecked):
        return versions
    return _Fetching(client, shelf, title.value, versions.value, now)


def _none(title_id: str, day: date | None, why: Absent | NotChecked) -> FetchReport:
    outcome = Outcome.ABSENT if isinstance(why, Absent) else Outcome.NOT_CHECKED
    return FetchReport(outcome, title_id, day, reason=why.reason)


@dataclass(slots=True)
class _Fetching:
    """One fetch of one title: what the Register says of it, and where its files go."""

    client: RegisterClient
    shelf: Shelf
    title: TitleRow
    rows: Sequence[VersionRow]
    now: Callable[[], datetime]
    in_vain: int = 0

    def as_at(self, day: date, known_on: date) -> FetchReport:
        """The line for the text in force on a day."""
        if day > known_on:
            reason = f"The law of a day after {known_on} is not known yet."
            return _none(self.title.title_id, day, NotChecked(reason))
        choice = choose(self.rows, day, known_on)
        if isinstance(choice, Absent):
            return _none(self.title.title_id, day, choice)
        if isinstance(choice, NoText):
            return replace(self.version(choice.in_force), day=day)
        line = self.version(choice.row)
        reason = " ".join(filter(None, (line.reason, _behind(choice) if line.is_there else "")))
        return replace(line, day=day, text_not_current_from=choice.text_not_current_from, reason=reason)

    def version(self, row: VersionRow) -> FetchReport:
        """The line for one version: its text held already, fetched now, or why there is none."""
        line = FetchReport(Outcome.NOT_CHECKED, row.title_id, register_id=row.register_id or "", starts=row.start)
        if row.register_id is None:
            by = f" by {', '.join(row.amended_by)}" if row.amended_by else ""
            reason = f"An amendment{by} commenced on {row.start}, and no text with it is published yet."
            return replace(line, outcome=Outcome.NO_TEXT, reason=reason)
        if self.in_vain >= GIVE_UP_AFTER:
            reason = f"Not tried: {GIVE_UP_AFTER} files in a row before it could not be had."
            return replace(line, reason=reason)
        report = self._text(row, line)
        self.in_vain = self.in_vain + 1 if report.outcome is Outcome.NOT_CHECKED else 0
        return report

    def _text(self, row: VersionRow, line: FetchReport) -> FetchReport:
        listed = self.client.documents(row)
        if isinstance(listed, NotChecked):
            return replace(line, reason=listed.reason)
        document = whole_epub(listed.value, row)
        if isinstance(document, Absent):
            return replace(line, outcome=Outcome.NO_TEXT, reason=document.reason)
        if document.register_id not in (None, row.register_id):
            reason = f"The file listed for {row.register_id} is named {document.register_id}; one of them is wrong."
            return replace(line, reason=reason)
        held = self.shelf.held(row, document.rectification)
        if held is not None:
            fetched = self._described_anew(held, row, document)
            self.shelf.describe(fetched)
            return replace(line, outcome=Outcome.HELD, fetched=fetched, path=self.shelf.path_of(fetched))
        return self._download(row, document, line)

    def _download(self, row: VersionRow, document: DocumentRow, line: FetchReport) -> FetchReport:
        # A day finds one text of those that start on it; which one, when a later Act changed the past, is not known.
        accounts = [other for other in self.rows if other.start == row.start and other.register_id]
        by_key = len(accounts) > 1 or row.is_retrospective
        address = self.client.file_address(document, by_key=by_key)
        arrived = self.client.file(address, Partial(self.shelf.partials, address))
        if isinstance(arrived, NotChecked):
            return replace(line, reason=arrived.reason)
        try:
            wanted = Wanted(row.title_id, row.register_id or "", document.size_bytes)
            epub = epub_in(arrived.value, wanted)
            described = self._described(row, document)
            more = {"fetched_from": address}
            named = arrived.value.file_name or document.file_name
            fetched = self.shelf.keep(epub, replace(described, file_name=named or described.file_name, more=more))
        except (WrongFile, SameBytes) as error:
            return replace(line, reason=f"The Register did not answer with the text: {error}. Nothing of it was kept.")
        return replace(line, outcome=Outcome.FETCHED, fetched=fetched, path=self.shelf.path_of(fetched))

    def _described(self, row: VersionRow, document: DocumentRow) -> Fetched:
        """What the Register says today of a text; digest and size are the file's own and still to be set."""
        moment = self.now()
        today = moment.astimezone(_CANBERRA).date()
        return Fetched(
            sha256="",
            file_name=f"{row.register_id}.epub",
            title_id=row.title_id,
            title=row.name or self.title.name,
            register_id=row.register_id or "",
            compilation_number=row.compilation_number or "",
            starts=row.start,
            ends=row.end,
            checked_on=today,
            source_uri=self.client.hosts.page_of(row.title_id, *row.key, document.rectification),
            size_bytes=0,
            fetched_at=moment,
            retrospective_start=row.retrospective_start if row.is_retrospective else None,
            rectification=document.rectification,
            text_not_current_from=text_not_current_from(row, in_order(self.rows, today)),
        )

    def _described_anew(self, held: Fetched, row: VersionRow, document: DocumentRow) -> Fetched:
        """A kept file with what the Register says of it today: its end, once open, may be known by now."""
        return replace(
            self._described(row, document),
            sha256=held.sha256,
            file_name=held.file_name,
            size_bytes=held.size_bytes,
            fetched_at=held.fetched_at,
            more=held.more,
        )


def _behind(choice: Chosen) -> str:
    """Why the text chosen may not be the law of the day, "" if nothing says so."""
    if choice.unpublished:
        by = f" (amended since by {', '.join(choice.amended_by)})" if choice.amended_by else ""
        return (
            f"The version in force on that day has no text published yet. This is the last one before it, "
            f"not current from {choice.text_not_current_from} on{by}."
        )
    if choice.text_not_current_from:
        return "The Register says that amendments have commenced which are not in this text, and not from which day."
    return ""
