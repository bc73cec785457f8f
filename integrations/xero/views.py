"""Xero's pages: the practice's app, a client's organisation and its bills. Owners connect; writers try again."""

from __future__ import annotations

from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from asat_site.http import PracticeRequest
from clients.models import Client
from clients.presentation import is_restricted
from integrations.models import XeroConsent, XeroPush
from integrations.terms import VendorFailed
from integrations.xero import access, consenting, outbox, presentation, sources, tasks
from integrations.xero.consenting import NotConnected
from integrations.xero.forms import AppForm


def owners_only(view: Any) -> Any:
    """The view, for owners of the practice alone."""

    @wraps(view)
    def guarded(request: PracticeRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_owner:
            raise PermissionDenied
        answer: HttpResponse = view(request, *args, **kwargs)
        return answer

    return guarded


def card(request: PracticeRequest) -> dict[str, Any]:
    """What Settings → Connections shows of Xero."""
    return presentation.card(_redirect_uri(request)) | {"xero_form": AppForm()}


@sensitive_post_parameters("client_secret")
@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def app(request: PracticeRequest) -> HttpResponse:
    """The practice's app: shown and, by POST, kept."""
    if request.method != "POST":
        return render(request, "integrations/xero_app.html", card(request))
    form = AppForm(request.POST)
    if not form.is_valid():
        return render(request, "integrations/xero_app.html", card(request) | {"xero_form": form}, status=422)
    access.set_app(request.user, form.cleaned_data["client_id"], form.cleaned_data["client_secret"])
    messages.success(request, "The app is stored. Connect a client’s organisation from the client’s page.")
    return redirect("connections")


@require_safe
def client(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """A client's organisation, and its bills on their way there."""
    found = get_object_or_404(Client, pk=client_id)
    organisation = outbox.organisation_of(found)
    return render(
        request,
        "integrations/xero_client.html",
        {
            "client": found,
            "organisation": organisation,
            "connection": organisation.connection if organisation else None,
            "parked": presentation.parked(organisation, timezone.now()) if organisation else None,
            "app": access.app() if request.user.is_owner else None,
            "is_restricted": is_restricted(found),
            **_bills(request, found),
        },
    )


@require_safe
def client_part(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """The client's bills as they stand now, for the page that shows them going."""
    found = get_object_or_404(Client, pk=client_id)
    return render(request, "integrations/_xero_bills.html", {"client": found, **_bills(request, found)})


@require_POST
@owners_only
def begin(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """Where to say yes at Xero, as a link: a form that led there would be stopped by the page's own policy."""
    found = get_object_or_404(Client, pk=client_id, archived_at=None)
    try:
        address = consenting.begin(request.user, _session(request), found, _redirect_uri(request))
    except VendorFailed as refused:
        messages.error(request, refused.message)
        return redirect("client_xero", found.pk)
    answer = render(request, "integrations/xero_go.html", {"client": found, "address": address})
    answer["Cache-Control"] = "no-store"
    return answer


@never_cache
@require_safe
@owners_only
def back(request: PracticeRequest) -> HttpResponse:
    """Where Xero sends the browser back to, once."""
    said = {name: request.GET.get(name, "")[:2000] for name in ("state", "code", "error")}
    try:
        consent = consenting.answered(request.user, _session(request), **said)
    except (NotConnected, VendorFailed) as refused:
        messages.error(request, refused.message)
        return redirect("connections")
    return _connected(request, consent) if consent.ended_at else redirect("xero_choose", consent.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def choose(request: PracticeRequest, consent_id: UUID) -> HttpResponse:
    """Which of several organisations is the client's: shown and, by POST, settled."""
    try:
        consent = consenting.open_consent(request.user, _session(request), consent_id)
        if request.method == "POST":
            consenting.choose(consent, request.user, request.POST.get("tenant", ""))
            return _connected(request, consent)
        choices = consenting.choices(consent)
    except (NotConnected, VendorFailed) as refused:
        messages.error(request, refused.message)
        return redirect("connections")
    return render(request, "integrations/xero_choose.html", {"consent": consent, "choices": choices})


@require_POST
@owners_only
def disconnect(request: PracticeRequest, client_id: UUID) -> HttpResponse:
    """Ends the connection of a client's organisation."""
    found = get_object_or_404(Client, pk=client_id)
    organisation = outbox.organisation_of(found)
    if organisation is not None:
        was_told = consenting.disconnect(organisation)
        outbox.strand(timezone.now())
        if was_told:
            messages.success(
                request, "The organisation is disconnected, here and in Xero. What was sent stays in Xero."
            )
        else:
            messages.success(request, "The organisation is disconnected here. Xero is told as soon as it answers.")
    return redirect("client_xero", found.pk)


@require_safe
def bill(request: PracticeRequest, push_id: UUID) -> HttpResponse:
    """Where the bill in Xero leads back to: the client's bills here."""
    push = get_object_or_404(XeroPush, pk=push_id)
    return redirect(f"{reverse('client_xero', args=[push.client_id])}#bill-{push.pk}")


@require_POST
def again(request: PracticeRequest, push_id: UUID) -> HttpResponse:
    """Tries once more what failed."""
    if not request.user.may_write:
        raise PermissionDenied
    push = get_object_or_404(XeroPush, pk=push_id)
    if not (push.invoice_id or push.may_exist) and (why := sources.why_withdrawn(push)):
        messages.error(request, why)
    elif outbox.again(request.user, push):
        tasks.enqueue([push])
        messages.success(request, "It is tried again.")
    return redirect("bill", push.pk)


def page_of_bills(request: PracticeRequest) -> str:
    """What `outbox.queue` takes as the address of a bill's page here."""
    anywhere = UUID(int=0)
    return request.build_absolute_uri(reverse("bill", args=[anywhere])).replace(str(anywhere), "{id}")


def _bills(request: PracticeRequest, found: Client) -> dict[str, Any]:
    lines = presentation.lines_of(found)
    return {
        "lines": lines,
        "is_working": any(each.push.is_working for each in lines),
        "may_write": request.user.may_write,
    }


def _connected(request: PracticeRequest, consent: XeroConsent) -> HttpResponse:
    messages.success(request, "The organisation is connected.")
    return redirect("client_xero", consent.client_id)


def _redirect_uri(request: PracticeRequest) -> str:
    return request.build_absolute_uri(reverse("xero_back"))


def _session(request: PracticeRequest) -> str:
    return request.session.session_key or ""
