"""The page of a document: reviewed field by field, approved and taken back. Deciding and entering is done elsewhere."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse as reverse_url
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from asat_site.http import PracticeRequest
from clients.extraction.rows_revised import PARTS, row_and_part
from clients.extraction.standing import Act
from clients.models import Document
from clients.review import deciding, presentation, queries, services
from clients.review.deciding import NotTaken, Wanted
from clients.review.looking import Look
from clients.services import NotDone

MOST_TYPED = 2_000  # letters taken from one box
MOST_TICKED = 200
IN_WORK = (Document.Status.WAITING, Document.Status.READING)


@require_safe
def document(request: PracticeRequest, document_id: UUID) -> HttpResponse:
    """A document, whatever has become of it; for htmx what changes while it is read, or the fields."""
    found = _document(document_id)
    if found.status in IN_WORK:
        return _varied(_while_read(request, found))
    if request.htmx and request.GET.get("part") == "now":
        response = HttpResponse(status=204)
        response["HX-Refresh"] = "true"
        return _varied(response)
    if found.reading is None or found.status == Document.Status.UNSAFE:
        context = presentation.not_read_context(found, request.user)
        return _varied(render(request, "clients/review_not_read.html", context))
    return _review(request, found, _look_of(request))


@require_POST
def decide(request: PracticeRequest, document_id: UUID) -> HttpResponse:
    """One act on a field or row; for htmx the fields as they stand then, and in any case what was not taken and why."""
    found, posted = _document(document_id), request.POST
    field = posted.get("field", "")[:40]
    page, row = _number(posted.get("page", "")), row_and_part(field)
    try:
        deciding.decide(request.user, found.pk, _wanted(request, found, field))
    except NotTaken as refused:
        look = Look(page, field, row[0] if row else 0, {refused.field: refused.sentence}, _typed(request, field))
        return _review(request, found, look, status=422)
    except NotDone as refused:
        messages.error(request, refused.message)
        if request.htmx:
            response = HttpResponse(status=204)
            response["HX-Refresh"] = "true"
            return response
        return redirect("document", found.pk)
    if request.htmx:
        return _review(request, _document(document_id), Look(page, "" if row else field))
    at = f"row-{row[0]}" if row else f"field-{field}"
    return redirect(f"{reverse_url('document', args=[found.pk])}?page={page}&field={field}#{at}")


@require_POST
def approve(request: PracticeRequest, document_id: UUID) -> HttpResponse:
    """Enters the document as it stands, and goes on to the next one."""
    found = _document(document_id)
    ticked, of_all = _ids(request.POST.getlist("although")), request.POST.get("although_all", "")
    try:
        services.approve(request.user, found.pk, _number(request.POST.get("seen", ""), 0), ticked, of_all)
    except NotDone as refused:
        messages.error(request, refused.message)
        return redirect("document", found.pk)
    following = queries.next_after(found)
    if following is None:
        messages.success(request, "Approved. No other document waits for review.")
        return redirect("document", found.pk)
    messages.success(request, "Approved. This is the next one.")
    return redirect("document", following.pk)


@require_POST
def reverse(request: PracticeRequest, document_id: UUID) -> HttpResponse:
    """Takes back the approval that the form names."""
    found, named = _document(document_id), _ids([request.POST.get("approval", "")])
    try:
        why = request.POST.get("why", "")[:MOST_TYPED]
        services.reverse(request.user, found.pk, named.pop() if named else None, why)
        messages.success(request, "Taken back: entries that reverse it are made, and it is under review again.")
    except NotDone as refused:
        messages.error(request, refused.message)
    return redirect("document", found.pk)


def _review(request: PracticeRequest, found: Document, look: Look, status: int = 200) -> HttpResponse:
    """The review page, or for htmx its fields alone. Raises Http404 for a document that has none."""
    try:
        stand = services.stand_of(found)
    except LookupError:
        raise Http404("not read") from None
    context = presentation.review_context(stand, look, request.user)
    template = "clients/_review.html" if request.htmx else "clients/review.html"
    return _varied(render(request, template, context, status=status))


def _while_read(request: PracticeRequest, found: Document) -> HttpResponse:
    context = presentation.document_context(found, request.user)
    context["progress"] = presentation.progress_words(found)
    template = "clients/_document_now.html" if request.htmx else "clients/review_waits.html"
    return render(request, template, context)


def _wanted(request: PracticeRequest, found: Document, field: str) -> list[Wanted]:
    """What the form asks for. Raises NotDone for an act that there is not, NotTaken for a text that is no value."""
    posted = request.POST
    row = row_and_part(field)
    if row and not row[1] and posted.get("act") == "corrected":
        stand = services.stand_of(found) if found.reading else None
        if stand is None:
            raise NotDone(services.NOT_IN_REVIEW)
        texts = {part: posted[part][:MOST_TYPED] for part in PARTS if part in posted}
        return deciding.of_row(stand.found, row[0], texts)
    try:
        act = Act(posted.get("act", ""))
    except ValueError:
        raise NotDone("There is no such act.") from None
    return [Wanted(field, act, posted.get("value", "")[:MOST_TYPED])]


def _typed(request: PracticeRequest, field: str) -> dict[str, str]:
    """What stands in the boxes that were sent, to be shown again."""
    of_row = {f"{field}-{part}": request.POST[part][:MOST_TYPED] for part in PARTS if part in request.POST}
    return of_row | {field: request.POST.get("value", "")[:MOST_TYPED]}


def _look_of(request: PracticeRequest) -> Look:
    given = request.GET
    return Look(_number(given.get("page", "")), given.get("field", "")[:40], _number(given.get("row", ""), 0))


def _document(document_id: UUID) -> Document:
    found = queries.document_of(document_id)
    if found is None:
        raise Http404("no such document")
    return found


def _number(text: str, otherwise: int = 1) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else otherwise


def _ids(typed: list[str]) -> set[UUID]:
    found = set()
    for text in typed[:MOST_TICKED]:
        try:
            found.add(UUID(text))
        except ValueError:
            continue
    return found


def _varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request"])
    return response
