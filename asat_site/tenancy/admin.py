"""Practices, hosts, upgrades and failed tasks, for the platform's administrators to look at."""

from __future__ import annotations

import re
from uuid import UUID

from celery import current_app
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from kombu.exceptions import OperationalError

from asat_site.admin_site import ReadOnlyAdmin
from asat_site.tenancy.models import Domain, Practice, TaskFailure, Upgrade


@admin.register(Practice)
class PracticeAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ("name", "schema_name", "created_at")
    search_fields = ("name", "schema_name")
    fields = ("name", "schema_name", "created_at")


@admin.register(Domain)
class DomainAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ("domain", "tenant", "is_primary")
    search_fields = ("domain",)
    fields = ("domain", "tenant", "is_primary")


@admin.register(Upgrade)
class UpgradeAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ("practice", "status", "detail", "changed_at")
    fields = ("practice", "status", "detail", "changed_at")


ASK_AGAIN_TASK = "research.put_back"
_QUESTION = re.compile(r"question (?P<id>[0-9a-f-]{36})(?: attempt (?P<attempt>\d+))?")


@admin.register(TaskFailure)
class TaskFailureAdmin(ReadOnlyAdmin):
    """What failed or was given up. The administrator of the platform sees no question's words, here or anywhere: a
    question is asked again by a task that enters its practice, and the answer is seen by who asked it.
    """

    where = "platform"
    list_display = ("at", "task", "error", "practice", "question", "attempts")
    list_filter = ("task", "error")
    fields = ("at", "task", "error", "practice", "question", "attempts", "task_id")
    readonly_fields = ("practice", "question", "attempts")
    actions = ("ask_again",)

    @admin.display(ordering="practice_id")
    def practice(self, failure: TaskFailure) -> str:
        """Whose it was; its id where the practice is no more."""
        if failure.practice_id is None:
            return "–"
        named = Practice.objects.filter(pk=failure.practice_id).values_list("name", flat=True).first()
        return named or str(failure.practice_id)

    def question(self, failure: TaskFailure) -> str:
        return str(found) if (found := question_of(failure)) else "–"

    def attempts(self, failure: TaskFailure) -> str:
        """How often a worker had begun it, where it was given up."""
        found = _QUESTION.fullmatch(failure.task_id)
        return (found and found["attempt"]) or "–"

    @admin.action(description="Ask the question again", permissions=["view"])
    def ask_again(self, request: HttpRequest, chosen: QuerySet[TaskFailure]) -> None:
        """Sends each question chosen back to its practice, once however often it failed."""
        wanted = {(failure.practice_id, question_of(failure)) for failure in chosen}
        questions = {(practice, question) for practice, question in wanted if practice and question}
        try:
            for practice, question in sorted(questions):
                current_app.send_task(ASK_AGAIN_TASK, (str(practice), str(question)), retry=False)
        except (OperationalError, ConnectionError, TimeoutError):
            self.message_user(request, "The task queue does not answer. Try again when it does.", messages.ERROR)
            return
        told = f"Asked again: {len(questions)}. One that had been answered stays as it was recorded."
        self.message_user(request, told, messages.SUCCESS if questions else messages.WARNING)


def question_of(failure: TaskFailure) -> UUID | None:
    """The question that failed; None for a failure of something else."""
    found = _QUESTION.fullmatch(failure.task_id)
    return UUID(found["id"]) if found else None
