"""The conversation pages. A message is a question like any other: only where its words come from is told apart."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST, require_safe

from asat_site.http import PracticeRequest
from research import queries, queries_chat, services, services_chat, tasks
from research.corpus.queries import version_texts
from research.forms import AskForm
from research.models import Conversation, Question
from research.presentation.chat import Source, exported, numbered, sources_of
from research.presentation.line import place_words
from research.presentation.records import Entry, earlier_of, entry_of, wordings_to_read
from research.question.route import MOST_CHARS

PAGE = 30  # conversations
WHOLE = 3  # messages shown whole; those before them by the line


@require_safe
def chat(request: PracticeRequest) -> HttpResponse:
    """The box that starts a conversation, over the user's own conversations, the newest first."""
    return render(request, "research/chat.html", _list_context(request))


@require_POST
def start(request: PracticeRequest) -> HttpResponse:
    """The first message: it makes the conversation, or comes back with the reason and with what was typed."""
    form = AskForm(request.POST)
    try:
        question = _said(request, form, None)
    except services.NotAskable as refused:
        kept = {"typed": str(form.data.get("question", ""))[:MOST_CHARS], "form_error": refused.message}
        return render(request, "research/chat.html", _list_context(request) | kept, status=422)
    return redirect(_address(question))


@require_safe
def conversation(request: PracticeRequest, conversation_id: UUID) -> HttpResponse:
    """The messages with the sources of their answers; the last few whole, or all for `?whole=on`, as for print."""
    found = _conversation(request, conversation_id)
    return _varied(render(request, "research/chat_conversation.html", _page_context(request, found)))


@require_POST
def say(request: PracticeRequest, conversation_id: UUID, is_whole: bool = False) -> HttpResponse:
    """A message more. is_whole: asked as it stands, such as one that was written out before."""
    found = _conversation(request, conversation_id)
    form = AskForm(request.POST)
    try:
        question = _said(request, form, found, is_whole)
    except services.NotAskable as refused:
        return _not_said(request, found, form, refused.message)
    if request.htmx:
        return _varied(render(request, "research/_question.html", _message_context(request, found, question)))
    return redirect(_address(question))


@require_safe
def message(request: PracticeRequest, conversation_id: UUID, question_id: UUID) -> HttpResponse:
    """One message as it stands now and the sources so far, for htmx; else the conversation. A lost run restarts."""
    found = _conversation(request, conversation_id)
    question = queries_chat.message_of(found, question_id)
    if question is None:
        raise Http404("no such message")
    if question.status != Question.Status.DONE and services.recover_if_lost(question):
        tasks.enqueue(question)
    if not request.htmx:
        return redirect(f"{reverse('chat_conversation', args=[found.pk])}?whole=on#question-{question.pk}")
    return _varied(render(request, "research/_message.html", _message_context(request, found, question)))


@require_safe
def export(request: PracticeRequest, conversation_id: UUID) -> HttpResponse:
    """The whole conversation as JSON, to keep."""
    found = _conversation(request, conversation_id)
    content = exported(found, queries_chat.messages_of(found))
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = f'attachment; filename="asat-conversation-{found.pk}.json"'
    return response


def _said(request: PracticeRequest, form: AskForm, found: Conversation | None, is_whole: bool = False) -> Question:
    """The message, saved and enqueued. Raises NotAskable."""
    if not form.is_valid():
        raise services.NotAskable(form.what_is_wrong)
    data = form.cleaned_data
    said = services_chat.Said(
        data["question"], data["year"], data["framework"], data["subject_index"], is_whole=is_whole
    )
    with transaction.atomic():
        question = services_chat.say(request.user, said, found)
        transaction.on_commit(lambda: tasks.enqueue(question))
    return question


def _not_said(request: PracticeRequest, found: Conversation, form: AskForm, sentence: str) -> HttpResponse:
    """The reason, beside the box; without script the page comes back with what was typed."""
    if request.htmx:
        response = render(request, "research/_refusal.html", {"sentence": sentence}, status=422)
        response["HX-Retarget"] = "#ask-error"
        response["HX-Reswap"] = "innerHTML"
        return _varied(response)
    kept = {"typed": str(form.data.get("question", ""))[:MOST_CHARS], "form_error": sentence}
    return render(request, "research/chat_conversation.html", _page_context(request, found) | kept, status=422)


def _list_context(request: PracticeRequest) -> dict[str, Any]:
    before = _moment(request.GET.get("before", ""))
    found = queries_chat.conversations(request.user, PAGE + 1, before)
    older = found[PAGE - 1].started_at.astimezone(UTC).isoformat() if len(found) > PAGE else ""
    return _box_context(request) | {
        "conversations": found[:PAGE],
        "before": older.replace("+00:00", "Z"),
        "newer": before is not None,
        "examples": [] if found else queries.examples(),
    }


def _page_context(request: PracticeRequest, found: Conversation) -> dict[str, Any]:
    said = queries_chat.messages_of(found)
    is_whole = request.GET.get("whole") == "on"
    whole = said if is_whole else [m for i, m in enumerate(said, WHOLE - len(said)) if i >= 0 or not _is_done(m)]
    sources = sources_of(queries_chat.cited_in(found))
    return (
        _box_context(request)
        | _links(found)
        | {
            "earlier": [earlier_of(each) for each in said if each not in whole],
            "entries": _entries(whole, sources),
            "sources": sources,
            "is_whole": is_whole,
            "is_running": any(not _is_done(each) for each in said),
            "is_full": len(said) >= services_chat.MOST_MESSAGES,
        }
    )


def _message_context(request: PracticeRequest, found: Conversation, question: Question) -> dict[str, Any]:
    sources = sources_of(queries_chat.cited_in(found))
    (entry,) = _entries([question], sources)
    place = place_words(services.place_in_line(question))
    return _box_context(request) | _links(found) | {"entry": entry, "sources": sources, "place": place}


def _links(found: Conversation) -> dict[str, Any]:
    """The conversation, and where its parts ask: what they ask is asked as it stands, under the last message."""
    return {"conversation": found, "ask_url": reverse("chat_say_whole", args=[found.pk]), "ask_swap": "beforeend"}


def _box_context(request: PracticeRequest) -> dict[str, Any]:
    years = queries.covered_years()[::-1]
    return {
        "years": years,
        "chosen_year": years[0].year if years else None,
        "question_limit": MOST_CHARS,
        "can_ask": request.user.may_write,
    }


def _entries(questions: list[Question], sources: tuple[Source, ...]) -> list[Entry]:
    wordings = wordings_to_read(questions)
    texts = {version: text for version, (_, text) in version_texts(wordings).items()} if wordings else {}
    return [numbered(entry_of(question, texts), sources) for question in questions]


def _is_done(question: Question) -> bool:
    return question.status == Question.Status.DONE


def _address(question: Question) -> str:
    return f"{reverse('chat_conversation', args=[question.conversation_id])}#question-{question.pk}"


def _conversation(request: PracticeRequest, conversation_id: UUID) -> Conversation:
    found = queries_chat.conversation_of(request.user, conversation_id)
    if found is None:
        raise Http404("no such conversation")
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
