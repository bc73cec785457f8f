"""What happened to people's ways in, and what left the practice: written here, read by an owner, never changed.

Nothing that was typed to sign in is kept: a refused sign-in names the user whom the address belongs to, or nobody.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from asat_site.accounts.attempts import address_of
from asat_site.accounts.models import AccountEvent, User

Kind = AccountEvent.Kind
MOST_AGENT_CHARS = 200


def record(
    who: HttpRequest | User | None,
    kind: str,
    *,
    by: User | None = None,
    about: User | None = None,
    detail: str = "",
    count: int | None = None,
) -> None:
    """Add an event. who: the request it came with, whose it is unless `by` says; else the user, or nobody.

    detail: at most 120 characters, of our own words, or the address that an owner invited. count: how many rows went
    out, or how many sessions or tokens ended.
    """
    request = who if isinstance(who, HttpRequest) else None
    user: Any = who.user if isinstance(who, HttpRequest) else who
    if by is None and user is not None and user.is_authenticated:
        by = user
    AccountEvent.objects.create(
        kind=Kind(kind),
        by=by,
        about=about or by,
        detail=detail[:120],
        count=count,
        ip=ip_of(request) if request else None,
        user_agent=agent_of(request) if request else "",
    )


_FILES = {
    "account_events_export": "account events",
    "batch_csv": "a workpaper as CSV",
    "batch_pdf": "a workpaper as PDF",
    "batch_workpaper": "a workpaper as PDF",
    "chat_export": "a conversation",
    "clients_export": "clients",
    "document_original": "a document as it came",
    "hubspot_report": "the report of a HubSpot import",
    "question_export": "an answer",
    "transactions_export": "transactions",
}


def exported(request: HttpRequest, url_name: str, count: int | None = None) -> None:
    """Add that the signed-in user took a file out. url_name: of its address; count: how many rows it holds."""
    record(request, Kind.EXPORTED, detail=_FILES.get(url_name, url_name.replace("_", " ")), count=count)


def ip_of(request: HttpRequest) -> str | None:
    """Where the request came from, as an address that the column takes; None where a proxy says something else."""
    try:
        return str(ipaddress.ip_address(address_of(request)))
    except ValueError:
        return None


def agent_of(request: HttpRequest) -> str:
    """What the browser says it is, at most 200 characters, all of them printable."""
    said = request.META.get("HTTP_USER_AGENT", "")
    return "".join(letter for letter in said if letter.isprintable())[:MOST_AGENT_CHARS]


@dataclass(frozen=True, slots=True)
class Sought:
    """Which events are wanted: of one kind, of one person, older than one of them; each None for all."""

    kind: str | None = None
    person: UUID | None = None
    before: int | None = None


def found(sought: Sought) -> QuerySet[AccountEvent]:
    """The events that are sought, newest first."""
    rows = AccountEvent.objects.select_related("by", "about").order_by("-id")
    if sought.kind:
        rows = rows.filter(kind=sought.kind)
    if sought.person:
        rows = rows.filter(Q(by=sought.person) | Q(about=sought.person))
    if sought.before:
        rows = rows.filter(id__lt=sought.before)
    return rows


def csv_rows(events: Iterable[AccountEvent]) -> Iterator[list[str]]:
    """The head, and a row for each event."""
    yield ["When", "What", "Who", "Whose account", "Detail", "Rows", "Address", "Browser"]
    for event in events:
        yield [
            event.at.isoformat(timespec="seconds"),
            event.get_kind_display(),
            event.by.email if event.by else "",
            event.about.email if event.about else "",
            event.detail,
            "" if event.count is None else str(event.count),
            event.ip or "",
            event.user_agent,
        ]
