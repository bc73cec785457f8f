"""What holds for a whole file of the JSON corpus format, read off its first record.

Pure. That the other records agree with the first is the reader's to check (`AGREED` names the fields).
"""

from __future__ import annotations

from research.corpus.ingest.history import Stated
from research.corpus.ingest.origin import Kind, Origin
from research.corpus.ingest.record import BadField, Record
from research.law.instruments import act_of_code, act_of_prefix, act_of_title
from research.law.licences import licence_of
from research.law.rulings import names_a_ruling

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


def check_names(first: Record) -> None:
    """Raises BadField where a record takes the name of law that it is not.

    A code, a title or the beginning of a document id that belongs to a known Act says that the text is that Act's, and
    the number of a ruling says that it is the ATO's: else a framework could answer in their place.
    """
    by_name = (
        act_of_code(first.instrument),
        act_of_prefix(first.document_prefix),
        act_of_title(first.instrument_title),
    )
    for act in filter(None, by_name):
        if first.is_act and by_name == (act, act, act):
            break
        own = "with metadata.act, if it is that Act; else another name"
        if act_of_code(first.instrument) == act and first.instrument == act.code:
            raise BadField("metadata.actShort", act.code, f"{act.title!r} as framework, {act.prefix}/… as ids, {own}")
        if act_of_prefix(first.document_prefix) == act:
            raise BadField("documentId", f"{act.prefix}/…, which is {act.title}", f"{act.code} as actShort, {own}")
        raise BadField("framework", f"{act.title!r}, which is {act.code}", f"{act.code} as actShort, {own}")
    if not first.is_act and first.instrument_title.strip().casefold() in {name.casefold() for name in RESERVED}:
        raise BadField("framework", f"{first.instrument_title!r}, which is public law", "a name of its own")
    is_atos = licence_of(first.licence, first.source_uri).code == "ATO"
    if (
        not is_atos
        and not first.practice
        and (names_a_ruling(first.instrument) or names_a_ruling(first.document_prefix))
    ):
        raise BadField("documentId", f"{first.document_prefix}/…, a ruling of the ATO", "another name, or licence ATO")


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
