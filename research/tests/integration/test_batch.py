"""A spreadsheet of questions as its pages serve it: taken, followed, stopped, kept apart, and given back."""

from __future__ import annotations

import csv
import html
import io
import logging
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pymupdf
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import ProgrammingError, transaction
from django.test import Client
from django.utils import timezone
from openpyxl import Workbook

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice, make_throwaway
from research import queries_batch, services, services_batch, tasks, tasks_batch
from research.models import AuditRow, Batch, Question

HTMX = {"HX-Request": "true"}
PILOT = "Can a harbour pilot deduct travel between two ports?"
REFUSED = "How much stamp duty is there on a house in Victoria?"
TWO_YEARS = "Was travel deductible in FY2019 or in FY2022?"
SHEET = (
    "Question;Income year;Reference\r\n"
    f"{PILOT};FY2020;=A-1\r\n"
    f"{REFUSED};;B “½” – 2\r\n"
    "Are gifts deductible?;soon;C-3\r\n"
    "\r\n"
    f"{TWO_YEARS};2021;\r\n"
)


@pytest.fixture(scope="module")
def ours(services: Any, law: str, django_db_blocker: Any) -> Iterator[KnownPractice]:
    """A practice of this module's own: its audit rows can never be removed."""
    with django_db_blocker.unblock():
        yield make_throwaway("Batchers")


@pytest.fixture(scope="module")
def others(services: Any, law: str, django_db_blocker: Any) -> Iterator[KnownPractice]:
    with django_db_blocker.unblock():
        yield make_throwaway("Strangers")


@pytest.fixture(autouse=True)
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """No worker takes what is asked here: the tests answer it themselves. What was enqueued."""
    taken: list[Question] = []
    monkeypatch.setattr(tasks, "enqueue", lambda question: taken.append(question) or True)
    return taken


@pytest.fixture
def browser(ours: KnownPractice) -> Client:
    return ours.client("agent")


def upload(browser: Client, content: bytes, name: str = "questions.csv") -> Any:
    return browser.post("/batch/upload/", {"file": SimpleUploadedFile(name, content)})


def uploaded(browser: Client, text: str = SHEET) -> str:
    """The address of a new batch."""
    response = upload(browser, text.encode())
    assert response.status_code == 302, response.content.decode()
    return str(response["Location"])


def page_of(browser: Client, address: str, status: int = 200, **extra: Any) -> str:
    response = browser.get(address, **extra)
    assert response.status_code == status, address
    return html.unescape(response.content.decode())


def questions(ours: KnownPractice, address: str) -> list[Question]:
    with in_practice(ours.practice):
        return list(Question.objects.filter(batch_id=batch_id(address)).order_by("line").select_related("answer"))


def batch_id(address: str) -> UUID:
    return UUID(address.strip("/").split("/")[-1])


def answer(ours: KnownPractice, address: str, most: int = 500) -> None:
    """Run what waits, as a worker would."""
    for question in questions(ours, address)[:most]:
        with in_practice(ours.practice):
            claimed = services.claim(question.pk, timezone.now())
            if claimed is not None:
                services.run(claimed)


def rows_of(browser: Client, address: str) -> list[dict[str, str]]:
    content = browser.get(f"{address}workpaper.csv").content
    assert content.startswith(b"\xef\xbb\xbf") and content.endswith(b"\r\n")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def pdf_text(content: bytes) -> str:
    with pymupdf.open(stream=content, filetype="pdf") as document:
        return " ".join(" ".join(page.get_text().split()) for page in document)


def test_each_line_becomes_a_question_and_the_others_say_why_not(
    ours: KnownPractice, browser: Client, enqueued: list[Question]
) -> None:
    address = uploaded(browser)
    asked = questions(ours, address)
    assert [(each.line, each.text, each.year_field) for each in asked] == [
        (2, PILOT, 2020),
        (3, REFUSED, None),
        (6, TWO_YEARS, 2021),
    ]
    assert [each.pk for each in enqueued] == [each.pk for each in asked]
    with in_practice(ours.practice):
        batch = Batch.objects.get(pk=batch_id(address))
    assert (batch.filename, batch.lines) == ("questions.csv", 4)
    assert batch.refused == [
        {
            "line": 4,
            "why": "The income year is “soon”. Give the year it ends in, such as FY2015, or both, such as 2014-15.",
        }
    ]
    assert batch.references == {"2": "=A-1", "3": "B “½” – 2", "4": "C-3"}
    page = page_of(browser, address)
    assert "<b>0 of 3</b> done" in page
    assert batch.refused[0]["why"] in page
    assert "income years from “Income year”" in page


def test_a_workbook_is_taken_whatever_its_name_says(ours: KnownPractice, browser: Client) -> None:
    book = Workbook()
    book.active.append(["FY", "Question"])
    book.active.append([2020, PILOT])
    written = io.BytesIO()
    book.save(written)
    address = upload(browser, written.getvalue(), "C:\\files\\ask\x00 me.csv")["Location"]
    assert [(each.line, each.text, each.year_field) for each in questions(ours, address)] == [(2, PILOT, 2020)]
    with in_practice(ours.practice):
        assert Batch.objects.get(pk=batch_id(address)).filename == "ask me.csv"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7", "The file is a PDF."),
        (b"question,FY\n", "The file holds no question."),
        (b"question\n" + b"Is it?\n" * 501, "The file holds 501 lines; AsAt takes up to 500 at once."),
        (b"question\n" + b"x" * (2 * 1024 * 1024), "The file is larger than 2 MB."),
        (b"x" * (6 * 1024 * 1024), "The file is larger than 2 MB."),
    ],
)
def test_a_file_that_cannot_be_taken_comes_back_with_the_reason_and_leaves_nothing(
    ours: KnownPractice, browser: Client, enqueued: list[Question], content: bytes, said: str
) -> None:
    with in_practice(ours.practice):
        before = Batch.objects.count(), Question.objects.count()
    response = upload(browser, content)
    assert response.status_code == 422
    assert said in html.unescape(response.content.decode())
    with in_practice(ours.practice):
        assert (Batch.objects.count(), Question.objects.count()) == before
    assert enqueued == []


def test_no_file_and_two_files_are_refused(browser: Client) -> None:
    response = browser.post("/batch/upload/", {})
    assert response.status_code == 422
    assert "No file was chosen." in response.content.decode()
    two = {"file": SimpleUploadedFile("a.csv", b"question\nQ?"), "more": SimpleUploadedFile("b.csv", b"question\nQ?")}
    assert browser.post("/batch/upload/", two).status_code == 400


def test_too_many_questions_of_spreadsheets_wait_for_no_further_one(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploaded(browser)
    monkeypatch.setattr(services_batch, "MOST_WAITING", 1)
    response = upload(browser, SHEET.encode())
    assert response.status_code == 422
    assert "of this practice’s spreadsheets wait already" in response.content.decode()


def test_a_file_that_would_go_beyond_what_may_wait_is_not_taken(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_batch.queries_batch, "waiting_count", lambda: 1_499)
    content = b"question\nAre dues deductible?\nAre meals deductible?\n"
    response = upload(browser, content)
    assert response.status_code == 422
    assert "1,499 questions of this practice’s spreadsheets wait already, and the file holds 2 more" in (
        response.content.decode()
    )
    monkeypatch.setattr(services_batch.queries_batch, "waiting_count", lambda: 1_498)
    assert upload(browser, content).status_code == 302


def test_a_broker_out_of_reach_is_asked_once(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Question] = []
    monkeypatch.setattr(tasks, "enqueue", lambda question: tried.append(question))
    uploaded(browser)
    assert len(tried) == 1


def test_progress_is_followed_and_then_still(ours: KnownPractice, browser: Client) -> None:
    address = uploaded(browser)
    part = page_of(browser, f"{address}?seen=x", headers=HTMX)
    assert part.startswith('<section id="batch-now"') and f'hx-get="{address}?seen=0&show=&after=0"' in part
    assert browser.get(f"{address}?seen=0", headers=HTMX).status_code == 204
    answer(ours, address, 1)
    part = page_of(browser, f"{address}?seen=0", headers=HTMX)
    assert "<b>1 of 3</b> done" in part and "Not finished: a workpaper made now holds what is done" in part
    answer(ours, address)
    part = page_of(browser, f"{address}?seen=1", headers=HTMX)
    assert "<b>3 of 3</b> done" in part and "hx-get" not in part and "Stop the rest" not in part
    with in_practice(ours.practice):
        tally = queries_batch.tally(Batch.objects.get(pk=batch_id(address)))
    assert tally == {"answered": 1, "refused": 1, "ambiguous": 1, "failed": 0, "stopped": 0, "waiting": 0}
    for show, line in (("answered", 2), ("refused", 3), ("ambiguous", 6)):
        page = page_of(browser, f"{address}?show={show}")
        assert [number for number in (2, 3, 6) if f'id="q-{number}"' in page] == [line]
    assert "No line has this outcome." in page_of(browser, f"{address}?show=failed")
    for odd in ("?show=%00", "?after=-1", "?after=99999999999999999999", "?after=²"):
        assert "<b>3 of 3</b> done" in page_of(browser, f"{address}{odd}")


def test_a_long_spreadsheet_is_shown_some_lines_at_a_time(ours: KnownPractice, browser: Client) -> None:
    address = uploaded(browser, "question\n" + "".join(f"What is section {n}?\n" for n in range(1, 131)))
    page = page_of(browser, address)
    assert (page.count("data-row"), 'id="q-101"' in page, "?show=&after=101" in page) == (100, True, True)
    assert len(page.encode()) < 150_000
    assert page_of(browser, f"{address}?after=101").count("data-row") == 30


def test_the_rest_is_stopped_and_what_is_answered_stays(ours: KnownPractice, browser: Client) -> None:
    address = uploaded(browser)
    answer(ours, address, 1)
    assert browser.post(f"{address}stop/")["Location"] == address
    page = page_of(browser, address)
    assert "The rest is being stopped." in page and "Stop the rest" not in page
    with in_practice(ours.practice):
        rows = AuditRow.objects.count()
    answer(ours, address)
    first, *rest = questions(ours, address)
    assert first.answer.decision == "answer"
    assert [each.answer.reason for each in rest] == ["stopped", "stopped"]
    with in_practice(ours.practice):
        assert AuditRow.objects.count() == rows + 2
    assert browser.post(f"{address}stop/").status_code == 302
    assert "Stopped <b>2</b>" in page_of(browser, address)


def test_the_csv_holds_every_line_as_it_was_recorded(ours: KnownPractice, browser: Client) -> None:
    address = uploaded(browser)
    answer(ours, address)
    second, third, fourth, sixth = rows_of(browser, address)
    recorded = questions(ours, address)[0].answer
    assert (second["Line"], second["Reference"], second["Question"]) == ("2", "'=A-1", PILOT)
    assert (second["Income year"], second["Decision"]) == ("FY2020", "Answered")
    quote = recorded.outcome["claims"][0]["citations"][0]["quote"]
    assert quote in second["Quotes"] and "Harbour Dues (Fictional) Act 1999 s 5-10" in second["Quotes"]
    assert second["In force"].startswith("HDFA99 s 5-10: In force")
    assert second["Confidence"] == f"{recorded.outcome['confidence']:.2f}"
    assert second["Answered by"] == "Quoted words only, no model"
    assert second["Snapshot"] == recorded.snapshot_id
    with in_practice(ours.practice):
        assert second["Audit row"] == str(AuditRow.objects.get(question_id=questions(ours, address)[0].pk).number)
    assert (third["Reference"], third["Answer"]) == ("B “½” – 2", "")
    assert third["Decision"].startswith("Not answered: ") and third["Next step"]
    assert (fourth["Line"], fourth["Reference"], fourth["Decision"]) == ("4", "C-3", "Not asked")
    assert fourth["Reason"].startswith("The income year is “soon”.")
    assert sixth["Answer"] == "It could be: FY2019\nIt could be: FY2022"


def test_a_workpaper_made_too_early_says_so(ours: KnownPractice, browser: Client) -> None:
    address = uploaded(browser)
    answer(ours, address, 1)
    response = browser.get(f"{address}workpaper.csv")
    assert response["Content-Disposition"].endswith('-unfinished.csv"')
    *_, last = rows_of(browser, address)
    assert last["Reason"].startswith("Not finished: 2 of 3 questions had no answer yet when this was made")
    assert "Not finished: 2 of 3 questions" in pdf_text(browser.get(f"{address}workpaper.pdf").content)


def test_the_pdf_holds_every_answer_in_words_that_can_be_selected(ours: KnownPractice, browser: Client) -> None:
    address = uploaded(browser)
    answer(ours, address)
    response = browser.get(f"{address}workpaper.pdf")
    assert response["Content-Type"] == "application/pdf"
    text = pdf_text(response.content)
    recorded = questions(ours, address)[0].answer
    for words in (
        ours.practice.name,
        "questions.csv",
        PILOT,
        "Reference B “½” – 2",
        " ".join(recorded.outcome["claims"][0]["citations"][0]["quote"].split()),
        "Harbour Dues (Fictional) Act 1999 s 5-10 (Travel between ports)",
        "FY2020, because the year field says so",
        "The income year is “soon”.",
        "Not tax advice: a registered tax agent reviews every output.",
        "is fictional: written to show how AsAt works",
        "Page 1 of ",
    ):
        assert words in text, words
    with in_practice(ours.practice):
        assert AuditRow.objects.get(question_id=questions(ours, address)[0].pk).digest in text.replace(" ", "")


def test_a_long_workpaper_is_made_by_a_worker_and_kept_sealed(
    ours: KnownPractice, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = uploaded(browser)
    answer(ours, address)
    monkeypatch.setattr(tasks_batch, "MOST_AT_ONCE", 2)
    sent: list[tuple[str, str, int]] = []
    monkeypatch.setattr(tasks_batch.make_workpaper, "apply_async", lambda args, **_: sent.append(args))
    assert "is being prepared" in page_of(browser, f"{address}workpaper.pdf", 202)
    assert "is being prepared" in page_of(browser, f"{address}workpaper/3/", headers=HTMX)
    assert sent == [(str(ours.practice.pk), str(batch_id(address)), 3)]
    assert browser.get(f"{address}workpaper/3.pdf")["Location"] == f"{address}workpaper.pdf"
    tasks_batch.make_workpaper(*sent[0])
    with in_practice(ours.practice):
        kept = tasks_batch.cache.get(tasks_batch._key(Batch.objects.get(pk=batch_id(address)), 3))
    assert kept.startswith("1.") and "JVBER" not in kept  # no PDF in base64
    assert "is ready" in page_of(browser, f"{address}workpaper/3/", headers=HTMX)
    for made in (f"{address}workpaper/3.pdf", f"{address}workpaper.pdf"):
        assert PILOT in pdf_text(browser.get(made).content)
    for done in (0, 2, 4, 10**30):
        assert browser.get(f"{address}workpaper/{done}/", headers=HTMX).status_code == 404
    assert browser.get(f"{address}workpaper/{10**30}.pdf").status_code == 302


def test_questions_of_a_spreadsheet_are_read_like_any_other_and_not_among_the_transcript(
    ours: KnownPractice, browser: Client
) -> None:
    address = uploaded(browser)
    answer(ours, address)
    question = questions(ours, address)[0]
    assert PILOT in page_of(browser, f"/questions/{question.pk}/")
    assert str(question.pk) not in page_of(browser, "/")


@pytest.mark.security
def test_a_spreadsheet_is_nobody_elses(ours: KnownPractice, others: KnownPractice, browser: Client) -> None:
    address = uploaded(browser)
    answer(ours, address)
    made = page_of(browser, "/batch/")
    assert address in made
    for stranger in (ours.client("owner"), ours.client("staff"), others.client("agent"), others.client("owner")):
        assert address not in page_of(stranger, "/batch/")
        paths = ("", "workpaper.csv", "workpaper.pdf", "workpaper/3/", "workpaper/3.pdf")
        assert {stranger.get(f"{address}{path}").status_code for path in (paths[0], *paths[1:3], paths[4])} == {404}
        assert stranger.get(f"{address}workpaper/3/", headers=HTMX).status_code == 404
        assert stranger.post(f"{address}stop/").status_code == 404
    with in_practice(others.practice):
        assert Batch.objects.count() == 0
        assert tasks_batch.make_workpaper(str(others.practice.pk), str(batch_id(address)), 3) is None
        assert not Question.objects.filter(batch_id=batch_id(address)).exists()


@pytest.mark.security
def test_a_reader_sends_no_spreadsheet_and_no_batch_is_ever_changed(ours: KnownPractice, browser: Client) -> None:
    address = uploaded(browser)
    reader = ours.client("read_only")
    with in_practice(ours.practice):
        before = Batch.objects.count()
    assert upload(reader, SHEET.encode()).status_code == 403
    assert reader.post(f"{address}stop/").status_code == 403
    assert 'type="file"' not in page_of(reader, "/batch/")
    with in_practice(ours.practice):
        assert Batch.objects.count() == before
        for change in (lambda rows: rows.update(references={}), lambda rows: rows._raw_delete(rows.db)):
            with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
                change(Batch.objects.filter(pk=batch_id(address)))


@pytest.mark.security
def test_nothing_of_a_file_is_logged(browser: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        uploaded(browser, f"question\nSECRETWORD {uuid4()}?\n")
        upload(browser, b"PK\x03\x04SECRETWORD", "SECRETWORD.xlsx")
        upload(browser, b'question,FY\n"SECRETWORD')
    mine = [record for record in caplog.records if record.name.split(".")[0] in ("research", "asat_site", "openpyxl")]
    assert not any("SECRETWORD" in record.getMessage() for record in mine)


def test_the_bound_of_a_file_is_that_of_what_is_read() -> None:
    from research.adapters.spreadsheets import MOST_BYTES

    assert settings.ASAT_MAX_UPLOAD_BYTES == MOST_BYTES
