"""Stopping a question that waits or runs: by whoever asked it, and nobody else."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from asat_site.http import PracticeRequest
from research import queries, services


@require_POST
def stop(request: PracticeRequest, question_id: UUID) -> HttpResponse:
    """Stops the question and leads to it as it then stands: a part for htmx, which follows, a page otherwise."""
    question = queries.question_of(request.user, question_id)
    if question is None:
        raise Http404("no such question")
    services.stop(question, timezone.now())
    return redirect("question_part", question_id)
