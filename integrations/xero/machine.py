"""The road of one bill into Xero: its states, and which follows which. Pure.

    queued → contact resolved → bill sent → bill confirmed → attachment sent → done

"Bill sent" is written down before anything is sent, so whoever finds it so knows that Xero may have the bill. What
failed is kept, and goes on from what is known of it: a bill that Xero has is never made again.
"""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Where a bill stands; kept in the database by these names."""

    QUEUED = "queued"
    CONTACT_RESOLVED = "contact_resolved"
    BILL_SENT = "bill_sent"
    BILL_CONFIRMED = "bill_confirmed"
    ATTACHMENT_SENT = "attachment_sent"
    DONE = "done"
    FAILED = "failed"


class Event(StrEnum):
    """What happened to it."""

    CONTACT_FOUND = "contact found"
    CONTACT_LOST = "contact lost"
    SENDING = "sending"
    NOT_IN_XERO = "looked for and not there"
    CONFIRMED = "confirmed"
    ATTACHED = "attached"
    NOTHING_TO_ATTACH = "nothing to attach"
    LISTED = "attachment listed"
    NOT_LISTED = "attachment not listed"
    FAILED = "failed"
    AGAIN_FROM_START = "again from the start"
    AGAIN_WITH_CONTACT = "again with the contact"
    AGAIN_TO_LOOK = "again, to look for it first"
    AGAIN_TO_ATTACH = "again, to attach"


WORKING = (
    State.QUEUED, State.CONTACT_RESOLVED, State.BILL_SENT, State.BILL_CONFIRMED, State.ATTACHMENT_SENT,
)  # fmt: skip

TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.QUEUED, Event.CONTACT_FOUND): State.CONTACT_RESOLVED,
    (State.CONTACT_RESOLVED, Event.CONTACT_LOST): State.QUEUED,
    (State.CONTACT_RESOLVED, Event.SENDING): State.BILL_SENT,
    (State.BILL_SENT, Event.NOT_IN_XERO): State.CONTACT_RESOLVED,
    (State.BILL_SENT, Event.CONFIRMED): State.BILL_CONFIRMED,
    (State.BILL_CONFIRMED, Event.ATTACHED): State.ATTACHMENT_SENT,
    (State.BILL_CONFIRMED, Event.NOTHING_TO_ATTACH): State.DONE,
    (State.ATTACHMENT_SENT, Event.LISTED): State.DONE,
    (State.ATTACHMENT_SENT, Event.NOT_LISTED): State.BILL_CONFIRMED,
    **{(state, Event.FAILED): State.FAILED for state in WORKING},
    (State.FAILED, Event.AGAIN_FROM_START): State.QUEUED,
    (State.FAILED, Event.AGAIN_WITH_CONTACT): State.CONTACT_RESOLVED,
    (State.FAILED, Event.AGAIN_TO_LOOK): State.BILL_SENT,
    (State.FAILED, Event.AGAIN_TO_ATTACH): State.BILL_CONFIRMED,
}


class NotAllowed(Exception):
    """An event that cannot happen to a bill in this state: a fault of ours, never a reason to send."""


def after(state: State, event: Event) -> State:
    """The state that follows. Raises NotAllowed."""
    try:
        return TRANSITIONS[state, event]
    except KeyError:
        raise NotAllowed(f"{event.value!r} cannot happen to a bill that is {state.value}.") from None


def again(*, has_bill: bool, may_have_bill: bool, has_contact: bool) -> Event:
    """How a failed bill goes on, by what is known: Xero has it, may have it, or the contact alone is known."""
    if has_bill:
        return Event.AGAIN_TO_ATTACH
    if may_have_bill:
        return Event.AGAIN_TO_LOOK
    return Event.AGAIN_WITH_CONTACT if has_contact else Event.AGAIN_FROM_START


RESEND_WITHIN_S = 300.0
"""Xero keeps a key for six minutes; a minute of that is left for clocks and for the way there."""


def may_resend(sent_s_ago: float) -> bool:
    """Whether the same bytes under the same key still come to one bill. After that, look for it first."""
    return 0 <= sent_s_ago < RESEND_WITHIN_S
