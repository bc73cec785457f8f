"""Where people are signed in: noted as they work, listed to them, and ended one by one or all at once.

Django's own session is what lets somebody in; a row here stands beside it. A session that is ended is gone from both,
and whoever has its cookie is a stranger with the next request.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from asat_site.accounts.events import agent_of, ip_of
from asat_site.accounts.models import OpenSession, User

NOTED_EVERY = timedelta(minutes=1)  # not a write for each request


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere that a user is signed in, as they are shown it. browser: "Firefox on Windows"."""

    id: int
    browser: str
    ip: str
    started_at: datetime
    seen_at: datetime
    is_this: bool


def note(request: Any) -> bool:
    """Note that the signed-in user's session is in use. False where it has lasted as long as a session may."""
    key = request.session.session_key
    now = timezone.now()
    row = OpenSession.objects.filter(session_key=key).only("started_at", "seen_at").first()
    if row is None:
        begun = OpenSession(
            user=request.user,
            session_key=key,
            started_at=now,
            seen_at=now,
            ip=ip_of(request),
            user_agent=agent_of(request),
        )
        OpenSession.objects.bulk_create([begun], ignore_conflicts=True)  # two requests may come at once
        return True
    if row.started_at <= now - timedelta(seconds=settings.SESSION_COOKIE_AGE):
        return False
    if row.seen_at <= now - NOTED_EVERY:
        OpenSession.objects.filter(pk=row.pk).update(seen_at=now, ip=ip_of(request))
    return True


def moved(before: str | None, request: Any) -> None:
    """The session goes on under another key: its row does too."""
    OpenSession.objects.filter(session_key=before).update(session_key=request.session.session_key)


def places_of(user: User, this_key: str | None) -> list[Place]:
    """Where the user is signed in now, this browser first and then as last seen."""
    standing = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    rows = OpenSession.objects.filter(user=user, session_key__in=standing)
    places = [
        Place(
            row.pk, browser_of(row.user_agent), row.ip or "", row.started_at, row.seen_at, row.session_key == this_key
        )
        for row in rows
    ]
    return sorted(places, key=lambda place: not place.is_this)


def end(user: User, session_id: int) -> bool:
    """End one session of the user. False where there is none of that id."""
    return end_all(user, only=session_id) == 1


def end_all(user: User, *, but: str | None = None, only: int | None = None) -> int:
    """End the user's sessions, but for the one with the key `but`; returns how many there were."""
    rows = OpenSession.objects.filter(user=user).exclude(session_key=but or "")
    if only is not None:
        rows = rows.filter(pk=only)
    keys = list(rows.values_list("session_key", flat=True))
    store = import_module(settings.SESSION_ENGINE).SessionStore
    for key in keys:
        store(session_key=key).delete()
    return OpenSession.objects.filter(session_key__in=keys).delete()[0]


def forget_ended() -> None:
    """Take away the rows whose session has lapsed or was ended."""
    OpenSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


_BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    ("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("Mac OS", "a Mac"), ("CrOS", "a Chromebook"), ("Linux", "Linux"),
)  # fmt: skip


def browser_of(user_agent: str) -> str:
    """The browser in words, as far as it says what it is."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser or system:
        return " on ".join(filter(None, (browser or "A browser", system)))
    program = re.match(r"[\w.-]{1,40}", user_agent)
    return program[0] if program else "An unnamed program"
