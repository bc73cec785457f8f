"""Real compilations, where a folder of them is given: see fixtures/epub/README.md. Skipped, loudly, without one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from research.corpus.ingest.epub.ledger import MAX_UNEXPLAINED_SHARE
from research.corpus.ingest.epub.read import read_epub

FOLDER = os.environ.get("ASAT_REAL_EPUBS", "")
FILES = sorted(Path(FOLDER).glob("*.epub")) if FOLDER else []

pytestmark = pytest.mark.skipif(
    not FOLDER, reason="NO REAL EPUB WAS READ: set ASAT_REAL_EPUBS to a folder of EPUBs from the Register"
)


def test_the_folder_holds_epubs() -> None:
    assert FILES, f"{FOLDER} holds no *.epub"


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_a_real_compilation_is_read_without_loss(path: Path) -> None:
    found = read_epub(path)
    ledger = found.ledger
    sections = [provision for provision in found.provisions if provision.section[:1].isdigit()]
    dropped = ", ".join(f"{name} {count:,}" for name, count in sorted(ledger.dropped.items()))
    print(
        f"\n{path.name}: {found.title}, compilation {found.compilation_number} of {found.dated}\n"
        f"  {len(sections)} sections of {len(found.provisions)} rows, {len(found.endnotes)} tables of endnotes\n"
        f"  characters read {ledger.read:,}, kept {ledger.kept:,}, unexplained {ledger.unexplained:,}\n"
        f"  dropped: {dropped}\n"
        f"  styles not known: {dict(found.unknown_classes)}\n  warnings: {len(found.warnings)} {found.warnings[:5]}"
    )
    assert sections
    assert ledger.share <= MAX_UNEXPLAINED_SHARE
    assert found.title
    assert found.act_number
