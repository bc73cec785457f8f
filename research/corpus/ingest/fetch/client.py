"""The Register asked: a title, its versions, the files of a version, one file.

Each answer is Found, Absent or NotChecked; nothing is raised for trouble upstream. How a request is made is
`transport.py`'s, what an answer says `answers.py`'s, which version to take `choose.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import quote

from research.corpus.ingest.fetch import answers
from research.corpus.ingest.fetch.answers import Collection, DocumentRow, RegisterUnclear, TitleRow, VersionRow
from research.corpus.ingest.fetch.hosts import RegisterHosts
from research.corpus.ingest.fetch.outcomes import Absent, Found, NotChecked
from research.corpus.ingest.fetch.partial import Partial
from research.corpus.ingest.fetch.transport import Arrived, Manners, Refused, Transport, TryLater
from research.law.instruments import KnownAct

T = TypeVar("T")
Row = TypeVar("Row")

PAGE_ROWS = 100  # the most that the Register gives; more is a 400
MAX_PAGES = 60  # the longest list known, the versions of ITAA97, has three
# Every list has an order that leaves no ties: without one, pages lose and repeat rows. Five fields at most.
VERSION_ORDER = "start,retrospectiveStart"
DOCUMENT_ORDER = "retrospectiveStart,rectificationVersionNumber,type,format,volumeNumber"


class RegisterClient:
    """Asks the Register, one request after another. A context manager; not for several threads at once."""

    def __init__(
        self,
        hosts: RegisterHosts | None = None,
        manners: Manners | None = None,
        *,
        contact: str = "",
        proxy: str | None = None,
        transport: Transport | None = None,
    ) -> None:
        """contact: who runs this AsAt, an e-mail or web address that the Register may turn to ("" leaves it out)."""
        agent = f"AsAt/0.1 (reads compilations as at a date{f'; {contact}' if contact else ''})"
        self._transport = transport or Transport(hosts or RegisterHosts(), manners or Manners(), agent, proxy=proxy)
        self.hosts = self._transport.hosts

    def __enter__(self) -> RegisterClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def title_of(self, act: KnownAct | str) -> Found[TitleRow] | Absent | NotChecked:
        """The title of an Act that AsAt knows, or of a title id; an Act whose id is not known is sought by its name."""
        if isinstance(act, KnownAct) and not act.title_id:
            return self.title_named(act.title)
        return self.title(act.title_id if isinstance(act, KnownAct) else act)

    def title(self, title_id: str) -> Found[TitleRow] | Absent | NotChecked:
        """The title of this id. Raises ValueError, before asking, for what cannot be one."""
        title_id = _checked(title_id)

        def ask() -> Found[TitleRow] | Absent:
            try:
                row = answers.title_row(self._json(f"Titles('{title_id}')"))
            except Refused as error:
                # Not there is a 404 or a 400, and overload is sometimes a 400 too: only an empty list says absent.
                if error.status not in (400, 404):
                    raise
                rows = self._list("Titles", f"id eq '{title_id}'", "id", answers.title_row, lambda row: row.title_id)
                if not rows:
                    return Absent(f"The Register has no title {title_id}.")
                row = rows[0]
            _same_title(row.title_id, title_id)
            return Found(row)

        return _outcome(ask)

    def title_named(self, name: str) -> Found[TitleRow] | Absent | NotChecked:
        """The Act that has, or once had, this name. An Act found by a former name has another now, and is accepted."""

        def ask() -> Found[TitleRow] | Absent | NotChecked:
            quoted = name.replace("'", "''")
            rows = self._list("Titles", f"contains(name,'{quoted}')", "id", answers.title_row, lambda row: row.title_id)
            acts = [row for row in rows if row.collection in (Collection.ACT, None)]
            same = [row for row in acts if _folded(row.name) == _folded(name)]
            once = [row for row in acts if _folded(name) in map(_folded, row.former_names)]
            for some in (same, once, acts):
                if len(some) == 1:
                    return Found(some[0])
            if not acts:
                return Absent(f"The Register has no Act by the name {name!r}, now or formerly.")
            several = ", ".join(f"{row.title_id} {row.name}" for row in (same or once or acts)[:5])
            return NotChecked(f"Several Acts answer to {name!r} ({several}); give the title id of the one meant.")

        return _outcome(ask)

    def versions(self, title_id: str) -> Found[Sequence[VersionRow]] | Absent | NotChecked:
        """All versions of a title, every page of them, or nothing. Raises ValueError for what is no title id."""
        title_id = _checked(title_id)

        def ask() -> Found[Sequence[VersionRow]] | Absent:
            rows = self._list(
                "Versions", f"titleId eq '{title_id}'", VERSION_ORDER, answers.version_row, lambda row: row.key
            )
            for row in rows:
                _same_title(row.title_id, title_id)
            return Found(rows) if rows else Absent(f"The Register lists no version of {title_id}.")

        return _outcome(ask)

    def documents(self, version: VersionRow) -> Found[Sequence[DocumentRow]] | NotChecked:
        """The files listed for the versions with this one's start, none being an empty list."""

        def ask() -> Found[Sequence[DocumentRow]]:
            where = f"titleId eq '{version.title_id}' and start eq {version.start}T00:00:00"
            rows = self._list("Documents", where, DOCUMENT_ORDER, answers.document_row, lambda row: row.key)
            for row in rows:
                _same_title(row.title_id, version.title_id)
                if row.start != version.start:
                    raise RegisterUnclear("start of a listed file", str(row.start), f"{version.start}, as asked")
            return Found(rows)

        return _outcome(ask)

    def file_address(self, document: DocumentRow, *, by_key: bool) -> str:
        """Where the bytes of a listed file are. by_key: by all of its key, where a day alone could mean another text.

        Every parameter is given: the Register calls three of them optional and answers 404 if one is left out.
        """
        kind, form = document.type, document.format
        if by_key:
            key = (
                f"titleId='{document.title_id}',start={document.start}T00:00:00,"
                f"retrospectiveStart={document.retrospective_start}T00:00:00,"
                f"rectificationVersionNumber={document.rectification},type='{kind}',"
                f"uniqueTypeNumber={document.unique_type_number},volumeNumber={document.volume},format='{form}'"
            )
            return f"{self.hosts.api}Documents({key})"
        return (
            f"{self.hosts.api}documents/find(titleid='{document.title_id}',asat={document.start},type='{kind}',"
            f"format='{form}',uniqueTypeNumber={document.unique_type_number},volumeNumber={document.volume},"
            f"rectificationVersionNumber={document.rectification})"
        )

    def file(self, address: str, partial: Partial) -> Found[Arrived] | NotChecked:
        """The bytes at an address of `file_address`. One that is listed and not there is not checked, never absent."""

        def ask() -> Found[Arrived]:
            try:
                return Found(self._transport.file(address, partial))
            except Refused as error:
                if error.status == 404:
                    raise Refused("it lists the file but does not have it yet; ask again tomorrow") from error
                raise

        return _outcome(ask)

    def _json(self, path: str) -> object:
        return self._transport.json(f"{self.hosts.api}{path}")

    def _list(
        self, entity: str, where: str, order: str, read: Callable[[object], Row], key: Callable[[Row], object]
    ) -> list[Row]:
        """Every row of a list, page by page. Raises RegisterUnclear rather than give a part of it.

        The Register's own link to the next page is not followed: it drops the filter.
        """
        found: dict[object, Row] = {}
        for _ in range(MAX_PAGES):
            query = f"$filter={quote(where, safe='')}&$orderby={quote(order, safe=',')}&$top={PAGE_ROWS}"
            page = self._json(f"{entity}?{query}&$skip={len(found)}")
            rows = [read(row) for row in answers.rows_of(page)]
            for row in rows:
                if found.setdefault(key(row), row) is not row:
                    raise RegisterUnclear(f"a row of {entity}", key(row), "each row once; the pages overlap")
            fields = answers.Fields.of(page, "the answer")
            if not rows or (len(rows) < PAGE_ROWS and not fields.get("@odata.nextLink")):
                counted = fields.count("@odata.count")
                if counted is not None and counted != len(found):
                    raise RegisterUnclear(f"the list of {entity}", len(found), f"{counted} rows, as it says itself")
                return list(found.values())
        raise RegisterUnclear(f"the list of {entity}", f"more than {MAX_PAGES} pages", "an end to it")


def _outcome(ask: Callable[[], T]) -> T | NotChecked:
    """What was asked, or why it could not be."""
    try:
        return ask()
    except TryLater as error:
        return NotChecked(f"The Register could not be asked: {error}. Try again later.")
    except Refused as error:
        return NotChecked(f"The Register did not answer: {error}.")
    except RegisterUnclear as error:
        return NotChecked(f"The Register's answer is not clear: {error}.")


def _checked(title_id: str) -> str:
    if not answers.TITLE_ID.fullmatch(title_id):
        raise ValueError(f"{title_id!r} is not a title id; give one like C2004A05138.")
    return title_id


def _same_title(found: str, wanted: str) -> None:
    if found != wanted:
        raise RegisterUnclear("the title of the answer", found, f"{wanted}, as asked")


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
