"""The pages of documents as they come in: who may send and see what, what is said of each file, and how quick it is."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, connections
from django.test import Client as Browser
from PIL import Image

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice, make_throwaway
from clients.documents import queries, reading, storing, tasks
from clients.documents.queries import Filter
from clients.documents.taking import MOST_BYTES
from clients.models import Client, Document
from clients.tests.integration.document_setup import INVOICE, made_client, pdf, png, read, sent

JSON = {"accept": "application/json"}


@pytest.fixture(scope="module")
def known(services: Any, django_db_blocker: Any) -> KnownPractice:
    """One practice for all of these; each test has clients of its own in it."""
    with django_db_blocker.unblock():
        return make_throwaway("Paging")


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that a worker was asked to read; none is there."""
    found: list[str] = []
    monkeypatch.setattr(tasks, "_send", lambda practice, document: found.append(document) or True)
    return found


def upload(browser: Browser, client: Client, *files: tuple[str, bytes], **headers: str) -> Any:
    given = [SimpleUploadedFile(name, content) for name, content in files]
    return browser.post(f"/clients/{client.pk}/documents/upload/", {"file": given}, headers=headers)


def documents_of(known: KnownPractice, client: Client) -> list[Document]:
    with in_practice(known.practice), as_keeper():
        return list(Document.objects.filter(client=client).order_by("at"))


# ------------------------------------------------------------------------------------------------ sent


def test_a_file_that_is_sent_by_itself_is_told_of_in_a_sentence(known: KnownPractice, asked: list[str]) -> None:
    client, browser = made_client(known), known.client()
    content = pdf("sent once")
    answers = [upload(browser, client, each, **JSON) for each in (("a.pdf", content), ("b.pdf", content), ("c", b""))]
    (document,) = documents_of(known, client)
    address = f"/documents/{document.pk}/"
    assert [(each.status_code, each.json()["files"]) for each in answers] == [
        (200, [{"name": "a.pdf", "outcome": "new", "words": "Taken. It will be read.", "address": address}]),
        (200, [
            {"name": "b.pdf", "outcome": "there", "words": "Already there: this client has this very file.",
             "address": address},
        ]),
        (422, [{"name": "c", "outcome": "refused", "words": "The file is empty.", "address": ""}]),
    ]  # fmt: skip
    assert asked == [str(document.pk)]
    assert (document.by_id, document.came_by, document.name) == (known.users["staff"].pk, "upload", "a.pdf")


def test_without_script_many_files_go_at_once_and_each_is_told_of(known: KnownPractice, asked: list[str]) -> None:
    client = made_client(known)
    response = upload(known.client(), client, ("one.pdf", pdf("one")), ("two.zip", b"PK\x03\x04"), ("three.png", png()))
    assert response.status_code == 422
    assert [(each.name, each.outcome) for each in response.context["sent"]] == [
        ("one.pdf", "new"), ("two.zip", "refused"), ("three.png", "new")
    ]  # fmt: skip
    assert "The file is ZIP. AsAt reads PDF, JPEG, PNG, TIFF and HEIC." in response.content.decode()
    assert len(documents_of(known, client)) == len(asked) == 2
    nothing = known.client().post(f"/clients/{client.pk}/documents/upload/")
    assert (nothing.status_code, nothing["Location"]) == (302, f"/clients/{client.pk}/documents/")


def test_a_file_of_50_mb_is_taken_and_one_byte_more_is_refused(known: KnownPractice) -> None:
    client, browser = made_client(known), known.client()
    most = b"%PDF-1.7" + b"\0" * (MOST_BYTES - 8)
    assert upload(browser, client, ("most.pdf", most), **JSON).json()["files"][0]["outcome"] == "new"
    over = upload(browser, client, ("over.pdf", most + b"\0"), **JSON).json()["files"][0]
    assert over["words"] == "The file has more than 50 MB, the most that AsAt takes. Save it smaller."
    (document,) = documents_of(known, client)
    assert document.size == MOST_BYTES


def test_what_one_sending_has_no_room_for_is_not_taken_cut(
    known: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("asat_site.uploads.ManyFilesUploadHandler.most_in_all", 2000)
    client, first = made_client(known), pdf("one")
    response = upload(known.client(), client, ("one.pdf", first), ("two.pdf", pdf("two") + b"\0" * 2000))
    assert [(each.outcome, each.words) for each in response.context["sent"]] == [
        ("new", "Taken. It will be read."),
        ("refused", "It was not taken: the files before it filled this sending. Send it again by itself."),
    ]
    assert [each.size for each in documents_of(known, client)] == [len(first)]


@pytest.mark.security
def test_a_file_without_the_pages_token_is_not_taken(known: KnownPractice) -> None:
    client = made_client(known)
    browser = Browser(enforce_csrf_checks=True, headers={"host": known.host})
    with in_practice(known.practice):
        browser.force_login(known.users["staff"])
    assert upload(browser, client, ("x.pdf", pdf("x")), **JSON).status_code == 403
    assert documents_of(known, client) == []
    page = browser.get(f"/clients/{client.pk}/documents/")
    token = page.content.decode().split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    given = {"csrfmiddlewaretoken": token, "file": SimpleUploadedFile("x.pdf", pdf("x"))}
    taken = browser.post(f"/clients/{client.pk}/documents/upload/", given, headers=JSON)
    assert taken.status_code == 200 and len(documents_of(known, client)) == 1


def test_two_hundred_files_stay_quick_and_the_last_page_too(known: KnownPractice, asked: list[str]) -> None:
    client, browser = made_client(known, "Two hundred"), known.client()
    contents = [pdf(f"number {number}") for number in range(200)]
    took = []
    for number, content in enumerate(contents):
        began = time.perf_counter()
        assert upload(browser, client, (f"{number}.pdf", content), **JSON).status_code == 200
        took.append(time.perf_counter() - began)
    assert sorted(took)[180] < 0.3
    assert len(asked) == 200
    took.clear()
    for _ in range(3):
        began = time.perf_counter()
        page = browser.get(f"/clients/{client.pk}/documents/?page=4")
        took.append(time.perf_counter() - began)
    assert min(took) < 0.3
    assert (page.context["count"], len(page.context["rows"])) == (200, 50)


# ------------------------------------------------------------------------------------------------ walls


@pytest.mark.security
def test_who_may_not_see_the_client_finds_nothing_of_its_documents(
    known: KnownPractice, other_practice: KnownPractice
) -> None:
    client = made_client(known, is_restricted=True)
    document = read(known, sent(known, client))
    before = documents_of(known, client)
    pages = [
        f"/clients/{client.pk}/documents/", f"/clients/{client.pk}/files/", f"/documents/?client={client.pk}",
        f"/documents/{document.pk}/pages/1.png", f"/documents/{document.pk}/original/",
    ]  # fmt: skip
    posts = [
        f"/clients/{client.pk}/documents/upload/", f"/documents/{document.pk}/read-again/",
        f"/documents/{document.pk}/keep/",
    ]  # fmt: skip
    for browser in (known.client("agent"), known.client("owner"), other_practice.client("owner")):
        assert [browser.get(path).status_code for path in pages] == [404] * len(pages)
        given = {"file": SimpleUploadedFile("x.pdf", pdf("x"))}
        assert [browser.post(path, given).status_code for path in posts] == [404] * len(posts)
        queue = browser.get("/documents/?show=all")
        assert str(document.pk) not in queue.content.decode()
    assert documents_of(known, client) == before
    assert [known.client().get(path).status_code for path in pages] == [200] * len(pages)


@pytest.mark.security
def test_a_reader_sees_and_sends_nothing(known: KnownPractice, asked: list[str]) -> None:
    client = made_client(known)
    document = read(known, sent(known, client))
    reader = known.client("read_only")
    for path in (
        f"/clients/{client.pk}/documents/", f"/clients/{client.pk}/files/", "/documents/",
        f"/documents/{document.pk}/pages/1.png", f"/documents/{document.pk}/original/",
    ):  # fmt: skip
        assert reader.get(path).status_code == 200, path
    assert 'type="file"' not in reader.get(f"/clients/{client.pk}/documents/").content.decode()
    assert upload(reader, client, ("x.pdf", pdf("x"))).status_code == 403
    for path in ("read-again/", "keep/"):
        assert reader.post(f"/documents/{document.pk}/{path}").status_code == 403
    assert (len(documents_of(known, client)), asked) == (1, [])


# ------------------------------------------------------------------------------------------------ pages and files


def test_a_page_comes_as_a_picture_that_is_asked_for_again_each_time(known: KnownPractice) -> None:
    document = read(known, sent(known, made_client(known)))
    browser = known.client()
    took = []
    for _ in range(3):
        began = time.perf_counter()
        response = browser.get(f"/documents/{document.pk}/pages/1.png")
        took.append(time.perf_counter() - began)
    assert min(took) < 1.5
    picture = Image.open(io.BytesIO(response.content))
    assert (response["Content-Type"], picture.format, picture.size) == ("image/png", "PNG", (1653, 2339))
    assert response["Cache-Control"] == "private, no-cache"
    again = browser.get(f"/documents/{document.pk}/pages/1.png", headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert browser.get(f"/documents/{document.pk}/pages/2.png").status_code == 404
    assert browser.get(f"/documents/{document.pk}/pages/0.png").status_code == 404
    assert browser.get(f"/documents/{uuid4()}/pages/1.png").status_code == 404


@pytest.mark.security
def test_a_kept_picture_is_not_confirmed_to_who_may_not_see_it(known: KnownPractice) -> None:
    document = read(known, sent(known, made_client(known, is_restricted=True)))
    path = f"/documents/{document.pk}/pages/1.png"
    tag = known.client().get(path)["ETag"]
    assert known.client("agent").get(path, headers={"if-none-match": tag}).status_code == 404


def test_pages_are_drawn_a_few_at_a_time(known: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    document = read(known, sent(known, made_client(known)))
    monkeypatch.setattr("clients.documents.picturing.PATIENCE_S", 0.01)
    from clients.documents import picturing

    held = [picturing._room.acquire(timeout=1) for _ in range(picturing.AT_ONCE)]
    try:
        response = known.client().get(f"/documents/{document.pk}/pages/1.png")
        assert (response.status_code, response["Retry-After"]) == (503, "2")
    finally:
        for _ in held:
            picturing._room.release()
    assert known.client().get(f"/documents/{document.pk}/pages/1.png").status_code == 200


def test_nothing_is_shown_or_given_out_before_it_was_looked_at(known: KnownPractice) -> None:
    document = sent(known, made_client(known))
    for path in ("pages/1.png", "original/"):
        assert known.client().get(f"/documents/{document.pk}/{path}").status_code == 404


@pytest.mark.security
def test_an_original_is_saved_and_never_shown_in_place(known: KnownPractice) -> None:
    content = pdf(*INVOICE, "original")
    document = read(known, sent(known, made_client(known), content, 'bill "März".html'))
    response = known.client().get(f"/documents/{document.pk}/original/")
    assert response.content == content
    assert response["Content-Type"] == "application/pdf" and response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"] == ("attachment; filename*=utf-8''bill%20%22M%C3%A4rz%22.html.pdf")
    assert response["Cache-Control"] == "private, no-store"


def test_a_file_that_does_not_open_is_said_so(known: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    client = made_client(known)
    document = read(known, sent(known, client))

    def lost(_: Document) -> bytes:
        raise storing.CannotOpenFile("The file of this document is not there.")

    monkeypatch.setattr(storing, "content_of", lost)
    browser = known.client()
    response = browser.get(f"/documents/{document.pk}/original/", follow=True)
    assert response.redirect_chain == [(f"/clients/{client.pk}/documents/", 302)]
    assert "The file of this document is not there." in response.content.decode()
    assert browser.get(f"/documents/{document.pk}/pages/1.png").status_code == 404


def test_a_document_is_kept_as_a_file_and_put_back(known: KnownPractice) -> None:
    client = made_client(known)
    document = read(known, sent(known, client, name="letter.pdf"))
    browser, path = known.client(), f"/documents/{document.pk}/keep/"
    assert browser.post(path)["Location"] == f"/documents/{document.pk}/"
    files = browser.get(f"/clients/{client.pk}/files/")
    assert [row.document.name for row in files.context["rows"]] == ["letter.pdf"]
    assert browser.get(f"/clients/{client.pk}/documents/?show=open").context["count"] == 0
    browser.post(path, {"back": "1"})
    assert documents_of(known, client)[0].status == "review"
    browser.post(path, {"back": "1"})  # a second time it is where it is
    assert documents_of(known, client)[0].status == "review"


def test_what_was_not_read_goes_back_there_and_is_read_again(known: KnownPractice, asked: list[str]) -> None:
    client = made_client(known)
    document = read(known, sent(known, client, b"%PDF-1.7 and nothing"))
    browser = known.client()
    browser.post(f"/documents/{document.pk}/keep/")
    browser.post(f"/documents/{document.pk}/keep/", {"back": "1"})
    (found,) = documents_of(known, client)
    assert (found.status, found.problem) == (
        "unreadable", "The PDF is damaged. Save it again from the program that made it."
    )  # fmt: skip
    browser.post(f"/documents/{document.pk}/read-again/")
    (found,) = documents_of(known, client)
    assert (found.status, found.problem, asked) == ("waiting", "", [str(document.pk)])


# ------------------------------------------------------------------------------------------------ the queue


@pytest.fixture(scope="module")
def mixed(known: KnownPractice, django_db_blocker: Any) -> Client:
    """A client with one document of each state, and two to review."""
    with django_db_blocker.unblock():
        client = made_client(known, "Mixed")
        with in_practice(known.practice, known.users["staff"].pk):
            user = known.users["staff"]
            for number, (status, kind, cents, failing) in enumerate(
                [
                    ("waiting", "", None, 0), ("reading", "", None, 0), ("review", "invoice", 11000, 0),
                    ("review", "receipt", -2550, 3), ("approved", "invoice", 5, 0), ("kept", "", None, 0),
                    ("unreadable", "", None, 0), ("unsafe", "", None, 0),
                ]
            ):  # fmt: skip
                Document.objects.create(
                    client=client, by=user, name=f"{number}.pdf", media_type="application/pdf", size=1,
                    sha256=f"{number:064}", sent_key=f"{client.pk}:{number:064}", came_by="upload", status=status,
                    kind=kind, total_cents=cents, failing=failing, problem="Why." if status == "unreadable" else "",
                    page_count=4 if status == "reading" else None, pages_done=2 if status == "reading" else 0,
                )  # fmt: skip
        return client


def test_the_queue_counts_and_shows_by_state_and_kind(known: KnownPractice, mixed: Client) -> None:
    browser, path = known.client(), f"/clients/{mixed.pk}/documents/"
    page = browser.get(path)
    assert {chip.words: number for chip, number in page.context["chips"]} == {
        "Open": 6, "To review": 2, "Waiting or being read": 2, "Not read": 2, "Approved": 1, "Kept as files": 1,
        "All": 8,
    }  # fmt: skip
    shown = {
        query: sorted(row.document.name for row in browser.get(path + query).context["rows"])
        for query in (
            "?show=review",
            "?show=unread",
            "?show=approved",
            "?kind=receipt",
            "?kind=unknown&show=open",
            "?",
        )
    }
    assert shown == {
        "?show=review": ["2.pdf", "3.pdf"], "?show=unread": ["6.pdf", "7.pdf"], "?show=approved": ["4.pdf"],
        "?kind=receipt": ["3.pdf"], "?kind=unknown&show=open": ["0.pdf", "1.pdf", "6.pdf", "7.pdf"],
        "?": [f"{number}.pdf" for number in range(8)],
    }  # fmt: skip


def test_each_state_is_said_in_words(known: KnownPractice, mixed: Client) -> None:
    page = known.client().get(f"/clients/{mixed.pk}/documents/?sort=name")
    assert [(row.state, row.why, row.total) for row in page.context["rows"]] == [
        ("Waiting to be read", "", ""), ("Being read, page 3 of 4", "", ""), ("Ready to review", "", "110.00"),
        ("3 to settle", "", "−25.50"), ("Approved", "", "0.05"), ("Kept as a file", "", ""),
        ("Not read", "Why.", ""), ("Not safe to open", "", ""),
    ]  # fmt: skip


def test_lists_are_sorted_both_ways_and_what_is_unknown_comes_last(known: KnownPractice, mixed: Client) -> None:
    path = f"/clients/{mixed.pk}/documents/?show=review"
    totals = {
        sort: [row.total for row in known.client().get(f"{path}&sort={sort}").context["rows"]]
        for sort in ("total", "-total")
    }
    assert totals == {"total": ["−25.50", "110.00"], "-total": ["110.00", "−25.50"]}
    both = known.client().get(f"/clients/{mixed.pk}/documents/?sort=-total").context["rows"]
    assert [row.total for row in both][:4] == ["110.00", "0.05", "−25.50", ""]
    for sort in queries.SORTS:
        for sign in ("", "-"):
            page = known.client().get(f"/documents/?client={mixed.pk}&show=all&sort={sign}{sort}")
            heads = page.context["sorts"]
            assert heads[sort]["now"] == ("descending" if sign else "ascending")
            assert len(page.context["rows"]) == 8


def test_a_list_is_fetched_again_only_while_something_is_read(known: KnownPractice, mixed: Client) -> None:
    browser, path = known.client(), f"/clients/{mixed.pk}/documents/"
    page = browser.get(path)
    seen = page.context["seen"]
    assert seen and "every 2s" in page.content.decode()
    same = browser.get(f"{path}?seen={seen}", headers={"hx-request": "true"})
    assert same.status_code == 204
    with in_practice(known.practice, known.users["staff"].pk):
        Document.objects.filter(client=mixed, status="reading").update(pages_done=3)
    other = browser.get(f"{path}?seen={seen}", headers={"hx-request": "true"})
    assert other.status_code == 200 and other.content.decode().startswith('<section id="documents-now"')
    at_rest = browser.get(f"{path}?show=approved").content.decode()
    assert "every 2s" not in at_rest and "documents-changed from:body" in at_rest
    assert page["Vary"] == "HX-Request, Cookie" or "HX-Request" in page["Vary"]


def test_what_an_address_does_not_know_counts_as_not_said() -> None:
    wanted = Filter.of({"show": "x", "kind": "x", "client": "x", "sort": "x", "page": "0"})
    assert wanted == Filter()
    assert wanted.address() == "?" and wanted.address(page=2) == "?page=2"


def test_the_queue_of_one_client_offers_its_place_to_send_to(known: KnownPractice, settings: Any) -> None:
    settings.ASAT_DROP_DIRECTORY = "/drop"
    client = made_client(known, "Picked")
    queue = known.client().get("/documents/").content.decode()
    assert 'type="file"' not in queue and "Whose are they?" in queue
    looked = known.client().get("/documents/?client_q=picked").content.decode()
    assert f'<a href="?client={client.pk}">Picked</a>' in looked
    assert "No client is like that." in known.client().get("/documents/?client_q=no+such").content.decode()
    picked = known.client().get(f"/documents/?client={client.pk}").content.decode()
    assert f'action="/clients/{client.pk}/documents/upload/"' in picked
    assert f"/drop/{known.host}/{client.pk}/" in picked
    assert known.client().get("/documents/?client=" + str(uuid4())).status_code == 404


@pytest.fixture(scope="module")
def large(services: Any, django_db_blocker: Any) -> Iterator[KnownPractice]:
    """A practice of 500 clients with 5,000 documents, some of restricted clients."""
    with django_db_blocker.unblock():
        known = make_throwaway("Large")
        with in_practice(known.practice, known.users["owner"].pk):
            clients = [Client(name=f"Client {number}") for number in range(500)]
            for client in clients:
                client.refold()
            Client.objects.bulk_create(clients)
            statuses = ("review", "approved", "approved", "kept", "unreadable")
            Document.objects.bulk_create(
                (
                    Document(
                        client=clients[number % 500], by=known.users["staff"], name=f"{number}.pdf", size=1,
                        media_type="application/pdf", sha256=f"{number:064}", came_by="upload",
                        sent_key=f"{clients[number % 500].pk}:{number:064}", status=statuses[number % 5],
                        kind=("invoice", "receipt", "")[number % 3], supplier=f"Supplier {number % 90}",
                        total_cents=number, reading={"kind": "invoice", "fields": ["x" * 60] * 40},
                    )
                    for number in range(5000)
                ),
                batch_size=500,
            )  # fmt: skip
        with in_practice(known.practice, using="owner"), connections["owner"].cursor() as cursor:
            cursor.execute("ANALYZE clients_document, clients_client")
        yield known


def test_a_queue_of_5_000_documents_comes_within_300_ms(large: KnownPractice) -> None:
    browser, slow = large.client(), {}
    for query in ("", "?show=all", "?show=all&sort=client", "?show=all&sort=-total&page=90", "?kind=receipt"):
        took = []
        for _ in range(7):
            began = time.perf_counter()
            assert browser.get(f"/documents/{query}").status_code == 200
            took.append((time.perf_counter() - began) * 1000)
        if sorted(took)[-2] > 300:
            slow[query] = round(sorted(took)[-2])
    assert slow == {}


def test_a_list_takes_three_statements_however_long_it_is(large: KnownPractice) -> None:
    said: list[str] = []

    def note(execute: Any, sql: str, *given: Any) -> Any:
        said.append(sql)
        return execute(sql, *given)

    with in_practice(large.practice, large.users["staff"].pk), connection.execute_wrapper(note):
        queries.page_of(Filter(show="all"))
        queries.counts(Filter())
    assert len(said) == 3 and not any('"reading"' in each for each in said)


def test_reading_is_told_apart_from_kept(known: KnownPractice) -> None:
    document = sent(known, made_client(known))
    user = known.users["staff"]
    with in_practice(known.practice, user.pk):
        assert not reading.keep_as_file(user, document) and not reading.read_again(user, document)
        assert not reading.back_to_queue(user, document)
