"""`manage.py audit verify`: walks a practice's hash chain, row by row, and says where it breaks, if it does.

The questions and answers that are shown are compared with the rows that prove them. A chain that was cut off, or
written anew from its start, is found by the last row of an earlier run, kept elsewhere (`--noted`).
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from asat_site.tenancy.context import in_practice
from research import services
from research.audit import chain
from research.management.practices import all_practices, practice_named
from research.models import AuditRow

EXIT_BROKEN = 1


class Command(BaseCommand):
    help = "Verify the audit chain of one practice, or of all. Exit 0: every link holds; 1: one does not."

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
        verify.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["noted"] and not options["practice"]:
            raise CommandError("--noted names a row of one practice; give --practice too.", returncode=2)
        practices = [practice_named(options["practice"])] if options["practice"] else all_practices()
        reports = []
        for practice in practices:
            with in_practice(practice):
                reports.append((practice.name, verify(*(options["noted"] or (None, None)))))
        if options["json"]:
            self.stdout.write(
                json.dumps([{"practice": name, **as_plain(report)} for name, report in reports], indent=2)
            )
        else:
            for name, report in reports:
                self.stdout.write(f"{name}: {describe(report)}")
        if not all(report.is_whole for _, report in reports):
            sys.exit(EXIT_BROKEN)


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
