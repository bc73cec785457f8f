"""Mail is sent by workers: they reach out, the web server does not, and nobody waits for a mail server."""

from __future__ import annotations

from smtplib import SMTPException
from uuid import UUID

from celery import shared_task

from asat_site.accounts import invitations
from asat_site.tenancy.tasks import PracticeTask


@shared_task(
    base=PracticeTask,
    name="accounts.send_invitation",
    autoretry_for=(OSError, SMTPException),
    retry_backoff=10,
    max_retries=3,
)
def send_invitation(practice_id: str, invitation_id: str, origin: str) -> None:
    """Send the link of an invitation. origin: where the practice is, such as https://smith.example.com."""
    invitations.send(UUID(invitation_id), origin)
