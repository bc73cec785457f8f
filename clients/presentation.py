"""The register in words for its pages: rows, chips, particulars and events, from what is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from asat_site.secrets import CannotOpen
from clients import queries
from clients.forms import ClientForm
from clients.models import BasCycle, Client, ClientEvent, EntityType, Restriction
from clients.queries import PAGE, UNKNOWN, Filter
from clients.rules import entity, identifiers

NOT_RECORDED = "Not recorded"
_GST_WORDS = {True: "Registered", False: "Not registered", None: NOT_RECORDED}
_GROUPS = (
    ("Who it is", ("name", "trading_names", "entity_type", "abn", "acn", "tfn", "forget_tfn")),
    ("Tax", ("gst_registered", "bas_cycle", "income_year_end")),
    ("How to reach it", ("addresses", "emails", "phones", "account_numbers")),
    ("In this practice", ("tags", "allows_remote")),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A client in the list."""

    client: Client
    abn: str
    entity: str
    gst: str
    year_ends: str
    people: tuple[str, ...]
    is_restricted: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to narrow a list. address: the list narrowed so, or widened where it is on."""

    words: str
    address: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event. other: whom or what it was done with, in words."""

    at: Any
    who: str
    words: str
    other: str
    client: Client | None


def list_context(wanted: Filter, rows: list[Client], count: int, user: Any) -> dict[str, Any]:
    """What the list's page shows."""
    pages = max(1, -(-count // PAGE))
    return {
        "wanted": wanted,
        "rows": [row_of(client) for client in rows],
        "count": count,
        "pages": pages,
        "first": (wanted.page - 1) * PAGE + 1,
        "last": (wanted.page - 1) * PAGE + len(rows),
        "previous": wanted.address(page=wanted.page - 1) if wanted.page > 1 else None,
        "next": wanted.address(page=wanted.page + 1) if wanted.page < pages else None,
        "sorts": {name: _sort(wanted, name) for name in ("name", "abn", "type", "added")},
        "choices": _choices(wanted),
        "toggles": {
            "mine": wanted.address(mine="" if wanted.is_mine else "1") or "?",
            "restricted": wanted.address(restricted="" if wanted.is_restricted else "1") or "?",
            "archived": wanted.address(archived="" if wanted.is_archived else "1") or "?",
        },
        "tags": queries.tags_held(),
        "people": queries.people() if user.may_write else [],
        "back": wanted.address(),
        "has_any": bool(rows) or Client.objects.exists(),
        "hidden": len(queries.hidden_from(user)) if user.is_owner else 0,
    }


def row_of(client: Client) -> Row:
    return Row(
        client=client,
        abn=identifiers.show_abn(client.abn),
        entity=client.get_entity_type_display() if client.entity_type else "",
        gst={True: "Yes", False: "No", None: ""}[client.gst_registered],
        year_ends=entity.year_ends(client.income_year_end) if client.income_year_end else "",
        people=tuple(name_of(each.user) for each in client.assignments.all()),
        is_restricted=is_restricted(client),
    )


def is_restricted(client: Client) -> bool:
    try:
        return client.restriction is not None
    except Restriction.DoesNotExist:
        return False


def name_of(user: Any) -> str:
    return str(user.get_full_name() or user.email)


def counted(number: int) -> str:
    return "1 client" if number == 1 else f"{number:,} clients"


def masked_tfn(client: Client) -> str:
    """As it may be shown to everybody: ••• ••• 782; "" for none, and words where it does not open."""
    try:
        return identifiers.mask_tfn(client.tfn())
    except CannotOpen:
        return "cannot be opened"


def client_context(client: Client) -> dict[str, Any]:
    """What a client's page shows of it."""
    return {
        "client": client,
        "particulars": particulars(client),
        "masked_tfn": masked_tfn(client),
        "is_restricted": is_restricted(client),
        "assigned": [each.user for each in client.assignments.select_related("user")],
        "contacts": list(client.contacts.all()),
        "notes": list(client.notes.select_related("by")[:100]),
        "events": event_lines(queries.events_of(client)),
        "merges": [each for each in client.merges.select_related("gone", "by") if each.undone_at is None],
    }


def particulars(client: Client) -> list[tuple[str, list[str]]]:
    """(what, its values), in reading order. What is unknown says so."""
    said = [
        ("Trading names", client.trading_names),
        ("Entity type", [client.get_entity_type_display()] if client.entity_type else []),
        ("ABN", [identifiers.show_abn(client.abn)]),
        ("ACN", [identifiers.show_acn(client.acn)]),
        ("GST", [_GST_WORDS[client.gst_registered]]),
        ("BAS cycle", [client.get_bas_cycle_display()] if client.bas_cycle else []),
        ("Income year ends", [_capital(entity.year_ends(client.income_year_end))]),
        ("Addresses", client.addresses),
        ("E-mail", client.emails),
        ("Phone", client.phones),
        ("Accounts", client.account_numbers),
    ]
    return [(what, [value for value in values if value] or [NOT_RECORDED]) for what, values in said]


def groups_of(form: ClientForm) -> list[tuple[str, list[Any]]]:
    return [(title, [form[name] for name in names]) for title, names in _GROUPS]


def event_lines(found: Iterable[ClientEvent]) -> list[EventLine]:
    found = list(found)
    users = queries.people_by_id() if any(each.other for each in found) else {}
    others = {each.other for each in found if each.other and each.other not in users}
    names = dict(Client.objects.filter(pk__in=others).values_list("pk", "name")) if others else {}
    return [_event_line(each, users, names) for each in found]


def _event_line(event: ClientEvent, users: dict[Any, Any], names: dict[Any, str]) -> EventLine:
    other = counted(event.count) if event.count is not None else ""
    if event.kind == ClientEvent.Kind.ENTRIES_EXPORTED and event.count is not None:
        other = f"{event.count:,}"
    if event.other:
        other = name_of(users[event.other]) if event.other in users else names.get(event.other, "")
    return EventLine(event.at, name_of(event.by), event.get_kind_display(), other, event.client)


def csv_row(client: Client) -> list[str]:
    """The cells of `rules.outgoing.HEADINGS`."""
    return [
        client.name,
        "; ".join(client.trading_names),
        client.get_entity_type_display() if client.entity_type else "",
        identifiers.show_abn(client.abn),
        identifiers.show_acn(client.acn),
        {True: "Yes", False: "No", None: ""}[client.gst_registered],
        client.get_bas_cycle_display() if client.bas_cycle else "",
        entity.year_ends(client.income_year_end) if client.income_year_end else "",
        "; ".join(client.addresses),
        "; ".join(client.emails),
        "; ".join(client.phones),
        "; ".join(client.tags),
        "; ".join(name_of(each.user) for each in client.assignments.all()),
        "Yes" if client.archived_at else "",
    ]


def _sort(wanted: Filter, name: str) -> dict[str, str]:
    """Where a column's head leads, and how it is sorted now, as aria-sort has it."""
    is_up, is_down = wanted.sort == name, wanted.sort == f"-{name}"
    to = f"-{name}" if is_up else name
    now = "ascending" if is_up else "descending" if is_down else "none"
    return {"address": wanted.address(sort="" if to == "name" else to) or "?", "now": now}


def _choices(wanted: Filter) -> list[tuple[str, list[Choice]]]:
    """The menus of the filter: (what, its choices); and what is plainly on or off."""
    unknown = (UNKNOWN, NOT_RECORDED)
    menus = (
        ("Entity type", "type", wanted.entity, [*EntityType.choices, unknown]),
        ("GST", "gst", wanted.gst, [("yes", "Registered"), ("no", "Not registered"), unknown]),
        ("BAS", "bas", wanted.bas, [*BasCycle.choices, unknown]),
        ("Tag", "tag", wanted.tag, [(tag, tag) for tag in queries.tags_held()]),
    )
    found = []
    for what, name, now, choices in menus:
        made = [
            Choice(str(words), wanted.address(**{name: "" if value == now else value}) or "?", value == now)
            for value, words in choices
        ]
        if made:
            found.append((what, made))
    return found


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
