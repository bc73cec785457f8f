"""Documents from the file that came to what stands on it: kept, sealed, looked at, read once, and never lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice, make_throwaway
from clients import services, services_merge
from clients.documents import reading, storing, taking, tasks
from clients.extraction.terms import Box, Page, ReadDocument, Word
from clients.models import Client, Document, DocumentFile, DocumentPage
from clients.tests.integration.document_setup import clamd, made_client, pdf, png, read, sent, with_hidden

PLAIN = pdf("words that stand in the file")


@pytest.fixture(scope="module")
def known(services: Any, django_db_blocker: Any) -> KnownPractice:
    """One practice for all of these; each test has a client of its own in it."""
    with django_db_blocker.unblock():
        return make_throwaway("Reading")


def as_it_stands(known: KnownPractice, document: Document) -> Document:
    with in_practice(known.practice), as_keeper():
        return Document.objects.get(pk=document.pk)


def clear(known: KnownPractice) -> None:
    """Nothing of the tests before waits any more."""
    with in_practice(known.practice), as_keeper():
        Document.objects.filter(status__in=("waiting", "reading")).update(status="kept")


# ------------------------------------------------------------------------------------------------ taken in


def test_a_file_is_taken_once_and_given_back_byte_for_byte(known: KnownPractice) -> None:
    client, user = made_client(known), known.users["staff"]
    with in_practice(known.practice, user.pk):
        first = taking.take(user, client, "C:\\inbox\\March\u202e invoice.pdf", PLAIN, "upload")
        second = taking.take(user, client, "the same.pdf", PLAIN, "upload")
        assert first.document is not None and second.document is not None
        assert (first.outcome, first.name) == ("new", "March invoice.pdf")
        assert (second.outcome, second.document.pk) == ("there", first.document.pk)
        row = Document.objects.get(client=client)
        assert (row.status, row.media_type, row.size, row.by_id) == ("waiting", "application/pdf", len(PLAIN), user.pk)
        assert storing.content_of(row) == PLAIN


def test_the_same_file_is_another_document_of_another_client(known: KnownPractice) -> None:
    one, other = made_client(known, "One"), made_client(known, "Other")
    assert sent(known, one, PLAIN).pk != sent(known, other, PLAIN).pk


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.pdf", b"", "The file is empty."),
        ("page.pdf", b"<!doctype html><script>x</script>", "The file is of no kind that is known. AsAt reads PDF"),
        ("bills.zip", b"PK\x03\x04" + b"\0" * 40, "The file is ZIP. AsAt reads PDF, JPEG, PNG, TIFF and HEIC."),
        ("large.pdf", b"%PDF-" + b"\0" * taking.MOST_BYTES, "The file has more than 50 MB, the most that AsAt takes."),
    ],
)
def test_what_is_no_document_is_refused_and_leaves_nothing(
    known: KnownPractice, name: str, content: bytes, why: str
) -> None:
    client, user = made_client(known), known.users["staff"]
    with in_practice(known.practice, user.pk):
        taken = taking.take(user, client, name, content, "upload")
        assert (taken.outcome, taken.document) == ("refused", None)
        assert taken.why.startswith(why)
        assert not Document.objects.filter(client=client).exists()
        assert not DocumentFile.objects.filter(client=client).exists()


def test_a_file_is_known_by_its_content_and_not_by_its_name(known: KnownPractice) -> None:
    assert sent(known, made_client(known), png(), "invoice.pdf").media_type == "image/png"


def test_nothing_comes_in_for_an_archived_client_also_where_it_was_archived_meanwhile(known: KnownPractice) -> None:
    client, user = made_client(known), known.users["staff"]
    with in_practice(known.practice, user.pk):
        services.archive(user, [client])
        for each in (client, Client.objects.get(pk=client.pk)):  # as it was when the page was asked for, and as it is
            taken = taking.take(user, each, "x.pdf", PLAIN, "upload")
            assert (taken.outcome, taken.why) == ("refused", taking.ARCHIVED)
        assert not Document.objects.filter(client=client).exists()


@pytest.mark.security
def test_one_file_sent_by_several_at_once_is_one_document(known: KnownPractice) -> None:
    client, user, together = made_client(known), known.users["staff"], threading.Barrier(6)

    def take(_: int) -> str:
        try:
            with in_practice(known.practice, user.pk):
                together.wait(20)
                return str(taking.take(user, client, "x.pdf", PLAIN, "upload").outcome)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        outcomes = sorted(pool.map(take, range(6)))
    assert outcomes == ["new", *["there"] * 5]
    with in_practice(known.practice):
        assert [model.objects.filter(client=client).count() for model in (Document, DocumentFile)] == [1, 1]


# ------------------------------------------------------------------------------------------------ kept


@pytest.mark.security
def test_the_bytes_lie_in_the_database_sealed_and_open_nowhere_else(
    known: KnownPractice, other_practice: KnownPractice
) -> None:
    client = made_client(known)
    first, second = sent(known, client, PLAIN), sent(known, client, pdf("other words"))
    with in_practice(known.practice, known.users["staff"].pk):
        kept, other = DocumentFile.objects.get(pk=first.pk), DocumentFile.objects.get(pk=second.pk)
        assert bytes(kept.content)[:5] != b"%PDF-" and b"words" not in bytes(kept.content)
        assert len(bytes(kept.content)) == len(PLAIN) + 28  # nonce and tag
        moved = [
            DocumentFile(document_id=second.pk, content=kept.content, sealed_key=kept.sealed_key),
            DocumentFile(document_id=second.pk, content=kept.content, sealed_key=other.sealed_key),
            DocumentFile(document_id=first.pk, content=kept.content, sealed_key=other.sealed_key),
        ]
        for each in moved:
            each.practice_id = known.id
            with pytest.raises(storing.CannotOpenFile):
                storing._opened(each, bytes(each.content))
        kept.practice_id = other_practice.id
        with pytest.raises(storing.CannotOpenFile, match="altered, or sealed elsewhere"):
            storing._opened(kept, bytes(kept.content))


@pytest.mark.security
def test_the_bytes_are_never_changed_by_the_app(known: KnownPractice) -> None:
    document = sent(known, made_client(known), PLAIN)
    with in_practice(known.practice, known.users["staff"].pk):
        for attack in (
            "UPDATE clients_documentfile SET content = 'x'", "DELETE FROM clients_documentfile",
            "UPDATE clients_document SET sha256 = 'x'", "UPDATE clients_document SET name = 'x'",
            "DELETE FROM clients_document",
        ):  # fmt: skip
            with pytest.raises(Exception, match="permission denied"), connection.cursor() as cursor:
                cursor.execute(attack)
        assert storing.content_of(document) == PLAIN


def test_bytes_may_be_kept_plain_and_both_are_read(known: KnownPractice, settings: Any) -> None:
    client = made_client(known)
    sealed = sent(known, client, PLAIN)
    settings.ASAT_SEAL_DOCUMENTS = False
    plain = sent(known, client, png())
    with in_practice(known.practice, known.users["staff"].pk):
        assert bytes(DocumentFile.objects.get(pk=plain.pk).content) == png()
        assert DocumentFile.objects.get(pk=plain.pk).sealed_key == ""
        assert (storing.content_of(plain), storing.content_of(sealed)) == (png(), PLAIN)


def test_a_file_that_is_not_as_it_came_is_not_given_out(known: KnownPractice) -> None:
    document = sent(known, made_client(known), PLAIN)
    document.sha256 = "0" * 64
    with in_practice(known.practice, known.users["staff"].pk):
        with pytest.raises(storing.CannotOpenFile, match="its checksum differs"):
            storing.content_of(document)
        with pytest.raises(storing.CannotOpenFile, match="is not there"):
            storing.content_of(Document(pk=uuid4(), sha256=""))


def test_a_reader_finds_the_bytes_while_it_reads_and_not_after(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in ("in memory", "as a file"):
        with storing.as_path(b"bytes") as path:
            assert path.read_bytes() == b"bytes"
        assert not path.exists()
        monkeypatch.delattr("os.memfd_create", raising=False)


# ------------------------------------------------------------------------------------------------ read


def test_a_document_is_read_and_stands_to_be_reviewed(known: KnownPractice) -> None:
    document = read(known, sent(known, made_client(known, is_restricted=True)))
    assert (document.status, document.problem, document.failing) == ("review", "", 0)
    assert (document.kind, document.supplier, document.dated and document.dated.isoformat(), document.total_cents) == (
        "invoice", "Harbour Pilots Pty Ltd", "2026-03-03", 11000
    )  # fmt: skip
    assert (document.page_count, document.pages_done, document.attempts) == (1, 1, 1)
    with in_practice(known.practice, known.users["staff"].pk):
        page = DocumentPage.objects.get(document=document)
        assert (page.document_id, page.number, page.page["words"][0][0]) == (document.pk, 1, "Harbour")
        assert not reading.read(document.pk)  # it waits no more
    with in_practice(known.practice, known.users["agent"].pk):
        assert not DocumentPage.objects.filter(document=document).exists()


def test_words_that_nobody_sees_are_flagged_and_become_nothing(known: KnownPractice) -> None:
    document = read(known, sent(known, made_client(known), with_hidden("Total $999,999.00")))
    assert (document.status, document.total_cents) == ("review", 11000)
    assert document.notes == [
        "Page 1 holds 2 words that nobody who looks at it can see. None was used.",
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (pdf(password="secret"), "The PDF has a password. Save a copy without one."),
        (b"%PDF-1.7\nnothing", "The PDF is damaged. Save it again from the program that made it."),
        (pdf("x", pages=101), "The file has 101 pages; AsAt reads up to 100. Split it."),
    ],
)
def test_what_cannot_be_read_says_why_and_can_be_read_again(known: KnownPractice, content: bytes, problem: str) -> None:
    document = read(known, sent(known, made_client(known), content))
    assert (document.status, document.attempts, document.problem) == ("unreadable", 1, problem)
    user = known.users["staff"]
    with in_practice(known.practice, user.pk):
        assert reading.read_again(user, document) and not reading.read_again(user, document)
    again = read(known, document)
    assert (again.status, again.problem, again.attempts) == ("unreadable", problem, 1)


def test_what_no_column_takes_is_left_out() -> None:
    page = Page(1, 10, 10, (Word("a\x00b\ud800c", Box(0, 0, 1, 1)),))
    assert reading.storable(ReadDocument("application/pdf", (page,))).pages == (
        replace(page, words=(replace(page.words[0], text="abc"),)),
    )


def test_two_workers_never_have_one_document(known: KnownPractice) -> None:
    document = sent(known, made_client(known))
    now = timezone.now()
    with in_practice(known.practice), as_keeper():
        first = reading.claim(document.pk, now)
        assert first is not None and first.attempt == 1
        assert reading.claim(document.pk, now) is None
        late = now + reading.LOST_AFTER + timedelta(seconds=1)
        second = reading.claim(document.pk, late)  # the first gave no sign of life
        assert second is not None and second.attempt == 2
        with pytest.raises(reading.Overtaken):
            first.write(pages_done=5)
        second.write(pages_done=1)
        assert Document.objects.get(pk=document.pk).pages_done == 1


def test_a_document_whose_worker_was_killed_is_read_by_another(known: KnownPractice) -> None:
    document = sent(known, made_client(known))
    with in_practice(known.practice), as_keeper():
        assert reading.claim(document.pk, timezone.now() - timedelta(minutes=5)) is not None
    found = read(known, document)
    assert (found.status, found.attempts) == ("review", 2)


def test_a_file_that_stops_its_worker_twice_is_not_opened_a_third_time(
    known: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, long_ago = sent(known, made_client(known)), timezone.now() - timedelta(minutes=20)
    with in_practice(known.practice), as_keeper():
        assert reading.claim(document.pk, long_ago) is not None
        assert reading.claim(document.pk, long_ago + timedelta(minutes=5)) is not None
    monkeypatch.setattr(reading, "read_in_child", lambda *_, **__: pytest.fail("it was opened"))
    found = read(known, document)
    assert (found.status, found.problem) == ("unreadable", reading.STOPPED_TWICE)


def test_a_worker_that_was_overtaken_stores_nothing(known: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    document = sent(known, made_client(known))
    honest = reading.read_in_child

    def slow(path: Path, **given: Any) -> ReadDocument:
        found = honest(path, **given)
        Document.objects.filter(pk=document.pk).update(attempts=2)  # another worker has it now
        return found

    monkeypatch.setattr(reading, "read_in_child", slow)
    found = read(known, document)
    assert (found.status, found.attempts, found.reading) == ("reading", 2, None)
    with in_practice(known.practice), as_keeper():
        assert not DocumentPage.objects.filter(document=document).exists()


def test_as_many_are_read_at_once_as_there_are_places(known: KnownPractice) -> None:
    document = sent(known, made_client(known))
    is_held, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with connection.cursor() as cursor:  # as soon as a worker of this run's lets go of it
            cursor.execute("SELECT pg_advisory_lock(%s, 0)", [reading.SLOTS])
            is_held.set()
            may_end.wait(30)
        connections.close_all()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert is_held.wait(30)
        assert read(known, document, places=1).status == "waiting"
        assert read(known, document, places=2).status == "review"
    finally:
        may_end.set()
        holder.join()


# ------------------------------------------------------------------------------------------------ looked at


@pytest.mark.security
def test_what_a_scanner_finds_is_never_opened(
    known: KnownPractice, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "read_in_child", lambda *_, **__: pytest.fail("it was opened"))
    with clamd(b"stream: Eicar-Signature FOUND\0") as (settings.ASAT_VIRUS_SCANNER, seen):
        document = read(known, sent(known, made_client(known), PLAIN))
    assert seen == [PLAIN]
    assert (document.status, document.problem) == (
        "unsafe", "The virus scanner found Eicar-Signature in it. Nothing opened it."
    )  # fmt: skip
    for path in ("original/", "pages/1.png"):
        assert known.client().get(f"/documents/{document.pk}/{path}").status_code == 404
    for path in ("read-again/", "keep/"):
        known.client().post(f"/documents/{document.pk}/{path}")
    assert as_it_stands(known, document).status == "unsafe"


@pytest.mark.security
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "The virus scanner’s answer is not understood."),
        (b"stream: OK, mostly\0", "The virus scanner’s answer is not understood."),
        (b"INSTREAM size limit exceeded. ERROR\0", "The file is longer than the virus scanner takes"),
        (None, "The virus scanner does not answer."),
    ],
)
def test_without_a_verdict_a_document_waits_and_is_not_given_out(
    known: KnownPractice, settings: Any, answer: bytes | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = sent(known, made_client(known), PLAIN)
    with clamd(answer or b"") as (settings.ASAT_VIRUS_SCANNER, _):
        if answer is None:
            settings.ASAT_VIRUS_SCANNER = "clamd:///nowhere/clamd.sock"
        waits = read(known, document)
    assert (waits.status, waits.attempts, waits.reading) == ("waiting", 0, None)
    assert waits.problem.startswith(f"It waits: {why}")
    assert known.client().get(f"/documents/{document.pk}/original/").status_code == 404
    with in_practice(known.practice), as_keeper():  # it is asked again, in a while
        mine = Document.objects.filter(pk=document.pk)
        assert not reading.due(timezone.now()).filter(pk=document.pk).exists()
        assert reading.due(timezone.now() + timedelta(seconds=31)).filter(pk=document.pk).exists()
        mine.update(heartbeat_at=None)
    with clamd() as (settings.ASAT_VIRUS_SCANNER, _):
        found = read(known, document)
    assert (found.status, found.problem, found.attempts) == ("review", "", 1)


@pytest.mark.security
def test_a_file_that_does_not_open_waits_and_is_not_given_out_before_the_scanner_saw_it(
    known: KnownPractice, settings: Any
) -> None:
    document, keys = sent(known, made_client(known), PLAIN), settings.ENCRYPTION_KEYS
    with clamd(b"stream: Eicar-Signature FOUND\0") as (settings.ASAT_VIRUS_SCANNER, seen):
        settings.ENCRYPTION_KEYS = [("newer", b"n" * 32)]
        waits = read(known, document)
        settings.ENCRYPTION_KEYS = keys
        assert (waits.status, waits.attempts, seen) == ("waiting", 0, [])
        assert waits.problem == (
            "It waits: The file of this document is sealed under a key that is not among those set. Whoever runs this "
            "site can put that key back. Nothing looked at it or opened it, and it is tried again by itself."
        )
        for path in ("read-again/", "keep/"):
            known.client().post(f"/documents/{document.pk}/{path}")
        assert known.client().get(f"/documents/{document.pk}/original/").status_code == 404
        with in_practice(known.practice), as_keeper():  # it is tried again, in a while
            mine = Document.objects.filter(pk=document.pk, status="waiting")
            assert not reading.due(timezone.now()).filter(pk=document.pk).exists()
            assert mine.update(heartbeat_at=timezone.now() - reading.ASKED_AGAIN_AFTER) == 1
        assert (read(known, document).status, seen) == ("unsafe", [PLAIN])


# ------------------------------------------------------------------------------------------------ tasks


def test_the_sweep_asks_for_what_waits_and_what_was_lost(known: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    clear(known)
    client = made_client(known, is_restricted=True)
    waits, lost, at_work = (sent(known, client, pdf(f"number {number}")) for number in range(3))
    with in_practice(known.practice), as_keeper():
        reading.claim(lost.pk, timezone.now() - timedelta(minutes=5))
        reading.claim(at_work.pk, timezone.now())
    asked: list[str] = []
    monkeypatch.setattr(tasks, "_send", lambda practice, document: asked.append(document) or True)
    tasks.sweep_documents()
    mine = [each for each in asked if each in {str(row.pk) for row in (waits, lost, at_work)}]
    assert mine == [str(waits.pk), str(lost.pk)]


def test_one_that_is_read_asks_for_the_next_and_one_that_is_not_asks_for_none(
    known: KnownPractice, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear(known)
    settings.ASAT_DOCUMENT_READERS = 64
    client = made_client(known, is_restricted=True)
    first, second = sent(known, client), sent(known, client, PLAIN)
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(tasks, "_send", lambda *given: asked.append(given) or True)
    tasks.read_document(str(known.id), str(first.pk))
    tasks.read_document(str(known.id), str(first.pk))
    assert asked == [(str(known.id), str(second.pk))]
    assert as_it_stands(known, first).status == "review"


def test_a_broker_that_is_down_loses_no_document(known: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: Any, **__: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(tasks.read_document, "apply_async", down)
    document = sent(known, made_client(known))
    with in_practice(known.practice, known.users["staff"].pk):
        tasks.enqueue(document)
    assert as_it_stands(known, document).status == "waiting"


def test_documents_go_with_a_client_that_is_merged_and_come_back(known: KnownPractice) -> None:
    gone, kept, user = made_client(known, "Gone Pty Ltd"), made_client(known, "Kept Pty Ltd"), known.users["staff"]
    content = pdf()
    document = read(known, sent(known, gone, content))
    with in_practice(known.practice, user.pk):
        merge = services_merge.merge(user, kept, gone)
        tables = (Document, DocumentFile, DocumentPage)
        assert [table.objects.filter(client=kept).count() for table in tables] == [1, 1, 1]
        again = taking.take(user, kept, "again.pdf", content, "upload")
        assert again.document is not None and (again.outcome, again.document.pk) == ("there", document.pk)
        assert storing.content_of(document) == content
        services_merge.unmerge(user, merge)
        assert [table.objects.filter(client=gone).count() for table in tables] == [1, 1, 1]


def test_what_is_merged_while_it_is_read_has_its_pages_at_the_other_client(
    known: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept, user = made_client(known, "Going Pty Ltd"), made_client(known, "Keeping Pty Ltd"), known.users["staff"]
    document, honest = sent(known, gone), reading.read_in_child

    def merged_meanwhile(path: Path, **given: Any) -> ReadDocument:
        found = honest(path, **given)
        with in_practice(known.practice, user.pk):
            services_merge.merge(user, kept, gone)
        return found

    monkeypatch.setattr(reading, "read_in_child", merged_meanwhile)
    assert read(known, document).client_id == kept.pk
    with in_practice(known.practice, user.pk):
        assert list(DocumentPage.objects.filter(document=document).values_list("client_id", flat=True)) == [kept.pk]
