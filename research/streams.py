"""Server-Sent Events of one question's progress: async, resumable, and without a database connection.

One short look at the database says whose question it is; then the connection is closed and only Redis is read.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import redis.asyncio
import redis.exceptions
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse

from research import queries
from research.adapters.progress_store import stream_key

LONGEST_S = settings.ASAT_QUESTION_LIMIT_S + 30  # then the page polls: no stream outlives its question by more
WAIT_MS = 5_000
RETRY_MS = 1_500
HEADERS = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
    "Content-Encoding": "identity",
}


def _look(request: HttpRequest, question_id: UUID) -> tuple[str, bool] | None:
    """(practice id, whether the answer is recorded) for a question that this user may see, else None.

    Closes the connection it used, so that nothing is held while the stream is open.
    """
    try:
        if not request.user.is_authenticated:
            return None
        question = queries.question_of(request.user, question_id)
        return (str(question.practice_id), question.status == question.Status.DONE) if question else None
    finally:
        connection.close()


async def question_stream(request: HttpRequest, question_id: UUID) -> HttpResponse | StreamingHttpResponse:
    """The stream of one question; `Last-Event-ID` resumes it. 204 tells a browser not to reconnect."""
    seen = await sync_to_async(_look, thread_sensitive=True)(request, question_id)
    if seen is None:
        raise Http404("no such question")
    practice_id, is_done = seen
    after = request.headers.get("Last-Event-ID") or request.GET.get("after") or "0-0"
    events = _events(practice_id, str(question_id), after if _is_entry_id(after) else "0-0", is_done)
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=HEADERS)


def _is_entry_id(text: str) -> bool:
    first, dash, second = text.partition("-")
    return bool(dash) and first.isdecimal() and second.isdecimal() and len(text) < 24


async def _events(practice_id: str, question_id: str, after: str, is_done: bool) -> AsyncIterator[bytes]:
    """Stored progress after entry `after`, then what follows, until `done` or the longest time."""
    yield f"retry: {RETRY_MS}\n\n".encode()
    key = stream_key(practice_id, question_id)
    ends_at = time.monotonic() + LONGEST_S
    client: Any = redis.asyncio.from_url(settings.REDIS_URL, socket_timeout=WAIT_MS / 1000 + 5)
    try:
        while time.monotonic() < ends_at:
            found = await client.xread({key: after}, block=None if is_done else WAIT_MS)
            for entry_id, entry in found[0][1] if found else []:
                after = entry_id.decode()
                yield _event(after, entry[b"event"].decode(), entry[b"data"].decode())
                if entry[b"event"] == b"done":
                    return
            if is_done:
                break
            if not found:
                yield b": still here\n\n"
        yield _event("", "done", f'{{"question": "{question_id}"}}')
    except redis.exceptions.RedisError:
        yield _event("", "lost", "{}")  # the page goes over to asking
    except asyncio.CancelledError:
        raise  # the reader left; the question runs on in its worker
    finally:
        await client.aclose()


def _event(entry_id: str, name: str, data: str) -> bytes:
    identity = f"id: {entry_id}\n" if entry_id else ""
    return f"{identity}event: {name}\ndata: {data}\n\n".encode()
