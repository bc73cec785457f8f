"""An import's life: begun, looked at, confirmed, stopped, gone on with; and which worker has it.

A piece of work claims the run and raises its `attempts`; whatever it writes then is bound to that number, so that a
worker that was taken for dead writes nothing more. A message to go on names the number it follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from asat_site.tenancy.keeper import as_keeper
from integrations.hubspot import reporting
from integrations.models import Connection, ImportRun

LOST_AFTER = timedelta(seconds=150)  # longer than one request with its tries may take
MOST_IDLE = 6  # claims in a row that led to nothing
GAVE_UP = "The work on this import ended unexpectedly several times. Go on, or tell whoever looks after AsAt."
Status = ImportRun.Status


class AlreadyOneOpen(Exception):
    """An import goes on or waits already."""


class Overtaken(Exception):
    """Another worker has the run, or it has ended: what was to be written is not."""


def begin(user: Any, connection: Connection, abn_property: str = "", abn_label: str = "") -> ImportRun:
    """A new run, for the caller to enqueue. abn_property: where ABNs stand, "" to bring none. Raises AlreadyOneOpen."""
    options = {"abn_property": abn_property, "abn_label": abn_label, "key_of": _key_of(connection)}
    try:
        with transaction.atomic():
            return ImportRun.objects.create(
                connection=connection, started_by=user, options=options, heartbeat_at=timezone.now()
            )
    except IntegrityError:
        raise AlreadyOneOpen from None


def confirm(user: Any, run: ImportRun) -> bool:
    """Whether the previewed run is to come in now; the caller enqueues it."""
    now = timezone.now()
    return bool(
        ImportRun.objects.filter(pk=run.pk, status=Status.PREVIEWED).update(
            status=Status.IMPORTING, confirmed_by=user, confirmed_at=now, heartbeat_at=now
        )
    )


def go_on(run: ImportRun) -> bool:
    """Whether a paused run is at work again; the caller enqueues it."""
    with transaction.atomic():
        row = ImportRun.objects.select_for_update().get(pk=run.pk)
        if row.status != Status.PAUSED:
            return False
        row.status = Status.IMPORTING if row.confirmed_at else Status.READING
        row.why, row.heartbeat_at = "", timezone.now()
        row.tally = {**row.tally, "idle": 0, "troubles": 0}
        row.save(update_fields=["status", "why", "heartbeat_at", "tally"])
    return True


def stop(run: ImportRun) -> bool:
    """Whether the run ends: now, or at its worker's next page or batch. What came in stays."""
    now = timezone.now()
    with transaction.atomic():
        row = ImportRun.objects.select_for_update().get(pk=run.pk)
        if not row.is_open:
            return False
        row.stop_asked_at = now
        row.save(update_fields=["stop_asked_at"])
        if not row.is_working:
            end(row, Status.STOPPED)
    return True


def claim(run_id: UUID, follows: int, now: datetime) -> ImportRun | None:
    """The run for this worker to go on with; None where it is not at work, or another worker has it and is alive.

    follows: the number of the piece of work that this one follows. One that led to nothing too often is paused.
    """
    with transaction.atomic():
        run = ImportRun.objects.select_for_update().filter(pk=run_id).first()
        if run is None or not run.is_working:
            return None
        is_alive = run.heartbeat_at is not None and run.heartbeat_at > now - LOST_AFTER
        if run.attempts != follows and is_alive:
            return None
        idle = int(run.tally.get("idle", 0)) + 1
        run.tally = {**run.tally, "idle": idle}
        if idle > MOST_IDLE:
            run.status, run.why = Status.PAUSED, GAVE_UP
        run.attempts += 1
        run.heartbeat_at = now
        run.save(update_fields=["status", "why", "attempts", "heartbeat_at", "tally"])
    return run if run.is_working else None


@contextmanager
def writing(run: ImportRun) -> Iterator[ImportRun]:
    """One transaction that writes for this claim: the row, locked and fresh, saved with its sign of life at the end.

    Within, restricted clients are seen, as the keeper sees them, so that none is brought in a second time; what points
    at one is shown to nobody else. Raises Overtaken.
    """
    with transaction.atomic(), as_keeper():
        row = ImportRun.objects.select_for_update().get(pk=run.pk)
        if row.attempts != run.attempts or not row.is_working:
            raise Overtaken
        yield row
        row.heartbeat_at = timezone.now()
        row.save()


def pause(run: ImportRun, why: str) -> None:
    """The run waits for a person, who is told why."""
    with writing(run) as row:
        row.status, row.why = Status.PAUSED, why[:400]


def end(row: ImportRun, status: str, why: str = "") -> None:
    """The run is over, with its report; saved. Within a transaction that holds the row."""
    with as_keeper():
        row.report = reporting.report_of(row)
        reporting.note_event(row)
    row.status, row.why, row.finished_at = status, why[:400], timezone.now()
    row.save()


def forget_list(row: ImportRun) -> None:
    """Begin the list anew: what was read of it goes, and its cursor."""
    row.companies.all().delete()
    row.cursor = ""
    row.tally = {"restarts": int(row.tally.get("restarts", 0)), "idle": 0}


def has_another_key(row: ImportRun) -> bool:
    """Whether the key was changed since the list was begun: it may be another account's, whose list is another."""
    return bool(row.options.get("key_of") != _key_of(row.connection))


def key_is_known(row: ImportRun) -> None:
    """From here on the list is read with the key that is stored now."""
    row.options = {**row.options, "key_of": _key_of(row.connection)}


def _key_of(connection: Connection) -> str:
    """What names the stored key: when it was given."""
    return connection.connected_at.isoformat() if connection.connected_at else ""
