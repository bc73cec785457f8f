"""Pages for bringing in a file of clients: chosen, looked through, confirmed, told of."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from asat_site.http import PracticeRequest
from clients import services, services_import, tasks
from clients.models import ClientImport
from clients.rules import incoming

Status = ClientImport.Status


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: PracticeRequest) -> HttpResponse:
    """Takes a file and looks through it: at once where it is short, else in a worker. No client is saved by it."""
    refused = ""
    if request.method == "POST":
        sent = request.FILES.get("file")
        try:
            if sent is None:
                raise incoming.Unreadable("No file was chosen.")
            row = services_import.receive(request.user, str(sent.name), sent.read())
            if services_import.is_short(row):
                services_import.look_through(row)
            else:
                tasks.start_import(row)
            return redirect("client_import", row.pk)
        except incoming.Unreadable as unreadable:
            refused = unreadable.message
    context = {
        "refused": refused,
        "columns": list(incoming.WORDS.values()),
        "most_mb": min(incoming.MOST_BYTES, settings.ASAT_MAX_UPLOAD_BYTES) // 1024 // 1024,
        "earlier": ClientImport.objects.exclude(status=Status.GIVEN_UP)[:10],
        "may_write": request.user.may_write,
    }
    return render(request, "clients/import.html", context, status=422 if refused else 200)


@require_safe
def one_import(request: PracticeRequest, import_id: UUID) -> HttpResponse:
    """How far a file is, and what would come in or came in. One that a worker lost is started again."""
    row = get_object_or_404(ClientImport, pk=import_id)
    is_waiting = row.status in (Status.CHECKING, Status.COMING_IN)
    is_taken = tasks.start_import(row) if is_waiting else True
    context = {"row": row, "is_waiting": is_waiting, "is_taken": is_taken, "may_write": request.user.may_write}
    template = "clients/_import_report.html" if request.htmx else "clients/import_one.html"
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def confirm(request: PracticeRequest, import_id: UUID) -> HttpResponse:
    """Brings the file in: at once where it is short, else in a worker."""
    row = get_object_or_404(ClientImport, pk=import_id)
    try:
        services_import.confirm(row)
    except services.NotDone as refused:
        messages.error(request, refused.message)
        return redirect("client_import", import_id)
    row.refresh_from_db()
    if row.status == Status.COMING_IN:
        if services_import.is_short(row):
            services_import.bring_in(row)
        else:
            tasks.start_import(row)
    return redirect("client_import", import_id)


@require_POST
def give_up(request: PracticeRequest, import_id: UUID) -> HttpResponse:
    services_import.give_up(get_object_or_404(ClientImport, pk=import_id))
    messages.success(request, "The file is forgotten. No client came in from it.")
    return redirect("client_import_upload")
