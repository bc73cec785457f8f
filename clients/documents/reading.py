"""A document's way through a worker: claimed, looked at for viruses, read in a child, and stored with what was found.

A claim raises `attempts`, and whatever a worker writes is bound to that number: one that was taken for dead writes
nothing more. So many documents are read at once as ASAT_DOCUMENT_READERS says, over all practices, so that a hundred
scans leave processes free for questions. Runs as the keeper, which sees restricted clients' documents too.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clients import holding
from clients.adapters.readers.child import read_in_child
from clients.documents import scanning, storing
from clients.extraction import as_json
from clients.extraction.listed import listed
from clients.extraction.ports import Unreadable
from clients.extraction.revised import revised
from clients.extraction.rules import RulesExtractor
from clients.extraction.terms import Extraction, ReadDocument
from clients.models import Document, DocumentPage, FieldDecision

logger = logging.getLogger(__name__)

LOST_AFTER = timedelta(seconds=150)  # longer than the child may take over a page, or the scanner over a file
ASKED_AGAIN_AFTER = timedelta(seconds=30)  # what waits and was tried: a scanner that is down is not asked all the time
MOST_ATTEMPTS = 2
STOPPED_TWICE = (
    "Reading this file stopped the worker twice, so it is not tried again. Download it, or have it read again."
)
NOT_AS_IT_CAME = "It waits: {why} Nothing looked at it or opened it, and it is tried again by itself."
NO_VERDICT = "It waits: {why} It is not opened before it was looked at, and is tried again by itself."
SLOTS = 0x41734452  # "AsDR"; the second half of each lock is the slot

_NOT_STORED = re.compile("[\x00\ud800-\udfff]")
Status = Document.Status


class _Moved(Exception):
    """The document went to another client while it was stored, by a merge."""


class Overtaken(Exception):
    """Another worker has the document, or it has ended: what was to be written is not."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A document that this worker has, and by which attempt."""

    document: Document
    attempt: int

    def write(self, **changes: object) -> None:
        """Writes these and a sign of life. Raises Overtaken."""
        mine = Document.objects.filter(pk=self.document.pk, status=Status.READING, attempts=self.attempt)
        if not mine.update(**{"heartbeat_at": timezone.now()} | changes):
            raise Overtaken


def read(document_id: UUID) -> bool:
    """Reads one document as far as it goes; whether it did, so that a next one may follow.

    One that another worker has, that waits no more, or that no place is free for, is left alone.
    """
    with _place() as is_free:
        found = claim(document_id, timezone.now()) if is_free else None
        if found is None:
            return False
        try:
            _go_through(found)
        except Overtaken:
            logger.warning("document %s was taken over by another worker", document_id)
        return True


def claim(document_id: UUID, now: datetime) -> Claim | None:
    """The document for this worker alone; None where it does not wait or another worker has it or looks at it."""
    with transaction.atomic():
        row = due(now).filter(pk=document_id).select_for_update(skip_locked=True, of=("self",)).first()
        if row is None:
            return None
        row.attempts += 1
        row.status, row.heartbeat_at, row.pages_done = Status.READING, now, 0
        row.save(update_fields=["attempts", "status", "heartbeat_at", "pages_done"])
    return Claim(row, row.attempts)


def due(now: datetime) -> QuerySet[Document]:
    """What is to be read now, oldest first: what waits, and what a worker had that gave no sign of life since."""
    waits = Q(status=Status.WAITING) & (Q(heartbeat_at=None) | Q(heartbeat_at__lt=now - ASKED_AGAIN_AFTER))
    is_lost = Q(status=Status.READING, heartbeat_at__lt=now - LOST_AFTER)
    return Document.objects.filter(waits | is_lost).order_by("at", "id")


def read_again(user: Any, document: Document) -> bool:
    """Whether a document that was not read waits for it anew; the caller enqueues it."""
    anew = {"problem": "", "attempts": 0, "heartbeat_at": None, "pages_done": 0}
    return _put(user, document, (Status.UNREADABLE,), Status.WAITING, **anew)


def keep_as_file(user: Any, document: Document) -> bool:
    """Whether it is kept as a file now: out of the queue, to be downloaded, and no transaction comes of it."""
    return _put(user, document, (Status.REVIEW, Status.UNREADABLE), Status.KEPT)


def back_to_queue(user: Any, document: Document) -> bool:
    """Whether one that was kept as a file is where it was before: to be reviewed, or among those not read."""
    back = Status.UNREADABLE if document.read_at is None else Status.REVIEW
    return _put(user, document, (Status.KEPT,), back)


@transaction.atomic
def _put(user: Any, document: Document, of: Collection[Status], to: Status, **changes: object) -> bool:
    """Whether it was in one of these states and is now in that one, on record as this person's doing."""
    try:
        now = holding.locked_document(document.pk)
    except holding.Moved:
        return False
    if now.status not in of:
        return False
    Document.objects.filter(pk=now.pk).update(status=to, **changes)
    FieldDecision.objects.create(
        document=now, client_id=now.client_id, field=FieldDecision.DOCUMENT, act=FieldDecision.Act.CORRECTED,
        was=now.status, value=to, by=user,
    )  # fmt: skip
    return True


def _go_through(mine: Claim) -> None:
    """Nothing but waiting or UNSAFE comes of a file before the scanner has let it pass: all else is given out."""
    try:
        content = storing.content_of(mine.document)
        virus = scanning.scanner().look(content)
        if virus:
            mine.write(status=Status.UNSAFE, problem=f"The virus scanner found {virus} in it. Nothing opened it.")
            return
        if mine.attempt > MOST_ATTEMPTS:
            raise Unreadable(STOPPED_TWICE)
        mine.write(problem="")
        with storing.as_path(content) as path:
            document = storable(
                read_in_child(path, on_page=lambda page, of: mine.write(pages_done=page, page_count=of))
            )
        today = timezone.localdate()
        found = RulesExtractor().extract(document.pages, today)
        try:
            _store(mine, document, found, today)
        except _Moved:
            _store(mine, document, found, today)
    except storing.CannotOpenFile as error:
        logger.warning("document %s waits: its file does not open", mine.document.pk)
        mine.write(status=Status.WAITING, attempts=mine.attempt - 1, problem=NOT_AS_IT_CAME.format(why=error))
    except scanning.NotScanned as error:
        logger.warning("document %s waits: the virus scanner gave no verdict", mine.document.pk)
        mine.write(status=Status.WAITING, attempts=mine.attempt - 1, problem=NO_VERDICT.format(why=str(error).strip()))
    except Unreadable as error:
        mine.write(status=Status.UNREADABLE, problem=str(error)[:400])


@transaction.atomic
def _store(mine: Claim, document: ReadDocument, found: Extraction, today: date) -> None:
    """Pages, what was found and what lists show of it, all at once. Raises Overtaken or _Moved, with nothing stored.

    Its client is held first, so that a merge of clients waits or has been seen.
    """
    row = Document.objects.filter(pk=mine.document.pk)
    client_id = row.values_list("client_id", flat=True).get()
    holding.hold(client_id)
    if row.values_list("client_id", flat=True).get() != client_id:
        raise _Moved
    DocumentPage.objects.filter(document_id=mine.document.pk).delete()
    DocumentPage.objects.bulk_create(
        DocumentPage(
            document_id=mine.document.pk, client_id=client_id, number=page.number, page=as_json.page_as_json(page)
        )
        for page in document.pages
    )  # fmt: skip
    mine.write(
        status=Status.REVIEW, problem="", notes=[note[:400] for note in document.notes], read_at=timezone.now(),
        page_count=len(document.pages), pages_done=len(document.pages), reading=as_json.extraction_as_json(found),
        **listed(revised(found, document.pages, (), today)),
    )  # fmt: skip


def storable(document: ReadDocument) -> ReadDocument:
    """The document without what no database column takes: nil characters, and halves of a character."""
    pages = []
    for page in document.pages:
        words = tuple(replace(word, text=_NOT_STORED.sub("", word.text)) for word in page.words)
        pages.append(replace(page, words=words))
    return replace(document, pages=tuple(pages))


@contextmanager
def _place() -> Iterator[bool]:
    """Whether one of the places for reading is this worker's until this ends; a dead worker's is free by itself."""
    with connection.cursor() as cursor:
        for slot in range(settings.ASAT_DOCUMENT_READERS):
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [SLOTS, slot])
            if cursor.fetchone() == (True,):
                break
        else:
            yield False
            return
    try:
        yield True
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [SLOTS, slot])
