"""Beat's scheduler: one beat at a time, whichever holds an advisory lock. Two would send everything twice."""

from __future__ import annotations

import logging
from typing import Any

import psycopg
from celery.beat import Scheduler
from django.db import connections

logger = logging.getLogger(__name__)

LOCK = 0x41734174  # "AsAt"
RETRY_S = 5.0


class OneBeatScheduler(Scheduler):
    """Sends what is due while this process holds the lock; otherwise waits to take over."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._lock: psycopg.Connection[Any] | None = None
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; returns the seconds until the next look."""
        if not self._holds_lock():
            return RETRY_S
        return float(super().tick(*args, **kwargs))

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        super().close()

    def _holds_lock(self) -> bool:
        try:
            if self._lock is not None:
                self._lock.execute("SELECT 1")
                return True
            return self._take_lock()
        except psycopg.Error as error:
            logger.warning("Beat holds no lock: %s.", type(error).__name__)
            if self._lock is not None:
                self._lock.close()
            self._lock = None
            return False

    def _take_lock(self) -> bool:
        # A connection of its own: the lock lives exactly as long as it does.
        parameters = {**connections["default"].get_connection_params(), "autocommit": True}
        parameters.pop("context", None)
        parameters.pop("cursor_factory", None)
        candidate = psycopg.connect(**parameters)
        row = candidate.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone()
        if row is None or not row[0]:
            candidate.close()
            return False
        self._lock = candidate
        logger.info("This beat holds the lock and sends what is due.")
        return True
