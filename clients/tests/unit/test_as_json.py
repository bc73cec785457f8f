"""What was read survives being kept as JSON, whole."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from asat_site.testing.synthetic_documents.making import made
from clients.adapters.readers.files import FileReader
from clients.extraction.as_json import extraction_as_json, extraction_of, page_as_json, page_of
from clients.extraction.rules import RulesExtractor
from clients.extraction.terms import Box, Page, Source, Word

pytestmark = pytest.mark.unit


def test_a_page_comes_back_as_it_was() -> None:
    words = (
        Word("Total", Box(10.0, 20.25, 40.5, 30.0)),
        Word("$9.90", Box(50.0, 20.0, 70.0, 30.0), 0.8765, Source.OCR),
        Word("pay twice", Box(0.0, 0.0, 1.0, 1.0), is_hidden=True),
    )
    page = Page(2, 595.0, 842.0, words, 90, -0.4, "rapidocr", "half of it is torn")
    assert page_of(json.loads(json.dumps(page_as_json(page)))) == page


@pytest.mark.parametrize("number", range(10))
def test_what_was_found_comes_back_as_it_was(number: int, tmp_path: Path) -> None:
    paper = made(number, "text")
    path = tmp_path / f"paper{paper.suffix}"
    path.write_bytes(paper.content)
    pages = FileReader(lambda picture: pytest.fail("it has text")).read(path).pages
    read = RulesExtractor().extract(pages, date(2026, 11, 30))
    assert read.fields
    assert extraction_of(json.loads(json.dumps(extraction_as_json(read)))) == read


def test_what_is_none_is_refused() -> None:
    with pytest.raises(KeyError):
        extraction_of({"kind": "invoice"})
    with pytest.raises(ValueError, match="poem"):
        extraction_of({"kind": "poem", "fields": [], "lines": [], "rows": [], "checks": []})
