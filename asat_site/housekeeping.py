"""What is tidied once a day."""

from __future__ import annotations

from celery import shared_task
from django.contrib.sessions.models import Session
from django.utils import timezone

from asat_site.accounts import open_sessions
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice


@shared_task(name="asat_site.clear_sessions", ignore_result=True)
def clear_sessions() -> None:
    """Delete lapsed sessions, practice by practice, the platform's too."""
    for practice in list(Practice.objects.all()):
        with in_practice(practice):
            Session.objects.filter(expire_date__lt=timezone.now()).delete()
            open_sessions.forget_ended()
