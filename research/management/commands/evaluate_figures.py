"""`manage.py evaluate_figures`: asks every question of the figure suite and counts; needs no database and no practice.

Measured is what the ledger decides and how fast; whether a value stands in the text is another matter, asked of a store
that holds nothing here. Exit 0: all measures reach what is asked of them; 1: one does not; 2: unusable input.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from research import composition, figured
from research.evaluation import figure_measures
from research.evaluation.figure_measures import FigureCase, Judged, SuiteRejected
from research.evaluation.no_law import NoLaw
from research.figures.names import FigureIndex
from research.law.income_year import IncomeYear
from research.question.resolve import resolve
from research.terms import ResolvedTime

SUITE = Path(settings.BASE_DIR) / "gold_set" / "figure_suite.yaml"


class Command(BaseCommand):
    help = (
        "Ask every question of the figure suite and count. Exit 0: all measures reach what is asked of them; "
        "1: one does not; 2: unusable input."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", type=Path, nargs="?", default=SUITE)
        parser.add_argument("--json", action="store_true", help="print the measures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            plain = yaml.safe_load(options["suite"].read_text(encoding="utf-8"))
            cases = figure_measures.suite_of(plain)
        except (OSError, yaml.YAMLError, UnicodeDecodeError, SuiteRejected) as error:
            raise CommandError(f"{options['suite']}: {error}", returncode=2) from error
        today = plain.get("today")
        if type(today) is not date:
            raise CommandError(f"{options['suite']}: today is {today!r}; give a day such as 2026-06-15.", returncode=2)
        index = composition.figures()
        asked(cases[0], today, index)  # the first question pays for the imports
        judged = [asked(case, today, index) for case in cases]
        counted = figure_measures.summary(judged)
        self.stdout.write(json.dumps(counted, indent=2) if options["json"] else as_lines(counted, judged))
        if low := figure_measures.failures(counted):
            self.stderr.write("\n".join(low))
            sys.exit(1)


def asked(case: FigureCase, today: date, index: FigureIndex) -> Judged:
    """The case put to the ledger, timed from the question's words to the outcome, its time being read included."""
    started = time.perf_counter()
    when = resolve(case.question, IncomeYear(case.income_year) if case.income_year else None, today)
    outcome = figured.answered(case.question, when, NoLaw(), index) if isinstance(when, ResolvedTime) else None
    return figure_measures.judge(case, outcome, (time.perf_counter() - started) * 1000)


def as_lines(counted: dict[str, Any], judged: list[Judged]) -> str:
    lines = [f"{name.replace('_', ' ')}: {value}" for name, value in counted.items() if name != "by_kind"]
    lines += [f"  {kind.replace('_', ' ')}: {right}" for kind, right in counted["by_kind"].items()]
    wrong = [each for each in judged if not (each.is_right and each.is_routed)]
    return "\n".join([*lines, *(f"wrong: {each.case.id} “{each.case.question}”: {each.outcome}" for each in wrong)])
