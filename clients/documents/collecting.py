"""Files taken from a folder that a scanner, a mail program or a colleague puts them in.

ASAT_DROP_DIRECTORY/HOST OF THE PRACTICE/ID OF THE CLIENT/FILE: taken once nothing has changed it for STABLE_S, and
then moved beside, to `taken` or to `refused` with the reason in a text file. What could not be moved is not taken. No
link is followed, at no step of the way, and nothing outside is touched. A folder that names no practice or client is
left alone, and what fails is left where it is: it keeps nothing else from coming in. Runs as the keeper; what was taken
waits for the sweep.
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

from celery.exceptions import SoftTimeLimitExceeded
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
TAKEN, REFUSED = "taken", "refused"
NUMBERED_BYTES, ENDING_BYTES, TOLD_BYTES = 200, 20, 240  # of a name that gets more behind it; 255 is the most
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


@dataclass(slots=True)
class Collected:
    """How many documents were new or there already, how many files were refused, how many folders name nobody, and how
    many files were not taken because they could not be moved.
    """

    new: int = 0
    there: int = 0
    refused: int = 0
    strange: int = 0
    stuck: int = 0

    @property
    def files(self) -> int:
        return self.new + self.there + self.refused

    def count(self, taken: Taken) -> None:
        """Counts one more."""
        setattr(self, taken.outcome, getattr(self, taken.outcome) + 1)


def collect(directory: str, now_s: float) -> Collected | None:
    """Takes what lies there; None where another is at it. now_s: seconds as files are dated by.

    Raises OSError where the directory cannot be read, and django.db.Error where the database is out of reach.
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
                with _going_on("a practice’s folder"), _folder(root, host) as of_practice:
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
    except (NoSuchPractice, UnicodeEncodeError):
        done.strange += 1
        return
    if practice.is_platform:
        return
    with in_practice(practice, KEEPER_ID):
        for name in sorted(os.listdir(folder)):
            with _going_on("a client’s folder"), _folder(folder, name) as of_client:
                if of_client is None:
                    continue
                client_id = _id_of(name)
                client = client_of(client_id) if client_id else None
                if client is None:
                    done.strange += 1
                else:
                    _of_client(of_client, client, now_s, done)


def _of_client(folder: int, client: Client, now_s: float, done: Collected) -> None:
    stuck = 0
    for name in sorted(os.listdir(folder)):
        if done.files >= MOST_AT_ONCE:
            break
        with _going_on("a file"):
            if not _is_whole(folder, name, now_s):
                continue
            if not _may_move(folder, name):
                stuck += 1
                continue
            outcomes = _taken_from(folder, name, client)
            try:
                _move(folder, name, outcomes)
            except OSError as error:
                logger.warning("a file of the drop folder was taken and not moved: %s", type(error).__name__)
                break  # nor would the next be, and each would be taken anew at every look
            for each in outcomes:
                done.count(each)
    if stuck:
        done.stuck += stuck
        logger.warning("%d files of one folder were not taken: they could not be moved aside", stuck)


def _is_whole(folder: int, name: str, now_s: float) -> bool:
    """Whether it is to be taken now: no folder, not hidden, and nothing has changed it for a while."""
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return not (name.startswith(".") or stat.S_ISDIR(found.st_mode) or now_s - found.st_ctime < STABLE_S)


def _may_move(folder: int, name: str) -> bool:
    """Whether the file can be put aside when it was dealt with; else it would be taken anew at every look."""
    above, found = os.fstat(folder), os.stat(name, dir_fd=folder, follow_symlinks=False)
    if above.st_mode & stat.S_ISVTX and os.geteuid() not in (0, above.st_uid, found.st_uid):
        return False  # in a sticky folder, a file is its owner's to move
    return _may_write(folder) and all(_may_stand(folder, aside) for aside in (TAKEN, REFUSED))


def _may_stand(folder: int, aside: str) -> bool:
    """Whether the folder of that name is there to be written to, or nothing is in its place."""
    try:
        to = os.open(aside, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        return _may_write(to)
    finally:
        os.close(to)


def _may_write(folder: int) -> bool:
    return os.access(".", os.W_OK | os.X_OK, dir_fd=folder)


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
    aside = REFUSED if len(whys) == len(outcomes) else TAKEN
    with suppress(FileExistsError):
        os.mkdir(aside, dir_fd=folder)
    to = os.open(aside, _FOLDER, dir_fd=folder)
    try:
        free = _free_name(to, name)
        os.rename(name, free, src_dir_fd=folder, dst_dir_fd=to)
        if whys:
            beside = _free_name(to, f"{_cut(free, TOLD_BYTES)}.txt")
            how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            with os.fdopen(os.open(beside, how, 0o600, dir_fd=to), "w", encoding="utf-8") as told:
                told.write("\n".join(whys) + "\n")
    finally:
        os.close(to)


def _free_name(folder: int, name: str) -> str:
    """The name, or as much of it as there is room for with a number, that nothing in the folder has."""
    there = set(os.listdir(folder))
    path = PurePosixPath(name)
    number, free = 1, name
    while free in there:
        number += 1
        free = f"{_cut(path.stem, NUMBERED_BYTES)} {number}{_cut(path.suffix, ENDING_BYTES)}"
    return free


def _cut(name: str, most_bytes: int) -> str:
    """As much of the name's beginning as has so many bytes on disk, in whole characters."""
    while len(os.fsencode(name)) > most_bytes:
        name = name[:-1]
    return name


@contextmanager
def _going_on(what: str) -> Iterator[None]:
    """Leaves `what` where it is when anything fails there, for the others' sake; the log says so and names nothing.

    Raises what ends the whole look: its time is up, or the database is out of reach.
    """
    try:
        yield
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        if not connection.is_usable():
            raise
        logger.warning("%s of the drop folder was left where it is: %s", what, type(error).__name__)


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
