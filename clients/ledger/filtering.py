"""What a list of entries is narrowed to, out of an address and back into one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.db.models.functions import Collate

from clients.models import Transaction

PAGE = 50
# Folded already: the order of their letters' numbers is as good as a dictionary's, and several times as quick.
_CLIENT, _SUPPLIER = Collate("client__sought", "C"), Collate("supplier_key", "C")
SORTS: dict[str, tuple[Any, ...]] = {
    "-date": ("-dated", "-id"),
    "date": ("dated", "id"),
    "client": (_CLIENT.asc(), "-dated", "-id"),
    "-client": (_CLIENT.desc(), "-dated", "-id"),
    "supplier": (_SUPPLIER.asc(), "-dated", "-id"),
    "-supplier": (_SUPPLIER.desc(), "-dated", "-id"),
    "total": ("total_cents", "-dated", "-id"),
    "-total": ("-total_cents", "-dated", "-id"),
}
NEWEST = "-date"


@dataclass(frozen=True, slots=True)
class Filter:
    """Each "" or None for all. kind: "" for bills and receipts; bank lines are a list of their own.

    year: the calendar year that the income year ends in. since, until: days, both among them. supplier: its key.
    currency: what the charts are of, and not what is listed. page counts from 1.
    """

    words: str = ""
    kind: str = ""
    year: int | None = None
    since: date | None = None
    until: date | None = None
    supplier: str = ""
    currency: str = ""
    is_alike: bool = False
    is_reversed: bool = False
    is_unsent: bool = False
    sort: str = NEWEST
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Filter:
        """As an address has it; what it does not know counts as not said."""
        year, page = _number(given.get("year", ""), 4), _number(given.get("page", ""), 6)
        kind, sort = given.get("kind", ""), given.get("sort", "")
        return cls(
            words=_text(given.get("q", ""), 200),
            kind=kind if kind in Transaction.Kind.values else "",
            year=year if year and 1901 <= year <= 9998 else None,
            since=_day(given.get("from", "")),
            until=_day(given.get("to", "")),
            supplier=_text(given.get("supplier", ""), 300),
            currency=given.get("currency", "") if re.fullmatch("[A-Z]{3}", given.get("currency", "")) else "",
            is_alike=given.get("alike") == "1",
            is_reversed=given.get("reversed") == "1",
            is_unsent=given.get("unsent") == "1",
            sort=sort if sort in SORTS else NEWEST,
            page=page or 1,
        )

    def said(self, **changed: Any) -> dict[str, str]:
        """What the address of this filter says, with these changes; of the first page unless it is said."""
        now = {
            "q": self.words, "kind": self.kind, "year": self.year or "",
            "from": self.since.isoformat() if self.since else "", "to": self.until.isoformat() if self.until else "",
            "supplier": self.supplier, "currency": self.currency, "alike": "1" if self.is_alike else "",
            "reversed": "1" if self.is_reversed else "", "unsent": "1" if self.is_unsent else "",
            "sort": "" if self.sort == NEWEST else self.sort,
        } | changed  # fmt: skip
        return {name: str(value) for name, value in now.items() if value}

    def address(self, **changed: Any) -> str:
        """The query string of this filter with these changes; "?" for none, which leads to the whole list."""
        return f"?{urlencode(self.said(**changed))}"

    @property
    def is_bank(self) -> bool:
        return self.kind == Transaction.Kind.BANK

    @property
    def is_narrowed(self) -> bool:
        """Whether it leaves out anything of its list: bank lines, or all else."""
        kind = "" if self.is_bank else self.kind
        return bool(self.said(kind=kind, sort="", currency=""))


def _number(text: str, longest: int) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and 0 < len(text) <= longest else None


def _text(text: str, longest: int) -> str:
    return text.replace("\x00", "")[:longest].strip()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
