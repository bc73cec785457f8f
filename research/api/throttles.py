"""How often one caller may call. Counted in the cache, whose keys carry the practice."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

CALLS = "120/min"  # of any kind
WORK = "30/min"  # that ask a question or check a text


class PerCaller(SimpleRateThrottle):
    """By token, or by user where it is a browser's session."""

    scope = "api-calls"
    rate = CALLS

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        caller = f"token:{request.auth.pk}" if request.auth is not None else f"user:{request.user.pk}"
        return f"throttle:{self.scope}:{caller}"


class PerCallerWork(PerCaller):
    """Of calls that make work, and not of those that look how it goes."""

    scope = "api-work"
    rate = WORK
