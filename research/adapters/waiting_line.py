"""The line that questions wait in, kept in Redis: fair between practices, and safe to lose.

A message to a worker is a ticket: "answer whoever's turn it is". Whose turn it is stands here: each practice has a list
of its questions, and the practices that have one stand in a ring, so that one practice's thousand questions are taken
turn about with another's one. Questions of a spreadsheet wait in a second ring, which is turned to when the first is
empty. Every change is one script, which Redis runs whole or not at all.

The table of questions is what counts. What Redis forgets is found there by the sweep and put in line again, and a
question taken twice is answered once (`services.claim`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings

TICKET_PRIORITY = 3  # of the steps in CELERY_BROKER_TRANSPORT_OPTIONS
HAND_LASTS_S = 600  # a worker process that has taken nothing for so long is not counted on
TIMES_LAST_S = 30 * 24 * 3600
WEIGHT = 0.1  # of the newest run in the moving average

_JOIN = """
local kind = KEYS[1] .. ':' .. ARGV[3]
local list, ring = kind .. ':of:' .. ARGV[1], kind .. ':ring'
local stood = redis.call('LPOS', list, ARGV[2])
if not stood then redis.call('RPUSH', list, ARGV[2]) end
if not redis.call('LPOS', ring, ARGV[1]) then redis.call('RPUSH', ring, ARGV[1]) end
return stood and 0 or 1
"""
_TAKE = """
redis.call('ZADD', KEYS[1] .. ':hands', ARGV[2], ARGV[1])
for _, name in ipairs({'now', 'batch'}) do
    local kind = KEYS[1] .. ':' .. name
    local practice = redis.call('LPOP', kind .. ':ring')
    while practice do
        local list = kind .. ':of:' .. practice
        local question = redis.call('LPOP', list)
        if redis.call('EXISTS', list) == 1 then redis.call('RPUSH', kind .. ':ring', practice) end
        if question then return {practice, question} end
        practice = redis.call('LPOP', kind .. ':ring')
    end
end
return false
"""
_LEAVE = """
for _, name in ipairs({'now', 'batch'}) do
    local kind = KEYS[1] .. ':' .. name
    local list = kind .. ':of:' .. ARGV[1]
    redis.call('LREM', list, 0, ARGV[2])
    if redis.call('EXISTS', list) == 0 then redis.call('LREM', kind .. ':ring', 0, ARGV[1]) end
end
"""
_AHEAD = """
local function waiting(kind)
    local total = 0
    for _, practice in ipairs(redis.call('LRANGE', kind .. ':ring', 0, -1)) do
        total = total + redis.call('LLEN', kind .. ':of:' .. practice)
    end
    return total
end
local before = 0
for _, name in ipairs({'now', 'batch'}) do
    local kind = KEYS[1] .. ':' .. name
    local mine = redis.call('LPOS', kind .. ':of:' .. ARGV[1], ARGV[2])
    if mine then
        local rounds = mine + 1
        before = before + mine
        for _, practice in ipairs(redis.call('LRANGE', kind .. ':ring', 0, -1)) do
            if practice == ARGV[1] then
                rounds = mine
            else
                before = before + math.min(rounds, redis.call('LLEN', kind .. ':of:' .. practice))
            end
        end
        return before
    end
    before = before + waiting(kind)
end
return -1
"""
_LENGTH = """
local total = 0
for _, name in ipairs({'now', 'batch'}) do
    local kind = KEYS[1] .. ':' .. name
    for _, practice in ipairs(redis.call('LRANGE', kind .. ':ring', 0, -1)) do
        total = total + redis.call('LLEN', kind .. ':of:' .. practice)
    end
end
return total
"""
_TOOK = """
local mean = tonumber(redis.call('GET', KEYS[1] .. ':mean'))
local took, weight = tonumber(ARGV[1]), tonumber(ARGV[2])
mean = mean and mean + weight * (took - mean) or took
redis.call('SET', KEYS[1] .. ':mean', string.format('%.6f', mean), 'EX', ARGV[3])
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, as text: nothing of it has been looked at yet."""

    practice_id: str
    question_id: str


@dataclass(frozen=True, slots=True)
class Place:
    """How many questions come first, and about how many seconds until it is answered; None where none ever was."""

    ahead: int
    wait_s: float | None


class WaitingLine:
    """One line, by the name of the queue that its tickets go to. Every method raises redis.RedisError."""

    def __init__(self, client: redis.Redis, name: str) -> None:
        self._client = client
        self.name = name
        self._key = f"asat:line:{name}"

    def join(self, practice_id: str, question_id: str, *, of_batch: bool = False) -> bool:
        """Whether it was not in line yet; it is now, and no more than once."""
        return bool(self._run(_JOIN, practice_id, question_id, "batch" if of_batch else "now"))

    def take(self, hand: str, now: float) -> Turn | None:
        """Whose turn it is, out of the line from now on; None when nobody waits. hand: which worker process asks."""
        self._client.zremrangebyscore(f"{self._key}:hands", "-inf", now - HAND_LASTS_S)
        found = self._run(_TAKE, hand, repr(now))
        return Turn(*(part.decode() for part in found)) if found else None

    def leave(self, practice_id: str, question_id: str) -> None:
        """Out of the line, wherever it stood; no harm where it did not."""
        self._run(_LEAVE, practice_id, question_id)

    def length(self) -> int:
        """Questions in line, of all practices."""
        return int(self._run(_LENGTH))

    def tickets(self) -> int:
        """Tickets that no worker has fetched yet."""
        steps = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        return int(self._client.llen(f"{self.name}{steps['sep']}{TICKET_PRIORITY}"))

    def place(self, practice_id: str, question_id: str) -> Place | None:
        """Where a question stands; None when it is not in line."""
        ahead = int(self._run(_AHEAD, practice_id, question_id))
        return Place(ahead, self.wait_s(ahead + 1)) if ahead >= 0 else None

    def took(self, seconds: float) -> None:
        """Take a run's time into the moving average."""
        self._run(_TOOK, repr(seconds), repr(WEIGHT), TIMES_LAST_S)

    def wait_s(self, questions: int) -> float | None:
        """About how long so many questions take: by the last ones' times, and the worker processes that took them."""
        mean = self._client.get(f"{self._key}:mean")
        hands = int(self._client.zcard(f"{self._key}:hands"))
        return None if mean is None else questions * float(mean) / max(1, hands)

    def _run(self, script: str, *arguments: str | int) -> Any:
        return self._client.eval(script, 1, self._key, *arguments)


def queue_of_questions() -> str:
    """Where questions are answered: beside the models of this machine if one of them is needed for it."""
    return "gpu" if _model_is_here() or settings.ASAT_SCORES_BY_MODELS else "interactive"


def _model_is_here() -> bool:
    asked = (
        (settings.ASAT_GENERATION_PROVIDER, settings.ASAT_GENERATION_ADDRESS),
        (settings.ASAT_SECOND_PROVIDER, settings.ASAT_SECOND_ADDRESS),
    )
    return any(
        provider == "ollama"
        or (provider == "openai_compatible" and urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1"))
        for provider, address in asked
    )


def about(seconds: float) -> str:
    """A time in words, as rough as it is known: "less than a minute", "about 12 minutes", "about 3 hours"."""
    if seconds < 60:
        return "less than a minute"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} minute{'' if minutes == 1 else 's'}"
    return f"about {max(2, round(seconds / 3600))} hours"
