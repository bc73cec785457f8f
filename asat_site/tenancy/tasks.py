"""The task bases: one records failures, the other also enters the practice that is its first argument.

A worker keeps one connection for many tasks, so a practice that lingers from the task before would be inherited
silently. Here that is an error before anything runs, and the connection is thrown away.
"""

from __future__ import annotations

import logging
import uuid
from typing import Any

from celery import Task
from django.db import DatabaseError

from asat_site.tenancy.context import PracticeLingers, in_practice, practice_connection
from asat_site.tenancy.models import PLATFORM_ID, TaskFailure

logger = logging.getLogger(__name__)


class RecordedTask(Task):
    """A task whose failure is recorded for the administrators: its name and the error's class, never the message."""

    abstract = True

    def on_failure(self, exc: BaseException, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        record_failure(self.name, task_id, exc, None)


class PracticeTask(RecordedTask):
    """A task of one practice. Call it with the practice's id (as text) first; run() is inside the practice."""

    abstract = True

    def __call__(self, practice_id: str, *args: Any, **kwargs: Any) -> Any:
        practice = uuid.UUID(str(practice_id))
        connection = practice_connection()
        if connection.practice_id not in (None, practice):
            lingering = connection.practice_id
            connection.clear_practice()
            connection.close()
            raise PracticeLingers(
                f"{self.name} was to run for {practice}, but the connection still spoke for {lingering}."
            )
        with in_practice(practice):
            return super().__call__(practice_id, *args, **kwargs)

    def on_failure(self, exc: BaseException, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        given = args[0] if args else kwargs.get("practice_id")
        try:
            practice = uuid.UUID(str(given))
        except ValueError:
            practice = None
        record_failure(self.name, task_id, exc, practice)


def record_failure(task: str, task_id: str, error: BaseException, practice_id: uuid.UUID | None) -> None:
    """Write a TaskFailure, as the practice or else as the platform.

    When even that fails, the log says so; the task's own failure must not be hidden by another.
    """
    failure = TaskFailure(
        practice_id=practice_id, task=task[:120], task_id=task_id[:60], error=type(error).__name__[:200]
    )
    try:
        with in_practice(practice_id or PLATFORM_ID):
            failure.save()
    except Exception as unrecorded:  # the database may be what failed
        level = logging.WARNING if isinstance(unrecorded, DatabaseError) else logging.ERROR
        logger.log(level, "A failure of %s could not be recorded: %s.", task, type(unrecorded).__name__)
