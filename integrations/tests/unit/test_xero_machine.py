"""Every state of a bill with every event: what follows, and that nothing else can."""

from __future__ import annotations

import itertools

import pytest

from integrations.models_xero import XeroPush
from integrations.xero import machine
from integrations.xero.machine import Event, NotAllowed, State

FOLLOWS = {
    ("queued", "contact found"): "contact_resolved",
    ("contact_resolved", "contact lost"): "queued",
    ("contact_resolved", "sending"): "bill_sent",
    ("bill_sent", "looked for and not there"): "contact_resolved",
    ("bill_sent", "confirmed"): "bill_confirmed",
    ("bill_confirmed", "attached"): "attachment_sent",
    ("bill_confirmed", "nothing to attach"): "done",
    ("attachment_sent", "attachment listed"): "done",
    ("attachment_sent", "attachment not listed"): "bill_confirmed",
    ("queued", "failed"): "failed",
    ("contact_resolved", "failed"): "failed",
    ("bill_sent", "failed"): "failed",
    ("bill_confirmed", "failed"): "failed",
    ("attachment_sent", "failed"): "failed",
    ("failed", "again from the start"): "queued",
    ("failed", "again with the contact"): "contact_resolved",
    ("failed", "again, to look for it first"): "bill_sent",
    ("failed", "again, to attach"): "bill_confirmed",
}


@pytest.mark.parametrize(("state", "event"), list(itertools.product(State, Event)))
def test_every_state_meets_every_event(state: State, event: Event) -> None:
    wanted = FOLLOWS.get((state.value, event.value))
    if wanted is None:
        with pytest.raises(NotAllowed):
            machine.after(state, event)
    else:
        assert machine.after(state, event) == wanted


def test_what_is_done_stays_done_and_no_bill_is_sent_from_where_xero_has_it() -> None:
    assert not [each for each in machine.TRANSITIONS if each[0] is State.DONE]
    reached, ahead = {State.BILL_CONFIRMED}, [State.BILL_CONFIRMED]
    while ahead:
        state = ahead.pop()
        for (before, event), after in machine.TRANSITIONS.items():
            if before is state and after not in reached and not event.value.startswith("again"):
                reached.add(after)
                ahead.append(after)
    assert reached == {State.BILL_CONFIRMED, State.ATTACHMENT_SENT, State.DONE, State.FAILED}


@pytest.mark.parametrize(
    ("has_bill", "may_have", "has_contact", "event"),
    [
        (True, False, True, Event.AGAIN_TO_ATTACH),
        (True, True, True, Event.AGAIN_TO_ATTACH),
        (False, True, True, Event.AGAIN_TO_LOOK),
        (False, True, False, Event.AGAIN_TO_LOOK),
        (False, False, True, Event.AGAIN_WITH_CONTACT),
        (False, False, False, Event.AGAIN_FROM_START),
    ],
)
def test_a_failed_bill_goes_on_from_what_is_known(
    has_bill: bool, may_have: bool, has_contact: bool, event: Event
) -> None:
    assert machine.again(has_bill=has_bill, may_have_bill=may_have, has_contact=has_contact) is event


@pytest.mark.parametrize(("seconds", "may"), [(0, True), (299.9, True), (300, False), (600, False), (-1, False)])
def test_the_same_is_sent_again_only_while_the_key_is_surely_known(seconds: float, may: bool) -> None:
    assert machine.may_resend(seconds) is may


def test_the_database_knows_the_same_states() -> None:
    assert [each.value for each in XeroPush.State] == [each.value for each in State]
