"""A file of clients: looked through first and shown, brought in when it is confirmed, and not kept."""

from __future__ import annotations

import base64
from typing import Any

from django.db import transaction

from asat_site import secrets
from asat_site.tenancy.context import current_practice_id
from clients import queries, services
from clients.models import Client, ClientEvent, ClientImport
from clients.rules import incoming
from clients.services import Kind, NotDone

TABLE, COLUMN = "clients_clientimport", "sealed_file"
AT_ONCE = 500  # lines looked through within a request; 10,000 take some seconds
Status = ClientImport.Status


@transaction.atomic
def receive(user: Any, filename: str, content: bytes) -> ClientImport:
    """The file, kept sealed until it is confirmed or given up. Raises incoming.Unreadable, with nothing kept.

    One at a time: what the same person had sent before and not confirmed is given up with this.
    """
    text = incoming.read_file(content)
    incoming.rows_of(text)
    practice = current_practice_id()
    assert practice is not None, "a file of clients is received in a practice"
    for earlier in ClientImport.objects.filter(by=user, status__in=(Status.CHECKING, Status.CHECKED)):
        give_up(earlier)
    row = ClientImport(by=user, filename=" ".join(filename.split())[:200] or "clients.csv")
    packed = base64.b64encode(text.encode()).decode()
    row.sealed_file = secrets.seal(packed, practice=practice, table=TABLE, column=COLUMN, row=row.pk)
    row.save()
    row.refresh_from_db(fields=["practice_id"])
    return row


def is_short(row: ClientImport) -> bool:
    """Whether the file is looked through and brought in while its sender waits."""
    try:
        return len(incoming.rows_of(_text(row))[1]) <= AT_ONCE
    except secrets.CannotOpen:
        return True


@transaction.atomic
def look_through(row: ClientImport) -> None:
    """The dry run: what would come in, what is skipped and what is wrong, kept as the report. Saves no client."""
    row = ClientImport.objects.select_for_update().get(pk=row.pk)
    if row.status == Status.CHECKING and _opens(row):
        report, _ = incoming.check(_text(row), *queries.known_keys())
        row.report, row.status = report.as_plain(), Status.CHECKED
        row.save(update_fields=["report", "status"])


@transaction.atomic
def confirm(row: ClientImport) -> None:
    """Marks the file to be brought in; once, however often it is wanted. Raises NotDone for one that is not ready."""
    row = ClientImport.objects.select_for_update().get(pk=row.pk)
    if row.status == Status.CHECKED:
        row.status = Status.COMING_IN
        row.save(update_fields=["status"])
    elif row.status not in (Status.COMING_IN, Status.DONE):
        raise NotDone("This file was given up, or is still being looked through.")


@transaction.atomic
def bring_in(row: ClientImport) -> int:
    """How many clients came in: all that are right, or none. The register is looked at again as it is now."""
    row = ClientImport.objects.select_for_update().select_related("by").get(pk=row.pk)
    if row.status != Status.COMING_IN or not _opens(row):
        return 0
    report, coming = incoming.check(_text(row), *queries.known_keys())
    clients = [_client(each) for each in coming]
    Client.objects.bulk_create(clients, batch_size=500)
    ClientEvent.objects.bulk_create(
        (ClientEvent(client=client, kind=Kind.IMPORTED, by=row.by) for client in clients), batch_size=1000
    )
    services.note_event(row.by, Kind.IMPORTED, count=len(clients))
    row.report, row.status, row.sealed_file = report.as_plain(), Status.DONE, ""
    row.save(update_fields=["report", "status", "sealed_file"])
    return len(clients)


@transaction.atomic
def give_up(row: ClientImport) -> None:
    """Forgets the file; what has come in stays."""
    row = ClientImport.objects.select_for_update().get(pk=row.pk)
    if row.status in (Status.CHECKING, Status.CHECKED):
        row.status, row.sealed_file, row.report = Status.GIVEN_UP, "", {}
        row.save(update_fields=["status", "sealed_file", "report"])


def _client(coming: incoming.Incoming) -> Client:
    values = dict(coming.values)
    tfn = values.pop("tfn", "")
    client = Client(**values)
    client.set_tfn(tfn)
    client.refold()
    return client


def _opens(row: ClientImport) -> bool:
    """Whether the file opens; one whose key has been taken out meanwhile is given up, to be chosen again."""
    try:
        _text(row)
    except secrets.CannotOpen:
        row.status, row.sealed_file, row.report = Status.GIVEN_UP, "", {}
        row.save(update_fields=["status", "sealed_file", "report"])
        return False
    return True


def _text(row: ClientImport) -> str:
    opened = secrets.open_sealed(row.sealed_file, practice=row.practice_id, table=TABLE, column=COLUMN, row=row.pk)
    return base64.b64decode(opened).decode()
