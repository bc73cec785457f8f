"""Pages of documents as pictures, made when they are asked for, a few at a time; nothing of them is kept here."""

from __future__ import annotations

import hashlib
import threading

from clients.adapters.readers.child import picture_in_child
from clients.adapters.readers.limits import Limits
from clients.documents import storing
from clients.models import Document, DocumentPage

AT_ONCE = 2  # of one process: each is a child with a page of pixels, for half a second of a core
PATIENCE_S = 10.0
LIMITS = Limits(seconds=60, seconds_a_page=30)
SHOWN = (Document.Status.REVIEW, Document.Status.APPROVED, Document.Status.KEPT)
_room = threading.BoundedSemaphore(AT_ONCE)


class TooManyAtOnce(Exception):
    """No place for another picture became free in time."""


def turned_of(document: Document, number: int) -> int | None:
    """How page `number` was turned when it was read; None where there is no such page, or none that may be shown."""
    if document.status not in SHOWN:
        return None
    page = DocumentPage.objects.filter(document=document, number=number).values_list("page__turned", flat=True).first()
    return page if page is None else int(page)


def tag_of(document: Document, number: int, turned: int) -> str:
    """What names the picture: the same while the picture is."""
    return hashlib.sha256(f"{document.sha256} {number} {turned} {LIMITS.dpi}".encode()).hexdigest()[:32]


def picture(document: Document, number: int, turned: int) -> bytes:
    """The page as PNG. Raises storing.CannotOpenFile, Unreadable or TooManyAtOnce."""
    if not _room.acquire(timeout=PATIENCE_S):
        raise TooManyAtOnce
    try:
        with storing.as_path(storing.content_of(document)) as path:
            return picture_in_child(path, number, turned, LIMITS)
    finally:
        _room.release()
