"""One record of a corpus file, checked: what a line must hold to be law that AsAt loads.

Pure: takes the parsed JSON, gives a `Record` or raises `BadField`. Which file and line it was is the reader's to add.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

SCHEMA_VERSION = 1
KINDS = ("operative", "guide", "definition", "table-of-sections-omitted")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_DOCUMENT_ID = re.compile(r"[a-z0-9][A-Za-z0-9.\-]*(/[A-Za-z0-9.,~()&_\-]+)+")
_SHORT = re.compile(r"[A-Z][A-Z0-9]{1,19}")


class BadField(ValueError):
    """A field that is not what the format wants: `field`, what was `found`, what is `wanted`."""

    def __init__(self, field: str, found: str, wanted: str) -> None:
        super().__init__(f"{field} is {found}; give {wanted}")
        self.field, self.found, self.wanted = field, found, wanted


@dataclass(frozen=True, slots=True)
class Record:
    """What one compilation says of one provision, as published (asterisks still in)."""

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
    document_id = _words(parsed, "documentId", 300)
    if not _DOCUMENT_ID.fullmatch(document_id):
        raise BadField("documentId", _shown(document_id), "an Act's short name and a section, such as 'itaa97/8-1'")
    return Record(
        document_id=document_id,
        dated=_dated(parsed, meta),
        instrument=_instrument(meta, document_id),
        instrument_title=_words(parsed, "framework", 400),
        compilation_number=_number(meta),
        register_id=_words(meta, "metadata.registerId", 40, optional=True),
        source_uri=_words(parsed, "sourceUri", 400, optional=True),
        licence=_words(meta, "metadata.licence", 40),
        section=_words(meta, "metadata.section", 80),
        schedule=_words(meta, "metadata.schedule", 40, optional=True).removeprefix("Schedule ").strip(),
        path=_path(meta),
        heading=_words(parsed, "title", 600),
        kind=_kind(meta),
        text=_text(parsed),
    )


def _words(source: Mapping[str, object], field: str, longest: int, optional: bool = False) -> str:
    value = source.get(field.rpartition(".")[2])
    if optional and value is None:
        return ""
    if not isinstance(value, str):
        raise BadField(field, _shown(value), "words in quotation marks" + (" or null" if optional else ""))
    _require(not _CONTROL.search(value), field, value, "words without control characters")
    _require("\n" not in value, field, value, "words on one line")
    _require(len(value) <= longest, field, f"{len(value)} characters", f"at most {longest}", raw=True)
    _require(optional or bool(value.strip()), field, value, "words, not blank")
    return value


def _text(parsed: Mapping[str, object]) -> str:
    value = parsed.get("text")
    if not isinstance(value, str):
        raise BadField("text", _shown(value), "the words of the provision")
    control = _CONTROL.search(value)
    if control:
        raise BadField(
            "text", f"words with the control character {control.group()!r}", "words, tabs and line ends only"
        )
    _require(bool(value.strip()), "text", value, "the words of the provision, not blank")
    return value


def _dated(parsed: Mapping[str, object], meta: Mapping[str, object]) -> date:
    found = parsed.get("corpusVersion")
    try:
        dated = date.fromisoformat(found) if isinstance(found, str) and len(found) == 10 else None
    except ValueError:
        dated = None
    if dated is None:
        raise BadField("corpusVersion", _shown(found), "the compilation date as YYYY-MM-DD")
    if meta.get("compilationDate") != found:
        raise BadField("metadata.compilationDate", _shown(meta.get("compilationDate")), f"{found}, as in corpusVersion")
    return dated


def _instrument(meta: Mapping[str, object], document_id: str) -> str:
    """The Act's short code; an Act that has none goes by the first part of its document ids."""
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


def _path(meta: Mapping[str, object]) -> tuple[str, ...]:
    found = meta.get("path")
    if not isinstance(found, list) or not all(isinstance(step, str) for step in found):
        raise BadField("metadata.path", _shown(found), "a list of headings, from the largest to the nearest")
    return tuple(_words({"path": step}, "metadata.path", 400) for step in found)


def _kind(meta: Mapping[str, object]) -> str:
    found = meta.get("kind")
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
