"""Tesseract behind the port, where the machine has it: its program run once for each page, on one thread."""

from __future__ import annotations

import csv
import io
import logging
import math
import os
import shutil
import subprocess
from statistics import median

from PIL import Image

from clients.extraction.ports import Unreadable
from clients.extraction.terms import Box, Source, Word

logger = logging.getLogger(__name__)

SECONDS_A_PAGE = 60
LAYOUT = "11"  # words wherever they stand; the page's layout is found by what comes after


def is_installed() -> bool:
    """Whether the program is on the path."""
    return shutil.which("tesseract") is not None


class Tesseract:
    """The other engine."""

    name = "tesseract"
    enough = 0.7

    def words(self, picture: Image.Image) -> tuple[tuple[Word, ...], float]:
        """Words in pixels of the picture, and the skew of its lines in degrees. Raises Unreadable."""
        sent = io.BytesIO()
        picture.convert("L").save(sent, "PNG", compress_level=1)
        command = ["tesseract", "stdin", "stdout", "-l", "eng", "--psm", LAYOUT, "--dpi", "200", "tsv"]
        try:
            ran = subprocess.run(
                command,
                input=sent.getvalue(),
                capture_output=True,
                timeout=SECONDS_A_PAGE,
                check=True,
                env=os.environ | {"OMP_THREAD_LIMIT": "1"},
            )
        except (OSError, subprocess.SubprocessError) as error:
            logger.warning("Tesseract failed: %s", type(error).__name__)
            raise Unreadable("The page could not be read by OCR.") from None
        return words_in(ran.stdout.decode("utf-8", "replace"))


def words_in(table: str) -> tuple[tuple[Word, ...], float]:
    """The words of its table of tab-separated values, and the middle angle of the longer lines."""
    lines: dict[tuple[str, ...], list[Word]] = {}
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text, confidence = (row["text"] or "").strip(), float(row["conf"])
        if text and confidence >= 0:
            left, top = float(row["left"]), float(row["top"])
            box = Box(left, top, left + float(row["width"]), top + float(row["height"]))
            line = tuple(row[part] for part in ("block_num", "par_num", "line_num"))
            lines.setdefault(line, []).append(Word(text, box, confidence / 100, Source.OCR))
    angles = [
        math.degrees(math.atan2(words[-1].box.middle - words[0].box.middle, words[-1].box.left - words[0].box.left))
        for words in lines.values()
        if words[-1].box.left - words[0].box.left > 60
    ]
    return tuple(word for words in lines.values() for word in words), median(angles) if angles else 0.0
