"""The Register's JSON, read into values: a title, its versions, their documents.

Pure. Which version to take is `choose.py`'s, asking is `client.py`'s. One endpoint writes `titleId` and "InForce", the
next `TitleId` and 0: both are read here and nowhere else. What cannot be read raises RegisterUnclear, so that a change
of the Register's is noticed and not guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar

TITLE_ID = re.compile(r"[CF]\d{4}[A-Z]\d{5}", re.ASCII)
REGISTER_ID = re.compile(r"[A-Z]\d{4}[A-Z]\d{5,6}", re.ASCII)
_Member = TypeVar("_Member", bound=StrEnum)
_MOMENT = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:T(?P<time>\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?)(?P<zone>Z|[+-]\d\d:\d\d)?)?", re.ASCII
)


class RegisterUnclear(Exception):
    """An answer that is not as the Register's answers are known to be: what was found, what was wanted."""

    def __init__(self, what: str, found: object, wanted: str) -> None:
        shown = repr(found)
        shown = f"{shown[:120]}…" if len(shown) > 120 else shown
        super().__init__(f"{what} is {shown}; wanted {wanted}")


class Collection(StrEnum):
    ACT = "Act"
    LEGISLATIVE_INSTRUMENT = "LegislativeInstrument"
    NOTIFIABLE_INSTRUMENT = "NotifiableInstrument"
    ADMINISTRATIVE_ARRANGEMENTS_ORDER = "AdministrativeArrangementsOrder"
    CONSTITUTION = "Constitution"
    CONTINUED_LAW = "ContinuedLaw"
    GAZETTE = "Gazette"
    PREROGATIVE_INSTRUMENT = "PrerogativeInstrument"


class Status(StrEnum):
    IN_FORCE = "InForce"
    CEASED = "Ceased"
    REPEALED = "Repealed"
    NEVER_EFFECTIVE = "NeverEffective"


class DocumentType(StrEnum):
    PRIMARY = "Primary"
    ES = "ES"
    SUPPORTING_MATERIAL = "SupportingMaterial"
    INCORPORATED_BY_REFERENCE = "IncorporatedByReference"
    SUPPLEMENTARY_ES = "SupplementaryES"


class Format(StrEnum):
    WORD = "Word"
    PDF = "Pdf"
    EPUB = "Epub"
    NAME_ONLY = "NameOnly"


# The ordinals that some endpoints send in place of names. Document types have no 4, formats no 0.
COLLECTIONS = dict(enumerate(Collection))
STATUSES = dict(enumerate(Status))
DOCUMENT_TYPES = dict(zip((0, 1, 2, 3, 5), DocumentType, strict=True))
FORMATS = dict(enumerate(Format, start=1))


@dataclass(frozen=True, slots=True)
class TitleRow:
    """A law. former_names: those it once had. None where the answer does not say."""

    title_id: str
    name: str
    collection: Collection | None
    status: Status | None
    is_in_force: bool | None
    former_names: tuple[str, ...] = ()
    has_commenced_unincorporated_amendments: bool = False


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A law as it stood from start until before end, None being no end known.

    retrospective_start: since when this has been the account of it; later than start for a retrospective one.
    register_id: None marks an amendment that has commenced and whose text is not published. amended_by: titles of the
    Acts and instruments that made it. None of a flag: the answer does not say.
    """

    title_id: str
    start: date
    retrospective_start: date
    end: date | None = None
    register_id: str | None = None
    compilation_number: str | None = None
    name: str = ""
    status: Status | None = None
    is_current: bool | None = None
    is_latest: bool | None = None
    has_unincorporated_amendments: bool = False
    amended_by: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[date, date]:
        """What tells it from the title's other versions, and the order they come in."""
        return (self.start, self.retrospective_start)

    @property
    def is_retrospective(self) -> bool:
        """Whether this account of the law was made after the day on which it begins."""
        return self.retrospective_start > self.start

    def covers(self, day: date) -> bool:
        """Whether `day` lies in its window; end is the first day of the next."""
        return self.start <= day and (self.end is None or day < self.end)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A file that the Register lists for a version. size_bytes: None where it does not say."""

    title_id: str
    start: date
    retrospective_start: date
    type: DocumentType
    format: Format
    volume: int
    rectification: int = 0
    unique_type_number: int = 0
    register_id: str | None = None
    size_bytes: int | None = None
    file_name: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from the title's other files."""
        own = (self.rectification, self.type, self.unique_type_number, self.volume, self.format)
        return (self.start, self.retrospective_start, *own)


def day_of(value: object, what: str = "the date") -> date:
    """The Australian day that the Register names: `2024-10-14`, `2024-10-14T00:00:00`, up to 7 digits of a second.

    No zone is sent, and nothing is converted. A zone with another hour than midnight could name two days: unclear.
    """
    match = _MOMENT.fullmatch(value) if isinstance(value, str) else None
    wanted = "a date like 2024-10-14T00:00:00, without zone"
    if match is None or (match["zone"] and not re.fullmatch(r"[0:.]+", match["time"])):
        raise RegisterUnclear(what, value, wanted)
    try:
        return date.fromisoformat(match["day"])
    except ValueError as error:
        raise RegisterUnclear(what, value, f"{wanted}, that the calendar has") from error


def rows_of(answer: object) -> Sequence[object]:
    """The rows of one page of a list."""
    rows = Fields.of(answer, "the answer").get("value")
    if not isinstance(rows, list):
        raise RegisterUnclear("value of the answer", rows, "a list of rows")
    return rows


def title_row(answer: object) -> TitleRow:
    """One title, out of a list or by its key."""
    fields = Fields.of(answer, "the title")
    history = fields.get("nameHistory") or []
    if not isinstance(history, list):
        raise RegisterUnclear("nameHistory of the title", history, "a list")
    former = [Fields.of(entry, "a former name").text("name") for entry in history]
    name = fields.text("name")
    return TitleRow(
        title_id=fields.matching("id", TITLE_ID, "a title id like C2004A05138"),
        name=name,
        collection=fields.member("collection", COLLECTIONS),
        status=fields.member("status", STATUSES),
        is_in_force=fields.flag("isInForce"),
        former_names=tuple(dict.fromkeys(old for old in former if old != name)),
        has_commenced_unincorporated_amendments=fields.flag("hasCommencedUnincorporatedAmendments") or False,
    )


def version_row(answer: object) -> VersionRow:
    """One version, out of a list (camelCase, names) or from `Versions/Find(asAt)` (PascalCase, ordinals)."""
    fields = Fields.of(answer, "the version")
    start = fields.day("start")
    end = fields.day_or_none("end")
    if end is not None and end < start:
        raise RegisterUnclear(f"end of the version that starts on {start}", str(end), "a day that is not before it")
    return VersionRow(
        title_id=fields.matching("titleId", TITLE_ID, "a title id like C2004A05138"),
        start=start,
        retrospective_start=fields.day_or_none("retrospectiveStart") or start,
        end=end,
        register_id=fields.matching_or_none("registerId", REGISTER_ID, "a register id like C2024C00545, or null"),
        compilation_number=fields.number_as_text("compilationNumber"),
        name=fields.text_or_empty("name"),
        status=fields.member("status", STATUSES),
        is_current=fields.flag("isCurrent"),
        is_latest=fields.flag("isLatest"),
        has_unincorporated_amendments=fields.flag("hasUnincorporatedAmendments") or False,
        amended_by=_amending(fields.get("reasons")),
    )


def document_row(answer: object) -> DocumentRow:
    """One listed file."""
    fields = Fields.of(answer, "the document")
    kind, form = fields.member("type", DOCUMENT_TYPES), fields.member("format", FORMATS)
    if kind is None or form is None:
        raise RegisterUnclear("type or format of the document", None, "both to be given")
    start = fields.day("start")
    return DocumentRow(
        title_id=fields.matching("titleId", TITLE_ID, "a title id like C2004A05138"),
        start=start,
        retrospective_start=fields.day_or_none("retrospectiveStart") or start,
        type=kind,
        format=form,
        volume=fields.count("volumeNumber") or 0,
        rectification=fields.count("rectificationVersionNumber") or 0,
        unique_type_number=fields.count("uniqueTypeNumber") or 0,
        register_id=fields.matching_or_none("registerId", REGISTER_ID, "a register id like C2024C00545, or null"),
        size_bytes=fields.count("sizeInBytes"),
        file_name=fields.text_or_empty("fileName"),
    )


def _amending(reasons: object) -> tuple[str, ...]:
    """Names of the titles that made a version; the reasons' provisions are the amending Act's items, so are left."""
    found = []
    for reason in reasons if isinstance(reasons, list) else []:
        by = Fields.of(reason, "a reason").get("affectedByTitle")
        if isinstance(by, dict):
            found.append(Fields.of(by, "the amending title").text_or_empty("name"))
    return tuple(dict.fromkeys(name for name in found if name))


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object, titleId and TitleId being one name; a value is read by the type it must have."""

    what: str
    plain: Mapping[str, object]

    @classmethod
    def of(cls, answer: object, what: str) -> Fields:
        if not isinstance(answer, dict):
            raise RegisterUnclear(what, answer, "a JSON object")
        folded: dict[str, object] = {}
        for name, value in answer.items():
            if folded.setdefault(name.casefold(), value) != value:
                raise RegisterUnclear(f"{name} of {what}", value, "one value for a name, in whatever case of letters")
        return cls(what, folded)

    def get(self, name: str) -> object:
        return self.plain.get(name.casefold())

    def text(self, name: str) -> str:
        value = self.text_or_empty(name)
        if not value:
            raise RegisterUnclear(f"{name} of {self.what}", self.get(name), "some text")
        return value

    def text_or_empty(self, name: str) -> str:
        value = self.get(name)
        if value is not None and not isinstance(value, str):
            raise RegisterUnclear(f"{name} of {self.what}", value, "text or null")
        return " ".join((value or "").split())

    def matching(self, name: str, pattern: re.Pattern[str], wanted: str) -> str:
        value = self.text(name)
        if not pattern.fullmatch(value):
            raise RegisterUnclear(f"{name} of {self.what}", value, wanted)
        return value

    def matching_or_none(self, name: str, pattern: re.Pattern[str], wanted: str) -> str | None:
        return self.matching(name, pattern, wanted) if self.text_or_empty(name) else None

    def flag(self, name: str) -> bool | None:
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise RegisterUnclear(f"{name} of {self.what}", value, "true, false or null")
        return value

    def count(self, name: str) -> int | None:
        value = self.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise RegisterUnclear(f"{name} of {self.what}", value, "a whole number, not negative, or null")
        return value

    def number_as_text(self, name: str) -> str | None:
        """A compilation number: text, a whole number, or None."""
        value = self.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text_or_empty(name) or None

    def day(self, name: str) -> date:
        return day_of(self.get(name), f"{name} of {self.what}")

    def day_or_none(self, name: str) -> date | None:
        return None if self.get(name) is None else self.day(name)

    def member(self, name: str, members: Mapping[int, _Member]) -> _Member | None:
        """The member that the value names, or stands for by its ordinal. None for null."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value in members:
            return members[value]
        for ordinal, member in members.items():
            if isinstance(value, str) and value.strip().casefold() in (member.casefold(), str(ordinal)):
                return member
        raise RegisterUnclear(f"{name} of {self.what}", value, f"one of {', '.join(members.values())}, or its ordinal")
