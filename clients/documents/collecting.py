"""Files taken from a folder that a scanner, a mail program or a colleague puts them in.

ASAT_DROP_DIRECTORY/HOST OF THE PRACTICE/ID OF THE CLIENT/FILE: taken once nothing has changed it for STABLE_S, and
then moved beside, to `taken` or to `refused` with the reason in a text file. No link is followed, at no step of the
way, and nothing outside is touched. A folder that names no practice or client is left alone. Runs as the keeper; what
was taken waits for the sweep.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from uuid import UUID

from django.db import connection

from asat_site.tenancy.context import NoSuchPractice, find_practice_by_host, in_practice
from asat_site.tenancy.keeper import KEEPER_ID
from clients.adapters.readers.mail import attachments_of
from clients.documents import taking
from clients.documents.taking import MOST_BYTES, Outcome, Taken
from clients.extraction.ports import Unreadable
from clients.models import Client, Document
from clients.queries import client_of
from clients.rules import filenames

logger = logging.getLogger(__name__)

STABLE_S = 10.0
MOST_AT_ONCE = 500  # files of one look
LOCK = 0x41734446  # "AsDF": one looks at a time
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


@dataclass(slots=True)
class Collected:
    """How many documents were new or there already, how many files were refused, and how many folders name nobody."""

    new: int = 0
    there: int = 0
    refused: int = 0
    strange: int = 0

    @property
    def files(self) -> int:
        return self.new + self.there + self.refused

    def count(self, taken: Taken) -> None:
        """Counts one more."""
        setattr(self, taken.outcome, getattr(self, taken.outcome) + 1)


def collect(directory: str, now_s: float) -> Collected | None:
    """Takes what lies there; None where another is at it. now_s: seconds as files are dated by.

    Raises OSError where the directory cannot be read.
    """
    done = Collected()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
        if cursor.fetchone() != (True,):
            return None
    try:
        root = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for host in sorted(os.listdir(root)):
                with _folder(root, host) as of_practice:
                    if of_practice is not None:
                        _of_practice(of_practice, host, now_s, done)
        finally:
            os.close(root)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    return done


def _of_practice(folder: int, host: str, now_s: float, done: Collected) -> None:
    try:
        practice = find_practice_by_host(host)
    except NoSuchPractice:
        done.strange += 1
        return
    if practice.is_platform:
        return
    with in_practice(practice, KEEPER_ID):
        for name in sorted(os.listdir(folder)):
            with _folder(folder, name) as of_client:
                if of_client is None:
                    continue
                client_id = _id_of(name)
                client = client_of(client_id) if client_id else None
                if client is None:
                    done.strange += 1
                else:
                    _of_client(of_client, client, now_s, done)


def _of_client(folder: int, client: Client, now_s: float, done: Collected) -> None:
    for name in sorted(os.listdir(folder)):
        if name.startswith(".") or done.files >= MOST_AT_ONCE:
            continue
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode) or now_s - found.st_ctime < STABLE_S:
                continue
            outcomes = _taken_from(folder, name, client)
            for each in outcomes:
                done.count(each)
            _move(folder, name, outcomes)
        except OSError as error:
            logger.warning("a file of the drop folder was left where it is: %s", type(error).__name__)


def _taken_from(folder: int, name: str, client: Client) -> list[Taken]:
    """What became of one file, or of each that a mail brings."""
    shown = filenames.cleaned(name)
    content = _content(folder, name)
    if content is None:
        return [Taken(Outcome.REFUSED, shown, why="It is no file, or a link; links are not followed.")]
    if not name.lower().endswith(".eml") or len(content) > MOST_BYTES:
        return [taking.take(None, client, name, content, Document.CameBy.FOLDER)]
    try:
        brought = attachments_of(content)
    except Unreadable as error:
        return [Taken(Outcome.REFUSED, shown, why=str(error))]
    return [taking.take(None, client, each.name or shown, each.content, Document.CameBy.FOLDER) for each in brought]


def _content(folder: int, name: str) -> bytes | None:
    """The file's bytes, up to one over the limit; None for what is no plain file."""
    if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        return None
    opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(opened, "rb") as file:
        return file.read(MOST_BYTES + 1) if stat.S_ISREG(os.fstat(opened).st_mode) else None


def _move(folder: int, name: str, outcomes: list[Taken]) -> None:
    """Puts a file that was dealt with aside, with a text beside it where something of it was refused."""
    whys = [f"{each.name}: {each.why}" for each in outcomes if each.outcome is Outcome.REFUSED]
    aside = "refused" if len(whys) == len(outcomes) else "taken"
    with suppress(FileExistsError):
        os.mkdir(aside, dir_fd=folder)
    to = os.open(aside, _FOLDER, dir_fd=folder)
    try:
        free = _free_name(to, name)
        os.rename(name, free, src_dir_fd=folder, dst_dir_fd=to)
        if whys:
            how = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
            beside = os.fsencode(free)[:240] + b".txt"
            with os.fdopen(os.open(beside, how, 0o600, dir_fd=to), "w", encoding="utf-8") as told:
                told.write("\n".join(whys) + "\n")
    finally:
        os.close(to)


def _free_name(folder: int, name: str) -> str:
    there = set(os.listdir(folder))
    path = PurePosixPath(name)
    number, free = 1, name
    while free in there:
        number += 1
        free = f"{path.stem[:200]} {number}{path.suffix[:20]}"
    return free


@contextmanager
def _folder(above: int, name: str) -> Iterator[int | None]:
    """The folder of that name, open; None for what is none, or a link."""
    try:
        opened = None if name.startswith(".") else os.open(name, _FOLDER, dir_fd=above)
    except OSError:
        opened = None
    try:
        yield opened
    finally:
        if opened is not None:
            os.close(opened)


def _id_of(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
