"""What the tests of reading an EPUB share."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.corpus.tests.unit.epub.reading import Read, reader


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reader(tmp_path)
