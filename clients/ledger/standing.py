"""Whether an entry still stands, for whoever sends entries on."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from clients.models import Document, Transaction

TAKEN_BACK = "It was taken back here before it was sent, so it is not sent."


def why_withdrawn(which: str) -> str:
    """Why the entry with this id is not to be sent any more; "" where it stands, or is none that may be seen.

    Within a transaction its document is held until the end: taking an approval back waits for that.
    """
    try:
        entry = Transaction.objects.filter(pk=UUID(which)).first()
    except ValueError:
        return ""
    if entry is None:
        return ""
    if connection.in_atomic_block:
        Document.objects.select_for_update().filter(pk=entry.document_id).first()
    return TAKEN_BACK if Transaction.objects.filter(reverses=entry).exists() else ""
