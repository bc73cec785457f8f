"""The research pages: what was asked for, what to show. Deciding, saving and wording are done elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from asat_site.heartbeat import late_queues, worker_age_s
from asat_site.http import PracticeRequest
from research import changes, composition, queries, services, tasks
from research.corpus import coverage
from research.corpus.queries import frameworks_held, provision_page, version_texts
from research.corpus.register_check import register_lines
from research.forms import AskForm
from research.law.identity import shown_code
from research.law.income_year import income_year_of
from research.law.provision import in_words
from research.models import AuditRow, Question
from research.outcome_json import told_outside
from research.presentation.as_at import AsAt, as_at_of
from research.presentation.for_client import picked_context
from research.presentation.law_changes import notice_of
from research.presentation.line import place_words
from research.presentation.look_up import looked_up
from research.presentation.provision import provision_view
from research.presentation.records import Entry, audit_line, earlier_of, entry_of, wordings_to_read
from research.presentation.replayed import replayed_view
from research.presentation.status_page import WORKER_LATE_S, Sources, status_view
from research.presentation.two_dates import Dates
from research.queries_density import densities
from research.question.route import MOST_CHARS
from research.terms import Window

PAGE = 15
AUDIT_PAGE = 50
MOST_QUOTES = 40  # marked on one page


@require_safe
def research(request: PracticeRequest) -> HttpResponse:
    """The question box over the transcript: the newest answer whole, the earlier ones a line each."""
    before = _moment(request.GET.get("before", ""))
    asked = queries.transcript(request.user, PAGE + 1, before)
    if request.htmx and before is not None:
        earlier = {"earlier": [earlier_of(question) for question in asked[:PAGE]], "before": _before(asked)}
        return _varied(render(request, "research/_earlier.html", earlier))
    context = _research_context(request, asked) | picked_context(request.GET.get("client", ""))
    return _varied(render(request, "research/research.html", context))


@require_POST
def ask(request: PracticeRequest) -> HttpResponse:
    """Saves and enqueues a question. What cannot be asked comes back with the reason and with what was typed."""
    form = AskForm(request.POST)
    if not form.is_valid():
        return _not_asked(request, form, form.what_is_wrong)
    try:
        with transaction.atomic():
            question = services.ask(
                user=request.user,
                text=form.cleaned_data["question"],
                year=form.cleaned_data["year"],
                frameworks=form.cleaned_data["framework"],
                uses_subject_index=form.cleaned_data["subject_index"],
                client=form.cleaned_data["client"],
            )
            transaction.on_commit(lambda: tasks.enqueue(question))
    except services.NotAskable as refused:
        return _not_asked(request, form, refused.message)
    if request.htmx:
        return _varied(render(request, "research/_question.html", _entry_context(request, question)))
    return redirect("research")


@require_safe
def question_part(request: PracticeRequest, question_id: UUID) -> HttpResponse:
    """One question as it stands now: a part for htmx, a page of its own otherwise. A lost run is started again."""
    question = _question(request, question_id)
    if question.conversation_id:
        return redirect("chat_message", question.conversation_id, question.pk)
    if question.status != Question.Status.DONE and services.recover_if_lost(question):
        tasks.enqueue(question)
    template = "research/_question.html" if request.htmx else "research/question.html"
    return _varied(render(request, template, _entry_context(request, question)))


@require_safe
def question_export(request: PracticeRequest, question_id: UUID) -> HttpResponse:
    """The recorded outcome as JSON, to keep; what a model said before it was checked is in the audit row alone."""
    question = _question(request, question_id)
    if question.status != Question.Status.DONE:
        raise Http404("not answered yet")
    response = JsonResponse(
        told_outside(question.answer.outcome), json_dumps_params={"ensure_ascii": False, "indent": 2}
    )
    response["Content-Disposition"] = f'attachment; filename="asat-answer-{question.pk}.json"'
    return response


@require_safe
def provision(request: PracticeRequest, instrument: str, pin: str) -> HttpResponse:
    """One provision as at a year or a day, with quotes marked; or two of its wordings, or of its times, compared."""
    years = queries.covered_years()
    today = timezone.localdate()
    try:
        as_at = as_at_of(request.GET.get("as_at", ""), years[-1] if years else income_year_of(today))
        dates = _dates(request, as_at)
    except ValueError as error:
        return _unreadable(request, str(error))
    if dates:
        as_at = dates.second
    is_text = "\x00" not in instrument + pin  # PostgreSQL takes no NUL
    version_id = None if dates else _number(request, "version")
    page = provision_page(instrument, pin, as_at.window, version_id) if is_text else None
    if page is None:
        return render(request, "research/not_held.html", {"instrument": shown_code(instrument), "pin": pin}, status=404)
    quoted = list(zip(_numbers(request, "quote_start"), _numbers(request, "quote_end"), strict=False))[:MOST_QUOTES]
    part, compare_with = _number(request, "part"), _number(request, "compare")
    view = provision_view(page, as_at, years, today, looked_up(page, as_at, dates, compare_with, quoted, part))
    return render(request, "research/provision.html", {"p": view, "years": years[::-1]})


@require_safe
def audit(request: PracticeRequest) -> HttpResponse:
    """The practice's audit rows, newest first."""
    before = _number(request, "before")
    rows = queries.audit_rows(AUDIT_PAGE + 1, before)
    older = rows[AUDIT_PAGE - 1].number if len(rows) > AUDIT_PAGE else None
    lines = [audit_line(row) for row in rows[:AUDIT_PAGE]]
    return render(request, "research/audit.html", {"rows": lines, "before": older, "newer": before is not None})


@require_safe
def audit_row(request: PracticeRequest, number: int) -> HttpResponse:
    """One audit row: the answer as it was shown, and the record that proves it."""
    return render(request, "research/audit_row.html", _audit_context(_audit_row(number)))


@require_safe
def audit_sealed(request: PracticeRequest, number: int) -> HttpResponse:
    """What the row's digest was made of, byte for byte."""
    response = HttpResponse(_audit_row(number).payload, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="asat-audit-{number}.json"'
    return response


@require_POST
def replay(request: PracticeRequest, number: int) -> HttpResponse:
    """The recorded question asked again, compared with its record. Changes nothing."""
    row = _audit_row(number)
    if getattr(row, "answer", None) is None:
        raise Http404("this row records no answer")
    as_known_then = "as_known_then" in request.POST
    now, comparison = services.replay_row(row, as_known_then=as_known_then)
    known_at = in_words(timezone.localdate(row.recorded_at)) if as_known_then else ""
    context = _audit_context(row) | {"replay": replayed_view(row.answer.outcome, now, comparison, known_at)}
    template = "research/_replay.html" if request.htmx else "research/audit_row.html"
    return _varied(render(request, template, context))


@require_safe
def status(request: PracticeRequest) -> HttpResponse:
    """How the whole is running, looked at now."""
    years = queries.covered_years()
    latest = years[-1] if years else income_year_of(timezone.localdate())
    embedder = composition.embedder()
    report = queries.status(composition.store().snapshot(Window.of_year(latest)), embedder.identity if embedder else "")
    try:
        age, broker, late = worker_age_s(), True, late_queues(WORKER_LATE_S)
    except redis.RedisError:
        age, broker, late = None, False, []
    sources = Sources(coverage.coverage(years), register_lines(), coverage.last_imports())
    weeks = densities(str(settings.TIME_ZONE))
    return render(request, "research/status.html", {"s": status_view(report, sources, years, age, broker, weeks, late)})


def _research_context(request: PracticeRequest, asked: list[Question]) -> dict[str, Any]:
    """The newest question whole, and every one that still runs; the rest by the line."""
    page = asked[:PAGE]
    whole = [question for i, question in enumerate(page) if i == 0 or question.status != Question.Status.DONE]
    return _box_context(request) | {
        "entries": _entries(whole),
        "earlier": [earlier_of(question) for question in page if question not in whole],
        "before": _before(asked),
        "is_running": any(question.status != Question.Status.DONE for question in whole),
        "examples": [] if asked else queries.examples(),
    }


def _box_context(request: PracticeRequest) -> dict[str, Any]:
    years = queries.covered_years()[::-1]
    return {
        "years": years,
        "chosen_year": years[0].year if years else None,
        "question_limit": MOST_CHARS,
        "can_ask": request.user.may_write,
        "frameworks": frameworks_held(),
        "law_changes": notice_of(changes.touched_now()),
    }


def _entry_context(request: PracticeRequest, question: Question) -> dict[str, Any]:
    (entry,) = _entries([question])
    place = place_words(services.place_in_line(question))
    years = queries.covered_years()[::-1]
    return {"entry": entry, "can_ask": request.user.may_write, "years": years, "place": place}


def _entries(questions: list[Question]) -> list[Entry]:
    """The questions as they are shown whole, with the wordings that answers for two times are compared by."""
    wordings = wordings_to_read(questions)
    texts = {version: text for version, (_, text) in version_texts(wordings).items()} if wordings else {}
    return [entry_of(question, texts) for question in questions]


def _dates(request: HttpRequest, as_at: AsAt) -> Dates | None:
    """The two times to compare; None where none are asked for. Raises ValueError, in words, for what is no time."""
    first, second = request.GET.get("from", ""), request.GET.get("to", "")
    if not (first.strip() or second.strip()):
        return None
    return Dates(as_at_of(first, as_at, "the first date"), as_at_of(second, as_at, "the second date"))


def _before(asked: list[Question]) -> str:
    """Where the next page starts, as it stands in an address; "" on the last page. `asked` holds one more."""
    if len(asked) <= PAGE:
        return ""
    return asked[PAGE - 1].asked_at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _audit_context(row: AuditRow) -> dict[str, Any]:
    answer = getattr(row, "answer", None)
    return {"row": audit_line(row), "entry": _entries([answer.question])[0] if answer else None}


def _not_asked(request: PracticeRequest, form: AskForm, sentence: str) -> HttpResponse:
    """The reason, beside the box. htmx puts it there; without script the page comes back with what was typed."""
    if request.htmx:
        response = render(request, "research/_refusal.html", {"sentence": sentence}, status=422)
        response["HX-Retarget"] = "#ask-error"
        response["HX-Reswap"] = "innerHTML"
        return _varied(response)
    context = _research_context(request, queries.transcript(request.user, PAGE + 1))
    typed = str(form.data.get("question", ""))[:MOST_CHARS]
    kept = {"typed": typed, "form_error": sentence, "narrowed": request.POST.getlist("framework")}
    picked = picked_context(request.POST.get("client", ""))
    return render(request, "research/research.html", context | kept | picked, status=422)


def _unreadable(request: HttpRequest, sentence: str) -> HttpResponse:
    return HttpResponseBadRequest(render(request, "research/unreadable.html", {"sentence": sentence}).content)


def _question(request: PracticeRequest, question_id: UUID) -> Question:
    question = queries.question_of(request.user, question_id)
    if question is None:
        raise Http404("no such question")
    return question


def _audit_row(number: int) -> AuditRow:
    row = queries.audit_row(number) if number < 2**63 else None
    if row is None:
        raise Http404("no such audit row")
    return row


def _number(request: HttpRequest, name: str) -> int | None:
    """A whole number out of the address; None when it is absent or is not one that the database could hold."""
    return _whole(request.GET.get(name, ""))


def _numbers(request: HttpRequest, name: str) -> list[int]:
    """The same where an address may give it several times; what is none is left out."""
    return [number for text in request.GET.getlist(name) if (number := _whole(text)) is not None]


def _whole(text: str) -> int | None:
    if not (text.isascii() and text.isdecimal() and len(text) <= 19):
        return None
    return number if (number := int(text)) < 2**63 else None


def _moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment is not None and timezone.is_aware(moment) else None


def _varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request"])
    return response
