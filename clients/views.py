"""The pages of the client register: what was asked for, what to show. Deciding and saving are done elsewhere."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from asat_site.http import PracticeRequest
from asat_site.secrets import CannotOpen
from clients import presentation, queries, services
from clients.forms import ClientForm, ContactForm
from clients.models import Client, ClientEvent, Contact
from clients.queries import PAGE, Filter
from clients.rules import identifiers
from clients.rules.outgoing import csv_lines

MOST_AT_ONCE = 500  # chosen for one action
EVENTS = 100
PICKED = 8


@require_safe
def clients(request: PracticeRequest) -> HttpResponse:
    """The register, narrowed and sorted as the address says."""
    wanted = Filter.of(request.GET)
    rows, count = queries.page_of(wanted, request.user)
    context = presentation.list_context(wanted, rows, count, request.user) | _rights(request)
    return render(request, "clients/clients.html", context)


@require_safe
def pick(request: PracticeRequest) -> HttpResponse:
    """A few clients to pick from, for a part of another page: those found, or one's own where nothing is typed."""
    words = request.GET.get("client_q", "")
    wanted = Filter.of({"q": words} if words.strip() else {"mine": "1"})
    found = list(queries.listed(wanted, request.user)[:PICKED])
    return render(request, "clients/_picks.html", {"found": found, "looked": bool(words.strip())})


@require_POST
def bulk(request: PracticeRequest) -> HttpResponse:
    """Tags, assigns or archives what was ticked, and goes back to the list as it was."""
    chosen = list(Client.objects.filter(pk__in=_ids(request.POST.getlist("client"))))
    try:
        if not chosen:
            raise services.NotDone("Nothing was ticked. Tick clients first.")
        messages.success(request, _done_to(request, chosen))
    except services.NotDone as refused:
        messages.error(request, refused.message)
    return redirect(f"/clients/{Filter.of(QueryDict(request.POST.get('back', ''))).address()}")


def _done_to(request: PracticeRequest, chosen: list[Client]) -> str:
    """What was done, in a sentence. Raises NotDone."""
    act = request.POST.get("act")
    if act == "tag":
        done = services.tag(request.user, chosen, request.POST.get("tag", ""))
        return f"{presentation.counted(done)} tagged."
    if act == "assign":
        who = next((user for user in queries.people() if str(user.pk) == request.POST.get("who")), None)
        if who is None:
            raise services.NotDone("Choose somebody to assign.")
        return f"{presentation.counted(services.assign(request.user, chosen, who))} assigned."
    if act == "archive":
        return f"{presentation.counted(services.archive(request.user, chosen))} archived."
    raise services.NotDone("Choose what to do with what is ticked.")


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: PracticeRequest) -> HttpResponse:
    """A new client. What looks like one that is there already is said before it is saved, once."""
    form = ClientForm(request.POST if request.method == "POST" else None, initial={"allows_remote": True})
    alike: list[Client] = []
    if request.method == "POST" and form.is_valid():
        client = Client()
        tfn = form.write(client)
        alike = [] if "is_another" in request.POST else queries.alike(client)
        if not alike:
            services.keep(request.user, client, tfn)
            messages.success(request, "Added.")
            return redirect("client", client.pk)
    return _form_page(request, form, None, alike)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """A client's particulars, to be changed."""
    client = _client(client_id)
    form = ClientForm(request.POST) if request.method == "POST" else ClientForm.of(client)
    if request.method == "POST" and form.is_valid():
        tfn = form.write(client)
        services.keep(request.user, client, tfn)
        messages.success(request, "Saved.")
        return redirect("client", client.pk)
    return _form_page(request, form, client, [])


def _form_page(request: PracticeRequest, form: ClientForm, client: Client | None, alike: list[Client]) -> HttpResponse:
    is_wrong = bool(form.errors or alike)
    context = {"form": form, "groups": presentation.groups_of(form), "client": client, "alike": alike}
    context |= {"masked_tfn": presentation.masked_tfn(client) if client else ""} | _rights(request)
    return render(request, "clients/client_form.html", context, status=422 if is_wrong else 200)


@require_safe
def client(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """A client's page."""
    return _client_page(request, _client(client_id), ContactForm())


def _client_page(request: PracticeRequest, found: Client, contact_form: ContactForm, status: int = 200) -> HttpResponse:
    context = presentation.client_context(found) | {"contact_form": contact_form, "people": queries.people()}
    return render(request, "clients/client.html", context | _rights(request), status=status)


@require_POST
def show_tfn(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """The tax file number in full, once: in this answer alone, and on record before it is made."""
    found = _client(client_id)
    try:
        digits = services.show_tfn(request.user, found)
    except CannotOpen:
        digits = ""
        messages.error(request, "The tax file number cannot be opened with the keys that are set. Enter it again.")
    if request.htmx:
        response = render(request, "clients/_tfn.html", {"client": found, "tfn": identifiers.show_acn(digits)})
        patch_vary_headers(response, ["HX-Request"])
        return response
    context = presentation.client_context(found) | {"contact_form": ContactForm(), "people": queries.people()}
    shown = {"tfn": identifiers.show_acn(digits)}
    return render(request, "clients/client.html", context | shown | _rights(request))


@require_POST
def act(request: PracticeRequest, client_id: UUID, verb: str) -> HttpResponse:
    """One of the small acts on a client's page; back to the page, with what was done or why not."""
    found = _client(client_id)
    try:
        messages.success(request, _acted(request, found, verb))
    except services.NotDone as refused:
        messages.error(request, refused.message)
    seen = Client.objects.filter(pk=client_id).exists()  # who restricts a client may not see it any more
    return redirect("client", client_id) if seen else redirect("clients")


def _acted(request: PracticeRequest, found: Client, verb: str) -> str:
    """What was done, in a sentence. Raises NotDone, or Http404 for what is no act."""
    user, posted = request.user, request.POST
    if verb == "archive":
        services.archive(user, [found])
        return "Archived. It is under Archived in the list, with all that hangs off it."
    if verb == "restore":
        services.restore(user, found)
        return "Taken back from the archive."
    if verb == "assign":
        who = next((each for each in queries.people() if str(each.pk) == posted.get("who")), None)
        if who is None:
            raise services.NotDone("Choose somebody to assign.")
        services.assign(user, [found], who)
        return "Assigned."
    if verb == "unassign":
        who_ids = _ids([posted.get("who", "")])
        if who_ids:
            services.unassign(user, found, who_ids[0])
        return "The assignment has ended."
    if verb == "restrict":
        services.restrict(user, found)
        return "Restricted: those assigned see this client and all that hangs off it, and nobody else does."
    if verb == "open":
        services.lift_restriction(user, found)
        return "The restriction is lifted: everybody of the practice sees this client again."
    if verb == "note":
        services.write_note(user, found, posted.get("text", "").replace("\x00", "")[:10_000])
        return "Written down."
    if verb == "forget-contact":
        number = posted.get("contact", "")
        if number.isascii() and number.isdecimal() and len(number) < 18:
            services.remove_contact(user, found, int(number))
        return "The contact is taken out."
    raise Http404("no such act")


@require_POST
def add_contact(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    found = _client(client_id)
    form = ContactForm(request.POST, instance=Contact(client=found))
    if not form.is_valid():
        return _client_page(request, found, form, status=422)
    services.add_contact(request.user, form.instance)
    messages.success(request, "The contact is added.")
    return redirect("client", client_id)


@require_POST
def export(request: PracticeRequest) -> StreamingHttpResponse:
    """The list as CSV, on record before the first line of it. Without tax file numbers."""
    wanted = Filter.of(QueryDict(request.POST.get("back", "")))
    rows = list(queries.listed(wanted, request.user).prefetch_related("assignments__user"))
    services.note_event(request.user, ClientEvent.Kind.EXPORTED, count=len(rows))
    response = StreamingHttpResponse(
        csv_lines([presentation.csv_row(row) for row in rows]), content_type="text/csv; charset=utf-8"
    )
    response["X-Exported-Rows"] = str(len(rows))  # for the practice's events; it goes no further
    response["Content-Disposition"] = f'attachment; filename="clients-{timezone.localdate():%Y-%m-%d}.csv"'
    return response


@require_safe
def events(request: PracticeRequest) -> HttpResponse:
    """What was done with clients: for owners, of those that they see."""
    _owners_only(request)
    typed = request.GET.get("before", "")
    before = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 18 else None
    found = queries.events(EVENTS + 1, before)
    older = found[EVENTS - 1].pk if len(found) > EVENTS else None
    context = {"lines": presentation.event_lines(found[:EVENTS]), "before": older, "newer": before is not None}
    return render(request, "clients/events.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def restricted(request: PracticeRequest) -> HttpResponse:
    """For owners: that there are restricted clients which they do not see, and the way in, which is on record."""
    _owners_only(request)
    if request.method == "POST":
        ids = _ids([request.POST.get("client", "")])
        try:
            found = services.let_oneself_in(request.user, ids[0] if ids else UUID(int=0))
        except services.NotDone as refused:
            messages.error(request, refused.message)
            return redirect("clients_restricted")
        messages.success(request, "You are assigned to this client now. That you did so yourself is on record.")
        return redirect("client", found.pk)
    return render(request, "clients/restricted.html", {"hidden": queries.hidden_from(request.user)})


def _client(client_id: UUID) -> Client:
    found = queries.client_of(client_id)
    if found is None:
        raise Http404("no such client")
    return found


def _owners_only(request: PracticeRequest) -> None:
    if not request.user.is_owner:
        raise Http404("for owners")


def _rights(request: PracticeRequest) -> dict[str, Any]:
    return {"may_write": request.user.may_write, "is_owner": request.user.is_owner, "page_size": PAGE}


def _ids(typed: list[str]) -> list[UUID]:
    """The ids that can be read, up to MOST_AT_ONCE."""
    found = []
    for text in typed[:MOST_AT_ONCE]:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found
