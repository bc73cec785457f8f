"""Files taken in: told apart by content, each once for a client, or refused with why. Nothing opens a file here."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import transaction

from clients import holding
from clients.adapters.readers import content_kind
from clients.adapters.readers.limits import Limits
from clients.documents import storing
from clients.extraction.ports import Unreadable
from clients.models import Client, Document
from clients.rules import filenames

MOST_BYTES = Limits().most_bytes
ARCHIVED = "This client is archived. Take it back from the archive first."
_HEAD_BYTES = 4096


class Outcome(StrEnum):
    """What became of a file."""

    NEW = "new"
    THERE = "there"  # the client has this very file
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Taken:
    """One file and what became of it. document: the one it is, None where it was refused. why: then, in a sentence."""

    outcome: Outcome
    name: str
    document: Document | None = None
    why: str = ""


def take(user: Any, client: Client, name: str, content: bytes, came_by: str) -> Taken:
    """Keeps a file as a document of the client's, waiting to be read; the same file a second time is the first.

    user: None for what came by the folder. came_by: of Document.CameBy. Enqueues nothing.
    """
    name = filenames.cleaned(name)
    why = _refusal(client, content)
    if why:
        return Taken(Outcome.REFUSED, name, why=why)
    try:
        media_type = content_kind.media_type_of(content[:_HEAD_BYTES])
    except Unreadable as error:
        return Taken(Outcome.REFUSED, name, why=str(error))
    sha256 = hashlib.sha256(content).hexdigest()
    there = Document.objects.filter(client=client, sha256=sha256).first()
    if there is not None:
        return Taken(Outcome.THERE, name, there)
    document = Document(
        client=client, name=name, media_type=media_type, size=len(content), sha256=sha256,
        sent_key=f"{client.pk}:{sha256}", came_by=came_by, by=user,
    )  # fmt: skip
    try:
        return _kept(document, content)
    except _Archived:
        return Taken(Outcome.REFUSED, name, why=ARCHIVED)


def _refusal(client: Client, content: bytes) -> str:
    if client.archived_at is not None:
        return ARCHIVED
    if not content:
        return "The file is empty."
    if len(content) > MOST_BYTES:
        return f"The file has more than {MOST_BYTES // 1024**2} MB, the most that AsAt takes. Save it smaller."
    return ""


class _Archived(Exception):
    """The client was archived, or merged into another, while the file was on its way."""


@transaction.atomic
def _kept(document: Document, content: bytes) -> Taken:
    """Two who send the same file at once: the database lets one in, and the other waits for it here.

    Raises _Archived, with nothing kept. Its client is held, so that what is asked of it stays true.
    """
    holding.hold(document.client_id)
    Document.objects.bulk_create([document], ignore_conflicts=True)
    if Client.objects.exclude(archived_at=None).filter(pk=document.client_id).exists():
        raise _Archived
    there = Document.objects.filter(sent_key=document.sent_key).get()
    if there.pk != document.pk:
        return Taken(Outcome.THERE, document.name, there)
    storing.keep(there, content)
    return Taken(Outcome.NEW, document.name, there)
