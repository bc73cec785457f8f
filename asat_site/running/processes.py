"""Finding and ending the processes that an earlier run left behind.

A process counts as ours only when the operating system says so: it runs one of our executables inside one of
our folders. A process id that was read from a file proves nothing by itself, since ids are given out again.
"""

from __future__ import annotations

import contextlib
import secrets
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

_OWN_PORTS = range(20000, 32000)


def is_alive(process: psutil.Process) -> bool:
    """Whether the process still runs; a zombie, which waits only to be reaped, does not."""
    try:
        return bool(process.is_running()) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def running_in(directory: Path, executable_name: str) -> Iterator[psutil.Process]:
    """The live processes whose executable has this name and whose working directory is `directory`."""
    wanted = str(directory.resolve())
    for process in psutil.process_iter():
        try:
            if Path(process.exe()).name == executable_name and process.cwd() == wanted and is_alive(process):
                yield process
        except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
            continue


def end(found: list[psutil.Process], grace_s: float = 5.0) -> None:
    """Ask each process to stop, then force those that have not after `grace_s` seconds."""
    for process in found:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    alive = wait_for_end(found, grace_s)
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    wait_for_end(alive, grace_s)


def wait_for_end(found: list[psutil.Process], timeout_s: float) -> list[psutil.Process]:
    """Those that still live after the time, or [] as soon as none does.

    A zombie counts as ended: whose child it is may take seconds to collect it.
    """
    deadline = time.monotonic() + timeout_s
    while (alive := [process for process in found if is_alive(process)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return alive


def is_port_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def becomes_free(port: int, within_s: float = 1.0) -> bool:
    """Whether the port is free by then; a server that has just been killed holds it for a moment longer."""
    deadline = time.monotonic() + within_s
    while not is_port_free(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def free_port() -> int:
    """A port on the loopback address that was free a moment ago.

    Taken from below the range that systems give to outgoing connections: such a connection, of any program, could
    otherwise take a stopped server's port before it is started again.
    """
    for _ in range(200):
        port = secrets.choice(_OWN_PORTS)
        if is_port_free(port):
            return port
    raise OSError(f"None of 200 ports tried between {_OWN_PORTS[0]} and {_OWN_PORTS[-1]} is free.")


def carrying(name: str, value: str) -> list[psutil.Process]:
    """The live processes, this one aside, whose environment holds the variable with exactly this value.

    A child inherits its parent's environment, so this also finds the workers of a worker.
    """
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != psutil.Process().pid and process.environ().get(name) == value and is_alive(process):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
            continue
    return found
