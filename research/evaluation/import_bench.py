"""How fast law is read and loaded, in how much memory, and what a later import does again: measured on made-up Acts.

The Acts are built for the measurement, the larger one as large as the largest there is (eleven volumes, 25 MB).
What is loaded stays in the database that is measured in: never in one that people use.
"""

from __future__ import annotations

import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from asat_site.testing.large_epubs import large_act
from research.adapters.embedders.wordpiece import count_tokens
from research.corpus.ingest.embed import embed_pending
from research.corpus.ingest.report import CompilationReport
from research.corpus.ingest.store import Loader
from research.ports import Embedder

FIRST, SECOND = date(2020, 7, 1), date(2021, 7, 1)
_READ = "import sys; from pathlib import Path; from research.corpus.ingest.epub.read import read_epub; "
_READ += "read_epub(Path(sys.argv[1]))"


@dataclass(frozen=True, slots=True)
class Run:
    """A process that was measured: seconds by the clock, and the most memory it held, in MB."""

    seconds: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Again:
    """A later compilation of an Act: sections in all and reworded; chunks in all, written, and embedded for it."""

    sections: int
    reworded: int
    chunks: int
    written: int
    embedded: int
    seconds: float


def markup_mb(path: Path) -> float:
    """The size of what an EPUB unpacks to, in MB."""
    with zipfile.ZipFile(path) as archive:
        return sum(member.file_size for member in archive.infolist()) / 1e6


def reading(path: Path) -> Run:
    """Reading an EPUB alone, in a process of its own."""
    return _measured([sys.executable, "-c", _READ, str(path)])


def importing(path: Path) -> Run:
    """The whole import of a file by the command, in a process of its own."""
    return _measured([sys.executable, "manage.py", "corpus", "import", "--no-embed", str(path)])


def load(paths: Sequence[Path]) -> None:
    """Load files in this process."""
    loader = Loader(count_tokens)
    for path in paths:
        loader.import_file(path)


def unchanged(paths: Sequence[Path]) -> tuple[float, int]:
    """(seconds, provisions) of giving files again that were loaded before."""
    loader, provisions, began = Loader(count_tokens), 0, time.monotonic()
    for path in paths:
        reports = loader.import_file(path)
        _all_unchanged(reports)
        provisions += sum(report.provisions for report in reports)
    return time.monotonic() - began, provisions


def again(folder: Path, embedder: Embedder, divisions: int = 45, sections: int = 14, share: float = 0.01) -> Again:
    """A later compilation in which `share` of the sections is reworded, loaded over one that is loaded and embedded."""
    total = divisions * sections
    first, second = folder / "first.epub", folder / "second.epub"
    first.write_bytes(large_act(1, divisions, sections, FIRST, "12"))
    second.write_bytes(large_act(1, divisions, sections, SECOND, "13", reworded=round(total * share)))
    (before,) = Loader(count_tokens).import_file(first)
    _embedded(embedder)
    began = time.monotonic()
    (after,) = Loader(count_tokens).import_file(second)
    seconds = time.monotonic() - began
    return Again(total, round(total * share), before.chunks, after.chunks, _embedded(embedder), seconds)


def _embedded(embedder: Embedder) -> int:
    told = embed_pending(embedder)
    if told is None:
        raise RuntimeError("Another process is computing vectors; measure in a database of your own.")
    return told.computed


def _all_unchanged(reports: Sequence[CompilationReport]) -> None:
    if any(report.state != "unchanged" for report in reports):
        raise RuntimeError(f"{reports[0].file} was to be unchanged and was {reports[0].state}")


def _measured(command: Sequence[str]) -> Run:
    """Run it; its highest resident memory as Linux counts it, looked at every 20 ms."""
    began, peak_kb = time.monotonic(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            peak_kb = max(peak_kb, _high_water_kb(status))
            time.sleep(0.02)
        said = process.stderr.read().decode(errors="replace") if process.stderr else ""
    if process.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} ended with {process.returncode}: {said[-400:]}")
    return Run(time.monotonic() - began, peak_kb / 1024)


def _high_water_kb(status: Path) -> int:
    try:
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    except (OSError, StopIteration):  # it has just ended
        return 0
    return int(line.split()[1])
