"""Documents read as a worker reads them: in a child that is bounded, and a slice of the made-up set held to its floors.

Needs no database; the child and the OCR's weights are what takes seconds.
"""

from __future__ import annotations

import io
import os
import sys
import time
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from asat_site.testing.synthetic_documents.accuracy import Judged, counted
from asat_site.testing.synthetic_documents.facts import TODAY
from asat_site.testing.synthetic_documents.making import LAYOUTS, made
from asat_site.testing.synthetic_documents.measuring import measure
from clients.adapters.ocr.engines import upright_by
from clients.adapters.readers.child import picture_in_child, read_in_child, run_child
from clients.adapters.readers.limits import Limits
from clients.extraction.ports import Unreadable
from clients.extraction.rules import RulesExtractor
from clients.extraction.terms import Kind, Name

CHILD_MEMORY = 3 * 1024**3
SMALL_SCANS = (14, 15, 16)  # a till roll, a grocer's and a card's slip: little to read, so quick


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    document = pymupdf.open()
    for _ in range(2):
        document.new_page().insert_text((60, 60), "A page of plain words in English")
    path = tmp_path / "letter"
    document.save(path)
    return path


def test_a_child_reads_and_says_how_far_it_is(letter: Path) -> None:
    told: list[tuple[int, int]] = []
    read = read_in_child(letter, Limits(), lambda page, of: told.append((page, of)))
    assert told == [(1, 2), (2, 2)]
    assert [page.seen[4].text for page in read.pages] == ["words", "words"]
    assert (read.media_type, read.notes) == ("application/pdf", ())


def test_a_page_is_rendered_in_a_child_and_scales_with_its_words(letter: Path) -> None:
    picture = Image.open(io.BytesIO(picture_in_child(letter, 2, 0)))
    word = read_in_child(letter).pages[1].words[0]
    scale = picture.width / 595
    box = tuple(round(each * scale) for each in (word.box.left, word.box.top, word.box.right, word.box.bottom))
    assert picture.size == (1653, 2339)
    assert picture.convert("L").crop(box).getextrema()[0] < 100
    for number in (0, 3):
        with pytest.raises(Unreadable, match=rf"^The file has no page {number}\.$"):
            picture_in_child(letter, number, 0)
    with pytest.raises(Unreadable, match=r"^The file could not be opened\.$"):
        picture_in_child(letter.parent / "absent", 1, 0)


@pytest.mark.security
@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(seconds=1), "it was not done within 1 seconds"),
        (Limits(seconds_a_page=1), "no page was done within 1 seconds"),
    ],
)
def test_a_file_that_hangs_its_reader_is_ended_in_time(limits: Limits, said: str) -> None:
    began = time.monotonic()
    with pytest.raises(Unreadable, match=rf"^The file was not read: {said}\.$"):
        run_child([sys.executable, "-c", "import time; time.sleep(60)"], limits)
    assert time.monotonic() - began < 10


@pytest.mark.security
def test_a_file_that_swells_is_ended_within_its_memory(letter: Path) -> None:
    """The bound itself, on a child that takes memory until it is stopped."""
    code = (
        "from clients.adapters.readers.child import bind; from clients.adapters.readers.limits import Limits; "
        "bind(Limits(memory_bytes=300 * 1024**2)); held = bytearray(600 * 1024**2); print('{\"read\": 1}')"
    )
    with pytest.raises(Unreadable, match="took more memory than AsAt allows"):
        run_child([sys.executable, "-c", code], Limits(seconds=30))


@pytest.mark.security
def test_a_bomb_is_refused_by_the_child_and_not_decoded(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    Image.new("1", (20_000, 20_000)).save(path, "PNG")  # 400 million pixels in 50 kB
    assert path.stat().st_size < 100_000
    with pytest.raises(Unreadable, match="more than 60,000,000 pixels"):
        read_in_child(path)


@pytest.mark.security
@pytest.mark.parametrize("said", ["nonsense", '{"read": {"pages": 1}}', '{"read": 7}', "[1]", '"x"'])
def test_what_a_child_says_is_held_to_its_form(said: str) -> None:
    with pytest.raises(Unreadable, match="The reader of the file broke off"):
        run_child([sys.executable, "-c", f"print({said!r})"], Limits(seconds=30))


@pytest.mark.security
def test_a_child_is_told_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASAT_SECRET_KEY", "not for it")
    code = "import os, json; print(json.dumps({'problem': ' '.join(sorted(os.environ))}))"
    with pytest.raises(Unreadable) as told:
        run_child([sys.executable, "-c", code], Limits(seconds=30))
    assert "ASAT_SECRET_KEY" in os.environ
    assert not [name for name in str(told.value).split() if name.startswith(("ASAT", "DATABASE", "REDIS"))]


def test_a_scan_is_read_in_a_child_within_its_memory(tmp_path: Path) -> None:
    document = made(SMALL_SCANS[2], "scan")
    path = tmp_path / "scan"
    path.write_bytes(document.content)
    read = read_in_child(path, Limits(memory_bytes=CHILD_MEMORY, seconds=120))
    assert read.pages[0].read_by == "rapidocr"
    found = RulesExtractor().extract(read.pages, TODAY)
    assert found.kind is Kind.RECEIPT
    assert found.value(Name.TOTAL) == document.truth.fields[Name.TOTAL]
    assert found.value(Name.SUPPLIER_ABN) == document.truth.fields[Name.SUPPLIER_ABN]


def test_text_of_every_layout_is_read_to_its_floor() -> None:
    judged = _judged(list(range(2 * len(LAYOUTS))), "text")
    assert {each.layout for each in judged} == {*LAYOUTS}
    assert _share(judged) >= 0.98
    by_field = counted(judged, "field")
    assert min(by_field[name].share for name in (Name.SUPPLIER_ABN, Name.GST, Name.TOTAL)) >= 0.98


def test_small_scans_are_read_to_their_floor() -> None:
    judged = _judged(list(SMALL_SCANS[:2]), "scan")
    assert _share(judged) >= 0.85
    by_field = counted(judged, "field")
    assert {by_field[name].share for name in (Name.SUPPLIER_ABN, Name.TOTAL)} == {1.0}


def _judged(numbers: list[int], source: str) -> list[Judged]:
    return [each for measured in measure(numbers, upright_by("rapidocr"), source) for each in measured.judged]


def _share(judged: list[Judged]) -> float:
    return sum(each.is_right for each in judged) / len(judged)
