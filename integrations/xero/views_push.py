"""The button that sends approved entries to Xero, and what became of each of them."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from asat_site.http import PracticeRequest
from clients.models import Client
from clients.presentation import is_restricted
from integrations.terms import VendorFailed
from integrations.xero import from_transactions, pushed, tasks
from integrations.xero.from_transactions import MOST_AT_ONCE
from integrations.xero.views import page_of_bills


@require_POST
def push(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """Sends what was ticked, or all that is not there, as drafts; each once, however often this is asked for."""
    if not request.user.may_write:
        raise PermissionDenied
    client = get_object_or_404(Client, pk=client_id)
    wants_all = request.POST.get("which") == "all"
    ids = from_transactions.not_there(client) if wants_all else _ids(request.POST.getlist("entry"))
    if not ids:
        nothing = "Everything that can be sent is in Xero." if wants_all else "Nothing was ticked. Tick bills first."
        messages.info(request, nothing)
        return redirect("client_transactions", client.pk)
    try:
        done = from_transactions.push(request.user, client, ids, page_of_bills(request))
    except VendorFailed as refused:
        messages.error(request, refused.message)
        return redirect("client_xero", client.pk)
    tasks.enqueue([each for _, each in done.new + done.again])
    context = pushed.context(done) | {"client": client, "is_restricted": is_restricted(client)}
    return render(request, "integrations/xero_pushed.html", context | {"may_write": True, "most": MOST_AT_ONCE})


def _ids(typed: list[str]) -> list[UUID]:
    """The ids that can be read, each once."""
    found: dict[UUID, None] = {}
    for text in typed:
        try:
            found[UUID(text)] = None
        except ValueError:
            continue
    return list(found)
