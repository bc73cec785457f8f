"""Progress kept in Redis as a stream per question, so that a reader who reconnects resumes where it was.

Entries are numbered by attempt and step; a second attempt's numbers are higher than the first's. Progress is a
courtesy: where Redis does not answer, the question runs on and the page asks for the recorded answer instead.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict

import redis

from research.progress import StageEvent

KEPT_S = 3600
STEPS_PER_ATTEMPT = 10_000
SAME_AGAIN_S = 1.0  # how far a model has come is told no oftener

logger = logging.getLogger(__name__)


def stream_key(practice_id: str, question_id: str) -> str:
    return f"asat:{practice_id}:progress:{question_id}"


class RedisProgress:
    """Tells one question's readers, in order."""

    def __init__(self, client: redis.Redis, practice_id: str, question_id: str, attempt: int) -> None:
        self._client = client
        self._key = stream_key(practice_id, question_id)
        self._number = attempt * STEPS_PER_ATTEMPT
        self._last = self._number + STEPS_PER_ATTEMPT - 2  # the number after it is kept for the last event
        self._told: tuple[str, str] | None = None
        self._told_at = 0.0

    def __call__(self, event: StageEvent) -> None:
        step, now = (event.stage, event.state), time.monotonic()
        if (step == self._told and now - self._told_at < SAME_AGAIN_S) or self._number >= self._last:
            return
        self._told, self._told_at = step, now
        self._add("stage", asdict(event))

    def done(self, question_id: str) -> None:
        """The last event: bids the page fetch the recorded answer."""
        self._add("done", {"question": question_id})

    def _add(self, event: str, data: dict[str, object]) -> None:
        self._number += 1
        try:
            entry = {"event": event, "data": json.dumps(data)}
            with self._client.pipeline(transaction=False) as pipe:
                pipe.xadd(self._key, entry, id=f"{self._number}-0")  # type: ignore[arg-type]
                pipe.expire(self._key, KEPT_S)
                pipe.execute()
        except redis.RedisError as error:
            logger.warning("progress not told: %s", type(error).__name__)
