"""The workpaper: each record as a row that no spreadsheet works out, and as pages whose words are those recorded."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from typing import Any

import pymupdf
import pytest

from research.adapters.workpaper_pdf import Written, as_html, pdf_of
from research.presentation.answer import answer_view
from research.presentation.batch import lines_shown, progress_of
from research.presentation.workpaper import HEAD, NotAsked, Paper, WorkedLine, csv_bytes, guarded
from research.presentation.workpaper_pages import CSS, foot_of, sections_of

pytestmark = pytest.mark.unit

QUOTE = "(1) A fisher’s first office – “½ of it” – is § 7 affiliated:\n(a) in the fjord; and\n(b) 75 × 2 ≥ 3."
CITED = "Harbour Dues (Fictional) Act 1999 s 5-10 (Offices), compilation of 1 July 2018 (FICTIONAL-4)"
COUNTS = {"answered": 1, "refused": 0, "ambiguous": 0, "failed": 0, "stopped": 0, "waiting": 0}
PAPER = Paper(
    practice="Smith & Söhne",
    who="Ann Agent",
    filename="first – questions.csv",
    uploaded="30 November 2026, 10:00 a.m.",
    made="30 November 2026, 10:05 a.m.",
    lines=2,
    counts=COUNTS,
    left=0,
    notes=("Read as UTF-8 text, one cell a line.",),
    not_asked=(NotAsked(3, "=C", "There is no question in this row."),),
)


def citation(quote: str = QUOTE) -> dict[str, Any]:
    return {
        "act": "HDFA99",
        "act_title": "Harbour Dues (Fictional) Act 1999",
        "section": "5-10",
        "schedule": "",
        "heading": "Offices",
        "quote": quote,
        "start_chars": 0,
        "end_chars": len(quote),
        "version_id": 7,
        "compilation_date": "2018-07-01",
        "register_id": "FICTIONAL-4",
        "role": "operative",
        "dating": "inferred",
        "in_force_from": "2018-07-01",
        "in_force_to": "2022-07-02",
        "basis": "",
        "notice": "",
        "pin": "5-10",
    }


def outcome(**changed: Any) -> dict[str, Any]:
    time = {"year": 2020, "source": "field", "window": {"first": "2019-07-01", "last": "2020-06-30"}, "read_from": ""}
    claim = {"kind": "rule", "prose": "HDFA99 s 5-10(1) says:", "citations": [citation()]}
    return {
        "decision": "answer",
        "reason": "verified",
        "question": "Is it <b>so</b>?",
        "time": time,
        "claims": [claim],
        "message": "Answered from the words in force in FY2020.",
        "next_step": "Check the facts.",
        "provider": "extractive",
        "model": "",
        "confidence": 0.968,
        "attribution": "Licence of the Act.",
        "year_because": "FY2020, because the year field says so.",
        **changed,
    }


def worked(recorded: dict[str, Any] | None = None, **changed: Any) -> WorkedLine:
    made = WorkedLine(
        line=2,
        reference="A <1>",
        question="Is it <b>so</b>?",
        answer=answer_view(recorded or outcome()),
        confidence="0.97",
        audit_number=12,
        digest="d" * 64,
        decided="30 November 2026, 10:04 a.m.",
    )
    return replace(made, **changed)


def rows(paper: Paper = PAPER, *lines: WorkedLine) -> list[dict[str, str]]:
    content = csv_bytes(paper, lines or (worked(),))
    assert content.startswith(b"\xef\xbb\xbfLine,Reference,Question,Income year,Decision,")
    assert content.count(b"\r\n") == content.count(b"\r")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def pages(paper: Paper = PAPER, *lines: WorkedLine) -> list[str]:
    sections = [Written(each.title, each.html) for each in sections_of(paper, lines or (worked(),))]
    with pymupdf.open(stream=pdf_of(sections, CSS, foot_of(paper), "Workpaper", paper.practice)) as document:
        return [" ".join(page.get_text().split()) for page in document]


def test_a_row_says_what_was_recorded_in_the_order_of_its_heads() -> None:
    asked, not_asked = rows()
    assert asked == dict(
        zip(
            HEAD,
            (
                *(
                    "2",
                    "A <1>",
                    "Is it <b>so</b>?",
                    "FY2020",
                    "Answered",
                    "Answered from the words in force in FY2020.",
                ),
                *("HDFA99 s 5-10(1): as quoted",),
                f"“{QUOTE}”\n{CITED}",
                "HDFA99 s 5-10: In force at least 1 July 2018 – 1 July 2022 · same words in both compilations",
                *("Check the facts.", "0.97", "Quoted words only, no model", "12", ""),
            ),
            strict=True,
        )
    )
    assert (not_asked["Line"], not_asked["Reference"], not_asked["Decision"]) == ("3", "'=C", "Not asked")


def test_rows_follow_the_lines_of_the_file() -> None:
    told = rows(PAPER, worked(line=2), worked(line=10))
    assert [row["Line"] for row in told] == ["2", "3", "10"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", " =", "\xa0+"])
def test_no_cell_is_worked_out_by_a_spreadsheet(start: str) -> None:
    assert guarded(f"{start}HYPERLINK(1)") == f"'{start}HYPERLINK(1)"
    cells = rows(PAPER, worked(question=f"{start}1", reference=f"{start}2"))[0]
    assert (cells["Question"][:1], cells["Reference"][:1]) == ("'", "'")


def test_other_cells_stay_as_they_are_and_no_cell_is_longer_than_a_spreadsheet_takes() -> None:
    assert guarded("1 = 1") == "1 = 1"
    assert guarded("") == ""
    cut = guarded("=" + "x" * 40_000)
    assert len(cut) == 32_001 and cut.endswith("(cut here; the PDF and the audit row hold the whole)")


def test_an_unfinished_workpaper_says_so_in_its_last_row_and_on_its_first_page() -> None:
    open_still = replace(PAPER, counts={**COUNTS, "waiting": 4}, left=4)
    said = "Not finished: 4 of 5 questions had no answer yet when this was made (30 November 2026, 10:05 a.m.)."
    assert (rows(open_still)[-1]["Decision"], rows(open_still)[-1]["Reason"]) == ("Not finished", said)
    assert said in pages(open_still)[0]
    assert rows()[-1]["Decision"] == "Not asked"


def test_what_was_found_but_is_no_answer_is_marked_as_such() -> None:
    refused = outcome(decision="abstain_thin_evidence", reason="below_bar", message="Not answered: too little.")
    cells = rows(PAPER, worked(refused))[0]
    assert cells["Answer"] == ""
    assert cells["Quotes"].startswith("Found, word for word; not an answer.\n\n“(1) A fisher’s")
    assert cells["Reason"] == "Too little."
    assert "Found, word for word; not an answer." in pages(PAPER, worked(refused))[1]


def test_parts_are_told_apart() -> None:
    one, two = outcome(question="First?"), outcome(question="Second?", next_step="Look.")
    whole = outcome(claims=[], parts=[one, two], next_step="Read each part.")
    cells = rows(PAPER, worked(whole))[0]
    assert cells["Answer"] == "1. First?\nHDFA99 s 5-10(1): as quoted\n\n2. Second?\nHDFA99 s 5-10(1): as quoted"
    assert cells["Next step"] == "Read each part.\nCheck the facts.\nLook."
    text = pages(PAPER, worked(whole))[1]
    assert "1. First? Answered · FY2020" in text and "2. Second? Answered" in text


def test_the_words_of_the_pdf_are_those_recorded_letter_for_letter() -> None:
    summary, answer = pages()[:2]
    assert " ".join(QUOTE.split()) in answer
    for words in (
        *("Line 2 · Reference A <1>", "Is it <b>so</b>?", "FY2020, because the year field says so."),
        *("Audit row 12 of 30 November 2026, 10:04 a.m.", f"Digest {'d' * 64}", "Next Check the facts."),
        "Smith & Söhne · first – questions.csv · Not tax advice",
        f"{CITED}.",
        "In force at least 1 July 2018 – 1 July 2022",
    ):
        assert words in answer, words
    for words in ("Smith & Söhne", "Ann Agent", "Answered 1", "Not asked 1", "There is no question in this row."):
        assert words in summary, words
    assert "Not tax advice: a registered tax agent reviews every output." in summary
    assert "Licence of the Act." in pages()[-1]


def test_no_letters_are_joined_whatever_the_words_and_wherever_the_lines_break() -> None:
    drawn = random.Random(7)
    words = [
        drawn.choice(("field", "office", "fly", "first", "fjord", "after", "offer", "affix")) for _ in range(2_000)
    ]
    html = f"<p>{as_html(' '.join(words))}</p>"
    content = pdf_of([Written("Summary", ""), Written("Words", html)], CSS, "", "Words", "Smith")
    with pymupdf.open(stream=content) as document:
        text = " ".join(page.get_text() for page in document)
    assert [word for word in text.split() if word in set(words)] == words


def test_a_long_quote_runs_over_pages_and_a_short_answer_is_kept_on_one() -> None:
    long = "\n".join(f"({n}) Words of subsection {n}, which end here." for n in range(1, 200))
    long_one = outcome(claims=[{"kind": "rule", "prose": "HDFA99 s 5-10 says:", "citations": [citation(long)]}])
    text = pages(PAPER, worked(long_one), *(worked(line=n) for n in range(3, 9)))
    whole = " ".join(text)
    assert [n for n in range(1, 200) if f"({n}) Words of subsection {n}, which end here." not in whole] == []
    assert len(text) > 5
    for n in range(3, 9):
        (page,) = [page for page in text if f"Line {n} · " in page]
        assert page.split(f"Line {n} · ", 1)[1].count("Audit row 12 of") >= 1


def test_the_pdf_has_numbers_an_outline_a_language_and_fonts_of_its_own() -> None:
    sections = [Written(each.title, each.html) for each in sections_of(PAPER, (worked(),))]
    with pymupdf.open(stream=pdf_of(sections, CSS, foot_of(PAPER), "Workpaper", "Smith")) as document:
        assert [page.get_text().count(f"Page {n} of {len(document)}") for n, page in enumerate(document, 1)] == [1, 1]
        assert document.get_toc() == [
            [1, "Summary", 1],
            [1, "Line 2: Is it <b>so</b>?", 2],
            [1, "Sources and notes", 2],
        ]
        assert (document.metadata["title"], document.metadata["author"]) == ("Workpaper", "Smith")
        fonts = {font[3] for page in document for font in page.get_fonts()}
        assert any("Charis" in name or "Serif" in name for name in fonts)
        assert all(
            document.extract_font(font[0])[1] != "n/a" for font in document[1].get_fonts() if font[3] != "Helvetica"
        )


def test_progress_counts_what_has_ended_and_says_how_long_the_rest_takes() -> None:
    tally = {"answered": 3, "refused": 2, "ambiguous": 0, "failed": 0, "stopped": 0, "waiting": 5}
    progress = progress_of(tally, 130.0, 0, "failed")
    assert (progress.asked, progress.done, progress.is_running, progress.left) == (10, 5, True, "About 2 minutes left.")
    assert [(each.words, each.count, each.is_chosen) for each in progress.counts] == [
        ("Answered", 3, False),
        ("Not answered", 2, False),
        ("Did not work", 0, True),
        ("Still to come", 5, False),
    ]
    assert progress_of(tally, None, 0, "").left == "Waiting for its turn."
    stopping = progress_of(tally, 130.0, 5, "")
    assert (stopping.left, stopping.is_stopping, stopping.seen) == ("The rest is being stopped.", True, "5s")
    done = progress_of({**tally, "waiting": 0}, None, 0, "")
    assert (done.left, done.is_running, done.seen) == ("", False, "5")


def test_a_line_shows_its_outcome_or_that_it_waits() -> None:
    row: dict[str, Any] = {
        "id": "x",
        "line": 4,
        "text": "Q?",
        "year_field": 2019,
        "status": "queued",
        "stop_asked_at": None,
        "answer__decision": None,
        "answer__reason": None,
        "answer__income_year": None,
        "answer__audit__number": None,
    }
    (waits,) = lines_shown([row], {"4": "A"})
    assert (waits.badge, waits.tone, waits.year_label, waits.reference) == ("Waiting", "running", "FY2019", "A")
    (runs,) = lines_shown([{**row, "status": "running"}], {})
    assert runs.badge == "Looking it up"
    (stops,) = lines_shown([{**row, "stop_asked_at": "now"}], {})
    assert stops.badge == "Being stopped"
    ended = {"answer__decision": "error", "answer__reason": "stopped", "answer__audit__number": 9}
    (stopped,) = lines_shown([{**row, **ended}], {})
    assert (stopped.badge, stopped.tone, stopped.year_label, stopped.audit_number) == ("Stopped", "fault", "", 9)
