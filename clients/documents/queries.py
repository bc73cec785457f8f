"""Reads of the queue: lists of documents, narrowed and sorted by the database, and how many stand where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, F, QuerySet

from clients.extraction.terms import Kind
from clients.models import Document

PAGE = 50
Status = Document.Status
# What a list is narrowed to by state: a word of the address, and the states that it stands for.
SHOWN: dict[str, tuple[str, ...]] = {
    "open": (Status.REVIEW, Status.WAITING, Status.READING, Status.UNREADABLE, Status.UNSAFE),
    "review": (Status.REVIEW,),
    "reading": (Status.WAITING, Status.READING),
    "unread": (Status.UNREADABLE, Status.UNSAFE),
    "approved": (Status.APPROVED,),
    "kept": (Status.KEPT,),
    "all": tuple(Status.values),
}
IN_WORK = (Status.WAITING, Status.READING)
SORTS = {
    "came": ("at", "id"),
    "client": ("client__sought", "-at", "id"),
    "name": ("name", "-at", "id"),
    "supplier": ("supplier", "-at", "id"),
    "date": ("dated", "-at", "id"),
    "total": ("total_cents", "-at", "id"),
    "state": ("status", "failing", "-at", "id"),
}
LATEST_FIRST = "-came"


@dataclass(frozen=True, slots=True)
class Filter:
    """What a list is narrowed to. show: of SHOWN. kind: of Kind, "" for all. client: None for all. page: from 1."""

    show: str = "open"
    kind: str = ""
    client: UUID | None = None
    sort: str = LATEST_FIRST
    page: int = 1
    otherwise: str = "open"  # what the list shows where the address does not say

    @classmethod
    def of(cls, given: Mapping[str, str], client: UUID | None = None, otherwise: str = "open") -> Filter:
        """As an address has it; what it does not know counts as not said. client: whose page it is, if anyone's."""
        page = given.get("page", "")
        sort = given.get("sort", LATEST_FIRST)
        return cls(
            show=given["show"] if given.get("show") in SHOWN else otherwise,
            kind=given["kind"] if given.get("kind") in set(Kind) else "",
            client=client or _id_of(given.get("client", "")),
            sort=sort if sort.removeprefix("-") in SORTS else LATEST_FIRST,
            page=int(page) if page.isascii() and page.isdecimal() and 0 < len(page) < 7 and int(page) else 1,
            otherwise=otherwise,
        )

    def address(self, *, is_of_client: bool = False, **changed: Any) -> str:
        """The query string of this filter with these changes, "?" for none; back to the first page unless it is said.

        is_of_client: the page is the client's own, whose address names it already.
        """
        now = {
            "show": "" if self.show == self.otherwise else self.show,
            "kind": self.kind,
            "client": "" if is_of_client or self.client is None else str(self.client),
            "sort": "" if self.sort == LATEST_FIRST else self.sort,
        } | changed
        return f"?{urlencode({name: value for name, value in now.items() if value})}"


def listed(wanted: Filter) -> QuerySet[Document]:
    """The documents that the filter leaves, in its order."""
    found = _of_client_and_kind(wanted).filter(status__in=SHOWN[wanted.show])
    name = wanted.sort.removeprefix("-")
    first, *rest = SORTS[name]
    is_down = wanted.sort.startswith("-")
    if name == "came":
        return found.order_by("-at", "-id") if is_down else found.order_by("at", "id")
    ordered = F(first).desc(nulls_last=True) if is_down else F(first).asc(nulls_last=True)
    return found.order_by(ordered, *rest)


def page_of(wanted: Filter) -> list[Document]:
    """The page's documents with their clients, without what was read of them.

    Their ids first: to sort 50,000 whole rows beside their clients takes three times as long.
    """
    start = (wanted.page - 1) * PAGE
    ids = list(listed(wanted).values_list("pk", flat=True)[start : start + PAGE])
    rows = Document.objects.defer("reading", "notes").select_related("client").in_bulk(ids)
    return [rows[pk] for pk in ids if pk in rows]


def counts(wanted: Filter) -> dict[str, int]:
    """How many documents each of SHOWN has, of the filter's client and kind."""
    by_status = dict(
        _of_client_and_kind(wanted).order_by().values_list("status").annotate(n=Count("pk")).values_list("status", "n")
    )
    return {show: sum(by_status.get(status, 0) for status in statuses) for show, statuses in SHOWN.items()}


def document_of(document_id: UUID) -> Document | None:
    """The document with its client; None where there is none or it is not to be seen, which reads the same."""
    return Document.objects.select_related("client").filter(pk=document_id).first()


def _of_client_and_kind(wanted: Filter) -> QuerySet[Document]:
    found = Document.objects.all()
    if wanted.client is not None:
        found = found.filter(client=wanted.client)
    if wanted.kind:
        found = found.filter(kind="" if wanted.kind == Kind.UNKNOWN else wanted.kind)
    return found


def _id_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
