"""The files that entries came from, for whoever sends entries on: read as whoever asks, who must see the client."""

from __future__ import annotations

from uuid import UUID

from clients.documents.storing import CannotOpenFile, content_of
from clients.models import Document


class NotOpened(LookupError):
    """The file is there and is not to be had; `message` says why, in a sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def read(which: str) -> bytes:
    """The bytes of the document with this id, as they came. Raises LookupError where there is none to be seen."""
    try:
        document = Document.objects.filter(pk=UUID(which)).first()
    except ValueError:
        document = None
    if document is None:
        raise LookupError("no such document")
    try:
        return content_of(document)
    except CannotOpenFile as error:
        raise NotOpened(str(error)) from None
