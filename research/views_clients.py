"""The research tab of a client's page: what was asked for it, by anybody of the practice who may see it."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from asat_site.http import PracticeRequest
from clients.presentation import is_restricted
from clients.queries import client_of
from research import queries
from research.presentation.records import asked_line

PAGE = 50


@require_safe
def client_research(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """What was asked for the client, newest first."""
    client = client_of(client_id)
    if client is None:
        raise Http404("no such client")
    typed = request.GET.get("before", "")
    try:
        before = parse_datetime(typed) if typed else None
    except ValueError:
        before = None
    if before is not None and before.tzinfo is None:
        before = None
    asked = queries.asked_for(client.pk, PAGE + 1, before)
    context = {
        "client": client,
        "is_restricted": is_restricted(client),
        "may_write": request.user.may_write,
        "lines": [asked_line(question, request.user) for question in asked[:PAGE]],
        "before": asked[PAGE - 1].asked_at.isoformat() if len(asked) > PAGE else "",
        "newer": before is not None,
    }
    return render(request, "research/client_research.html", context)
