"""What becomes of each company of a page: looked up among the practice's clients, and in what was read before it.

Runs as the keeper (`runs.writing`), so that a restricted client is found too. Nothing of an existing client is changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from clients.models import Client
from clients.rules.matching import match_key
from integrations.hubspot.mapping import AbnNote, Company, NameNote, Outcome, clean_name, read_abn
from integrations.models import ClientOrigin, Connection, ImportedCompany, ImportRun

KIND = Connection.Kind.HUBSPOT


@dataclass(frozen=True, slots=True)
class Known:
    """A client that a company was found to be: id, and whether it is archived."""

    client_id: UUID
    is_archived: bool


def companies_of(run: ImportRun, found: Iterable[Company], number: int) -> list[ImportedCompany]:
    """Rows for the companies that the run has not yet, numbered on from `number`; not saved."""
    new: dict[str, Company] = {}
    for company in found:
        new.setdefault(company.id, company)
    there = set(run.companies.filter(vendor_id__in=new).values_list("vendor_id", flat=True))
    rows = [_row(run, company) for company in new.values() if company.id not in there]
    for place, row in enumerate(rows, start=number + 1):
        row.number = place
    decide(run, rows)
    return rows


def decide(run: ImportRun, rows: list[ImportedCompany]) -> None:
    """Settle outcome, client and ABN of each row as things stand now. Rows are in the order of their numbers."""
    earlier, names = _came_earlier(rows), _clients_by_name(rows)
    before = _first_of_name(run, rows)
    held = _held_abns(run, rows)
    for row in rows:
        row.outcome, row.client_id = Outcome.NEW, None
        if row.vendor_id in earlier:
            row.outcome, row.client_id = Outcome.CAME_EARLIER, earlier[row.vendor_id]
        elif not row.name:
            row.outcome = Outcome.NAMELESS
        elif row.match_key in names:
            known = names[row.match_key]
            row.outcome = Outcome.ARCHIVED if known.is_archived else Outcome.EXISTS
            row.client_id = known.client_id
        elif row.match_key in before:
            row.outcome = Outcome.REPEATED_NAME
            if before[row.match_key] != row.abn:
                row.name_note = NameNote.ABN_DIFFERS
        else:
            before[row.match_key] = row.abn
            if row.abn and row.abn in held:
                row.abn, row.abn_note = "", AbnNote.HELD
            held.add(row.abn)


def _row(run: ImportRun, company: Company) -> ImportedCompany:
    name, name_note = clean_name(company.name)
    abn, abn_note = read_abn(company.abn)
    return ImportedCompany(
        run=run,
        vendor_id=company.id,
        name=name,
        name_note=name_note or "",
        match_key=(match_key(name) or name.casefold()[:300]) if name else "",
        domain=clean_name(company.domain)[0],
        abn=abn,
        abn_note=abn_note or "",
    )


def _came_earlier(rows: list[ImportedCompany]) -> dict[str, UUID]:
    origins = ClientOrigin.objects.filter(kind=KIND, vendor_id__in=[row.vendor_id for row in rows])
    return dict(origins.values_list("vendor_id", "client_id"))


def _clients_by_name(rows: list[ImportedCompany]) -> dict[str, Known]:
    """The clients of these names by key: one that is worked for before one that is archived; of two, the elder.

    A name without a letter or digit has no key of its own, and is compared as it stands.
    """
    keys = {row.match_key for row in rows if row.match_key}
    plain = {row.name for row in rows if row.name and not match_key(row.name)}
    found: dict[str, Known] = {}
    clients = Client.objects.filter(match_key__in=keys) | Client.objects.filter(match_key="", name__in=plain)
    for each in clients.order_by("created_at").select_related("merged_into"):
        client = each.merged_into or each
        key = each.match_key or each.name.casefold()[:300]
        if key not in found or (found[key].is_archived and client.archived_at is None):
            found[key] = Known(client.pk, client.archived_at is not None)
    return found


def _first_of_name(run: ImportRun, rows: list[ImportedCompany]) -> dict[str, str]:
    """The ABN of the company that comes in, or came in, under each of these names, by key; rows of the run alone."""
    keys = {row.match_key for row in rows if row.match_key}
    own = {row.pk for row in rows if row.pk}
    first = run.companies.filter(match_key__in=keys, outcome__in=[Outcome.NEW, Outcome.CAME_IN]).exclude(pk__in=own)
    return dict(first.values_list("match_key", "abn"))


def _held_abns(run: ImportRun, rows: list[ImportedCompany]) -> set[str]:
    """Which of these ABNs a client has, or an earlier company of the run brings in."""
    abns = {row.abn for row in rows if row.abn}
    own = {row.pk for row in rows if row.pk}
    coming = run.companies.filter(abn__in=abns, outcome__in=[Outcome.NEW, Outcome.CAME_IN]).exclude(pk__in=own)
    clients = Client.objects.filter(abn__in=abns, merged_into=None)
    return {*coming.values_list("abn", flat=True), *clients.values_list("abn", flat=True)} - {""}
