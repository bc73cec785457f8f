"""Mail is sent by workers: they reach out, the web server does not, and nobody waits for a mail server."""

from __future__ import annotations

from smtplib import SMTPException
from uuid import UUID

from celery import shared_task

from asat_site.accounts import invitations
from asat_site.tenancy.tasks import PracticeTask

MOST_TRIES = 4
FIRST_WAIT_S = 15  # then four times as long each time: a little over five minutes in all


class MailNotTaken(Exception):
    """The mail server took the mail at no try. Says nothing of the mail: its library's errors name who it is for."""


@shared_task(base=PracticeTask, name="accounts.send_invitation", ignore_result=True)
def send_invitation(practice_id: str, invitation_id: str, origin: str, tried: int = 0) -> None:
    """Send the link of an invitation; where the mail server does not take it, again later.

    origin: where the practice is, such as https://smith.example.com. tried: how often it was in vain.
    """
    try:
        invitations.send(UUID(invitation_id), origin)
    except (OSError, SMTPException):
        if tried + 1 == MOST_TRIES:
            raise MailNotTaken(f"The mail server took the mail at none of {MOST_TRIES} tries.") from None
        send_invitation.apply_async((practice_id, invitation_id, origin, tried + 1), countdown=FIRST_WAIT_S * 4**tried)
