"""The pages of a spreadsheet of questions: sent, followed, stopped, and given back as a workpaper."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import redis
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from asat_site.http import PracticeRequest
from research import queries, queries_batch, services, services_batch, tasks, tasks_batch
from research.models import Batch
from research.presentation.batch import lines_shown, progress_of
from research.presentation.workpaper import csv_bytes, not_asked_in, paper_of, worked_lines

PAGE = 20  # spreadsheets
LINES_PAGE = 100


@require_safe
def batches(request: PracticeRequest) -> HttpResponse:
    """The place to put a spreadsheet, over the user's own of before."""
    return render(request, "research/batch_list.html", _list_context(request))


@require_POST
def upload(request: PracticeRequest) -> HttpResponse:
    """Takes a spreadsheet and leads to its page; what cannot be taken comes back with the reason."""
    sent = request.FILES.get("file")
    try:
        if not isinstance(sent, UploadedFile):
            raise services.NotAskable("No file was chosen. Choose a spreadsheet, or drop one on the box.")
        with transaction.atomic():
            taken = services_batch.take(request.user, sent.name or "", sent.read())
    except services.NotAskable as refused:
        context = _list_context(request) | {"refused": refused.message}
        return render(request, "research/batch_list.html", context, status=422)
    for question in taken.questions:
        if not tasks.enqueue(question):
            break  # the broker is out of reach: the sweep puts all of them in line later
    return redirect("batch", taken.batch.pk)


@require_safe
def batch(request: PracticeRequest, batch_id: UUID) -> HttpResponse:
    """How far a spreadsheet is and its lines; for htmx the part that changes, or nothing where nothing did."""
    found = _batch(request, batch_id)
    context = _now_context(request, found)
    if request.htmx:
        if context["progress"].is_running and request.GET.get("seen") == context["progress"].seen:
            return _varied(HttpResponse(status=204))
        return _varied(render(request, "research/_batch_now.html", context))
    context |= {"not_asked": not_asked_in(found)}
    return _varied(render(request, "research/batch.html", context))


@require_POST
def stop(request: PracticeRequest, batch_id: UUID) -> HttpResponse:
    """Stops what is left of a spreadsheet; what is answered stays."""
    found = _batch(request, batch_id)
    services_batch.stop_rest(found, timezone.now())
    return redirect("batch", found.pk)


@require_safe
def workpaper_csv(request: PracticeRequest, batch_id: UUID) -> HttpResponse:
    """The workpaper of what has ended, as CSV."""
    found = _batch(request, batch_id)
    paper = paper_of(request.practice.name, found, queries_batch.tally(found), timezone.now())
    content = csv_bytes(paper, worked_lines(found, queries_batch.finished(found)))
    return _file(content, "text/csv; charset=utf-8", found, "csv", paper.left)


@require_safe
def workpaper_pdf(request: PracticeRequest, batch_id: UUID) -> HttpResponse:
    """The workpaper of what has ended, as PDF; a long one is made by a worker, and a page waits for it."""
    found = _batch(request, batch_id)
    tally = queries_batch.tally(found)
    done = sum(tally.values()) - tally["waiting"]
    if done <= tasks_batch.MOST_AT_ONCE:
        made: bytes | None = tasks_batch.workpaper_pdf(request.practice.name, found)
    else:
        made = tasks_batch.kept_workpaper(found, done)
    if made is not None:
        return _file(made, "application/pdf", found, "pdf", tally["waiting"])
    is_being_made = tasks_batch.start_workpaper(found, done)
    context = {"batch": found, "done": done, "is_being_made": is_being_made}
    return render(request, "research/batch_preparing.html", context, status=202)


@require_safe
def workpaper_part(request: PracticeRequest, batch_id: UUID, done: int) -> HttpResponse:
    """Whether the workpaper of so many answers is there, for htmx; else the page that waits for it."""
    found = _batch(request, batch_id)
    if not request.htmx:
        return redirect("batch_pdf", found.pk)
    tally = queries_batch.tally(found)
    if not tasks_batch.MOST_AT_ONCE < done <= sum(tally.values()) - tally["waiting"]:
        raise Http404("no such workpaper")
    is_ready = tasks_batch.kept_workpaper(found, done) is not None
    is_being_made = is_ready or tasks_batch.start_workpaper(found, done)
    context = {"batch": found, "done": done, "is_ready": is_ready, "is_being_made": is_being_made}
    return _varied(render(request, "research/_batch_preparing.html", context))


@require_safe
def workpaper_made(request: PracticeRequest, batch_id: UUID, done: int) -> HttpResponse:
    """The workpaper that was made of so many answers; where it is not kept any more, it is asked for anew."""
    found = _batch(request, batch_id)
    made = tasks_batch.kept_workpaper(found, done) if done <= services_batch.MOST_LINES else None
    if made is None:
        return redirect("batch_pdf", found.pk)
    return _file(made, "application/pdf", found, "pdf", queries_batch.tally(found)["waiting"])


def _file(content: bytes, kind: str, found: Batch, ending: str, left: int) -> HttpResponse:
    """The download; its name says where questions were still open."""
    response = HttpResponse(content, content_type=kind)
    state = "-unfinished" if left else ""
    done = sum(queries_batch.tally(found).values()) - left
    response["X-Exported-Rows"] = str(done)  # for the practice's events; it goes no further
    response["Content-Disposition"] = f'attachment; filename="asat-workpaper-{str(found.pk)[:8]}{state}.{ending}"'
    return response


def _list_context(request: PracticeRequest) -> dict[str, Any]:
    before = _moment(request.GET.get("before", ""))
    found = queries_batch.batches(request.user, PAGE + 1, before)
    older = found[PAGE - 1].uploaded_at.astimezone(UTC).isoformat() if len(found) > PAGE else ""
    return {
        "batches": found[:PAGE],
        "before": older.replace("+00:00", "Z"),
        "newer": before is not None,
        "can_ask": request.user.may_write,
        "has_law": bool(queries.covered_years()),
        "most_lines": services_batch.MOST_LINES,
    }


def _now_context(request: PracticeRequest, found: Batch) -> dict[str, Any]:
    outcome = request.GET.get("show", "")
    outcome = outcome if outcome in queries_batch.OUTCOMES else ""
    after = request.GET.get("after", "")
    start = int(after) if after.isascii() and after.isdecimal() and len(after) < 9 else 0
    tally = queries_batch.tally(found)
    left = queries_batch.unfinished(found)
    stopping = left.exclude(stop_asked_at=None).count() if tally["waiting"] else 0
    rows = queries_batch.lines_of(found, LINES_PAGE + 1, outcome, start)
    return {
        "batch": found,
        "progress": progress_of(tally, _wait_s(left, tally["waiting"]), stopping, outcome),
        "lines": lines_shown(rows[:LINES_PAGE], found.references),
        "show": outcome,
        "after": start,
        "next_after": rows[LINES_PAGE - 1]["line"] if len(rows) > LINES_PAGE else None,
        "can_stop": request.user.may_write and tally["waiting"] > stopping,
    }


def _wait_s(left: Any, waiting: int) -> float | None:
    """About how many seconds until the last one of `left` is answered; None where nobody can say."""
    last = left.last() if waiting else None
    if last is None:
        return None
    place = services.place_in_line(last)
    if place is not None:
        return place.wait_s
    try:
        return services.waiting_line().wait_s(waiting)
    except redis.RedisError:
        return None


def _batch(request: PracticeRequest, batch_id: UUID) -> Batch:
    found = queries_batch.batch_of(request.user, batch_id)
    if found is None:
        raise Http404("no such batch")
    return found


def _moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment is not None and timezone.is_aware(moment) else None


def _varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request"])
    return response
