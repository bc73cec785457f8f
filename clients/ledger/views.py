"""The pages of the ledger: what was asked for, what to show, and what is taken out as a file."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from asat_site.http import PracticeRequest
from clients.ledger import presentation
from clients.ledger.filtering import Filter
from clients.models import Client, ClientEvent
from clients.presentation import is_restricted
from clients.queries import client_of
from clients.rules.outgoing import csv_lines
from clients.services import note_event


@require_safe
def transactions(request: PracticeRequest) -> HttpResponse:
    """The entries of every client that one sees, narrowed and sorted as the address says."""
    return _page(request, None)


@require_safe
def client_transactions(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """The entries of one client."""
    return _page(request, _client(client_id))


def _page(request: PracticeRequest, client: Client | None) -> HttpResponse:
    wanted = Filter.of(request.GET)
    context = presentation.list_context(wanted, client, request.user)
    context |= {"client": client, "may_write": request.user.may_write}
    if client is not None:
        context["is_restricted"] = is_restricted(client)
    return render(request, "clients/transactions.html", context)


@require_POST
def export(request: PracticeRequest) -> StreamingHttpResponse:
    """The list as CSV, on record before the first line of it."""
    wanted, typed = Filter.of(QueryDict(request.POST.get("back", ""))), request.POST.get("client", "")
    client = _client(_id(typed)) if typed else None
    rows, count = presentation.csv_rows(wanted, client)
    note_event(request.user, ClientEvent.Kind.ENTRIES_EXPORTED, client, count=count)
    lines = csv_lines(rows, presentation.HEADINGS)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["X-Exported-Rows"] = str(count)  # for the practice's events; it goes no further
    response["Content-Disposition"] = f'attachment; filename="transactions-{timezone.localdate():%Y-%m-%d}.csv"'
    return response


def _client(client_id: UUID) -> Client:
    found = client_of(client_id)
    if found is None:
        raise Http404("no such client")
    return found


def _id(typed: str) -> UUID:
    try:
        return UUID(typed)
    except ValueError:
        raise Http404("no such client") from None
