"""`manage.py audit verify`: walks a practice's hash chain, row by row, and says where it breaks, if it does.

The questions and answers that are shown are compared with the rows that prove them.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand

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
        verify.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        practices = [practice_named(options["practice"])] if options["practice"] else all_practices()
        reports = []
        for practice in practices:
            with in_practice(practice):
                reports.append((practice.name, verify()))
        if options["json"]:
            self.stdout.write(
                json.dumps([{"practice": name, **as_plain(report)} for name, report in reports], indent=2)
            )
        else:
            for name, report in reports:
                self.stdout.write(f"{name}: {describe(report)}")
        if not all(report.is_whole for _, report in reports):
            sys.exit(EXIT_BROKEN)


def verify() -> chain.ChainReport:
    """The walk along the chain of the practice that the connection is in, and then along what is kept beside it."""
    rows = AuditRow.objects.order_by("number")
    report = chain.verify_chain(rows.values_list("number", "payload", "prev_digest", "digest").iterator(chunk_size=500))
    if not report.is_whole:
        return report
    for row in rows.select_related("answer__question").iterator(chunk_size=500):
        if altered := services.unlike_its_record(row):
            return replace(report, broken_at=row.number, problem="altered", how=altered)
    return report


def as_plain(report: chain.ChainReport) -> dict[str, Any]:
    return {"rows": report.rows, "is_whole": report.is_whole, "broken_at": report.broken_at, "how": report.how}


def describe(report: chain.ChainReport) -> str:
    if report.is_whole:
        return f"{report.rows} rows, every link holds"
    return f"broken at row {report.broken_at}: {report.how}"
