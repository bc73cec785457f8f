"""Small things that a run keeps under var/ for the next one: generated passwords, ports, locks."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path


class Locked(RuntimeError):
    """Another process holds the lock of the folder."""


def write_private(path: Path, text: str) -> None:
    """Write the file whole or not at all, readable by its owner alone."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read_or_make(path: Path, make: Callable[[], str]) -> str:
    """The text kept in the file; made, and kept, when there is none."""
    with contextlib.suppress(FileNotFoundError):
        kept = path.read_text(encoding="utf-8").strip()
        if kept:
            return kept
    made = make()
    write_private(path, made)
    return made


def password(path: Path) -> str:
    """The password kept in the file, generated the first time; safe inside a URL as it stands."""
    return read_or_make(path, lambda: secrets.token_urlsafe(24))


@contextlib.contextmanager
def locked(path: Path, wait: bool = True) -> Iterator[None]:
    """Hold the lock file's lock; the kernel releases it however the holder dies.

    Raises Locked when `wait` is False and another process holds it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise Locked(f"{path} is locked by another process") from None
        yield
    finally:
        os.close(descriptor)
