"""Reads of the register: lists, filtered and sorted by the database, and what a client's page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, F, Func, Q, QuerySet, TextField

from asat_site.accounts.models import User
from clients.models import Assignment, BasCycle, Client, ClientEvent, EntityType, Merge, Restriction
from clients.rules.matching import fold

PAGE = 50
UNKNOWN = "unknown"
SORTS = {
    "name": ("sought", "id"),
    "-name": ("-sought", "-id"),
    "abn": ("abn", "sought", "id"),
    "-abn": ("-abn", "-sought", "-id"),
    "type": ("entity_type", "sought", "id"),
    "-type": ("-entity_type", "-sought", "-id"),
    "added": ("created_at", "id"),
    "-added": ("-created_at", "-id"),
}
GST = {"yes": True, "no": False, UNKNOWN: None}


@dataclass(frozen=True, slots=True)
class Filter:
    """What a list is narrowed to; each "" for all. page counts from 1."""

    words: str = ""
    entity: str = ""
    gst: str = ""
    bas: str = ""
    tag: str = ""
    is_mine: bool = False
    is_restricted: bool = False
    is_archived: bool = False
    sort: str = "name"
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Filter:
        """As an address has it; what it does not know counts as not said."""

        def one_of(name: str, known: Any, otherwise: str = "") -> str:
            return given[name] if given.get(name) in known else otherwise

        page = given.get("page", "")
        return cls(
            words=given.get("q", "").replace("\x00", "")[:200].strip(),
            entity=one_of("type", {*EntityType.values, UNKNOWN}),
            gst=one_of("gst", GST),
            bas=one_of("bas", {*BasCycle.values, UNKNOWN}),
            tag=given.get("tag", "").replace("\x00", "")[:40],
            is_mine=given.get("mine") == "1",
            is_restricted=given.get("restricted") == "1",
            is_archived=given.get("archived") == "1",
            sort=one_of("sort", SORTS, "name"),
            page=int(page) if page.isascii() and page.isdecimal() and 0 < len(page) < 7 and int(page) else 1,
        )

    def address(self, **changed: Any) -> str:
        """The query string of this filter with these changes, "" for none; back to the first page unless it is said."""
        now = {
            "q": self.words, "type": self.entity, "gst": self.gst, "bas": self.bas, "tag": self.tag,
            "mine": "1" if self.is_mine else "", "restricted": "1" if self.is_restricted else "",
            "archived": "1" if self.is_archived else "", "sort": "" if self.sort == "name" else self.sort,
        } | changed  # fmt: skip
        said = {name: value for name, value in now.items() if value}
        return f"?{urlencode(said)}" if said else ""

    @property
    def is_narrowed(self) -> bool:
        return bool(self.address(sort="", archived=""))


def listed(wanted: Filter, user: Any) -> QuerySet[Client]:
    """The clients that the filter leaves, in its order. Archived ones are a list of their own."""
    found = Client.objects.filter(archived_at__isnull=not wanted.is_archived)
    if wanted.words:
        digits = "".join(wanted.words.split())
        folded = digits if digits.isdecimal() else fold(wanted.words)
        found = found.filter(sought__contains=folded) if folded else found.none()
    if wanted.entity:
        found = found.filter(entity_type="" if wanted.entity == UNKNOWN else wanted.entity)
    if wanted.gst:
        known = GST[wanted.gst]
        found = found.filter(gst_registered__isnull=True) if known is None else found.filter(gst_registered=known)
    if wanted.bas:
        found = found.filter(bas_cycle="" if wanted.bas == UNKNOWN else wanted.bas)
    if wanted.tag:
        found = found.filter(tags__contains=[wanted.tag])
    if wanted.is_mine:
        found = found.filter(pk__in=Assignment.objects.filter(user=user).values("client_id"))
    if wanted.is_restricted:
        found = found.filter(pk__in=Restriction.objects.values("client_id"))
    return found.order_by(*SORTS[wanted.sort])


def page_of(wanted: Filter, user: Any) -> tuple[list[Client], int]:
    """(the page's clients, each with its people and its restriction; how many the filter leaves in all)."""
    found = listed(wanted, user)
    start = (wanted.page - 1) * PAGE
    rows = found.select_related("restriction").prefetch_related("assignments__user")[start : start + PAGE]
    return list(rows), found.count()


def tags_held() -> list[str]:
    """Every tag of a client that the practice works for, in alphabetical order."""
    one = Func(F("tags"), function="unnest", output_field=TextField())
    found = Client.objects.filter(archived_at=None).order_by().annotate(one=one).values_list("one", flat=True)
    return sorted(set(found), key=str.casefold)


def client_of(client_id: UUID) -> Client | None:
    """The client, with its restriction; None where there is none or it is not to be seen, which reads the same."""
    return Client.objects.select_related("restriction", "merged_into").filter(pk=client_id).first()


def people() -> list[User]:
    """Who can be assigned: everybody of the practice who can sign in and may change anything."""
    return list(User.objects.filter(is_active=True).exclude(role=User.Role.READ_ONLY).order_by("first_name", "email"))


def people_by_id() -> dict[UUID, User]:
    return {user.pk: user for user in User.objects.all()}


def events_of(client: Client, limit: int = 30) -> list[ClientEvent]:
    return list(client.events.select_related("by").order_by("-at", "-id")[:limit])


def events(limit: int, before: int | None = None) -> list[ClientEvent]:
    """What was done with the clients that whoever asks may see, newest first."""
    found = ClientEvent.objects.select_related("by", "client").order_by("-id")
    return list((found.filter(pk__lt=before) if before else found)[:limit])


@dataclass(frozen=True, slots=True)
class Hidden:
    """A restricted client that an owner does not see: that there is one, since when, by whom, and who is assigned."""

    client_id: UUID
    since: Any
    by: Any
    people: tuple[Any, ...]


def hidden_from(owner: Any) -> list[Hidden]:
    """The restricted clients that this owner is not assigned to, oldest first. Of whose they are, nothing."""
    seen = Assignment.objects.filter(user=owner).values("client_id")
    rows = Restriction.objects.exclude(client_id__in=seen).select_related("by").order_by("at")
    people_of: dict[UUID, list[Any]] = {}
    for each in Assignment.objects.filter(client_id__in=[row.client_id for row in rows]).select_related("user"):
        people_of.setdefault(each.client_id, []).append(each.user)
    return [Hidden(row.client_id, row.at, row.by, tuple(people_of.get(row.client_id, ()))) for row in rows]


@dataclass(frozen=True, slots=True)
class Alike:
    """Clients that may be one. by: "ABN" or "name"."""

    by: str
    key: str
    clients: tuple[Client, ...]


MOST_ALIKE = 100


def duplicates() -> list[Alike]:
    """Groups of clients with one ABN, then with one name as it is compared; those of both are shown by their ABN."""
    found: list[Alike] = []
    seen: set[frozenset[UUID]] = set()
    for by, column in (("ABN", "abn"), ("name", "match_key")):
        open_ = Client.objects.filter(archived_at=None).exclude(**{column: ""})
        keys = open_.order_by().values(column).annotate(n=Count("pk")).filter(n__gt=1).values_list(column, flat=True)
        groups: dict[str, list[Client]] = {}
        for client in open_.filter(**{f"{column}__in": list(keys[:MOST_ALIKE])}).order_by(column, "created_at", "id"):
            groups.setdefault(getattr(client, column), []).append(client)
        for key, clients in groups.items():
            ids = frozenset(client.pk for client in clients)
            if ids not in seen:
                seen.add(ids)
                found.append(Alike(by, key, tuple(clients)))
    return found[:MOST_ALIKE]


def merges(limit: int = 50) -> list[Merge]:
    return list(Merge.objects.select_related("client", "gone", "by", "undone_by").order_by("-at")[:limit])


def known_keys() -> tuple[set[str], set[str]]:
    """(ABNs, names as they are compared) of the clients that whoever imports may see, archived ones too."""
    rows = Client.objects.values_list("abn", "match_key")
    return {abn for abn, _ in rows if abn}, {key for _, key in rows if key}


def alike(client: Client) -> list[Client]:
    """Clients that are there already with this one's ABN or its name as names are compared; up to five."""
    client.refold()
    same = Q(match_key=client.match_key) | Q(abn=client.abn) if client.abn else Q(match_key=client.match_key)
    return list(Client.objects.filter(same).exclude(pk=client.pk).order_by("archived_at", "name")[:5])
