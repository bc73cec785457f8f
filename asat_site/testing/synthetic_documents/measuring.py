"""Made-up documents put through the reader and the extractor, and what came of each."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from asat_site.testing.synthetic_documents import accuracy
from asat_site.testing.synthetic_documents.accuracy import Judged
from asat_site.testing.synthetic_documents.facts import TODAY
from asat_site.testing.synthetic_documents.making import Made, made
from clients.adapters.ocr.turning import Turned
from clients.adapters.readers.files import FileReader
from clients.extraction.ports import DocumentReader, FieldExtractor
from clients.extraction.rules import RulesExtractor


@dataclass(frozen=True, slots=True)
class Measured:
    """One document: its fields, judged; the checks that failed; seconds it took to read."""

    made: Made
    judged: tuple[Judged, ...]
    failed: tuple[str, ...]
    seconds: float

    @property
    def is_all_right(self) -> bool:
        return all(each.is_right for each in self.judged)


def measure(
    numbers: Iterable[int], upright: Callable[[Image.Image], Turned], source: str | None = None
) -> Iterator[Measured]:
    """The documents of those numbers, read in this process. source: another than each one's turn."""
    reader: DocumentReader = FileReader(upright)
    extractor: FieldExtractor = RulesExtractor()
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            document = made(number, source)
            path = Path(folder) / f"document{document.suffix}"
            path.write_bytes(document.content)
            began = time.monotonic()
            read = extractor.extract(reader.read(path).pages, TODAY)
            seconds = time.monotonic() - began
            judged = accuracy.judge(number, document.layout, document.source, document.truth, read)
            yield Measured(document, tuple(judged), tuple(check.name for check in read.failed), seconds)
