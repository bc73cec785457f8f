"""The pages of documents: their queue, a client's, what was kept as files; and files in and out."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.http import content_disposition_header
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from asat_site.http import PracticeRequest
from asat_site.uploads import ManyFilesUploadHandler
from clients import queries as clients
from clients.documents import picturing, presentation, queries, reading, storing, taking, tasks
from clients.documents.queries import Filter
from clients.documents.taking import MOST_BYTES, Outcome, Taken
from clients.extraction.ports import Unreadable
from clients.models import Client, Document
from clients.rules import filenames

Status = Document.Status
DOWNLOADABLE = (Status.REVIEW, Status.APPROVED, Status.KEPT, Status.UNREADABLE)
NOT_ALL_CAME = "It was not taken: the files before it filled this sending. Send it again by itself."
MOST_FOUND = 8  # clients to send documents for
LARGE_BYTES = 8 * 1024 * 1024  # keeping a file takes eight times its size for a second; beyond this one at a time
_uploads = threading.BoundedSemaphore(3)  # files in memory at once; the rest waits in the server's spool
_large = threading.BoundedSemaphore(1)


@require_safe
def documents(request: PracticeRequest) -> HttpResponse:
    """The queue: every client's documents, or those of one that the address names."""
    wanted = Filter.of(request.GET)
    client = clients.client_of(wanted.client) if wanted.client else None
    if wanted.client and client is None:
        raise Http404("no such client")
    looked = "" if client else request.GET.get("client_q", "").replace("\x00", "").strip()[:200]
    found = list(clients.listed(clients.Filter.of({"q": looked}), request.user)[:MOST_FOUND]) if looked else []
    context = {"picked": client, "looked": looked, "found": found} | _upload(request, client)
    return _list(request, wanted, client, context)


@require_safe
def client_documents(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """A client's documents, and the place to send more to."""
    client = _client(client_id)
    return _client_page(request, client)


@require_safe
def client_files(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """What was kept as a file of a client's."""
    client = _client(client_id)
    wanted = Filter.of({**request.GET.dict(), "show": "kept"}, client.pk, "kept")
    context = presentation.list_context(wanted, request.user, client) | presentation.client_context(client)
    return render(request, "clients/client_files.html", context)


@csrf_exempt  # until the request has a handler that takes documents: reading the token reads the files
@require_POST
def document_upload(request: PracticeRequest, client_id: UUID) -> HttpResponseBase:
    """Takes files for a client: one of the script’s, told of in JSON; else many, and a page that tells of each."""
    request.upload_handlers = [ManyFilesUploadHandler(request, MOST_BYTES)]
    with _uploads:
        return _take_files(request, client_id)


@csrf_protect
def _take_files(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    client = _client(client_id)
    taken = [_take(request, client, sent) for sent in request.FILES.getlist("file")]
    for each in taken:
        if each.outcome is Outcome.NEW and each.document is not None:
            tasks.enqueue(each.document)
    sent = [presentation.sent_of(each) for each in taken]
    is_refused = not taken or any(each.outcome is Outcome.REFUSED for each in taken)
    status = 422 if is_refused else 200
    if "application/json" in request.headers.get("Accept", ""):
        return JsonResponse({"files": [each.as_json() for each in sent]}, status=status)
    if not taken:
        messages.error(request, "No file was chosen. Choose files, or drop them on the box.")
        return redirect("client_documents", client.pk)
    return _client_page(request, client, sent, status)


def _take(request: PracticeRequest, client: Client, sent: UploadedFile[bytes]) -> Taken:
    name = filenames.cleaned(sent.name or "")
    if getattr(sent, "was_cut", False):
        return Taken(Outcome.REFUSED, name, why=NOT_ALL_CAME)
    with _large if (sent.size or 0) > LARGE_BYTES else nullcontext():
        return taking.take(request.user, client, name, sent.read(), Document.CameBy.UPLOAD)


@require_safe
def document_page(request: PracticeRequest, document_id: UUID, number: int) -> HttpResponse:
    """A page as a picture. A browser may keep it, and asks each time whether it still may show it."""
    document = _document(document_id)
    turned = picturing.turned_of(document, number)
    if turned is None:
        raise Http404("no such page")
    tag = f'"{picturing.tag_of(document, number, turned)}"'
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponse(status=304)
    else:
        try:
            response = HttpResponse(picturing.picture(document, number, turned), content_type="image/png")
        except picturing.TooManyAtOnce:
            response = HttpResponse("Too many pages are being drawn.", status=503, content_type="text/plain")
            response["Retry-After"] = "2"
            return response
        except (storing.CannotOpenFile, Unreadable):
            raise Http404("the page cannot be drawn") from None
    response["ETag"], response["Cache-Control"] = tag, "private, no-cache"
    return response


@require_safe
def document_original(request: PracticeRequest, document_id: UUID) -> HttpResponse:
    """The file as it came, to be saved and never shown in place. Not before it was looked at, nor what is not safe."""
    document = _document(document_id)
    if document.status not in DOWNLOADABLE:
        raise Http404("not to be downloaded")
    try:
        content = storing.content_of(document)
    except storing.CannotOpenFile as error:
        messages.error(request, str(error))
        return redirect("client_documents", document.client_id)
    response = HttpResponse(content, content_type=document.media_type)
    name = filenames.given_back(document.name, document.media_type)
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    return response


@require_POST
def document_read_again(request: PracticeRequest, document_id: UUID) -> HttpResponse:
    """Has a file that was not read tried again."""
    document = _document(document_id)
    if reading.read_again(request.user, document):
        tasks.enqueue(document)
        messages.success(request, "It is read again.")
    else:
        messages.error(request, "Only a file that was not read can be read again.")
    return redirect(presentation.address_of(document))


@require_POST
def document_keep(request: PracticeRequest, document_id: UUID) -> HttpResponse:
    """Keeps a document as a file, or puts one that was kept back to where it was (`back`)."""
    document = _document(document_id)
    if "back" in request.POST:
        is_done = reading.back_to_queue(request.user, document)
        words = "It is back among the documents."
    else:
        is_done = reading.keep_as_file(request.user, document)
        words = "It is kept as a file, under Files of its client."
    if is_done:
        messages.success(request, words)
    else:
        messages.error(request, "That was not done: the document has gone another way meanwhile.")
    return redirect(presentation.address_of(document))


def _client_page(
    request: PracticeRequest, client: Client, sent: list[presentation.Sent] | None = None, status: int = 200
) -> HttpResponse:
    wanted = Filter.of(request.GET, client.pk, "all")
    context = presentation.client_context(client) | _upload(request, client) | {"sent": sent or []}
    return _list(request, wanted, client, context, status)


def _list(
    request: PracticeRequest, wanted: Filter, client: Client | None, more: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The page, or for htmx its table, or nothing where that is as it was."""
    is_of_client = "client" in more
    context = presentation.list_context(wanted, request.user, client if is_of_client else None) | more
    if request.htmx:
        if context["is_working"] and request.GET.get("seen") == context["seen"]:
            return _varied(HttpResponse(status=204))
        return _varied(render(request, "clients/_documents_now.html", context))
    template = "clients/client_documents.html" if is_of_client else "clients/documents.html"
    return _varied(render(request, template, context, status=status))


def _upload(request: PracticeRequest, client: Client | None) -> dict[str, Any]:
    host = request.get_host().rsplit(":", 1)[0]
    return presentation.upload_context(client, host, request.user) if client else {}


def _client(client_id: UUID) -> Client:
    found = clients.client_of(client_id)
    if found is None:
        raise Http404("no such client")
    return found


def _document(document_id: UUID) -> Document:
    found = queries.document_of(document_id)
    if found is None:
        raise Http404("no such document")
    return found


def _varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request"])
    return response
