"""What holds for a whole file of the JSON corpus format, read off its first record.

Pure. That the other records agree with the first is the reader's to check (`AGREED` names the fields).
"""

from __future__ import annotations

from research.corpus.ingest.history import Stated
from research.corpus.ingest.origin import Kind, Origin
from research.corpus.ingest.record import Record
from research.law.licences import licence_of

ACTS = "Commonwealth Acts"
REGULATIONS = "Commonwealth regulations"
FICTIONAL = "Fictional Acts"
RULINGS = "ATO public rulings"
GUIDANCE = "ATO guidance"  # of the ATO too, but it binds nobody
RESERVED = frozenset({ACTS, REGULATIONS, FICTIONAL, RULINGS, GUIDANCE})

AGREED = ("version", "language", "stated_from", "stated_to", "practice", "is_act")


def origin_of(first: Record) -> Origin:
    """The origin of the compilation whose first record this is.

    What names an Act counts among the Acts; anything else is a framework of its own, under its title.
    """
    licence = licence_of(first.licence, first.source_uri)
    stated = None
    if first.stated_from is not None:
        stated = Stated(first.stated_from, first.stated_to, "its publisher's dates", first.stated_to is not None)
    return Origin(
        kind=_kind(first),
        licence=licence.code,
        framework=_framework(first, licence.code),
        version=first.version,
        language=first.language,
        stated=stated,
        practice=first.practice,
    )


def _kind(first: Record) -> Kind:
    if first.practice:
        return Kind.OWN
    if licence_of(first.licence, first.source_uri).code == "ATO":
        return Kind.RULING
    if not first.is_act:
        return Kind.FRAMEWORK
    words = first.instrument_title.split()
    return Kind.REGULATION if {"Regulation", "Regulations"} & set(words) and "Act" not in words else Kind.ACT


def _framework(first: Record, licence: str) -> str:
    if licence == "ATO":
        return RULINGS
    if not first.is_act:
        return first.instrument_title
    if licence == "fictional":
        return FICTIONAL
    return REGULATIONS if _kind(first) is Kind.REGULATION else ACTS
