"""What can be done with clients: each a verb, each in one transaction, each with its event. Nothing here enqueues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clients.models import Assignment, Client, ClientEvent, Contact, Note, Restriction

Kind = ClientEvent.Kind
MOST_TAGS = 20


class NotDone(Exception):
    """It was not done and nothing was changed; `message` says why and what to do, for the person who wanted it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def note_event(
    user: Any, kind: str, client: Client | None = None, other: UUID | None = None, count: int | None = None
) -> None:
    """Writes down what was done. Never a value: what was changed is known by its kind alone."""
    ClientEvent.objects.create(client=client, kind=kind, by=user, other=other, count=count)


@transaction.atomic
def keep(user: Any, client: Client, tfn: str | None = None) -> Client:
    """Saves a new or changed client. tfn: digits alone, "" to take it out, None to leave it as it is.

    Raises ValueError for wrong check digits, which a form has refused before.
    """
    is_new = client._state.adding
    if tfn is not None:
        client.set_tfn(tfn)
    client.save()
    client.refresh_from_db(fields=["practice_id"])
    note_event(user, Kind.ADDED if is_new else Kind.CHANGED, client)
    if tfn is not None and (tfn or not is_new):
        note_event(user, Kind.TFN_CHANGED, client)
    return client


@transaction.atomic
def show_tfn(user: Any, client: Client) -> str:
    """The tax file number, digits alone; that it was shown is on record before it is. Raises secrets.CannotOpen."""
    note_event(user, Kind.TFN_SEEN, client)
    return client.tfn()


@transaction.atomic
def archive(user: Any, clients: Iterable[Client]) -> int:
    """How many were archived with this; one that is already stays as it is."""
    done = 0
    for client in _locked(clients):
        if client.archived_at is None:
            client.archived_at = timezone.now()
            client.save(update_fields=["archived_at"])
            note_event(user, Kind.ARCHIVED, client)
            done += 1
    return done


@transaction.atomic
def restore(user: Any, client: Client) -> None:
    """Takes the client back from the archive. Raises NotDone for one that was merged into another."""
    (locked,) = _locked([client])
    if locked.merged_into_id is not None:
        raise NotDone("This client was merged into another. Undo the merge to have it back.")
    if locked.archived_at is not None:
        locked.archived_at = None
        locked.save(update_fields=["archived_at"])
        note_event(user, Kind.RESTORED, locked)


@transaction.atomic
def tag(user: Any, clients: Iterable[Client], words: str) -> int:
    """How many carry the tag that did not before. Raises NotDone for no words, and for a client with too many tags."""
    word = " ".join(words.split())
    if not word or len(word) > 40 or "," in word:
        raise NotDone("Give one tag of up to 40 characters, without a comma.")
    done = 0
    for client in _locked(clients):
        if word in client.tags:
            continue
        if len(client.tags) >= MOST_TAGS:
            raise NotDone(f"A client carries up to {MOST_TAGS} tags, and one of these has them already.")
        client.tags = sorted({*client.tags, word}, key=str.casefold)
        client.save(update_fields=["tags"])
        note_event(user, Kind.CHANGED, client)
        done += 1
    return done


@transaction.atomic
def assign(user: Any, clients: Iterable[Client], who: Any) -> int:
    """How many the person works for with this that they did not before."""
    done = 0
    for client in _locked(clients):
        _, is_new = Assignment.objects.get_or_create(client=client, user=who, defaults={"by": user})
        if is_new:
            note_event(user, Kind.ASSIGNED, client, other=who.pk)
            done += 1
    return done


@transaction.atomic
def unassign(user: Any, client: Client, who_id: UUID) -> None:
    """Ends somebody's work for a client. Raises NotDone for the last one of a restricted client."""
    (locked,) = _locked([client])
    others = locked.assignments.exclude(user_id=who_id)
    if is_restricted(locked) and not others.exists():
        raise NotDone("This client is restricted, and nobody would see it any more. Assign somebody else first.")
    found = locked.assignments.filter(user_id=who_id)
    if found.exists():
        note_event(user, Kind.UNASSIGNED, locked, other=who_id)  # while it may still be written
        found.delete()


@transaction.atomic
def restrict(user: Any, client: Client) -> None:
    """Hides the client from everybody who is not assigned to it. For owners. Raises NotDone where nobody is."""
    _owners_only(user)
    (locked,) = _locked([client])
    if not locked.assignments.exists():
        raise NotDone("Assign somebody first: a restricted client is seen by those assigned to it alone.")
    if not is_restricted(locked):
        note_event(user, Kind.RESTRICTED, locked)  # while whoever restricts it is sure to see it
        Restriction.objects.create(client=locked, by=user)


@transaction.atomic
def lift_restriction(user: Any, client: Client) -> None:
    """Shows the client to the whole practice again. For owners who are assigned to it."""
    _owners_only(user)
    (locked,) = _locked([client])
    Restriction.objects.filter(client=locked).delete()
    note_event(user, Kind.OPENED, locked)


@transaction.atomic
def let_oneself_in(owner: Any, client_id: UUID) -> Client:
    """Assigns an owner to a restricted client that they do not see, by its id; the event stays for all who see it."""
    _owners_only(owner)
    if not Restriction.objects.filter(client_id=client_id).exists():
        raise NotDone("No restricted client has this address any more.")
    if not Assignment.objects.filter(client_id=client_id, user=owner).exists():
        Assignment.objects.create(client_id=client_id, user=owner, by=owner)
        note_event(owner, Kind.ASSIGNED_SELF, Client.objects.get(pk=client_id), other=owner.pk)
    return Client.objects.get(pk=client_id)


@transaction.atomic
def add_contact(user: Any, contact: Contact) -> None:
    contact.save()
    note_event(user, Kind.CHANGED, contact.client)


@transaction.atomic
def remove_contact(user: Any, client: Client, contact_id: int) -> None:
    """Takes a contact out; one that is not there is already out."""
    removed, _ = Contact.objects.filter(client=client, pk=contact_id).delete()
    if removed:
        note_event(user, Kind.CHANGED, client)


@transaction.atomic
def write_note(user: Any, client: Client, text: str) -> None:
    """Adds a note. Raises NotDone for one without words."""
    if not text.strip():
        raise NotDone("There are no words in this note.")
    Note.objects.create(client=client, text=text.strip(), by=user)


def is_restricted(client: Client) -> bool:
    return Restriction.objects.filter(client=client).exists()


def _locked(clients: Iterable[Client]) -> Sequence[Client]:
    """The rows, locked in the order of their ids, so that two at once do not wait for one another."""
    ids = [client.pk for client in clients]
    return list(Client.objects.select_for_update().filter(pk__in=ids).order_by("pk"))


def _owners_only(user: Any) -> None:
    if not user.is_owner:
        raise NotDone("Only an owner of the practice may do this.")
