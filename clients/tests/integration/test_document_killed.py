"""Workers that are killed while they read a document: another takes it up, and one that ends two of them is let be."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
import redis
from django.conf import settings
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from asat_site.testing.processes import worker
from clients.documents import reading, tasks
from clients.models import Document, DocumentPage
from clients.tests.integration.document_setup import INVOICE, made_client, pdf, sent

pytestmark = [pytest.mark.integration, pytest.mark.alone]

PATIENCE_S = 60
QUEUE = "killed-documents"  # of these tests alone: no other worker takes from it, and theirs take from no other
PLACES = "64"  # more than all other workers of the run could hold
PAGES = 30  # of so many words that a worker is at them for some seconds
WORDS = ("to pilot a ship out of the harbour and back in again by night and at low tide",) * 27


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice]) -> KnownPractice:
    return throwaway()


@pytest.fixture
def document(here: KnownPractice) -> Document:
    return sent(here, made_client(here, is_restricted=True), pdf(*INVOICE, *WORDS, pages=PAGES))


@pytest.fixture
def start(services: Any) -> Callable[..., Any]:
    """Starts a worker that takes from QUEUE."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        if kept := [*client.scan_iter(f"{QUEUE}*")]:
            client.delete(*kept)
    log: Path = services.directory / "killed-documents.log"
    return partial(worker, log, queue=QUEUE, ASAT_DOCUMENT_READERS=PLACES)


@pytest.fixture
def sweep(here: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """The sweep over every practice; it gives what it asked for of `here`, which goes to QUEUE, and asks for no more.

    What waits elsewhere stays as it is.
    """
    asked: list[str] = []

    def send(practice_id: str, document_id: str) -> bool:
        if practice_id == str(here.id):
            asked.append(document_id)
            tasks.read_document.apply_async((practice_id, document_id), queue=QUEUE)
        return True

    def swept() -> list[str]:
        asked.clear()
        tasks.sweep_documents()
        return list(asked)

    monkeypatch.setattr(tasks, "_send", send)
    return swept


def now(here: KnownPractice, document: Document) -> Document:
    with in_practice(here.practice), as_keeper():
        return Document.objects.get(pk=document.pk)


def state(here: KnownPractice, document: Document) -> tuple[str, int, list[int]]:
    """(status, attempts, numbers of the pages that are stored) of the document as it stands."""
    with in_practice(here.practice), as_keeper():
        numbers = DocumentPage.objects.filter(document=document).order_by("number").values_list("number", flat=True)
        return (*Document.objects.values_list("status", "attempts").get(pk=document.pk), list(numbers))


def waits_for(what: Callable[[], bool], why: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, why
        time.sleep(0.05)


def is_reading(here: KnownPractice, document: Document, attempt: int) -> bool:
    """Whether that attempt has got as far as its first page."""
    found = now(here, document)
    return found.attempts == attempt and found.pages_done > 0


def falls_silent(here: KnownPractice, document: Document) -> None:
    """As after the time in which a worker must give a sign of life."""
    with in_practice(here.practice), as_keeper():
        long_ago = timezone.now() - reading.LOST_AFTER - timedelta(seconds=1)
        assert Document.objects.filter(pk=document.pk, status="reading").update(heartbeat_at=long_ago) == 1


def kill(process: subprocess.Popen[bytes]) -> None:
    """A worker and the processes that it and they made, at once."""
    made = psutil.Process(process.pid).children(recursive=True)
    for pid in (process.pid, *(each.pid for each in made)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait(10)


def test_a_worker_killed_while_it_reads_leaves_its_document_to_another_that_stores_each_page_once(
    here: KnownPractice, document: Document, start: Callable[..., Any], sweep: Callable[[], list[str]]
) -> None:
    mine = [str(document.pk)]
    with start() as process:
        assert sweep() == mine
        waits_for(lambda: is_reading(here, document, 1), "no worker came as far as a page")
        kill(process)
    assert state(here, document) == ("reading", 1, [])
    assert sweep() == []  # its worker may live
    falls_silent(here, document)
    with start(concurrency=2):
        assert [sweep(), sweep()] == [mine, mine]  # two messages at once, for two processes
        waits_for(lambda: now(here, document).status != "reading", "the document was never taken up again")
        assert sweep() == []
    assert state(here, document) == ("review", 2, [*range(1, PAGES + 1)])
    found = now(here, document)
    assert (found.problem, found.page_count, found.pages_done, found.supplier, found.total_cents) == (
        "", PAGES, PAGES, "Harbour Pilots Pty Ltd", 11000
    )  # fmt: skip


def test_a_document_whose_worker_is_killed_twice_is_not_read_and_says_so(
    here: KnownPractice, document: Document, start: Callable[..., Any], sweep: Callable[[], list[str]]
) -> None:
    mine = [str(document.pk)]
    for attempt in (1, 2):
        with start() as process:
            assert sweep() == mine
            waits_for(lambda at=attempt: is_reading(here, document, at), "no worker came as far as a page")
            kill(process)
        assert state(here, document) == ("reading", attempt, [])
        falls_silent(here, document)
    with start():
        assert sweep() == mine
        waits_for(lambda: now(here, document).status != "reading", "the document was never given up")
        assert sweep() == []
    assert state(here, document) == ("unreadable", 3, [])
    assert now(here, document).problem == (
        "Reading this file stopped the worker twice, so it is not tried again. Download it, or have it read again."
    )
