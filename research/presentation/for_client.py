"""The client that a question is asked for, as the question box and the client's own page show it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from clients.models import Client
from clients.rules.entity import year_ends

ORDINARY = (None, 6)


def picked_context(typed: str) -> dict[str, Any]:
    """The client that an address or a form picks, if whoever asks may see it and it is worked for; else nothing.

    picked_year_ends: when its income year ends, in words, where that is not the ordinary 30 June.
    """
    try:
        found = Client.objects.filter(pk=UUID(typed), archived_at=None).first()
    except ValueError:
        found = None
    if found is None:
        return {}
    ends = "" if found.income_year_end in ORDINARY else year_ends(found.income_year_end)
    return {"picked": found, "picked_year_ends": ends}
