"""How often and how many at once a vendor is asked, kept across all workers: a sliding count in the Redis they share.

A vendor counts for one account or one key; so does a Pace, by its name. It never lets more through than its limits,
and whoever would have to wait too long is told to come again.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import redis
from django.conf import settings

from integrations.terms import TryLater

# KEYS: the calls of each limit, then who is at it now. ARGV: now, this call's name, most at once, seconds a call may
# be at it, then calls and seconds of each limit. Answers "0" for go on, or the seconds until it is worth asking again.
TAKE = """
local now, who, most, lease = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local wait = 0
for i = 1, #KEYS - 1 do
  local calls, seconds = tonumber(ARGV[3 + 2 * i]), tonumber(ARGV[4 + 2 * i])
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - seconds)
  if redis.call('ZCARD', KEYS[i]) >= calls then
    local oldest = redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')
    wait = math.max(wait, tonumber(oldest[2]) + seconds - now, 0.001)
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[#KEYS], '-inf', now)
if most > 0 and redis.call('ZCARD', KEYS[#KEYS]) >= most then wait = math.max(wait, 0.05) end
if wait > 0 then return tostring(wait) end
for i = 1, #KEYS - 1 do
  redis.call('ZADD', KEYS[i], now, who)
  redis.call('EXPIRE', KEYS[i], math.ceil(tonumber(ARGV[4 + 2 * i])) + 1)
end
if most > 0 then
  redis.call('ZADD', KEYS[#KEYS], now + lease, who)
  redis.call('EXPIRE', KEYS[#KEYS], math.ceil(lease) + 1)
end
return '0'
"""

TOO_BUSY = "This product has been asked as often as it allows just now. Try again in a little while."
NO_COUNT = "The count of what this product allows cannot be reached just now. Try again in a minute."


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `calls` begun in any `seconds`."""

    calls: int
    seconds: float


class Pace:
    """The pace of one account with one vendor. most_at_once: calls under way, 0 for any number.

    name: what names the account for good, such as a connection's id. lease_s: a call that has been under way for so
    long is taken for dead.
    """

    def __init__(
        self,
        client: redis.Redis,
        name: str,
        limits: tuple[Limit, ...],
        most_at_once: int = 0,
        lease_s: float = 120.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client, self._limits, self._most, self._lease_s = client, limits, most_at_once, lease_s
        self._sleep = sleep
        self._keys = [f"asat:pace:{name}:{limit.calls}/{limit.seconds:g}s" for limit in limits]
        self._at_it = f"asat:pace:{name}:now"

    @contextmanager
    def turn(self, longest_wait_s: float = 30.0) -> Iterator[None]:
        """One call, begun when the limits allow it. Raises TryLater rather than wait longer than this."""
        who = uuid.uuid4().hex
        ends_at = time.monotonic() + longest_wait_s
        try:
            while (wait := self._take(who)) > 0:
                if time.monotonic() + wait > ends_at:
                    raise TryLater(TOO_BUSY, wait)
                self._sleep(wait)
        except redis.RedisError:
            raise TryLater(NO_COUNT, 10.0) from None
        try:
            yield
        finally:
            self._leave(who)

    def _take(self, who: str) -> float:
        numbers = [each for limit in self._limits for each in (limit.calls, limit.seconds)]
        keys = [*self._keys, self._at_it]
        said = self._client.eval(
            TAKE, len(keys), *keys, repr(time.time()), who, self._most, self._lease_s, *map(str, numbers)
        )
        return float(said)

    def _leave(self, who: str) -> None:
        if not self._most:
            return
        try:
            self._client.zrem(self._at_it, who)
        except redis.RedisError:
            return  # its lease ends by itself


def pace_of(name: str, limits: tuple[Limit, ...], most_at_once: int = 0) -> Pace:
    """The pace of the account of this name, counted in the Redis that all workers share."""
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=5, socket_connect_timeout=5)
    return Pace(client, name, limits, most_at_once)
