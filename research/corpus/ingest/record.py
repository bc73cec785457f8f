"""One record of a corpus file, checked: what a line must hold to be law, or a control, that AsAt loads.

Two shapes of one format. A record that names its Act (`metadata.act` or `metadata.actShort`) must say all that the
Register says: compilation date, section, path, kind. One of any other framework (framework, frameworkVersion,
controlId, language) may leave those out. Pure: takes the parsed JSON, gives a `Record` or raises `BadField`. Which file
and line it was is the reader's to add; what holds for the whole file is `json_origin.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from research.law.identity import own_code
from research.law.licences import LicenceRefused, licence_of

SCHEMA_VERSION = 1
KINDS = ("operative", "guide", "definition", "table-of-sections-omitted")

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
# In a name they would turn round what stands beside it, or steer a terminal: U+202E and its like, and C1 controls.
UNNAMEABLE = re.compile(r"[\x80-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
FIRST_DAY, LAST_DAY = date(1600, 1, 1), date(2199, 12, 31)  # law and documents; beyond them dates are slips
LONGEST_FRAMEWORK = 200
LONGEST_LANGUAGE = 20
# "itaa97/8-1", "tr2008-1/12"; a practice's own carries the practice: "kb-12@0f3a9c21d4e5/travel".
_DOCUMENT_ID = re.compile(r"[a-z0-9][A-Za-z0-9.\-]*(?:@[a-z0-9_\-]+)?(/[A-Za-z0-9.,~()&_\-]+)+")
_SHORT = re.compile(r"[A-Z][A-Z0-9]{1,19}|[A-Z]{2,6}(?: (?:LA|ID))? \d{2,4}(?:/\d{1,4})?")  # "ITAA97", "TR 2008/1"
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_PRACTICE = re.compile(r"[a-z0-9_\-]{1,63}")
# What the ATO's legal database says in Acts that are a publisher's.
_PUBLISHER = re.compile(r"CCH[\s\u00a0]+(?:Note|Australia)\b")


class BadField(ValueError):
    """A field that is not what the format wants: `field`, what was `found`, what is `wanted`."""

    def __init__(self, field: str, found: str, wanted: str) -> None:
        super().__init__(f"{field} is {found}; give {wanted}")
        self.field, self.found, self.wanted = field, found, wanted


@dataclass(frozen=True, slots=True)
class Record:
    """What one compilation says of one provision, as published (asterisks still in).

    is_act: whether the record names an Act, so that the Register's rules hold for it. version: of the framework, as
    published. stated_from, stated_to: the days in force that its publisher states, half-open; stated_to is None where
    no end is stated. practice: whose private document it is, "" for everybody's; its instrument and document id carry
    it.
    """

    document_id: str
    dated: date
    instrument: str
    instrument_title: str
    compilation_number: str
    register_id: str
    source_uri: str
    licence: str
    section: str
    schedule: str
    path: tuple[str, ...]
    heading: str
    kind: str
    text: str
    is_act: bool = True
    version: str = ""
    language: str = "en"
    stated_from: date | None = None
    stated_to: date | None = None
    practice: str = ""

    @property
    def document_prefix(self) -> str:
        return self.document_id.split("/", 1)[0]


def record_of(parsed: object) -> Record:
    """The record that a parsed JSON line holds. Raises BadField, naming the first field that is wrong."""
    if not isinstance(parsed, dict):
        raise BadField("the record", _shown(parsed), "a JSON object")
    meta = parsed.get("metadata")
    if not isinstance(meta, dict):
        raise BadField("metadata", _shown(meta), "an object")
    if parsed.get("schemaVersion") != SCHEMA_VERSION or isinstance(parsed["schemaVersion"], bool):
        raise BadField("schemaVersion", _shown(parsed.get("schemaVersion")), f"{SCHEMA_VERSION}")
    document_id = _words(parsed, "documentId", 260)
    if not _DOCUMENT_ID.fullmatch(document_id) or "@" in document_id:
        raise BadField("documentId", _shown(document_id), "an Act's short name and a section, such as 'itaa97/8-1'")
    is_act = meta.get("act") is not None or meta.get("actShort") is not None
    stated_from, stated_to = _stated(meta)
    dated = _dated(parsed, meta, is_act, stated_from)
    practice = _practice(meta)
    instrument = _instrument(meta, document_id)
    prefix, _, rest = document_id.partition("/")
    source_uri = _words(parsed, "sourceUri", 400, optional=True)
    return Record(
        document_id=f"{own_code(prefix, practice)}/{rest}" if practice else document_id,
        dated=dated,
        instrument=own_code(instrument, practice) if practice else instrument,
        instrument_title=_words(parsed, "framework", 400 if is_act else LONGEST_FRAMEWORK),
        compilation_number=_number(meta),
        register_id=_words(meta, "metadata.registerId", 40, optional=True),
        source_uri=source_uri,
        licence=_licence(meta, source_uri, practice),
        section=_section(parsed, meta, is_act),
        schedule=_words(meta, "metadata.schedule", 40, optional=True).removeprefix("Schedule ").strip(),
        path=_path(meta, is_act),
        heading=_words(parsed, "title", 600),
        kind=_kind(meta, is_act),
        text=_text(parsed),
        is_act=is_act,
        version=_words(parsed, "frameworkVersion", 200, optional=True),
        language=_language(parsed),
        stated_from=stated_from or (dated if stated_to else None),
        stated_to=stated_to,
        practice=practice,
    )


def _words(source: Mapping[str, object], field: str, longest: int, optional: bool = False) -> str:
    value = source.get(field.rpartition(".")[2])
    if optional and value is None:
        return ""
    if not isinstance(value, str):
        raise BadField(field, _shown(value), "words in quotation marks" + (" or null" if optional else ""))
    _require(not CONTROL.search(value), field, value, "words without control characters")
    _require(
        not UNNAMEABLE.search(value), field, ascii(value), "words without characters that cannot be seen", raw=True
    )
    _require("\n" not in value, field, value, "words on one line")
    _require(len(value) <= longest, field, f"{len(value)} characters", f"at most {longest}", raw=True)
    _require(optional or bool(value.strip()), field, value, "words, not blank")
    return value


def _text(parsed: Mapping[str, object]) -> str:
    value = parsed.get("text")
    if not isinstance(value, str):
        raise BadField("text", _shown(value), "the words of the provision")
    control = CONTROL.search(value)
    if control:
        raise BadField(
            "text", f"words with the control character {control.group()!r}", "words, tabs and line ends only"
        )
    _require(bool(value.strip()), "text", value, "the words of the provision, not blank")
    if _PUBLISHER.search(value):
        raise BadField("text", "a commercial publisher's, with its notes in it", "text from the Register itself")
    return value


def _day(value: object) -> date | None:
    """The day, None for what is none or lies outside FIRST_DAY to LAST_DAY."""
    try:
        day = date.fromisoformat(value) if isinstance(value, str) and len(value) == 10 else None
    except ValueError:
        return None
    return day if day is not None and FIRST_DAY <= day <= LAST_DAY else None


def _dated(parsed: Mapping[str, object], meta: Mapping[str, object], is_act: bool, stated_from: date | None) -> date:
    """The compilation's day. Of an Act it stands twice and must agree; others may say it in one place of three."""
    found, compiled = parsed.get("corpusVersion"), meta.get("compilationDate")
    dated = _day(found)
    if not is_act and (compiled is not None or dated is None):
        either = _day(compiled) if compiled is not None else stated_from
        if either is None:
            field, value = ("metadata.compilationDate", compiled) if compiled is not None else ("corpusVersion", found)
            raise BadField(field, _shown(value), "a day as YYYY-MM-DD, here or in metadata.effectiveDate")
        return either
    if dated is None:
        raise BadField("corpusVersion", _shown(found), "the compilation date as YYYY-MM-DD")
    if is_act and compiled != found:
        raise BadField("metadata.compilationDate", _shown(compiled), f"{found}, as in corpusVersion")
    return dated


def _stated(meta: Mapping[str, object]) -> tuple[date | None, date | None]:
    """The days stated, half-open: `effectiveTo` names the last day, as people do."""
    starts, last = (_optional_day(meta, f"metadata.{name}") for name in ("effectiveDate", "effectiveTo"))
    if starts and last and last < starts:
        raise BadField("metadata.effectiveTo", last.isoformat(), f"a day not before effectiveDate, {starts}")
    return starts, last + timedelta(days=1) if last else None


def _optional_day(meta: Mapping[str, object], field: str) -> date | None:
    found = meta.get(field.rpartition(".")[2])
    if found is None:
        return None
    day = _day(found)
    if day is None:
        raise BadField(field, _shown(found), "a day as YYYY-MM-DD, or null")
    return day


def _section(parsed: Mapping[str, object], meta: Mapping[str, object], is_act: bool) -> str:
    if is_act or meta.get("section") is not None:
        return _words(meta, "metadata.section", 80)
    return _words(parsed, "controlId", 80)


def _language(parsed: Mapping[str, object]) -> str:
    found = parsed.get("language")
    if found is None:
        return "en"
    if not isinstance(found, str) or len(found) > LONGEST_LANGUAGE or not _LANGUAGE.fullmatch(found):
        raise BadField("language", _shown(found), "a language tag such as en or en-AU, or null")
    return found


def _practice(meta: Mapping[str, object]) -> str:
    found = meta.get("practice")
    if found is None:
        return ""
    if not isinstance(found, str) or not _PRACTICE.fullmatch(found):
        raise BadField(
            "metadata.practice", _shown(found), "what names the practice, in small letters and digits, or null"
        )
    return found


def _licence(meta: Mapping[str, object], source_uri: str, practice: str) -> str:
    """The licence as it stands in the file, if text under it may be loaded."""
    found = _words(meta, "metadata.licence", 80)
    try:
        licence = licence_of(found, source_uri)
    except LicenceRefused as refused:
        raise BadField("metadata.licence", f"{refused.found}, {refused.why}", refused.wanted) from refused
    if licence.code == "own" and not practice:
        raise BadField(
            "metadata.licence", "'own' without a practice", "metadata.practice too: own documents are private"
        )
    _require(len(found) <= 40, "metadata.licence", f"{len(found)} characters", f"at most 40: {licence.code}", raw=True)
    return found


def _instrument(meta: Mapping[str, object], document_id: str) -> str:
    """The short code of the Act or ruling; what has none goes by the first part of its document ids."""
    found = meta.get("actShort")
    if found is None:
        return document_id.split("/", 1)[0]
    if not isinstance(found, str) or not _SHORT.fullmatch(found):
        raise BadField("metadata.actShort", _shown(found), "2 to 20 capitals and digits, such as ITAA97, or null")
    return found


def _number(meta: Mapping[str, object]) -> str:
    found = meta.get("compilationNumber")
    if found is None:
        return ""
    if isinstance(found, bool) or not isinstance(found, (int, str)) or len(str(found)) > 20:
        raise BadField("metadata.compilationNumber", _shown(found), "a number or null")
    return str(found)


def _path(meta: Mapping[str, object], is_act: bool) -> tuple[str, ...]:
    found = meta.get("path")
    if found is None and not is_act:
        return ()
    if not isinstance(found, list) or not all(isinstance(step, str) for step in found):
        raise BadField("metadata.path", _shown(found), "a list of headings, from the largest to the nearest")
    return tuple(_words({"path": step}, "metadata.path", 400) for step in found)


def _kind(meta: Mapping[str, object], is_act: bool) -> str:
    found = meta.get("kind")
    if found is None and not is_act:
        return "operative"
    if found not in KINDS:
        raise BadField("metadata.kind", _shown(found), "one of " + ", ".join(KINDS))
    return str(found)


def _require(holds: bool, field: str, found: str, wanted: str, raw: bool = False) -> None:
    if not holds:
        raise BadField(field, found if raw else _shown(found), wanted)


def _shown(value: object) -> str:
    """The value as a message may show it: short, and on one line."""
    if value is None:
        return "missing or null"
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
