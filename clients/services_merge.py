"""Two clients found to be one: merged, and taken apart again as they were. Everything that hangs off one moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import DatabaseError, models, transaction
from django.utils import timezone

from clients import services
from clients.ledger import sending
from clients.models import Assignment, Client, ClientEvent, Merge, Restriction, Transaction
from clients.services import Kind, NotDone

_STAYS = (Assignment, Restriction, ClientEvent, Merge, Client)  # what says of a client what it was, or who it is
_ONE = ("abn", "acn", "entity_type", "bas_cycle", "gst_registered", "income_year_end")
_MANY = ("trading_names", "addresses", "emails", "phones", "account_numbers", "tags")


@transaction.atomic
def merge(user: Any, kept: Client, gone: Client) -> Merge:
    """Moves all that hangs off `gone` to `kept`, fills what is blank of `kept`, and archives `gone`.

    Nothing of `kept` is written over. Raises NotDone where it could not be told what would be right.
    """
    kept, gone = _both(kept, gone)
    _refuse_what_is_unclear(user, kept, gone)
    tfn = gone.tfn() if gone.sealed_tfn and not kept.sealed_tfn else ""
    filled = _fill(kept, gone)
    if tfn:
        kept.set_tfn(tfn)
        filled["sealed_tfn"] = ["", None]
    kept.save()
    moved = {}
    for relation in _hanging():
        rows = relation.related_model._default_manager.filter(**{relation.field.name: gone})
        ids = [str(pk) for pk in rows.order_by("pk").values_list("pk", flat=True)]
        if ids:
            moved[relation.related_model._meta.label] = ids
            _move(rows, relation.field.name, kept)
    there = set(kept.assignments.values_list("user_id", flat=True))
    added = [pk for pk in gone.assignments.values_list("user_id", flat=True) if pk not in there]
    Assignment.objects.bulk_create(Assignment(client=kept, user_id=pk, by=user) for pk in added)
    done = Merge.objects.create(
        client=kept,
        gone=gone,
        by=user,
        moved=moved,
        added=[str(pk) for pk in added],
        filled=filled,
        gone_archived_at=gone.archived_at,
    )
    gone.archived_at, gone.merged_into = gone.archived_at or timezone.now(), kept
    gone.save(update_fields=["archived_at", "merged_into"])
    services.note_event(user, Kind.MERGED, kept, other=gone.pk)
    services.note_event(user, Kind.MERGED, gone, other=kept.pk)
    return done


@transaction.atomic
def unmerge(user: Any, done: Merge) -> Client:
    """Both clients as they were before; the one that had gone. What was added to the kept one since stays with it.

    What was done since on what goes back (decisions on a document, its approvals and entries, what was sent of them)
    goes back with it. Raises NotDone where a field that the merge filled has been changed since: what was typed is not
    thrown away.
    """
    done = Merge.objects.select_for_update().get(pk=done.pk)
    if done.undone_at is not None:
        raise NotDone("This merge was undone already.")
    kept, gone = _both(done.client, done.gone)
    if gone.merged_into_id != kept.pk or kept.merged_into_id is not None:
        raise NotDone("The client has been merged on since. Undo the later merge first.")
    changed = [name for name, (_, now) in done.filled.items() if not _stands(name, now, kept, gone)]
    if changed:
        names = ", ".join(name.replace("sealed_", "").replace("_", " ") for name in changed)
        raise NotDone(f"This was changed since the merge: {names}. Put back what stood there, or leave it merged.")
    for name, (before, _) in done.filled.items():
        setattr(kept, name, before)
    kept.save()
    going = _going_back(done, kept)
    for relation in _hanging():
        rows = relation.related_model._default_manager.filter(pk__in=going[relation.related_model])
        _move(rows, relation.field.name, gone)
    if (sender := sending.sending()) is not None:
        sender.moved(going[Transaction], kept, gone)
    Assignment.objects.filter(client=kept, user_id__in=done.added).delete()
    gone.archived_at, gone.merged_into = done.gone_archived_at, None
    gone.save(update_fields=["archived_at", "merged_into"])
    done.undone_by, done.undone_at = user, timezone.now()
    done.save(update_fields=["undone_by", "undone_at"])
    services.note_event(user, Kind.UNMERGED, kept, other=gone.pk)
    services.note_event(user, Kind.UNMERGED, gone, other=kept.pk)
    return gone


def _both(kept: Client, gone: Client) -> tuple[Client, Client]:
    """The two rows, locked in the order of their ids."""
    rows = {row.pk: row for row in Client.objects.select_for_update().filter(pk__in=(kept.pk, gone.pk)).order_by("pk")}
    if len(rows) != 2:
        raise NotDone("Choose two clients that are there.")
    return rows[kept.pk], rows[gone.pk]


def _refuse_what_is_unclear(user: Any, kept: Client, gone: Client) -> None:
    for client in (kept, gone):
        if client.merged_into_id is not None:
            raise NotDone("One of these was merged before. Choose the client that it was merged into.")
    if kept.archived_at is not None:
        raise NotDone("The one to keep is archived. Keep the other, or take it back from the archive first.")
    hidden = {client.pk for client in (kept, gone) if services.is_restricted(client)}
    if hidden and not user.is_owner:
        raise NotDone("One of these is restricted. Only an owner may merge it.")
    if gone.pk in hidden and kept.pk not in hidden:
        raise NotDone("What is restricted would be seen by everybody. Restrict the other first, or keep this one.")
    if kept.sealed_tfn and gone.sealed_tfn and kept.tfn() != gone.tfn():
        raise NotDone("They have two tax file numbers, so they are two clients.")
    if kept.abn and gone.abn and kept.abn != gone.abn:
        raise NotDone("They have two ABNs, so they are two clients. Correct the ABN first if one is wrong.")


def _fill(kept: Client, gone: Client) -> dict[str, list[Any]]:
    """Fills what is blank of `kept`, adds to its lists; the fields written, each as [before, after]."""
    filled: dict[str, list[Any]] = {}
    for name in _ONE:
        if getattr(kept, name) in ("", None) and getattr(gone, name) not in ("", None):
            filled[name] = [getattr(kept, name), getattr(gone, name)]
    for name in _MANY:
        before = list(getattr(kept, name))
        others = [gone.name] if name == "trading_names" and gone.name != kept.name else []
        after = list(dict.fromkeys([*before, *getattr(gone, name), *others]))
        if after != before:
            filled[name] = [before, after]
    if kept.allows_remote and not gone.allows_remote:  # what must stay here stays here
        filled["allows_remote"] = [True, False]
    for name, (_, after) in filled.items():
        setattr(kept, name, after)
    return filled


def _stands(name: str, now: Any, kept: Client, gone: Client) -> bool:
    """Whether what the merge wrote still stands. A tax file number was sealed anew for its row, so it is opened."""
    return kept.tfn() == gone.tfn() if name == "sealed_tfn" else bool(getattr(kept, name) == now)


def _move(rows: models.QuerySet[Any], name: str, to: Client) -> None:
    try:
        with transaction.atomic():
            rows.update(**{name: to})
    except DatabaseError:  # it may be there once for a client, or it is on record as this client's for good
        what = rows.model._meta.verbose_name_plural
        raise NotDone(f"The {what} of the two cannot be put together, so nothing was merged.") from None


def _going_back(done: Merge, kept: Client) -> dict[type[models.Model], set[Any]]:
    """The ids of what goes back, by table: what the merge moved, and all since that points at what goes back."""
    relations = {relation.related_model: relation.field.name for relation in _hanging()}
    going = {}
    for model, name in relations.items():
        ids = done.moved.get(model._meta.label, ())
        going[model] = set(_ids(model, name, kept, pk__in=ids)) if ids else set()
    is_more = True
    while is_more:
        is_more = False
        for model, name in relations.items():
            for field in model._meta.concrete_fields:
                if field.related_model in going and (to := going[field.related_model]):
                    more = set(_ids(model, name, kept, **{f"{field.name}__in": to})) - going[model]
                    going[model] |= more
                    is_more |= bool(more)
    return going


def _ids(model: type[models.Model], name: str, client: Client, **which: Any) -> models.QuerySet[Any, Any]:
    """The ids of a table's rows that are this client's and such."""
    return model._default_manager.filter(**{name: client}, **which).order_by().values_list("pk", flat=True)


def _hanging() -> Iterator[models.ManyToOneRel]:
    """Each foreign key to a client that moves with a merge, whichever app it is of; also those without a way back."""
    for relation in Client._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel) and relation.related_model not in _STAYS:
            yield relation
