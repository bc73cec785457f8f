"""What is on the tests' Register, and how it answers questions about it: the real one's shapes, limits and traps.

`register.py` serves it over HTTP. What is on it is made up by the test: `Title`s with `Version`s, and for each version
the bytes of its EPUB. It answers as the Register is known to answer, silently wrong ones included.
"""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum, auto
from typing import Any

MOST_ROWS = 100
ROWS_UNASKED = 510  # a page without $top
STATUSES = ("InForce", "Ceased", "Repealed", "NeverEffective")
TYPES = ("Primary", "ES", "SupportingMaterial", "IncorporatedByReference", "", "SupplementaryES")
FORMATS = ("", "Word", "Pdf", "Epub", "NameOnly")
SHELL = (
    b'<!doctype html><html lang="en"><head><title>Federal Register of Legislation</title></head>'
    b"<body><frl-root></frl-root><noscript>Please turn on JavaScript.</noscript></body></html>"
)


def small_epub(words: str) -> bytes:
    """A whole, tiny EPUB that says `words`: for tests that fetch files and do not read them.

    The same words are the same bytes: no member carries the time at which it was made.
    """
    packed = io.BytesIO()
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": "<container/>",
        "OEBPS/document_1/document_1.html": f"<html><body><p>{words}</p></body></html>",
    }
    with zipfile.ZipFile(packed, "w") as epub:
        for name, text in members.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            epub.writestr(zipfile.ZipInfo(name), text, kind)
    return packed.getvalue()


@dataclass(slots=True)
class Version:
    """A law from `start` on. register_id None: an amendment marker, which has no text.

    end None: until the next start, if one is later. epub: by rectification number; empty for none published, and
    {0: None} for one that is listed and not yet rendered. others: formats that are listed beside it.
    """

    start: date
    register_id: str | None = None
    compilation_number: str | None = None
    end: date | None = None
    retrospective_start: date | None = None
    epub: Mapping[int, bytes | None] = field(default_factory=dict)
    others: Sequence[str] = ("Word", "Pdf")
    has_unincorporated_amendments: bool = False
    amended_by: str = ""
    listed_as: str | None = None  # the register id in its list of files, if another

    @property
    def viewed_from(self) -> date:
        return self.retrospective_start or self.start


@dataclass(slots=True)
class Title:
    """A law. as_envelope: its files come as base64 in JSON; else as bare bytes. Nobody can choose which."""

    title_id: str
    name: str
    versions: Sequence[Version]
    former_names: Sequence[str] = ()
    collection: str = "Act"
    status: str = "InForce"
    as_envelope: bool = False
    has_commenced_unincorporated_amendments: bool = False

    def end_of(self, version: Version) -> date | None:
        later = (other.start for other in self.versions if other.start > version.start)
        return version.end or min(later, default=None)


class Trouble(StrEnum):
    """Ways to misbehave once."""

    STATUS = auto()  # `status`, with `headers`
    UNAVAILABLE = auto()  # 200, with a line of text
    SHELL = auto()  # 200, with a page of the site
    REDIRECT = auto()  # to `location`
    OVERSIZE = auto()  # more zeros than anyone takes
    OVERSIZE_UNTOLD = auto()  # the same without saying how many
    DRIP = auto()  # the body a byte at a time
    DRIP_HEADERS = auto()  # the headers a byte at a time
    RESET = auto()  # the connection is reset in mid-body
    CUT_SHORT = auto()  # half the bytes, as if they were all
    OTHER_TITLE = auto()  # the right shape with another title's id
    NOT_JSON = auto()
    OTHER_FILE = auto()  # the bytes of another version
    NO_BYTES = auto()  # an envelope that describes the file without it
    NOT_BASE64 = auto()
    WRONG_SIZE = auto()  # an envelope whose sizeInBytes is not so
    OTHER_RANGE = auto()  # a part of the file that begins before the byte asked for
    REPEATS_A_ROW = auto()  # a page that begins with the row the last one ended with


@dataclass(slots=True)
class Order:
    """A trouble for the next `times` requests whose path holds `on`."""

    trouble: Trouble
    on: str = ""
    times: int = 1
    status: int = 503
    headers: Mapping[str, str] = field(default_factory=dict)
    location: str = ""


@dataclass(slots=True)
class Answer:
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


def _moment(day: date) -> str:
    return f"{day}T00:00:00.0000000"


def _bare(status: int) -> Answer:
    return Answer(status, b"", "text/plain")


def _bad(message: str) -> Answer:
    return Answer(400, json.dumps({"error": {"code": "", "message": message}}).encode())


class Catalogue:
    """Answers questions in the Register's language, over the titles given."""

    def __init__(self, titles: Sequence[Title], order: Order | None) -> None:
        self.titles, self.order = titles, order

    def answer(self, path: str) -> Answer:
        """path: below /v1/, decoded."""
        resource, _, query = path.partition("?")
        options = dict(part.partition("=")[::2] for part in query.split("&$") if part)
        options = {name.lstrip("$"): value for name, value in options.items()}
        function = re.fullmatch(r"(\w+)(/\w+)?\((.*)\)", resource)
        if function:
            name = f"{function[1]}{function[2] or ''}".casefold()
            return self._called(name, function[3])
        lists = {"titles": self._title_rows, "versions": self._version_rows, "documents": self._document_rows}
        rows_of = lists.get(resource.casefold())
        return self._listed(rows_of(), options) if rows_of else _bare(404)

    def _called(self, name: str, inside: str) -> Answer:
        if name == "titles":
            return self._title(inside.strip("'"))
        given = {key.casefold(): value.strip("'") for key, _, value in (p.partition("=") for p in inside.split(","))}
        if any(value.endswith("Z") for value in given.values()):
            return _bad("The literal is not a date and time that the function takes.")
        if name == "versions/find":
            return self._found_version(given)
        if name in ("documents/find", "documents"):
            return self._file(given, by_key=name == "documents")
        return _bare(404)

    def _title(self, title_id: str) -> Answer:
        for row in self._title_rows():
            if row["id"] == title_id:
                return Answer(200, json.dumps(row).encode())
        return _bad("The title is not known.") if re.fullmatch(r"[CF]\d{4}[A-Z]\d{5}", title_id) else _bare(404)

    # --- lists -------------------------------------------------------------------------------------------------------

    def _title_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "id": title.title_id,
                "name": title.name,
                "collection": title.collection,
                "isPrincipal": True,
                "isInForce": title.status == "InForce",
                "status": title.status,
                "nameHistory": [{"name": name, "start": None} for name in title.former_names],
                "hasCommencedUnincorporatedAmendments": title.has_commenced_unincorporated_amendments,
            }
            for title in self.titles
        ]

    def _version_rows(self) -> list[dict[str, Any]]:
        rows = [self._version_row(title, version) for title in self.titles for version in title.versions]
        if self.order and self.order.trouble is Trouble.OTHER_TITLE:
            rows = [{**row, "titleId": "C2004A00001", "asked": row["titleId"]} for row in rows]
        return rows

    def _version_row(self, title: Title, version: Version) -> dict[str, Any]:
        end = title.end_of(version)
        texts = [v for v in title.versions if v.register_id]
        reason = {"affect": "Amend", "affectedByTitle": {"titleId": "C2020A00009", "name": version.amended_by}}
        return {
            "titleId": title.title_id,
            "start": _moment(version.start),
            "retrospectiveStart": _moment(version.viewed_from),
            "end": _moment(end) if end else None,
            "isCurrent": end is None and title.status == "InForce",
            "isLatest": bool(texts) and version is texts[-1],
            "name": title.name,
            "status": title.status,
            "registerId": version.register_id,
            "compilationNumber": version.compilation_number,
            "registeredAt": f"{version.viewed_from}T13:40:38.9539588",
            "hasUnincorporatedAmendments": version.has_unincorporated_amendments,
            "reasons": [reason] if version.amended_by else [],
        }

    def _document_rows(self) -> list[dict[str, Any]]:
        return [row for title in self.titles for version in title.versions for row in _files_of(title, version)]

    def _listed(self, rows: list[dict[str, Any]], options: Mapping[str, str]) -> Answer:
        where, top, skip = options.get("filter", ""), options.get("top"), int(options.get("skip", "0"))
        if top is not None and int(top) > MOST_ROWS:
            return _bad("The limit of '100' for Top query has been exceeded.")
        inside = re.fullmatch(r"contains\(name,'(.*)'\)", where)
        if inside and "'" in inside[1].replace("''", ""):
            return _bad("There is an unterminated string literal in the filter.")
        if "isPrincipal" in where or "Z" in re.findall(r"T00:00:00(\w?)", where):
            return _bad("The query specified in the URI is not valid.")
        order = options.get("orderby", "").split(",") if options.get("orderby") else []
        if len(order) > 5:
            return _bad("The limit of '5' for OrderBy query has been exceeded.")
        every = rows
        rows = [row for row in rows if _passes(row, where)]
        if order:
            rows.sort(key=lambda row: [_sortable(row[name.split()[0]]) for name in order])
            if order[0].endswith(" desc"):
                rows.reverse()
        else:  # no order: each page deals the rows anew, so that some are lost and some come twice
            rows = rows[skip % 7 :] + rows[: skip % 7]
        size = int(top) if top is not None else ROWS_UNASKED
        if self.order and self.order.trouble is Trouble.REPEATS_A_ROW:
            skip = max(0, skip - 1)
        answer: dict[str, Any] = {"@odata.context": "…/$metadata", "value": rows[skip : skip + size]}
        if top is None and len(rows) > skip + size:
            answer["@odata.nextLink"] = f"?$skip={skip + size}"  # the filter is gone from it: it leads to all rows
            assert len(every) >= len(rows)
        return Answer(200, json.dumps(answer).encode())

    # --- functions ---------------------------------------------------------------------------------------------------

    def _found_version(self, given: Mapping[str, str]) -> Answer:
        """By a day: PascalCase names and ordinals; by `asAtSpecification`: as in lists. A bare object both times."""
        for title in self.titles:
            if title.title_id != given.get("titleid"):
                continue
            if "asatspecification" in given:
                texts = [version for version in title.versions if version.register_id]
                row = self._version_row(title, texts[-1])
                return Answer(200, json.dumps(row).encode())
            try:
                day = date.fromisoformat(given.get("asat", "")[:10])
            except ValueError:
                return _bare(404)
            for version in reversed(title.versions):
                end = title.end_of(version)
                if version.start <= day and (end is None or day < end):
                    row = self._version_row(title, version)
                    pascal = {name[0].upper() + name[1:]: value for name, value in row.items()}
                    pascal["Status"] = STATUSES.index(title.status)
                    return Answer(200, json.dumps(pascal).encode())
        return _bare(404)

    def _file(self, given: Mapping[str, str], *, by_key: bool) -> Answer:
        needed = ["titleid", "type", "format", "uniquetypenumber", "volumenumber", "rectificationversionnumber"]
        needed += ["start", "retrospectivestart"] if by_key else ["asat"]
        if any(name not in given for name in needed):
            return _bare(404)  # just as for a document that does not exist
        for title in self.titles:
            if title.title_id != given["titleid"]:
                continue
            for version in title.versions:
                if by_key:
                    same = (given["start"][:10], given["retrospectivestart"][:10]) == (
                        str(version.start),
                        str(version.viewed_from),
                    )
                else:
                    end, day = title.end_of(version), given["asat"][:10]
                    same = str(version.start) <= day and (end is None or day < str(end))
                if not same or (given["type"], given["format"], given["volumenumber"]) != ("Primary", "Epub", "0"):
                    continue
                found = version.epub.get(int(given["rectificationversionnumber"]))
                return self._sent(title, version, found) if found else _bare(404)
        return _bare(404)

    def _sent(self, title: Title, version: Version, plain: bytes) -> Answer:
        trouble = self.order.trouble if self.order else None
        if trouble is Trouble.OTHER_FILE:
            version = next(v for v in title.versions if v.register_id != version.register_id and v.epub)
            plain = next(epub for epub in version.epub.values() if epub)
        name = f"{version.register_id}.epub"
        if not title.as_envelope:
            disposition = {"Content-Disposition": f"attachment; filename={name}"}
            return Answer(200, plain, "application/octet-stream", disposition)
        packed = base64.b64encode(plain).decode()
        envelope: dict[str, Any] = {
            "titleId": title.title_id,
            "registerId": version.register_id,
            "fileName": name,
            "extension": ".epub",
            "sizeInBytes": len(plain) + (1 if trouble is Trouble.WRONG_SIZE else 0),
            "isAuthorised": False,
            "bytes": f"{packed[:-8]}\n*{packed[-8:]}" if trouble is Trouble.NOT_BASE64 else packed,
        }
        if trouble is Trouble.NO_BYTES:
            del envelope["bytes"]
        return Answer(200, json.dumps(envelope).encode())


def _files_of(title: Title, version: Version) -> list[dict[str, Any]]:
    if version.register_id is None:
        return []
    base = {
        "titleId": title.title_id,
        "start": _moment(version.start),
        "retrospectiveStart": _moment(version.viewed_from),
        "rectificationVersionNumber": 0,
        "type": "Primary",
        "uniqueTypeNumber": 0,
        "volumeNumber": 0,
        "registerId": version.listed_as or version.register_id,
        "compilationNumber": version.compilation_number,
        "sizeInBytes": 1234,
    }
    rows = [
        {**base, "format": "Epub", "rectificationVersionNumber": number, "sizeInBytes": len(plain) if plain else None}
        for number, plain in version.epub.items()
    ]
    return rows + [{**base, "format": form, "volumeNumber": 1} for form in version.others]


def _passes(row: Mapping[str, Any], where: str) -> bool:
    """OData filters as far as they are used: `name eq value` joined by `and`, and `contains(name,'…')`."""
    contains = re.fullmatch(r"contains\(name,'(.*)'\)", where)
    if contains:  # it sees former names too
        sought = contains[1].replace("''", "'").casefold()
        names = [row["name"], *(entry["name"] for entry in row.get("nameHistory", ()))]
        return any(sought in name.casefold() for name in names)
    for part in filter(None, where.split(" and ")):
        name, _, value = part.partition(" eq ")
        value = value.strip("'")
        own = row.get("asked", row[name]) if name == "titleId" else row[name]
        if str(own).removesuffix(".0000000") != value:
            return False
    return True


def _sortable(value: Any) -> Any:
    """Enumerations sort by their ordinals, as in the Register's database."""
    for members in (TYPES, FORMATS):
        if value in members:
            return (0, members.index(value))
    return (1, value)
