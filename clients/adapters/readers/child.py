"""Reading in a process of its own, with bounds on time and memory: what a file does to its reader ends with it.

The child says what it read as JSON, a line for each page that is done and one for the whole; nothing that it says is
ever run or unpickled. It needs no Django and no database.
"""

from __future__ import annotations

import base64
import io
import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clients.adapters.readers.limits import Limits
from clients.extraction.ports import OnPage, Unreadable
from clients.extraction.terms import Box, Page, ReadDocument, Source, Word

MOST_SAID_BYTES = 64 * 1024 * 1024
ROOT = Path(__file__).resolve().parents[3]
_MODULE = "clients.adapters.readers.child"


def read_in_child(path: Path, limits: Limits | None = None, on_page: OnPage | None = None) -> ReadDocument:
    """The file as `files.FileReader` reads it, in a child that is ended when its time or memory is used up.

    Raises Unreadable for that too. on_page: called here as the child gets on.
    """
    limits = limits or Limits()
    return run_child(_command("read", path, limits), limits, on_page)


def picture_in_child(path: Path, number: int, turned: int, limits: Limits | None = None) -> bytes:
    """Page `number` as `files.page_picture` renders it, as PNG; its words' boxes scale by the picture's width.

    Raises Unreadable.
    """
    limits = limits or Limits()
    with _broken_off():
        said = _said(_command("picture", path, limits, str(number), str(turned)), limits, "picture", None)
        return base64.b64decode(said, validate=True)


def run_child(command: list[str], limits: Limits, on_page: OnPage | None = None) -> ReadDocument:
    """What a command that speaks as this module's `main` does has read. Raises Unreadable."""
    said = _said(command, limits, "read", on_page)
    with _broken_off():
        return document_of(said)


def _command(*what: str | Path | Limits) -> list[str]:
    plain = [json.dumps(asdict(each)) if isinstance(each, Limits) else str(each) for each in what]
    return [sys.executable, "-m", _MODULE, *plain]


def _said(command: list[str], limits: Limits, wanted: str, on_page: OnPage | None) -> Any:
    """That part of a child's message, once it has come; pages done are told meanwhile. Raises Unreadable."""
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=_environment(),
    )
    watch = _Watch(child, limits)
    try:
        for message in _messages(child):
            watch.page_done()
            if "problem" in message:
                raise Unreadable(str(message["problem"]))
            if wanted in message:
                return message[wanted]
            if on_page is not None:
                on_page(*_page_done(message))
    finally:
        watch.end()
        child.kill()
        child.wait()
        if child.stdout:
            child.stdout.close()
    if watch.ran_out:
        raise Unreadable(f"The file was not read: {watch.ran_out}.")
    raise Unreadable("Reading the file took more memory than AsAt allows, or the file broke its reader.")


def _messages(child: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    """Each line that the child says, up to MOST_SAID_BYTES over all. Raises Unreadable for what is none."""
    assert child.stdout is not None
    said = 0
    while line := child.stdout.readline(MOST_SAID_BYTES):
        said += len(line)
        if said > MOST_SAID_BYTES:
            raise Unreadable("The file holds more text than AsAt reads.")
        with _broken_off():
            message = json.loads(line)
            if not isinstance(message, dict):
                raise ValueError("no message")
        yield message


def _page_done(message: dict[str, Any]) -> tuple[int, int]:
    with _broken_off():
        return int(message["page"]), int(message["of"])


@contextmanager
def _broken_off() -> Iterator[None]:
    """Raises Unreadable where what a child said is not of the form agreed on."""
    try:
        yield
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Unreadable("The reader of the file broke off.") from None


class _Watch:
    """Ends a child that takes too long over one page or over all. ran_out: how it did, "" while it has not."""

    def __init__(self, child: subprocess.Popen[bytes], limits: Limits) -> None:
        self.child, self.ran_out, self.seconds_a_page = child, "", limits.seconds_a_page
        self.whole = self._timer(limits.seconds, f"it was not done within {limits.seconds} seconds")
        self.page = self._page_timer()

    def page_done(self) -> None:
        self.page.cancel()
        self.page = self._page_timer()

    def end(self) -> None:
        self.whole.cancel()
        self.page.cancel()

    def _page_timer(self) -> threading.Timer:
        return self._timer(self.seconds_a_page, f"no page was done within {self.seconds_a_page} seconds")

    def _timer(self, seconds: int, how: str) -> threading.Timer:
        timer = threading.Timer(seconds, self._run_out, [how])
        timer.daemon = True
        timer.start()
        return timer

    def _run_out(self, how: str) -> None:
        self.ran_out = how
        self.child.kill()


def _environment() -> dict[str, str]:
    """Little of our own: no secret of the process reaches what opens untrusted files."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TESSDATA_PREFIX") if name in os.environ}
    return kept | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}


# ------------------------------------------------------------------------------------------------ as JSON


def document_of(plain: dict[str, Any]) -> ReadDocument:
    """A document out of what `asdict` made of it. Raises KeyError, TypeError or ValueError for anything else."""
    return ReadDocument(str(plain["media_type"]), tuple(map(page_of, plain["pages"])), tuple(map(str, plain["notes"])))


def page_of(plain: dict[str, Any]) -> Page:
    """One page of it."""
    words = tuple(
        Word(
            str(word["text"]), Box(**word["box"]), float(word["confidence"]), Source(word["source"]), word["is_hidden"]
        )
        for word in plain["words"]
    )
    return Page(**(plain | {"words": words}))


def bind(limits: Limits) -> None:
    """Holds this process to its memory and processor time; ended by the kernel beyond."""
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def main(what: str, path: str, plain_limits: str, *more: str) -> None:
    """The child: bounds first, then what opens files. what: read, or picture with the page's number and turn."""
    limits = Limits(**json.loads(plain_limits))
    bind(limits)
    from clients.adapters.ocr.engines import default_upright
    from clients.adapters.readers.files import FileReader, page_picture

    def say(message: dict[str, Any]) -> None:
        print(json.dumps(message), flush=True)

    try:
        if what == "picture":
            kept = io.BytesIO()
            page_picture(Path(path), int(more[0]), int(more[1]), limits).save(kept, "PNG", compress_level=3)
            say({"picture": base64.b64encode(kept.getvalue()).decode()})
        else:
            reader = FileReader(default_upright(), limits)
            read = reader.read(Path(path), lambda page, of: say({"page": page, "of": of}))
            say({"read": asdict(read)})
    except Unreadable as error:
        say({"problem": str(error)})
    except OSError:
        say({"problem": "The file could not be opened."})


if __name__ == "__main__":
    main(*sys.argv[1:])
