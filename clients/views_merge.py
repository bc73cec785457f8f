"""Pages for clients that may be one: found, looked at side by side, merged, and taken apart again."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from asat_site.http import PracticeRequest
from clients import presentation, queries, services, services_merge
from clients.models import Client, Merge


@require_safe
def duplicates(request: PracticeRequest) -> HttpResponse:
    """Clients with one ABN or one name, and the merges there were."""
    context = {
        "groups": queries.duplicates(),
        "merges": queries.merges(),
        "may_write": request.user.may_write,
    }
    return render(request, "clients/duplicates.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: PracticeRequest) -> HttpResponse:
    """Two clients side by side, `keep` and `gone`; POST merges them."""
    given = request.POST if request.method == "POST" else request.GET
    kept, gone = _client(given.get("keep", "")), _client(given.get("gone", ""))
    if kept.pk == gone.pk:
        raise Http404("one client is not two")
    if request.method == "POST":
        try:
            services_merge.merge(request.user, kept, gone)
            messages.success(request, "Merged. It can be undone on this page, and under Duplicates.")
            return redirect("client", kept.pk)
        except services.NotDone as refused:
            messages.error(request, refused.message)
    sides = zip(presentation.particulars(kept), presentation.particulars(gone), strict=True)
    context = {
        "kept": kept,
        "gone": gone,
        "lines": [(what, mine, theirs) for (what, mine), (_, theirs) in sides],
        "tfns": (presentation.masked_tfn(kept), presentation.masked_tfn(gone)),
        "may_write": request.user.may_write,
    }
    return render(request, "clients/merge.html", context, status=422 if request.method == "POST" else 200)


@require_POST
def unmerge(request: PracticeRequest, merge_id: UUID) -> HttpResponse:
    done = get_object_or_404(Merge, pk=merge_id)
    try:
        services_merge.unmerge(request.user, done)
        messages.success(request, "The merge is undone: both clients are as they were.")
    except services.NotDone as refused:
        messages.error(request, refused.message)
    return redirect("clients_duplicates")


def _client(typed: str) -> Client:
    try:
        found = queries.client_of(UUID(typed))
    except ValueError:
        found = None
    if found is None:
        raise Http404("no such client")
    return found
