"""What a request carries here: its practice, its user and htmx, typed; and what templates get to know of them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from asat_site.accounts.models import User
from asat_site.tenancy.models import Practice


class PracticeRequest(HttpRequest):
    """A request that the middleware has led to a practice (or to the platform)."""

    practice: Practice
    tenant: Practice
    user: User
    htmx: HtmxDetails


def practice_context(request: HttpRequest) -> dict[str, Any]:
    """For templates: the practice whose page this is, None where there is none."""
    return {"practice": getattr(request, "practice", None)}
