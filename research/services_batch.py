"""What can be done with a spreadsheet of questions: take it, and stop what is left of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from research import queries_batch, services
from research.adapters.spreadsheets import Unreadable, sheet_in
from research.models import Batch, Question
from research.question.spreadsheet import Line, lines_in
from research.services import NotAskable

MOST_LINES = 500
MOST_WAITING = 1_500  # questions of spreadsheets of one practice; they wait behind everything else
MOST_FILENAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class Taken:
    """A spreadsheet that was taken, and its questions, to be enqueued by the caller."""

    batch: Batch
    questions: tuple[Question, ...]


def take(user: Any, filename: str, content: bytes) -> Taken:
    """The saved batch with a question for every line that can be asked; the others are kept with the reason.

    Raises NotAskable, with nothing saved, for a file that cannot be read, that holds no line or too many, and where too
    many questions of spreadsheets wait already.
    """
    waiting = queries_batch.waiting_count()
    if waiting >= MOST_WAITING:
        raise NotAskable(
            f"{waiting:,} questions of this practice’s spreadsheets wait already."
            " Upload this one when some are answered."
        )
    try:
        sheet = sheet_in(content)
    except Unreadable as error:
        raise NotAskable(error.message) from error
    lines, note = lines_in(sheet.rows, timezone.localdate(), is_delimited=sheet.is_delimited)
    if not lines:
        raise NotAskable("The file holds no question. Put one into each row, under a heading “Question”.")
    if len(lines) > MOST_LINES:
        raise NotAskable(f"The file holds {len(lines):,} lines; AsAt takes up to {MOST_LINES} at once. Split it.")
    asked = sum(not line.why for line in lines)
    if waiting + asked > MOST_WAITING:
        raise NotAskable(
            f"{waiting:,} questions of this practice’s spreadsheets wait already, and the file holds {asked:,} more:"
            f" up to {MOST_WAITING:,} may wait at once. Upload it when some are answered, or split it."
        )
    return _save(user, filename, lines, (*sheet.notes, note))


def stop_rest(batch: Batch, now: datetime) -> int:
    """How many questions were still to be answered and are asked to stop.

    Each ends when its turn comes, or at its worker's next sign of life, and is recorded then like every other end: five
    hundred audit rows take longer than a page may.
    """
    return queries_batch.unfinished(batch).filter(stop_asked_at=None).update(stop_asked_at=now)


@transaction.atomic
def _save(user: Any, filename: str, lines: tuple[Line, ...], notes: tuple[str, ...]) -> Taken:
    batch = Batch.objects.create(
        uploaded_by=user,
        filename=_shown_name(filename),
        lines=len(lines),
        refused=[{"line": line.number, "why": line.why} for line in lines if line.why],
        references={str(line.number): line.reference for line in lines if line.reference},
        notes=list(notes),
    )
    asked = (
        services.ask(user=user, text=line.question, year=line.year, batch=batch, line=line.number)
        for line in lines
        if not line.why
    )
    return Taken(batch, tuple(asked))


def _shown_name(filename: str) -> str:
    """The file's name without its path and without what cannot be shown; its end is kept where it is long."""
    name = filename.replace("\\", "/").rsplit("/", 1)[-1]
    name = " ".join("".join(c if c.isprintable() else " " for c in name).split()) or "spreadsheet"
    return name if len(name) <= MOST_FILENAME_CHARS else f"…{name[1 - MOST_FILENAME_CHARS :]}"
