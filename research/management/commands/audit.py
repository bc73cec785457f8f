"""`manage.py audit verify|replay`: whether a practice's hash chain holds, and whether its answers come out again.

verify walks the chain row by row and says where it breaks, if it does. The questions and answers that are shown are
compared with the rows that prove them. A chain that was cut off, or written anew from its start, is found by the last
row of an earlier run, kept elsewhere (`--noted`). replay asks the recorded questions again.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import KEEPER_ID
from research import services
from research.audit import chain, replay
from research.management.practices import all_practices, practice_named
from research.models import AuditRow

EXIT_BROKEN = 1


class Command(BaseCommand):
    help = (
        "Verify the audit chain of one practice, or of all: exit 0, every link holds; 1, one does not. Or replay the "
        "recorded answers: exit 0, each comes out again or the law has moved on; 1, one diverged."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        verify = actions.add_parser("verify", help="recompute every digest, and compare what is shown with it")
        verify.add_argument("--practice", help="host, schema or name; left out: every practice")
        verify.add_argument(
            "--noted",
            type=noted,
            metavar="ROW:DIGEST",
            help="the last row as an earlier run named it and you kept it elsewhere; needs --practice",
        )
        again = actions.add_parser("replay", help="ask the recorded questions again and compare; records nothing")
        again.add_argument("--practice", help="host, schema or name; left out: every practice")
        again.add_argument("--row", type=int, help="this row alone; needs --practice")
        again.add_argument("--as-known-then", action="store_true", help="of the law as it was known when recorded")
        for action in (verify, again):
            action.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        code = self._replay(options) if options["action"] == "replay" else self._verify(options)
        if code:
            sys.exit(code)

    def _replay(self, options: dict[str, Any]) -> int:
        if options["row"] is not None and not options["practice"]:
            raise CommandError("--row names a row of one practice; give --practice too.", returncode=2)
        practices = [practice_named(options["practice"])] if options["practice"] else all_practices()
        told = []
        for practice in practices:
            with in_practice(practice, KEEPER_ID):
                told += [
                    {"practice": practice.name, **line} for line in replays(options["row"], options["as_known_then"])
                ]
        if options["row"] is not None and not told:
            raise CommandError(f"There is no answer in row {options['row']} of that practice.", returncode=2)
        counts = Counter(line["verdict"] for line in told)
        if options["json"]:
            self.stdout.write(json.dumps({"counts": counts, "rows": told}, indent=2, ensure_ascii=False))
        else:
            for line in told:
                self.stdout.write(f"{line['practice']}, row {line['row']}: {line['verdict']}. {' '.join(line['why'])}")
            self.stdout.write(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) or "no rows")
        return EXIT_BROKEN if counts[replay.DIVERGED] else 0

    def _verify(self, options: dict[str, Any]) -> int:
        if options["noted"] and not options["practice"]:
            raise CommandError("--noted names a row of one practice; give --practice too.", returncode=2)
        practices = [practice_named(options["practice"])] if options["practice"] else all_practices()
        reports = []
        for practice in practices:
            with in_practice(practice, KEEPER_ID):
                reports.append((practice.name, verify(*(options["noted"] or (None, None)))))
        if options["json"]:
            self.stdout.write(
                json.dumps([{"practice": name, **as_plain(report)} for name, report in reports], indent=2)
            )
        else:
            for name, report in reports:
                self.stdout.write(f"{name}: {describe(report)}")
        return 0 if all(report.is_whole for _, report in reports) else EXIT_BROKEN


def replays(row: int | None, as_known_then: bool) -> Iterator[dict[str, Any]]:
    """A line for each recorded answer of the practice that the connection is in, oldest first: verdict and why."""
    rows = AuditRow.objects.filter(answer__isnull=False).select_related("answer__question").order_by("number")
    for recorded in rows.filter(number=row) if row is not None else rows:
        _, found = services.replay_row(recorded, as_known_then=as_known_then)
        yield {"row": recorded.number, "verdict": found.verdict, "why": [*found.moved, *found.differences]}


def noted(text: str) -> tuple[int, str]:
    """(row number, digest) out of "17:ab12…". Raises ArgumentTypeError."""
    number, _, digest = text.partition(":")
    if not number.isdecimal() or not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise ArgumentTypeError(f"{text!r} is no row and digest; give them as an earlier run printed them")
    return int(number), digest


def verify(last: int | None = None, head: str | None = None) -> chain.ChainReport:
    """The walk along the chain of the practice that the connection is in, and then along what is kept beside it.

    last, head: number and digest of the last row as it was noted elsewhere.
    """
    rows = AuditRow.objects.order_by("number")
    links = rows.values_list("number", "payload", "prev_digest", "digest")
    report = chain.verify_chain(links.iterator(chunk_size=500), expected_last=last, expected_head=head)
    if not report.is_whole:
        return report
    for row in rows.select_related("answer__question").iterator(chunk_size=500):
        if altered := services.unlike_its_record(row):
            return replace(report, broken_at=row.number, problem="altered", how=altered)
    return report


def as_plain(report: chain.ChainReport) -> dict[str, Any]:
    plain = {"rows": report.rows, "is_whole": report.is_whole, "broken_at": report.broken_at, "how": report.how}
    return {**plain, "head": report.head}


def describe(report: chain.ChainReport) -> str:
    if report.is_whole:
        return f"{report.rows} rows, every link holds; keep elsewhere: {report.rows}:{report.head}"
    return f"broken at row {report.broken_at}: {report.how}"
