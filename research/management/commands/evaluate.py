"""`manage.py evaluate CASES.yaml --out results.jsonl`: asks every case and counts; records nothing in any practice."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from research import services
from research.evaluation.cases import Case, CasesRejected, cases_of
from research.evaluation.measures import judge, summary
from research.management.practices import practice_named
from research.outcome_json import outcome_to_json, result_line


class Command(BaseCommand):
    help = (
        "Measure answers against cases. Exit 0: measured, nothing out of period; 1: something was; 2: unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cases", type=Path)
        parser.add_argument("--out", type=Path, required=True, help="results, one JSON object a line")
        parser.add_argument("--workers", type=int, default=1)
        parser.add_argument("--provider", help="the generation provider; must be the one that is configured")
        parser.add_argument("--practice", help="host, schema or name; may be left out where there is only one")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["provider"] not in (None, settings.ASAT_GENERATION_PROVIDER):
            raise CommandError(
                f"--provider is {options['provider']!r} and ASAT_GENERATION_PROVIDER is "
                f"{settings.ASAT_GENERATION_PROVIDER!r}; set the variable and run again.",
                returncode=2,
            )
        try:
            cases = cases_of(yaml.safe_load(options["cases"].read_text(encoding="utf-8")))
        except (OSError, yaml.YAMLError, UnicodeDecodeError, CasesRejected) as error:
            raise CommandError(f"{options['cases']}: {error}", returncode=2) from error
        practice = practice_named(options["practice"])
        try:
            options["out"].touch()  # now, not after an hour of asking
        except OSError as error:
            raise CommandError(f"--out is {options['out']}: {error.strerror}.", returncode=2) from error
        with ThreadPoolExecutor(max(1, options["workers"])) as pool:
            results = list(pool.map(lambda case: ask(practice, case), cases))
        with options["out"].open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(result, ensure_ascii=False) + "\n" for result in results)
        counted = summary([judge(case, result) for case, result in zip(cases, results, strict=True)], results)
        self.stdout.write(json.dumps(counted, indent=2) if options["json"] else as_lines(counted))
        if counted["out_of_period"]:
            sys.exit(1)


def ask(practice: Practice, case: Case) -> dict[str, Any]:
    """The result line of one case, asked on this thread's own connection."""
    try:
        with in_practice(practice):
            outcome = services.try_question(case.question, case.income_year, timezone.localdate())
    finally:
        connection.close()
    return result_line(case.id, outcome_to_json(outcome))


def as_lines(counted: dict[str, Any]) -> str:
    return "\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in counted.items())
