"""A client's row held while something of it is written, so that a merge of clients waits, or has been seen.

One order everywhere: clients before documents. Foreign keys are checked at the end of a transaction and hold nothing
until then. Whoever merges locks both clients outright (`services_merge`).
"""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from clients.models import Client, Document
from clients.services import NotDone


class Moved(NotDone):
    """The document went to another client while its own was waited for: clients were merged, or taken apart."""


def hold(client_id: UUID) -> None:
    """Keeps the client from being merged until the transaction ends; any number may hold it at once."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM clients_client WHERE id = %s FOR KEY SHARE", [client_id])


def hold_alone(client_id: UUID) -> None:
    """The same for one at a time: the next who asks for the client alone waits."""
    list(Client.objects.select_for_update(no_key=True).filter(pk=client_id).values_list("pk"))


def locked_document(document_id: UUID, *, alone: bool = False) -> Document:
    """The document, locked after its client was held. Raises Document.DoesNotExist, and Moved in words.

    alone: its client is held for this transaction alone.
    """
    client_id = Document.objects.values_list("client_id", flat=True).get(pk=document_id)
    (hold_alone if alone else hold)(client_id)
    document = Document.objects.select_for_update().get(pk=document_id)
    if document.client_id != client_id:
        raise Moved("The client was merged, or taken apart again, just now. Load the page again.")
    return document
