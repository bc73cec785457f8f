"""Which way up a picture is read, what an engine's words become, and which engine reads."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from PIL import Image

from clients.adapters.ocr import engines, rapid, tesseract
from clients.adapters.ocr.turning import turned_by, upright
from clients.extraction.ports import PageOcr, Unreadable
from clients.extraction.terms import Box, Source, Word


def word(text: str, confidence: float, upended: bool = False) -> Word:
    box = Box(0, 0, 10, 60) if upended else Box(0, 0, 60, 10)
    return Word(text, box, confidence, Source.OCR)


@dataclass
class Scripted:
    """Reads well where the mark stands at the top left; `elsewhere` is what it makes of any other way up."""

    elsewhere: tuple[Word, ...] = ()
    name: str = "scripted"
    enough: float = 0.86
    tries: list[tuple[int, int]] = field(default_factory=list)

    def words(self, picture: Image.Image) -> tuple[tuple[Word, ...], float]:
        self.tries.append(picture.size)
        is_up = picture.getpixel((0, 0)) == 0
        return (tuple(word("upright", 0.95) for _ in range(5)) if is_up else self.elsewhere), 0.5


def marked(turned: int) -> Image.Image:
    """A picture that stands upright once it is turned clockwise so far."""
    picture = Image.new("L", (30, 20), 255)
    picture.putpixel((0, 0), 0)
    return turned_by(picture, (360 - turned) % 360)


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_picture_is_turned_until_it_reads_well(turned: int) -> None:
    engine = Scripted(tuple(word("garbage", 0.4) for _ in range(5)))
    read = upright(marked(turned), engine)
    assert (read.turned, read.engine, read.skew, [each.text for each in read.words]) == (
        turned, "scripted", 0.5, ["upright"] * 5,
    )  # fmt: skip


def test_a_picture_that_reads_well_is_read_once() -> None:
    engine = Scripted()
    upright(marked(0), engine)
    assert engine.tries == [(30, 20)]


def test_words_on_their_side_count_for_nothing_however_certain() -> None:
    engine = Scripted(tuple(word("sideways", 0.99, upended=True) for _ in range(5)))
    assert upright(marked(90), engine).turned == 90
    assert len(engine.tries) == 2  # a quarter turn is tried before half a turn


def test_where_no_way_up_reads_well_the_best_is_kept() -> None:
    engine = Scripted((word("faint", 0.5),))
    read = upright(Image.new("L", (30, 20), 255), engine)
    assert (read.turned, len(engine.tries), read.confidence) == (0, 4, 0.5)


def test_parts_without_a_space_between_are_one_word() -> None:
    def part(text: str, left: int) -> tuple[str, float, list[list[int]]]:
        return text, 0.9 if text != "INV" else 0.6, [[left, 0], [left + 9, 0], [left + 9, 10], [left, 10]]

    found = list(rapid._words("No. INV-441 due", [part("No.", 0), part("INV", 20), part("-441", 30), part("due", 50)]))
    assert [(each.text, each.confidence, each.box.left, each.box.right) for each in found] == [
        ("No.", 0.9, 0, 9), ("INV-441", 0.6, 20, 39), ("due", 0.9, 50, 59),
    ]  # fmt: skip


def test_tesseracts_table_becomes_words_and_a_skew() -> None:
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    rows = (
        "4\t1\t1\t1\t1\t0\t0\t0\t200\t20\t-1\t\n"
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t10\t96.5\tTotal\n"
        '5\t1\t1\t1\t1\t2\t110\t30\t40\t10\t88\t"9.00\n'
    )
    found, skew = tesseract.words_in(head + rows)
    assert [(each.text, each.confidence, each.box) for each in found] == [
        ("Total", 0.965, Box(10, 20, 40, 30)), ('"9.00', 0.88, Box(110, 30, 150, 40)),
    ]  # fmt: skip
    assert round(skew, 2) == 5.71


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^'paddle' is no OCR engine; give one of rapidocr, tesseract\.$"):
        engines.upright_by("paddle")


@dataclass
class Broken:
    name: str = "broken"
    enough: float = 0.8

    def words(self, picture: Image.Image) -> tuple[tuple[Word, ...], float]:
        raise Unreadable("The page could not be read by OCR.")


def test_another_engine_reads_only_what_the_first_cannot() -> None:
    second = Scripted()
    read = engines.first_that_reads(Broken(), second)
    assert read(marked(0)).engine == "scripted"
    first: PageOcr = Scripted(name="first")
    assert engines.first_that_reads(first, second)(marked(0)).engine == "first"
    assert engines.first_that_reads(Scripted(), Broken())(Image.new("L", (30, 20), 255)).words == ()
    with pytest.raises(Unreadable):
        engines.first_that_reads(Broken())(marked(0))
