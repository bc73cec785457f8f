"""What a person decides on a document, field by field: kept for good, each after what came before.

Nothing is written over. A text that is no value of its field is refused in words, and nothing is kept of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from clients.extraction.blocking import ALTHOUGH, may_be_settled
from clients.extraction.revised_terms import Revised
from clients.extraction.rows_revised import PARTS, row_and_part
from clients.extraction.standing import Act
from clients.extraction.terms import StatementRow
from clients.extraction.typed import TURNS, NotRead, read_typed
from clients.models import Document, FieldDecision
from clients.review.services import after_deciding, locked_for_review, stand_of, write_listed
from clients.services import NotDone

MOST_KEPT = 400  # letters of a value, as the table of decisions has it
MOST_DECISIONS = 2_000  # on one document; more is a machine's doing
_NO_VALUE = {"lines": (Act.EMPTIED, Act.RESET), "subtotal": (Act.EMPTIED, Act.RESET)}


class NotTaken(Exception):
    """What was typed into a field cannot be its value. `field`: which; `sentence`: why, and what to write."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field, self.sentence = field, sentence


@dataclass(frozen=True, slots=True)
class Wanted:
    """One act that a person wants. text: what was typed, or for ACCEPTED the value that is accepted."""

    field: str
    act: Act
    text: str = ""


@transaction.atomic
def decide(user: Any, document_id: UUID, wanted: Sequence[Wanted]) -> None:
    """These acts, kept for good, all of them or none.

    Raises NotTaken for a text that is no value of its field, NotDone for what cannot be decided now.
    """
    document = locked_for_review(document_id)
    if document.decisions.count() + len(wanted) > MOST_DECISIONS:
        raise NotDone("More was decided on this document than AsAt keeps. Keep it as a file instead.")
    stand = stand_of(document)
    FieldDecision.objects.bulk_create(_decision(user, document, *_decided(stand.found, each)) for each in wanted)
    write_listed(document, after_deciding(stand).found)


def of_row(found: Revised, number: int, texts: Mapping[str, str]) -> list[Wanted]:
    """The acts that a row's form comes to: one for each part that is written otherwise than it stands.

    texts: by part; one that is left out stays. Raises NotTaken for a text that is no value.
    """
    row = next((each for each in found.rows if each.number == number), None)
    if row is None:
        raise NotDone("This document has no such row.")
    wanted = []
    for part, now in zip(PARTS, _parts(row.now), strict=True):
        text, field = texts.get(part, now).strip(), f"row-{number}-{part}"
        if not text and now:
            wanted.append(Wanted(field, Act.EMPTIED))
        elif text and text != now and _read(field, part, text, found.value("currency")) != now:
            wanted.append(Wanted(field, Act.CORRECTED, text))
    return wanted


def _decision(user: Any, document: Document, field: str, act: Act, was: str, value: str) -> FieldDecision:
    return FieldDecision(
        document=document, client_id=document.client_id, field=field, act=str(act), was=was[:400], value=value, by=user
    )


def _decided(found: Revised, wanted: Wanted) -> tuple[str, Act, str, str]:
    """(field, act, the value as it was read, the value from now on), as they are kept. Raises NotTaken or NotDone.

    Writing the value that stands already accepts it.
    """
    field, act, text = wanted.field, wanted.act, wanted.text
    row = row_and_part(field)
    if row is not None:
        return field, act, *_on_row(found, *row, wanted)
    if field in ALTHOUGH or field in _NO_VALUE:
        return field, act, "", _without_value(found, wanted)
    if field == "kind":
        return field, act, str(found.read_kind), _value(found, wanted, "kind", (Act.CORRECTED, Act.RESET))
    if field in TURNS:
        if found.turn is None or found.turn.field != field:
            raise NotDone("Nothing of that kind is asked. Load the page again.")
        return field, act, "", _value(found, wanted, field, (Act.CORRECTED, Act.RESET))
    if field not in [each.name for each in found.fields]:
        raise NotDone("This document has no such field.")
    now = found.field(field)
    if act is Act.ACCEPTED:
        offered = (now.value, now.as_read, *(each.value for each in now.alternatives))
        if not text or text not in offered or len(text) > MOST_KEPT:
            raise NotTaken(field, "This value does not stand here any more. Look at it as it stands now.")
        return field, act, now.as_read, text
    value = _value(found, wanted, field)
    is_same = act is Act.CORRECTED and value == now.value
    return field, Act.ACCEPTED if is_same else act, now.as_read, value


def _value(
    found: Revised, wanted: Wanted, what: str, acts: Sequence[Act] = (Act.CORRECTED, Act.EMPTIED, Act.RESET)
) -> str:
    """The value that an act brings; "" for one that brings none. what: the field or part, as `read_typed` knows it.

    Raises NotTaken for a text that is none, NotDone for an act that the field has not.
    """
    if wanted.act not in acts:
        raise NotDone("This cannot be done with that field.")
    currency = found.value("currency")
    return _read(wanted.field, what, wanted.text, currency) if wanted.act is Act.CORRECTED else ""


def _read(field: str, what: str, text: str, currency: str) -> str:
    try:
        return read_typed(what, text, currency)
    except NotRead as error:
        raise NotTaken(field, error.sentence) from None


def _on_row(found: Revised, number: int, part: str, wanted: Wanted) -> tuple[str, str]:
    row = next((each for each in found.rows if each.number == number), None)
    if row is None:
        raise NotDone("This document has no such row.")
    if not part:
        return "", _value(found, wanted, "", (Act.EMPTIED, Act.RESET))
    was = dict(zip(PARTS, _parts(row.read), strict=True))[part]
    return was, _value(found, wanted, part)


def _parts(row: StatementRow) -> tuple[str, str, str, str]:
    return row.date, row.description, row.amount, row.balance


def _without_value(found: Revised, wanted: Wanted) -> str:
    """Lines or subtotal left out, or a check settled by saying so: only where there is such a thing."""
    field, act = wanted.field, wanted.act
    if field in ALTHOUGH:
        if act is Act.RESET or (act is Act.ACCEPTED and field in may_be_settled(found)):
            return ""
        raise NotDone("There is nothing of that kind to accept. Load the page again.")
    is_there = bool(found.read_lines) if field == "lines" else found.subtotal is not None
    if not is_there:
        raise NotDone("This document has no such field.")
    return _value(found, wanted, "", _NO_VALUE[field])
