"""`manage.py calibrate CASES`: how the configured reranker scores the right provision, and what cannot be answered.

Prints the distribution that the numbers in `research/decision/thresholds.py` were read off. Changes nothing.
"""

from __future__ import annotations

import json
import statistics
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from research import services
from research.evaluation.cases import Authority, Case, cases_of
from research.management.practices import practice_named

DECILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)


class Command(BaseCommand):
    help = "Show how relevance is spread over answerable and unanswerable questions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cases", type=Path)
        parser.add_argument("--practice")
        parser.add_argument("--json", action="store_true", help="print a line for every case as well")

    def handle(self, *args: Any, **options: Any) -> None:
        cases = cases_of(yaml.safe_load(options["cases"].read_text(encoding="utf-8")))
        groups: dict[str, list[float]] = {
            "top, right": [],
            "top, wrong": [],
            "top, unanswerable": [],
            "margin, right": [],
            "margin, wrong": [],
        }
        with in_practice(practice_named(options["practice"])):
            for case in cases:
                self.measure(case, groups, options["json"])
        for name, scores in groups.items():
            self.stdout.write(f"{name:20} n={len(scores):3}  {spread(scores)}")

    def measure(self, case: Case, groups: dict[str, list[float]], shown: bool) -> None:
        outcome = services.try_question(case.question, case.income_year, timezone.localdate())
        ranked = outcome.retrieved
        if not ranked:
            return
        top = ranked[0]
        margin = top.score - ranked[1].score if len(ranked) > 1 else top.score
        is_right = Authority(top.act, top.section) in case.acceptable
        kind = "unanswerable" if not case.acceptable else "right" if is_right else "wrong"
        groups[f"top, {kind}"].append(top.score)
        if case.acceptable:
            groups[f"margin, {kind}"].append(margin)
        if shown:
            place = next((i for i, r in enumerate(ranked, 1) if Authority(r.act, r.section) in case.acceptable), None)
            line = {
                "id": case.id,
                "decision": outcome.decision,
                "top": f"{top.act} {top.section}",
                "score": round(top.score, 3),
            }
            self.stdout.write(json.dumps({**line, "margin": round(margin, 3), "place": place}))


def spread(scores: list[float]) -> str:
    """The quantiles named in DECILES, or "none"."""
    if len(scores) < 2:
        return "none" if not scores else f"{scores[0]:.3f}"
    cuts = statistics.quantiles(scores, n=100, method="inclusive")
    return "  ".join(f"p{round(share * 100)} {cuts[round(share * 100) - 1]:.3f}" for share in DECILES)
