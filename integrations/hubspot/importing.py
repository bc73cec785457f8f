"""The work of an import, in pieces short enough to share a worker: first the list, page by page; then the clients.

A page is one transaction with the cursor that follows it, and so is a batch of clients: a worker that ends anywhere
leaves nothing half done, and going on leads to the same end. No transaction is open while HubSpot is asked.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from clients.models import Client, ClientEvent
from integrations import services
from integrations.hubspot import deciding, mapping, reporting, runs
from integrations.hubspot.api import BadCursor, HubSpot
from integrations.hubspot.mapping import Outcome
from integrations.models import ClientOrigin, Connection, ImportedCompany, ImportRun
from integrations.terms import LacksScopes, ReconnectRequired, TryLater, VendorFailed

SLICE_S = 8.0  # the queue's other work, signs of life among it, comes in between
BATCH = 200
MOST_STALE = 3  # pages in a row that bring nothing new and go on
MOST_EMPTY = 20
MOST_TROUBLES = 5
FIRST_WAIT_S = 15.0

ROUND = "HubSpot’s list leads back to companies that were read already, so it cannot be told whether it is whole."
NOT_WHOLE = (
    "{listed:,} companies were listed, {kept:,} are accounted for and HubSpot counts {total}: the list is not whole. "
    "Nothing is brought in from it; read it again."
)
NO_PROPERTY = "The property “{0}” is no longer among those of HubSpot’s companies. Begin again and choose anew."
log = logging.getLogger(__name__)


def work(
    run_id: UUID,
    follows: int,
    slice_s: float = SLICE_S,
    door: Callable[[Connection], HubSpot] = HubSpot.of,
) -> tuple[int, float] | None:
    """Go on with a run for about so long. What is to follow: this piece's number, and after how many seconds.

    None where nothing is to follow: it ended, waits for a person, or is in other hands. door: how HubSpot is reached.
    """
    run = runs.claim(run_id, follows, timezone.now())
    if run is None:
        return None
    try:
        return _worked(run, time.monotonic() + slice_s, door)
    except runs.Overtaken:
        log.info("import %s is in other hands", run_id)
        return None


def _worked(run: ImportRun, ends_at: float, door: Callable[[Connection], HubSpot]) -> tuple[int, float] | None:
    if run.status == ImportRun.Status.IMPORTING:
        is_over = _bring_in(run, ends_at)
        return None if is_over else (run.attempts, 0.0)
    try:
        with services.marking(run.connection), door(run.connection) as hubspot:
            is_over = _read(run, hubspot, ends_at)
    except (ReconnectRequired, LacksScopes) as error:
        runs.pause(run, error.message)
    except TryLater as error:
        return _later(run, error)
    except VendorFailed as error:
        _fail(run, error.message)
    else:
        return None if is_over else (run.attempts, 0.0)
    return None


def _later(run: ImportRun, error: TryLater) -> tuple[int, float] | None:
    """Wait a little and go on by itself, some times; then, or where the wait is long, wait for a person."""
    with runs.writing(run) as row:
        troubles = int(row.tally.get("troubles", 0)) + 1
        row.tally = {**row.tally, "troubles": troubles, "idle": 0}
        row.why = error.message[:400]
        if error.is_far_off or troubles > MOST_TROUBLES:
            row.status = ImportRun.Status.PAUSED
            return None
    return run.attempts, max(FIRST_WAIT_S * troubles, error.retry_after_s or 0.0)


def _fail(run: ImportRun, why: str) -> None:
    with runs.writing(run) as row:
        runs.end(row, ImportRun.Status.FAILED, why)


def _read(run: ImportRun, hubspot: HubSpot, ends_at: float) -> bool:
    """Read pages until the list or the time ends; whether there is nothing more to do for now."""
    _begin_list(run, hubspot)
    while True:
        run.refresh_from_db(fields=["cursor", "stop_asked_at"])
        if run.stop_asked_at is not None:
            with runs.writing(run) as row:
                runs.end(row, ImportRun.Status.STOPPED)
            return True
        try:
            page = hubspot.page(run.cursor, run.options.get("abn_property", ""))
        except BadCursor:
            _restart(run)
            continue
        if _take(run, page):
            return True
        if time.monotonic() >= ends_at:
            return False


def _begin_list(run: ImportRun, hubspot: HubSpot) -> None:
    """At the list's beginning, and after a change of key: whether the chosen property is still there. Raises as it."""
    changed = runs.has_another_key(run)
    if run.cursor and not changed:
        return
    wanted = run.options.get("abn_property", "")
    if wanted and wanted not in {each.name for each in hubspot.abn_properties()}:
        raise VendorFailed(NO_PROPERTY.format(run.options.get("abn_label") or wanted))
    if changed:
        with runs.writing(run) as row:
            runs.forget_list(row)
            runs.key_is_known(row)
    services.checked(run.connection, run.connection.why if run.connection.is_connected else "")


def _restart(run: ImportRun) -> None:
    """Begin the list anew, once: HubSpot no longer knows where we were."""
    with runs.writing(run) as row:
        if row.tally.get("restarts", 0):
            raise VendorFailed("HubSpot twice lost the place in its list where we were. Begin again.")
        runs.forget_list(row)
        row.tally["restarts"] = 1


def _take(run: ImportRun, page: mapping.Page) -> bool:
    """Keep a page with the cursor that follows it; whether there is no more to read."""
    with runs.writing(run) as row:
        kept = int(row.tally.get("kept", 0))
        new = deciding.companies_of(row, page.companies, kept)
        ImportedCompany.objects.bulk_create(new)
        row.tally = _tallied(row.tally, page, len(new))
        if page.after and _goes_round(row, page):
            runs.end(row, ImportRun.Status.FAILED, ROUND)
            return True
        row.cursor, row.why = page.after, ""
        if not page.after:
            _preview(row)
    return not page.after


def _tallied(tally: dict[str, Any], page: mapping.Page, new: int) -> dict[str, Any]:
    def more(name: str, by: int) -> int:
        return int(tally.get(name, 0)) + by

    brings_nothing = bool(page.companies) and not new
    is_empty = not page.companies and not page.archived
    return {
        **tally,
        "pages": more("pages", 1),
        "listed": more("listed", len(page.companies)),
        "kept": more("kept", new),
        "repeated": more("repeated", len(page.companies) - new),
        "archived": more("archived", page.archived),
        "stale": more("stale", 1) if brings_nothing else 0,
        "empty": more("empty", 1) if is_empty else 0,
        "total": page.total if page.total is not None else tally.get("total"),
        "idle": 0,
        "troubles": 0,
    }


def _goes_round(row: ImportRun, page: mapping.Page) -> bool:
    return page.after == row.cursor or row.tally["stale"] >= MOST_STALE or row.tally["empty"] >= MOST_EMPTY


def _preview(row: ImportRun) -> None:
    """The list was read to its end: it waits for a person, unless it is not whole."""
    row.report = reporting.report_of(row)
    row.read_at = timezone.now()
    kept, total = row.tally["kept"], row.tally.get("total")
    if row.report["adds_up"] and total in (None, kept):
        row.status = ImportRun.Status.PREVIEWED
        return
    counted = f"{total:,}" if total is not None else "none"
    runs.end(row, ImportRun.Status.FAILED, NOT_WHOLE.format(listed=row.tally["listed"], kept=kept, total=counted))


def _bring_in(run: ImportRun, ends_at: float) -> bool:
    """Make clients of what is new until all are made or the time ends; whether there is nothing more to do."""
    while True:
        with runs.writing(run) as row:
            waiting = row.companies.filter(outcome=Outcome.NEW)
            batch = list(waiting.order_by("number")[:BATCH])
            if row.stop_asked_at is not None:
                runs.end(row, ImportRun.Status.STOPPED)
                return True
            if not batch:
                _finish(row)
                return True
            _make_clients(row, batch)
            done = int(row.tally.get("done", 0)) + len(batch)
            row.tally = {**row.tally, "done": done, "idle": 0}
        if time.monotonic() >= ends_at:
            return False


def _make_clients(row: ImportRun, batch: list[ImportedCompany]) -> None:
    """Clients of those that are still new: name and ABN alone, for nothing else is known. The others say why not."""
    had_abn = {company.pk for company in batch if company.abn}
    deciding.decide(row, batch)
    coming = [company for company in batch if company.outcome == Outcome.NEW]
    clients = [Client(name=company.name, abn=company.abn) for company in coming]
    for client in clients:
        client.refold()
    Client.objects.bulk_create(clients)
    ClientOrigin.objects.bulk_create(
        ClientOrigin(kind=deciding.KIND, vendor_id=company.vendor_id, client=client, run=row)
        for company, client in zip(coming, clients, strict=True)
    )
    by = row.confirmed_by_id or row.started_by_id
    ClientEvent.objects.bulk_create(
        ClientEvent(client=client, kind=ClientEvent.Kind.IMPORTED, by_id=by) for client in clients
    )
    lost_abn = [company for company in coming if company.pk in had_abn and not company.abn]
    others = [company for company in batch if company.outcome != Outcome.NEW]
    fields = ["outcome", "client", "abn", "abn_note", "name_note"]
    ImportedCompany.objects.bulk_update([*others, *lost_abn], fields)
    origins = ClientOrigin.objects.filter(kind=deciding.KIND, vendor_id=OuterRef("vendor_id"))
    row.companies.filter(pk__in=[company.pk for company in coming]).update(
        outcome=Outcome.CAME_IN, client_id=Subquery(origins.values("client_id")[:1])
    )


def _finish(row: ImportRun) -> None:
    """Complete, where every company that was listed is accounted for."""
    runs.end(row, ImportRun.Status.DONE)
    if not row.report["adds_up"]:
        kept = sum(row.report["outcomes"].values())
        why = NOT_WHOLE.format(listed=row.report["listed"], kept=kept, total="none")
        row.status, row.why = ImportRun.Status.FAILED, why
