"""The pages of what has become known of the law since answers were recorded."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from asat_site.http import PracticeRequest
from research import changes
from research.presentation.law_changes import ChangeView, change_view, notice_of

PAGE = 20  # changes
ANSWERS_PAGE = 50  # of one wording
MOST_PAGES = 10_000


@require_safe
def law_changes(request: PracticeRequest) -> HttpResponse:
    """Every change that bears on this practice's answers, last learnt first, each with the newest of them."""
    page = _page(request)
    found, total = changes.law_changes(PAGE, (page - 1) * PAGE)
    if page > 1 and not found:
        raise Http404("there are not so many pages")
    context = {
        "notice": notice_of(changes.touched_now()),
        "changes": _views(found),
        "total": total,
        "before": page - 1 if page > 1 else None,
        "after": page + 1 if page * PAGE < total else None,
    }
    return render(request, "research/changes.html", context)


@require_safe
def law_change(request: PracticeRequest, version: int) -> HttpResponse:
    """What became of one wording, and every answer that quotes it."""
    page = _page(request)
    first, last = (page - 1) * ANSWERS_PAGE, page * ANSWERS_PAGE
    found, _ = changes.law_changes(version=version, after=first, most=ANSWERS_PAGE) if version < 2**63 else ([], 0)
    if not any(change.answer_ids for change in found):
        raise Http404("nothing has become known of this wording")
    context = {
        "changes": _views(found),
        "first": first,
        "before": page - 1 if page > 1 else None,
        "after": page + 1 if any(change.answers > last for change in found) else None,
    }
    return render(request, "research/change.html", context)


def _views(found: list[changes.LawChange]) -> list[ChangeView]:
    named = {pk for change in found for pk in change.answer_ids}
    answers = {answer.pk: answer for answer in changes.answers_of(sorted(named))}
    return [change_view(change, answers) for change in found]


def _page(request: PracticeRequest) -> int:
    """The page asked for, the first where none is or where it is none."""
    text = request.GET.get("page", "1")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1
    return min(max(number, 1), MOST_PAGES)
