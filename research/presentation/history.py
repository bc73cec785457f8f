"""The amendment history of a provision as its endnotes give it, in words, oldest first as published."""

from __future__ import annotations

from dataclasses import dataclass

from research.corpus.queries import AmendmentLine
from research.law.provision import in_words

DONE = {
    "began": "Began with the Act as made",
    "ad": "Added",
    "am": "Amended",
    "rs": "Repealed and substituted",
    "rep": "Repealed",
    "exp": "Expired",
    "renum": "Renumbered",
    "reloc": "Relocated",
    "ed": "Changed editorially",
    "mod": "Modified, its words unchanged,",
}


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One event. is_open: what it did, or when, does not settle a day; is_applied: its words are in the text."""

    says: str
    is_open: bool
    is_applied: bool
    note: str


def history_of(amendments: tuple[AmendmentLine, ...]) -> tuple[HistoryLine, ...]:
    """The lines to show, in the endnotes' own order."""
    return tuple(_line(amendment) for amendment in amendments)


def _line(amendment: AmendmentLine) -> HistoryLine:
    done = DONE.get(amendment.effect, amendment.effect)
    by = f" by {amendment.act}" if amendment.act and amendment.effect != "began" else ""
    notes = []
    if not amendment.is_applied:
        notes.append("Not in this text: it has not commenced, or could not be given effect.")
    if amendment.unresolved:
        notes.append(f"What is known of its commencement: {amendment.unresolved.strip().rstrip('.')}.")
    if amendment.application:
        notes.append(
            f"From when it applies is said in {amendment.application} of that Act, which is not read here: "
            "what has commenced may not yet apply."
        )
    return HistoryLine(
        f"{done}{by}{_commenced(amendment)}",
        len(amendment.days) != 1 or bool(amendment.unresolved),
        amendment.is_applied,
        " ".join(notes),
    )


def _commenced(amendment: AmendmentLine) -> str:
    """ ", commenced 1 July 2003", with the assent where the one came before the other; "" where no day is known."""
    days, assent = amendment.days, amendment.assent
    if not days:
        return ", commencement not settled"
    *others, last = [in_words(day) for day in days]
    said = f", commenced {', '.join(others)}{' or ' if others else ''}{last}"
    is_retrospective = assent is not None and any(day < assent for day in days)
    return f"{said}, before its assent on {in_words(assent)}" if assent and is_retrospective else said
