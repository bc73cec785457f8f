"""`manage.py documents accuracy`, `documents read` and `documents collect`. The first two need no database.

accuracy: how much of made-up documents is read, field by field. The figure is synthetic: the documents were made by
this project, and say nothing of how anyone's own are read. read: what is found in one file, which is not kept. collect:
takes what lies in the drop folder now, as workers do every half minute.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from asat_site.testing.synthetic_documents import accuracy
from asat_site.testing.synthetic_documents.accuracy import Counted, Judged
from asat_site.testing.synthetic_documents.making import HELD_OUT_FROM
from asat_site.testing.synthetic_documents.measuring import Measured, measure
from clients.adapters.ocr import engines
from clients.adapters.readers.child import read_in_child
from clients.documents import collecting
from clients.extraction.ports import Unreadable
from clients.extraction.rules import RulesExtractor
from clients.extraction.terms import Name

FLOOR, FLOOR_ABN_AND_GST = 0.92, 0.97


class Command(BaseCommand):
    help = (
        "accuracy: make synthetic documents, read them and count what is right; exit 1 where a floor is not reached. "
        "read: print what is found in one file; exit 2 where it is not read. "
        "collect: take what lies in ASAT_DROP_DIRECTORY; exit 2 where there is none."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        measured = what.add_parser("accuracy", help="the share of fields that are read right")
        measured.add_argument(
            "--first", type=int, default=HELD_OUT_FROM, help="number of the first; below 20000: development"
        )
        measured.add_argument("--count", type=int, default=240)
        measured.add_argument("--source", choices=("text", "scan", "photo"), help="all of one source, not in turn")
        measured.add_argument("--engine", choices=engines.NAMES, default=engines.DEFAULT)
        measured.add_argument("--out", type=Path, help="a file for each judgement, as JSON lines")

        read = what.add_parser("read", help="what is found in one file")
        read.add_argument("file", type=Path)

        what.add_parser("collect", help="take what lies in the drop folder")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "read":
            self.read(options["file"])
        elif options["what"] == "collect":
            self.collect()
        else:
            self.accuracy(options)

    def read(self, path: Path) -> None:
        """Prints fields, lines, rows and checks as JSON."""
        try:
            document = read_in_child(path.resolve())
        except (Unreadable, OSError) as error:
            raise CommandError(f"{path}: {error}", returncode=2) from error
        found = RulesExtractor().extract(document.pages, timezone.localdate())
        self.stdout.write(json.dumps({"notes": document.notes, **asdict(found)}, indent=2, ensure_ascii=False))

    def collect(self) -> None:
        """Takes what lies in the drop folder, and says how many of what."""
        if not settings.ASAT_DROP_DIRECTORY:
            raise CommandError("ASAT_DROP_DIRECTORY is not set; no folder is watched.", returncode=2)
        try:
            done = collecting.collect(settings.ASAT_DROP_DIRECTORY, time.time())
        except OSError as error:
            raise CommandError(f"The drop folder cannot be read: {type(error).__name__}.", returncode=2) from None
        if done is None:
            self.stdout.write("Another process is taking files from the drop folder.")
            return
        self.stdout.write(f"{done.new} new, {done.there} there already, {done.refused} refused.")
        if done.strange:
            self.stdout.write(f"Folders that name no practice or no client, and are left alone: {done.strange}.")
        if done.stuck:
            self.stdout.write(f"Files that are not taken, as they cannot be moved to taken/ or refused/: {done.stuck}.")

    def accuracy(self, options: dict[str, Any]) -> None:
        """Prints the report; exits 1 where it falls short."""
        numbers = range(options["first"], options["first"] + options["count"])
        found = []
        for each in measure(numbers, engines.upright_by(options["engine"]), options["source"]):
            found.append(each)
            if options["verbosity"] > 1:
                self.stderr.write(f"{each.made.number} {each.made.layout} {each.made.source} {each.seconds:.1f} s")
        judged = [judgement for each in found for judgement in each.judged]
        if options["out"]:
            options["out"].write_text("".join(json.dumps(asdict(each)) + "\n" for each in judged), encoding="utf-8")
        self.stdout.write("\n".join(report(found, judged)))
        if low := below_floors(judged):
            self.stderr.write("\n".join(low))
            sys.exit(1)


def report(found: Sequence[Measured], judged: Sequence[Judged]) -> Iterator[str]:
    """The lines of the report, in Markdown."""
    yield f"{len(found)} synthetic documents, numbers {found[0].made.number}–{found[-1].made.number}.\n"
    yield from accuracy.table(judged)
    by_layout = accuracy.counted(judged, "layout")
    lowest = min(by_layout, key=lambda layout: by_layout[layout].share)
    count = by_layout[lowest]
    yield f"\nThe layout read least well, {lowest}: {count.share:.1%} of fields right ({count.right}/{count.of})."
    outcomes = [each.outcome for each in judged]
    yield "\n" + ", ".join(
        f"{outcomes.count(name)} {name}" for name in ("right", "open", "missed", "wrong", "invented")
    )
    yield from _approvable(found)
    for source in dict.fromkeys(each.made.source for each in found):
        seconds = sorted(each.seconds for each in found if each.made.source == source)
        yield f"{source}: {seconds[len(seconds) // 2]:.1f} s a document in the middle, {seconds[-1]:.1f} s at most"
    yield ""
    for each in judged:
        if not each.is_right:
            where = f"{each.number} {each.layout}, {each.source}"
            yield f"- {where}: {each.field} {each.outcome}: “{each.found}” for “{each.wanted}”"


def below_floors(judged: Sequence[Judged]) -> list[str]:
    """What falls short, in sentences; empty where nothing does."""
    whole = Counted(sum(each.is_right for each in judged), len(judged))
    low = [f"All fields: {whole.share:.1%}; wanted {FLOOR:.0%}."] if whole.share < FLOOR else []
    for field, count in accuracy.counted(judged, "field").items():
        if field in (Name.SUPPLIER_ABN, Name.GST) and count.share < FLOOR_ABN_AND_GST:
            low.append(f"{field}: {count.share:.1%}; wanted {FLOOR_ABN_AND_GST:.0%}.")
    return low


def _approvable(found: Sequence[Measured]) -> Iterator[str]:
    """What the checks made of documents that hold a wrong value: a value that is missing is seen by whoever reviews."""
    wrong = [each for each in found if any(judged.outcome in ("wrong", "invented") for judged in each.judged)]
    caught = sum(bool(each.failed) for each in wrong)
    right = [each for each in found if each.is_all_right]
    blocked = sum(bool(each.failed) for each in right)
    yield f"\n{len(wrong)} documents hold a wrong value; a check fails on {caught} of them."
    yield f"{len(right)} documents are all right; a check fails on {blocked} of them."
