"""An EPUB as large as the largest Act: read whole, in bounded memory, and cut into chunks that the embedder reads."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from asat_site.testing.large_epubs import large_act
from research.adapters.embedders.wordpiece import count_tokens
from research.corpus.ingest.epub.read import read_epub
from research.corpus.ingest.split import MAX_TOKENS, Source, split
from research.corpus.ingest.words import strip_asterisks

MAX_PEAK_MB = 250  # measured: 112 MB, of which 26 are Python and lxml; the ceiling for the whole import is 500

MEASURE = """
import json, sys, time
from pathlib import Path
from research.corpus.ingest.epub.read import read_epub
began = time.perf_counter()
found = read_epub(Path(sys.argv[1]))
seconds = time.perf_counter() - began
status = Path("/proc/self/status").read_text()  # ru_maxrss would count the parent's memory at the fork
peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
print(json.dumps({"seconds": seconds, "peak_mb": peak, "sections": len(found.provisions), "share": found.ledger.share,
                  "rows": [len(table.rows) for table in found.endnotes], "warnings": found.warnings}))
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.epub"
    path.write_bytes(large_act(volumes=11, divisions=46))
    return path


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="MEMORY WAS NOT MEASURED: there is no /proc here")
def test_eleven_volumes_are_read_in_bounded_memory(large: Path) -> None:
    with zipfile.ZipFile(large) as archive:
        size = sum(info.file_size for info in archive.infolist())
    done = subprocess.run([sys.executable, "-c", MEASURE, str(large)], capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    print(f"\n{size / 1e6:.1f} MB in {measured['seconds']:.1f} s, peak {measured['peak_mb']:.0f} MB")
    assert size > 25_000_000
    assert measured["peak_mb"] < MAX_PEAK_MB
    assert measured["sections"] == 11 * 46 * 14
    assert (measured["share"], measured["warnings"]) == (0.0, [])
    assert measured["rows"] == [300, 6 * 46 * 14 - 1]


def test_what_is_read_is_cut_within_the_embedder_s_tokens(tmp_path: Path) -> None:
    path = tmp_path / "small.epub"
    path.write_bytes(large_act(volumes=1, divisions=3, sections=6))
    found = read_epub(path)
    for p in found.provisions:
        wording = strip_asterisks(p.text)
        source = Source(found.title, p.schedule, p.section, p.heading, p.path, p.kind, wording.text, wording.spans)
        pieces = split(source, count_tokens)
        assert max(piece.token_count for piece in pieces) <= MAX_TOKENS
        assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(wording.text.split())
        rows = [line for line in wording.text.split("\n") if line.startswith("Item: ")]
        kept = [line for piece in pieces for line in piece.text.split("\n") if line.startswith("Item: ")]
        assert kept == rows  # a row of rates is never parted from its heads
