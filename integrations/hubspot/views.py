"""HubSpot's pages: connect, check, disconnect; read what would come in, bring it in, and the report. Owners only."""

from __future__ import annotations

from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from asat_site.http import PracticeRequest
from integrations.hubspot import connecting, mapping, presentation, reporting, runs, tasks
from integrations.hubspot.forms import BeginForm, KeyForm
from integrations.models import Connection, ImportRun
from integrations.terms import VendorFailed


def owners_only(view: Any) -> Any:
    """The view, for owners of the practice alone."""

    @wraps(view)
    def guarded(request: PracticeRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_owner:
            raise PermissionDenied
        answer: HttpResponse = view(request, *args, **kwargs)
        return answer

    return guarded


def card() -> dict[str, Any]:
    """What Settings → Connections shows of HubSpot."""
    found = connecting.connection()
    return {
        "hubspot": found,
        "hubspot_form": KeyForm(),
        "hubspot_import": connecting.open_import(found) if found else None,
        "hubspot_scopes": (mapping.READ_COMPANIES, mapping.READ_PROPERTIES),
    }


@sensitive_post_parameters("key")
@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def connect(request: PracticeRequest) -> HttpResponse:
    """Tries the key that was pasted, and keeps it if HubSpot takes it."""
    if request.method != "POST":
        return render(request, "integrations/hubspot_connect.html", card())
    form = KeyForm(request.POST)
    if form.is_valid():
        try:
            made = connecting.connect(request.user, form.cleaned_data["key"])
        except (mapping.TokenNotOne, VendorFailed) as refused:
            form.add_error("key", refused.message)
        else:
            messages.success(request, f"HubSpot is connected. {made.why}".strip())
            return redirect("connections")
    return render(request, "integrations/hubspot_connect.html", card() | {"hubspot_form": form}, status=422)


@require_POST
@owners_only
def check(request: PracticeRequest) -> HttpResponse:
    """Asks HubSpot now whether it takes the key."""
    try:
        connecting.check(_connection())
    except VendorFailed as error:
        messages.error(request, error.message)
    else:
        messages.success(request, "HubSpot takes the key.")
    return redirect("connections")


@require_POST
@owners_only
def disconnect(request: PracticeRequest) -> HttpResponse:
    """Erases the key."""
    connecting.disconnect(_connection())
    messages.success(request, "HubSpot is disconnected and its key erased here. Delete it at HubSpot as well.")
    return redirect("connections")


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def imports(request: PracticeRequest) -> HttpResponse:
    """Earlier imports, and the place to begin one; POST begins to read."""
    found = _connection()
    if request.method == "POST":
        return _begun(request, found)
    context: dict[str, Any] = {"hubspot": found, "runs": found.imports.select_related("started_by")[:20]}
    open_run = connecting.open_import(found)
    if open_run is None and found.is_connected:
        try:
            context["properties"] = connecting.abn_properties(found)
        except VendorFailed as error:
            context["refused"] = error.message
    return render(request, "integrations/hubspot_imports.html", context | {"open_run": open_run})


@require_safe
@owners_only
def import_page(request: PracticeRequest, run_id: UUID) -> HttpResponse:
    """How far an import is and what it came to; for htmx the part that changes, or nothing where nothing did."""
    run = _run(run_id)
    progress = presentation.progress_of(run)
    if request.htmx and progress.is_working and request.GET.get("seen") == progress.seen:
        return _varied(HttpResponse(status=204))
    template = "integrations/_hubspot_now.html" if request.htmx else "integrations/hubspot_import.html"
    return _varied(render(request, template, _run_context(request, run) | {"progress": progress}))


@require_POST
@owners_only
def confirm(request: PracticeRequest, run_id: UUID) -> HttpResponse:
    """Brings in what was shown."""
    run = _run(run_id)
    if runs.confirm(request.user, run):
        tasks.enqueue(_run(run_id))
    return redirect("hubspot_import", run_id)


@require_POST
@owners_only
def go_on(request: PracticeRequest, run_id: UUID) -> HttpResponse:
    """Goes on with an import that waits."""
    if runs.go_on(_run(run_id)):
        tasks.enqueue(_run(run_id))
    return redirect("hubspot_import", run_id)


@require_POST
@owners_only
def stop(request: PracticeRequest, run_id: UUID) -> HttpResponse:
    """Ends an import; what came in stays."""
    runs.stop(_run(run_id))
    return redirect("hubspot_import", run_id)


@require_safe
@owners_only
def report_csv(request: PracticeRequest, run_id: UUID) -> HttpResponse:
    """Every company of an import and what became of it, as CSV."""
    run = _run(run_id)
    content = reporting.csv_of(run.companies.select_related("client").iterator(chunk_size=1000))
    reporting.note_export(request.user, run)
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="hubspot-import-{run.started_at:%Y-%m-%d}.csv"'
    return response


def _begun(request: PracticeRequest, found: Connection) -> HttpResponse:
    form = BeginForm(request.POST)
    if not form.is_valid():
        raise Http404("no such property")
    name = form.cleaned_data["abn_property"]
    try:
        offered = {each.name: each.label for each in connecting.abn_properties(found)} if name else {}
        run = runs.begin(request.user, found, name if name in offered else "", offered.get(name, ""))
    except runs.AlreadyOneOpen:
        open_run = connecting.open_import(found)
        return redirect("hubspot_import", open_run.pk) if open_run else redirect("hubspot_imports")
    except VendorFailed as error:
        messages.error(request, error.message)
        return redirect("hubspot_imports")
    tasks.enqueue(run)
    return redirect("hubspot_import", run.pk)


def _run_context(request: PracticeRequest, run: ImportRun) -> dict[str, Any]:
    chosen = request.GET.get("show", "")
    chosen = chosen if chosen in presentation.ORDER else ""
    after = request.GET.get("after", "")
    after_number = int(after) if after.isascii() and after.isdigit() and len(after) < 9 else 0
    companies = run.companies.select_related("client").filter(number__gt=after_number)
    if chosen:
        companies = companies.filter(outcome=chosen)
    shown = list(companies[: presentation.PAGE + 1]) if run.report else []
    counts = presentation.counts_of(run, chosen)
    seen = run.companies.count() if run.report else 0
    return {
        "run": run,
        "hubspot": run.connection,
        "counts": counts,
        "all_count": sum(each.count for each in counts),
        "hidden": max(0, sum(each.count for each in counts) - seen),
        "left_out": presentation.left_out_of(run),
        "lines": [presentation.line_of(each) for each in shown[: presentation.PAGE]],
        "show": chosen,
        "after": after_number,
        "next_after": shown[presentation.PAGE - 1].number if len(shown) > presentation.PAGE else 0,
    }


def _connection() -> Connection:
    found = connecting.connection()
    if found is None:
        raise Http404("HubSpot was never connected")
    return found


def _run(run_id: UUID) -> ImportRun:
    found = ImportRun.objects.select_related("connection", "started_by", "confirmed_by").filter(pk=run_id).first()
    if found is None or found.connection.kind != Connection.Kind.HUBSPOT:
        raise Http404("no such import")
    return found


def _varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request"])
    return response
