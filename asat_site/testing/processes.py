"""A real web server and a real worker for tests that need them, as child processes of the run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import redis
from django.conf import settings

from asat_site.heartbeat import KEY
from asat_site.running.processes import free_port

UNPLUGGED = Path(__file__).resolve().parent / "unplugged"
PATIENCE_S = 60.0


def child_environment(**extra: str) -> dict[str, str]:
    """What a child process needs to reach this run's servers, and nothing beyond this machine.

    DATABASE_URL stays behind: a worker or web server never has the owner's address.
    """
    path = os.pathsep.join(filter(None, [str(UNPLUGGED), os.environ.get("PYTHONPATH", "")]))
    shared = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**shared, "DJANGO_SETTINGS_MODULE": "asat_site.settings.test", "PYTHONPATH": path, **extra}


@contextmanager
def web(log: Path, **extra: str) -> Iterator[int]:
    """A running web server; the value is its port on the loopback address."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "asat_site.asgi:application",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-proxy-headers",
        "--timeout-graceful-shutdown",
        "2",
    ]
    with _child(command, log, extra) as process:
        _wait(lambda: _answers(port), process, log, "The web server")
        yield port


@contextmanager
def worker(
    log: Path, *, concurrency: int = 1, queue: str = "default,interactive,gpu", **extra: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A running worker, which has proved that it takes work from `queue`, one or more with commas between.

    A queue of its own keeps other workers out.
    """
    command = [sys.executable, "-m", "celery", "-A", "asat_site.celery", "worker", "--loglevel", "INFO"]
    command += ["--concurrency", str(concurrency), "--without-gossip", "--without-mingle"]
    command += ["--include", "asat_site.testing.tasks,asat_site.testing.held_generator", "--queues", queue]
    from asat_site.heartbeat import heartbeat

    with redis.Redis.from_url(settings.REDIS_URL) as client, _child(command, log, extra) as process:
        client.delete(KEY)
        heartbeat.apply_async(queue=queue.partition(",")[0], priority=0)
        _wait(lambda: bool(client.exists(KEY)), process, log, "The worker")
        yield process


@contextmanager
def workers_at_rest() -> Iterator[int]:
    """This run's workers stand still, so that a question stays where it is until they go on; how many there are."""
    stopped = [child for child in psutil.Process().children(recursive=True) if _is_of_celery(child)]
    for process in stopped:
        process.suspend()
    try:
        yield len(stopped)
    finally:
        for process in stopped:
            process.resume()


def _is_of_celery(process: psutil.Process) -> bool:
    """Whether it is one of a worker's that lives; one that has just ended has no command line any more."""
    try:
        return "celery" in " ".join(process.cmdline())
    except (psutil.ZombieProcess, psutil.NoSuchProcess):
        return False


@contextmanager
def _child(command: list[str], log: Path, extra: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=child_environment(**extra), stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)


def _wait(ready: object, process: subprocess.Popen[bytes], log: Path, what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not ready():  # type: ignore[operator]
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not start:\n{log.read_text(errors='replace')[-3000:]}")
        time.sleep(0.1)


def _answers(port: int) -> bool:
    try:
        httpx.get(f"http://127.0.0.1:{port}/health/", timeout=2)
    except httpx.HTTPError:
        return False
    return True
