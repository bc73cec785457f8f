"""Files taken from the drop folder: by whom they are seen then, where they are moved, and what is left alone."""

from __future__ import annotations

import errno
import os
import time
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, InternalError, connection, connections

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice, make_throwaway
from clients.documents import collecting, tasks
from clients.documents.taking import MOST_BYTES, Taken
from clients.models import Client, Document
from clients.tests.integration.document_setup import made_client, pdf


@pytest.fixture(scope="module")
def known(services: Any, django_db_blocker: Any) -> KnownPractice:
    """One practice for all of these; each test has a client and a drop folder of its own."""
    with django_db_blocker.unblock():
        return make_throwaway("Dropping")


@pytest.fixture
def client(known: KnownPractice) -> Client:
    return made_client(known, is_restricted=True)


@pytest.fixture
def folder(known: KnownPractice, client: Client, tmp_path: Path) -> Path:
    made = tmp_path / known.host / str(client.pk)
    made.mkdir(parents=True)
    return made


def collect(folder: Path, later_s: float = 11.0) -> tuple[int, int, int, int]:
    """(new, there already, refused, strange) of a look so much later."""
    done = collecting.collect(str(folder.parents[1]), time.time() + later_s)
    assert done is not None
    return done.new, done.there, done.refused, done.strange


def names(folder: Path) -> list[str]:
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if not each.is_dir())


def documents(known: KnownPractice, client: Client) -> list[Document]:
    with in_practice(known.practice), as_keeper():
        return list(Document.objects.filter(client=client).order_by("at"))


def test_a_file_is_taken_when_it_is_whole_and_moved_aside(known: KnownPractice, client: Client, folder: Path) -> None:
    (folder / "bill.pdf").write_bytes(pdf("bill"))
    assert collect(folder, later_s=9) == (0, 0, 0, 0)
    assert collect(folder) == (1, 0, 0, 0)
    assert names(folder) == ["taken/bill.pdf"]
    (document,) = documents(known, client)
    assert (document.name, document.came_by, document.by_id, document.status) == (
        "bill.pdf", "folder", None, "waiting"
    )  # fmt: skip
    assert collect(folder) == (0, 0, 0, 0)


@pytest.mark.security
def test_what_comes_for_a_restricted_client_is_seen_by_those_assigned(
    known: KnownPractice, client: Client, folder: Path
) -> None:
    (folder / "bill.pdf").write_bytes(pdf("quiet"))
    collect(folder)
    counts = {}
    for role in ("staff", "agent", "owner"):
        with in_practice(known.practice, known.users[role].pk):
            counts[role] = Document.objects.filter(client=client).count()
    assert counts == {"staff": 1, "agent": 0, "owner": 0}


def test_the_same_file_again_is_there_already_and_overwrites_nothing(
    known: KnownPractice, client: Client, folder: Path
) -> None:
    content = pdf("again")
    for _ in range(3):
        (folder / "bill.pdf").write_bytes(content)
        collect(folder)
    assert names(folder) == ["taken/bill 2.pdf", "taken/bill 3.pdf", "taken/bill.pdf"]
    assert len(documents(known, client)) == 1


def test_what_is_refused_lies_beside_a_sentence(known: KnownPractice, client: Client, folder: Path) -> None:
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "page.pdf").write_bytes(b"<html>")
    with (folder / "large.pdf").open("wb") as large:
        large.truncate(MOST_BYTES + 1)
    assert collect(folder) == (0, 0, 3, 0)
    assert names(folder) == [
        f"refused/{name}.pdf{ending}" for name in ("empty", "large", "page") for ending in ("", ".txt")
    ]
    told = {each.name: each.read_text() for each in (folder / "refused").glob("*.txt")}
    assert told["empty.pdf.txt"] == "empty.pdf: The file is empty.\n"
    assert told["large.pdf.txt"].startswith("large.pdf: The file has more than 50 MB")
    assert told["page.pdf.txt"].startswith("page.pdf: The file is of no kind that is known.")
    assert documents(known, client) == []


def mail(*attached: tuple[str, bytes]) -> bytes:
    message = EmailMessage()
    message.set_content("See attached.")
    for name, content in attached:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def test_a_mail_gives_up_its_attachments(known: KnownPractice, client: Client, folder: Path) -> None:
    (folder / "two.EML").write_bytes(mail(("one.pdf", pdf("one")), ("two.zip", b"PK\x03\x04" + b"\0" * 60)))
    (folder / "none.eml").write_bytes(mail())
    assert collect(folder) == (1, 0, 2, 0)
    assert names(folder) == ["refused/none.eml", "refused/none.eml.txt", "taken/two.EML", "taken/two.EML.txt"]
    assert (folder / "refused/none.eml.txt").read_text() == "none.eml: The e-mail has no attachment.\n"
    assert (folder / "taken/two.EML.txt").read_text().startswith("two.zip: The file is ZIP.")
    assert [each.name for each in documents(known, client)] == ["one.pdf"]


@pytest.mark.security
def test_no_link_is_followed_at_any_step(
    known: KnownPractice, client: Client, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.pdf").write_bytes(pdf("secret"))
    other = made_client(known, "Other")
    (folder / "link.pdf").symlink_to(outside / "secret.pdf")
    (folder.parent / str(other.pk)).symlink_to(outside)
    (folder.parents[1] / "linked.localhost").symlink_to(outside)
    os.mkfifo(folder / "pipe.pdf")
    assert collect(folder) == (0, 0, 2, 0)
    assert names(outside) == ["secret.pdf"]
    assert names(folder) == [
        "refused/link.pdf", "refused/link.pdf.txt", "refused/pipe.pdf", "refused/pipe.pdf.txt"
    ]  # fmt: skip
    assert (folder / "refused/link.pdf").is_symlink()
    assert documents(known, client) == documents(known, other) == []


@pytest.mark.security
def test_a_link_in_place_of_taken_is_written_through_by_nobody(
    known: KnownPractice, client: Client, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (folder / "taken").symlink_to(outside)
    (folder / "bill.pdf").write_bytes(pdf("bill"))
    collect(folder)
    assert names(outside) == [] and (folder / "bill.pdf").exists()
    assert documents(known, client) == []


def test_folders_that_name_nobody_and_what_is_hidden_are_left_alone(
    known: KnownPractice, other_practice: KnownPractice, client: Client, folder: Path
) -> None:
    root = folder.parents[1]
    strange = [
        root / "nobody.localhost" / str(client.pk), folder.parent / str(uuid4()), folder.parent / "Quiet Holdings",
        root / other_practice.host / str(client.pk),
    ]  # fmt: skip
    for each in strange:
        each.mkdir(parents=True)
        (each / "bill.pdf").write_bytes(pdf("strange"))
    (folder / ".bill.pdf.part").write_bytes(pdf("half"))
    (folder / "deeper").mkdir()
    (folder / "deeper" / "bill.pdf").write_bytes(pdf("deeper"))
    assert collect(folder) == (0, 0, 0, 4)
    assert [names(each) for each in strange] == [["bill.pdf"]] * 4
    assert names(folder) == [".bill.pdf.part", "deeper/bill.pdf"]
    assert documents(known, client) == []


def test_a_name_of_no_letters_that_are_known_is_taken(known: KnownPractice, client: Client, folder: Path) -> None:
    with open(os.path.join(os.fsencode(folder), b"b\xff\nill.pdf"), "wb") as file:
        file.write(pdf("named"))
    assert collect(folder) == (1, 0, 0, 0)
    assert [each.name for each in documents(known, client)] == ["b ill.pdf"]


# ------------------------------------------------------------------------------------------------ what fails


@pytest.fixture
def two(known: KnownPractice, tmp_path: Path) -> list[tuple[Client, Path]]:
    """Two clients with a folder each, in the order in which they are looked at."""
    clients = sorted((made_client(known) for _ in range(2)), key=lambda each: str(each.pk))
    folders = [tmp_path / known.host / str(each.pk) for each in clients]
    for each in folders:
        each.mkdir(parents=True)
    return list(zip(clients, folders, strict=True))


def test_what_cannot_be_moved_aside_is_not_taken_and_starves_nobody(
    known: KnownPractice, two: list[tuple[Client, Path]], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    (stuck, in_the_way), (other, folder) = two
    monkeypatch.setattr(collecting, "MOST_AT_ONCE", 1)
    (in_the_way / "refused").write_bytes(b"a file in place of the folder")
    for name in ("one.pdf", "two.pdf"):
        (in_the_way / name).write_bytes(pdf(name))
    for name in ("three.pdf", "four.pdf"):
        (folder / name).write_bytes(pdf(name))
        assert collect(folder) == (1, 0, 0, 0)
    assert documents(known, stuck) == []
    assert [each.name for each in documents(known, other)] == ["three.pdf", "four.pdf"]
    assert names(in_the_way) == ["one.pdf", "refused", "two.pdf"]
    assert caplog.messages == ["3 files of one folder were not taken: they could not be moved aside"] * 2


def test_a_file_of_anothers_in_a_sticky_folder_is_not_taken(
    known: KnownPractice, client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "bill.pdf").write_bytes(pdf("bill"))
    folder.chmod(0o1777)
    with monkeypatch.context() as as_another:
        as_another.setattr(os, "geteuid", lambda: os.getuid() + 54321)
        assert collect(folder) == (0, 0, 0, 0)
    assert documents(known, client) == []
    assert collect(folder) == (1, 0, 0, 0)


def test_of_a_folder_where_moving_fails_after_all_one_file_is_taken_at_a_look(
    known: KnownPractice, two: list[tuple[Client, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (full, on_a_full_disk), (other, folder) = two
    monkeypatch.setattr(collecting, "MOST_AT_ONCE", 1)
    is_full = os.stat(on_a_full_disk).st_ino
    honest = collecting._move

    def move(within: int, name: str, outcomes: list[Taken]) -> None:
        if os.fstat(within).st_ino == is_full:
            raise OSError(errno.ENOSPC, "no space")
        honest(within, name, outcomes)

    monkeypatch.setattr(collecting, "_move", move)
    for name in ("one.pdf", "two.pdf"):
        (on_a_full_disk / name).write_bytes(pdf(name))
    for name in ("three.pdf", "four.pdf"):
        (folder / name).write_bytes(pdf(name))
        assert collect(folder) == (1, 0, 0, 0)
    assert [each.name for each in documents(known, full)] == ["one.pdf"]
    assert [each.name for each in documents(known, other)] == ["three.pdf", "four.pdf"]


@pytest.mark.parametrize("error", [InternalError("broken"), UnicodeError("broken"), LookupError("broken")])
def test_a_file_that_fails_is_left_and_the_others_are_taken(
    known: KnownPractice, client: Client, folder: Path, error: Exception, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    honest = collecting.taking.take

    def take(user: None, of: Client, name: str, content: bytes, came_by: str) -> Taken:
        if name == "bad.pdf":
            raise error
        return honest(user, of, name, content, came_by)

    monkeypatch.setattr(collecting.taking, "take", take)
    for name in ("a.pdf", "bad.pdf", "c.pdf"):
        (folder / name).write_bytes(pdf(name))
    assert collect(folder) == (2, 0, 0, 0)
    assert names(folder) == ["bad.pdf", "taken/a.pdf", "taken/c.pdf"]
    assert caplog.messages == [f"a file of the drop folder was left where it is: {type(error).__name__}"]


def test_folders_that_fail_are_left_and_the_others_are_looked_at(
    known: KnownPractice, two: list[tuple[Client, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (failing, first), (other, folder) = two
    honest = collecting.client_of

    def client_of(client_id: Any) -> Client | None:
        if client_id == failing.pk:
            raise InternalError("broken")
        return honest(client_id)

    monkeypatch.setattr(collecting, "client_of", client_of)
    for name in (b"\x01\xff.localhost", b"\xff.localhost"):  # before and behind the practice's
        os.mkdir(os.path.join(os.fsencode(folder.parents[1]), name))
    for name in (b"\x01\xff", b"\xff"):
        os.mkdir(os.path.join(os.fsencode(folder.parent), name))
    for each in (first, folder):
        (each / "bill.pdf").write_bytes(pdf("bill"))
    assert collect(folder) == (1, 0, 0, 4)
    assert documents(known, failing) == []
    assert [each.name for each in documents(known, other)] == ["bill.pdf"]


def test_a_look_ends_when_its_time_is_up_or_the_database_is_gone(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def time_is_up(*given: Any) -> Taken:
        asked.append(given[2])
        raise SoftTimeLimitExceeded

    def database_is_gone(*given: Any) -> Taken:
        asked.append(given[2])
        connection.connection.close()
        return honest(*given)

    honest = collecting.taking.take
    for name in ("one.pdf", "two.pdf"):
        (folder / name).write_bytes(pdf(name))
    monkeypatch.setattr(collecting.taking, "take", time_is_up)
    with pytest.raises(SoftTimeLimitExceeded):
        collect(folder)
    monkeypatch.setattr(collecting.taking, "take", database_is_gone)
    with pytest.raises(DatabaseError):
        collect(folder)
    assert asked == ["one.pdf", "one.pdf"]


def test_the_longest_names_are_numbered_within_what_a_disk_takes(
    known: KnownPractice, client: Client, folder: Path
) -> None:
    long, bad = f"{'é' * 125}.pdf", f"{'é' * 124}e.pdf"
    for number in range(2):
        (folder / long).write_bytes(pdf(f"long {number}"))
        (folder / bad).write_bytes(b"<html>")
        assert collect(folder) == (1, 0, 1, 0)
    assert names(folder) == [
        f"refused/{'é' * 100} 2.pdf", f"refused/{'é' * 100} 2.pdf.txt",
        f"refused/{'é' * 120}.txt", f"refused/{bad}",
        f"taken/{'é' * 100} 2.pdf", f"taken/{long}",
    ]  # fmt: skip
    assert len(documents(known, client)) == 2


def test_a_reason_is_written_over_no_file(client: Client, folder: Path) -> None:
    (folder / "a.pdf.txt").write_bytes(b"a note")
    assert collect(folder) == (0, 0, 1, 0)
    (folder / "a.pdf").write_bytes(b"")
    assert collect(folder) == (0, 0, 1, 0)
    assert names(folder) == ["refused/a.pdf", "refused/a.pdf 2.txt", "refused/a.pdf.txt", "refused/a.pdf.txt.txt"]
    assert (folder / "refused/a.pdf.txt").read_bytes() == b"a note"
    assert (folder / "refused/a.pdf 2.txt").read_text() == "a.pdf: The file is empty.\n"


# ------------------------------------------------------------------------------------------------ by whom


def test_one_looks_at_a_time(folder: Path) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [collecting.LOCK])
        try:
            assert collecting.collect(str(folder.parents[1]), time.time()) is None
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [collecting.LOCK])


def test_the_command_says_how_many(
    known: KnownPractice, folder: Path, settings: Any, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    with pytest.raises(CommandError, match="ASAT_DROP_DIRECTORY is not set"):
        call_command("documents", "collect")
    settings.ASAT_DROP_DIRECTORY = str(folder.parents[1])
    monkeypatch.setattr(collecting, "STABLE_S", -1.0)
    (folder / "bill.pdf").write_bytes(pdf("by command"))
    (folder.parent / "nobody").mkdir()
    call_command("documents", "collect")
    assert capsys.readouterr().out == (
        "1 new, 0 there already, 0 refused.\nFolders that name no practice or no client, and are left alone: 1.\n"
    )
    (folder / "refused").write_bytes(b"in the way")
    call_command("documents", "collect")
    assert capsys.readouterr().out.endswith(
        "\nFiles that are not taken, as they cannot be moved to taken/ or refused/: 1.\n"
    )
    settings.ASAT_DROP_DIRECTORY = str(folder / "nowhere")
    with pytest.raises(CommandError, match="The drop folder cannot be read: FileNotFoundError"):
        call_command("documents", "collect")


def test_a_worker_takes_them_and_names_none_in_its_log(
    known: KnownPractice, client: Client, folder: Path, settings: Any, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    caplog.set_level("INFO")
    tasks.collect_documents()
    settings.ASAT_DROP_DIRECTORY = str(folder.parents[1])
    monkeypatch.setattr(collecting, "STABLE_S", -1.0)
    (folder / "Quiet bill.pdf").write_bytes(pdf("by worker"))
    tasks.collect_documents()
    assert [each.name for each in documents(known, client)] == ["Quiet bill.pdf"]
    assert "from the drop folder: 1 new, 0 there already, 0 refused" in caplog.text
    assert "Quiet" not in caplog.text and str(client.pk) not in caplog.text
    settings.ASAT_DROP_DIRECTORY = "/nowhere/at/all"
    tasks.collect_documents()
    assert "the drop folder cannot be read: FileNotFoundError" in caplog.text
