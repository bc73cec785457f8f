"""`manage.py bench_import`: measures reading, loading and loading again, in a database that nobody uses."""

from __future__ import annotations

import os
import platform
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from asat_site.testing.large_epubs import large_act
from research import composition
from research.corpus.ingest.sources import corpus_files
from research.evaluation import import_bench as bench
from research.evaluation.import_bench import Again, Run

PER_PROVISIONS = 25_000


class Command(BaseCommand):
    help = (
        "Measure how law is read and loaded. Loads made-up Acts: give it a database of its own, as `make bench` does."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--corpus", type=Path, help="law to load as well, and to give again")
        parser.add_argument("--append", type=Path, help="a Markdown file that the section is added to")

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = composition.embedder()
        if embedder is None:
            raise CommandError("ASAT_EMBEDDER is none; set it to minilm-int8.", returncode=2)
        with TemporaryDirectory() as made:
            folder = Path(made)
            again = bench.again(folder, embedder)
            large = folder / "large.epub"
            large.write_bytes(large_act())
            reading, importing = bench.reading(large), bench.importing(large)
            given = corpus_files([options["corpus"]]) if options["corpus"] else []
            bench.load(given)  # now, and not before: what is embedded above is the made-up Act alone
            paths = [large, *given]
            seconds, provisions = bench.unchanged(paths)
            lines = section(bench.markup_mb(large), reading, importing, seconds, provisions, again)
        text = "\n".join(lines) + "\n"
        self.stdout.write(text)
        if options["append"]:
            with options["append"].open("a", encoding="utf-8") as out:
                out.write("\n" + text)


def section(
    markup_mb: float, reading: Run, importing: Run, unchanged_s: float, provisions: int, again: Again
) -> list[str]:
    """The lines of the report."""
    return [
        "## Reading and loading",
        "",
        f"Measured {timezone.localdate():%-d %B %Y} on {os.cpu_count()} cores ({platform.machine()}), Python "
        f"{platform.python_version()}, on made-up Acts in the Register's mark-up; the larger has eleven volumes and "
        f"{markup_mb:.1f} MB of it, as the largest Act has.",
        "",
        "| what | seconds | MB/s | peak memory |",
        "|---|---|---|---|",
        *(
            f"| {what} | {run.seconds:.1f} | {markup_mb / run.seconds:.1f} | {run.peak_mb:.0f} MB |"
            for what, run in (
                ("reading the EPUB", reading),
                ("reading, dating, cutting and indexing it (the server's memory not counted)", importing),
            )
        ),
        "",
        f"Given again unchanged: {provisions:,} provisions in {unchanged_s:.2f} s, that is "
        f"{unchanged_s * PER_PROVISIONS / provisions:.2f} s for {PER_PROVISIONS:,} (the aim is 1 s).",
        "",
        f"A later compilation that rewords {again.reworded} of {again.sections} sections: {again.written} of "
        f"{again.chunks:,} chunks written and {again.embedded} embedded; {again.seconds:.1f} s, embedding apart.",
    ]
