"""Where records came from and what that means for them: kind, licence, the days stated, and whose they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from enum import StrEnum

from research.corpus.ingest.history import History, Stated
from research.corpus.ingest.published import Ledger


class Kind(StrEnum):
    """What an instrument is."""

    ACT = "act"
    REGULATION = "regulation"
    RULING = "ruling"
    DETERMINATION = "determination"
    GUIDELINE = "guideline"
    OWN = "own"  # a practice's own document
    FRAMEWORK = "framework"  # any other set of controls


@dataclass(frozen=True, slots=True)
class Origin:
    """What is true of a whole compilation, beside its records.

    licence: a key of `licences.LICENCES`. framework: what search can be narrowed to ("Commonwealth Acts", "ISO 27001").
    version: of the framework, as published. stated: days in force that the publisher states, None where
    only the compilation's own day is known. notice: a sentence that goes with every quote ("Withdrawn with effect from
    1 July 2019."), "" for none. practice: what names the practice whose document it is (schema name), "" for everybody.
    superseded_by: code of the document that took its place. text_not_current_from: an amendment had commenced by then
    whose text was not published. history, ledger, warnings: None and empty where the format
    has none.
    """

    kind: Kind
    licence: str
    framework: str
    version: str = ""
    language: str = "en"
    title_id: str = ""
    stated: Stated | None = None
    notice: str = ""
    practice: str = ""
    superseded_by: str = ""
    text_not_current_from: date | None = None
    history: History | None = None
    ledger: Ledger | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """What is kept beside a file that was fetched (`<sha256>.json`): what it is, from where, and in force when.

    starts, ends: the Register's window of this text, half-open; ends is None while it is the current one. checked_on:
    the day on which the Register said so. retrospective_start: as the Register has it, None if the same as starts.
    text_not_current_from: an amendment had commenced from that day on whose text was not published; None for none.
    """

    sha256: str
    file_name: str
    title_id: str
    title: str
    register_id: str
    compilation_number: str
    starts: date
    ends: date | None
    checked_on: date
    source_uri: str
    size_bytes: int
    fetched_at: datetime
    retrospective_start: date | None = None
    rectification: int = 0
    text_not_current_from: date | None = None
    more: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> str:
        return json.dumps(asdict(self), default=lambda day: day.isoformat(), indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Fetched:
        """Reads what `as_json` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        plain = json.loads(text)

        def day(name: str) -> date | None:
            return date.fromisoformat(plain[name]) if plain.get(name) else None

        return cls(
            **{
                **plain,
                "starts": date.fromisoformat(plain["starts"]),
                "ends": day("ends"),
                "checked_on": date.fromisoformat(plain["checked_on"]),
                "fetched_at": datetime.fromisoformat(plain["fetched_at"]),
                "retrospective_start": day("retrospective_start"),
                "text_not_current_from": day("text_not_current_from"),
            }
        )
