"""One process of a run, watched: started, started again after a crash, ended with all that it started."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

STEADY_AFTER_S = 60.0
LOG_LIMIT_BYTES = 10_000_000
_PR_SET_PDEATHSIG = 1


def backoff_s(failures: int) -> float:
    """How long to wait before starting again after this many failures in a row: 0.5 s doubling up to 30 s."""
    return float(min(30.0, 0.5 * 2 ** min(max(failures - 1, 0), 10)))


def die_with_parent() -> None:
    """In a new child: ask the kernel to end it when the supervisor dies, however that happens (Linux).

    Elsewhere the next run ends what is left over.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class Child:
    """A process of the run in a process group of its own. Its output goes to the log file, or to the
    console when there is none."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str], log: Path | None) -> None:
        self.name = name
        self._command = list(command)
        self._environment = dict(environment)
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.failures = 0
        self._start_after = 0.0
        self._told = ""
        self._log_from = 0  # where in the log file the words of this start begin

    def start(self) -> None:
        """Start it now."""
        output = self._open_log()
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output is not None else None,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
        if output is not None:
            os.close(output)

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def uptime_s(self) -> float:
        return time.monotonic() - self.started_at if self.is_running() else 0.0

    def exit_code(self) -> int | None:
        """How it ended; None while it runs or before it was started."""
        return None if self.process is None else self.process.poll()

    def watch(self) -> str:
        """Start it again when it has died and its waiting time is over; what happened, in words, or ""."""
        if self.is_running():
            if self.failures and self.uptime_s() > STEADY_AFTER_S:
                self.failures = 0
            return ""
        now = time.monotonic()
        if self.process is None:
            if now >= self._start_after:
                self.start()
            return ""
        code = self.process.returncode
        self.failures += 1
        delay = backoff_s(self.failures)
        self._end_group(signal.SIGKILL)
        self.process, self._start_after = None, now + delay
        words = self.last_words()
        told, self._told = "" if words == self._told else words, words  # the same reason again is not news
        return f"{self.name} ended ({_how(code)}); starting it again in {delay:g} s.{told}"

    def terminate(self) -> None:
        """Ask it to finish what it is doing and end."""
        if self.is_running():
            assert self.process is not None
            self.process.terminate()

    def restart_with(self, environment: Mapping[str, str]) -> None:
        """End it; `watch` starts it again, in this environment."""
        self._environment = dict(environment)
        self.kill()

    def kill(self) -> None:
        """End it and everything in its process group at once."""
        if self.process is not None:
            self._end_group(signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)

    def _end_group(self, number: int) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    def _open_log(self) -> int | None:
        if self.log is None:
            return None
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT_BYTES:
            self.log.replace(self.log.with_suffix(".log.old"))
        self._log_from = self.log.stat().st_size if self.log.exists() else 0
        return os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def last_words(self) -> str:
        if self.log is None or not self.log.exists():
            return ""
        with self.log.open("rb") as file:
            file.seek(max(self._log_from, self.log.stat().st_size - 4000))
            lines = file.read().decode("utf-8", "replace").splitlines()[-6:]
        return "".join(f"\n    {line}" for line in lines) + f"\n    (all of it: {self.log})"


def _how(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
