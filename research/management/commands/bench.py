"""`manage.py bench`: measures search, answers and sizes on the law that is loaded, and writes the table of it."""

from __future__ import annotations

import os
import platform
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from research import composition
from research.adapters.corpus_store import PostgresCorpusStore
from research.evaluation import bench
from research.evaluation.bench_verify import verifying
from research.evaluation.cases import Case, cases_of, of_split
from research.law.income_year import IncomeYear
from research.management.practices import practice_named
from research.terms import Window

GOLD_SET = Path(__file__).resolve().parents[3] / "gold_set" / "pit_suite.yaml"
VERIFIED = 80  # questions whose passages are quoted from
QUESTIONS = GOLD_SET.with_name("first_questions.yaml")


class Command(BaseCommand):
    help = "Measure search and answers on the corpus that is loaded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--year", type=int, default=2015, help="the income year whose law is searched")
        parser.add_argument("--rounds", type=int, default=3)
        parser.add_argument("--practice")
        parser.add_argument("--title", default="The corpus as loaded", help="heads this run's section")
        parser.add_argument("--append", type=Path, help="a Markdown file that the section is added to")

    def handle(self, *args: Any, **options: Any) -> None:
        window = Window.of_year(IncomeYear(options["year"]))
        practice = practice_named(options["practice"])
        questions = [case.question for case in cases_of(yaml.safe_load(QUESTIONS.read_text())) if case.acceptable]
        store = composition.store()
        with in_practice(practice):
            snapshot = store.snapshot(window)
            if not snapshot.passages_in_force:
                raise CommandError(f"No passage is in force in {options['year']}; load a corpus first.")
            lines = [f"## {options['title']}", "", *self.setting(snapshot, options), ""]
            yardsticks = {
                name: bench.wall_time(name, search, questions, options["rounds"])
                for name, search in bench.in_memory_searches(store, window).items()
            }
            measure = self.with_vectors
            if snapshot.mode != "hybrid":
                measure = self.with_stand_ins
                yardsticks.pop("numpy", None)  # it holds the vectors that were computed, and no others
            lines += table(measure(store, window, questions, practice, options["rounds"]), yardsticks)
            if snapshot.mode == "hybrid":
                lines += self.answers()
                lines += self.verification(store, window)
            if store.embedder is not None:
                rate = bench.embedding_rate(store.embedder)
                lines += [f"Embedding: {rate:.0f} passages a second, {settings.ASAT_THREADS} thread."]
            lines += ["", "| table | rows | indexes |", "|---|---|---|"]
            lines += [f"| {n} | {t / 1e6:,.1f} MB | {i / 1e6:,.1f} MB |" for n, (t, i) in bench.sizes().items()]
        text = "\n".join(lines) + "\n"
        self.stdout.write(text)
        if options["append"]:
            with options["append"].open("a", encoding="utf-8") as out:
                out.write("\n" + text)

    def with_vectors(
        self, store: PostgresCorpusStore, window: Window, questions: list[str], practice: Practice, rounds: int
    ) -> list[bench.Timing]:
        """Every search at one and at four clients."""
        return [
            bench.database_time(name, search, questions, clients, rounds, lambda: in_practice(practice))
            for name, search in bench.searches(store, window).items()
            for clients in (1, 4)
        ]

    def with_stand_ins(
        self, store: PostgresCorpusStore, window: Window, questions: list[str], practice: Practice, rounds: int
    ) -> list[bench.Timing]:
        """One client, with vectors of other chunks in place of those not computed: the time is the same."""
        embedder_id = store.embedder_id()
        if embedder_id is None:
            raise CommandError("No vector is computed yet; run manage.py corpus embed for a while first.")
        with bench.stand_in_vectors(embedder_id) as written:
            self.stderr.write(f"{written:,} vectors stand in for ones not computed")
            return [
                bench.database_time(name, search, questions, 1, rounds, nullcontext)
                for name, search in bench.searches(store, window).items()
            ]

    def setting(self, snapshot: Any, options: dict[str, Any]) -> list[str]:
        stand_ins = (
            "" if snapshot.mode == "hybrid" else " Vectors not computed are stood in for by those of other chunks."
        )
        return [
            f"Measured {timezone.localdate():%-d %B %Y} on {os.cpu_count()} cores ({platform.machine()}), "
            f"Python {platform.python_version()}; FY{options['year']}, "
            f"{snapshot.passages_in_force:,} chunks in force, {snapshot.mode} search, "
            f"{options['rounds']} rounds of the questions in `gold_set/first_questions.yaml`.{stand_ins}"
        ]

    def answers(self) -> list[str]:
        """Whole answers to the tune half of the gold set, each asked once, with each stage's share of the time."""
        cases = tune_half()
        told = bench.answers_recorded([(case.question, case.income_year) for case in cases], timezone.localdate())
        whole = sum(told.whole.samples)
        lines = [
            "",
            f"Whole extractive answer, from question to audit row, {len(told.whole.samples)} questions of the gold "
            f"set's tune half asked once each: p50 {told.whole.p50:.1f} ms, p95 {told.whole.p95:.1f} ms.",
            "",
            "| stage | p50 ms | p95 ms | share |",
            "|---|---|---|---|",
        ]
        for name, timing in told.stages.items():
            share = sum(timing.samples) / whole
            lines.append(f"| {name} | {timing.p50:.1f} | {timing.p95:.1f} | {share:.0%} |")
        return [*lines, ""]

    def verification(self, store: PostgresCorpusStore, window: Window) -> list[str]:
        """What it costs to check an answer, in fixed words and in a model's, and how that grows."""
        questions = [case.question for case in tune_half()][:VERIFIED]
        # Other questions for each, so that no text was read before: half of them for fixed words, half for a model's.
        halves = ((False, questions[0::2]), (True, questions[1::2]))
        small, large = (
            {composed: verifying(store, window, asked, *size, composed) for composed, asked in halves}
            for size in ((20, 40), (40, 80))
        )
        lines = [
            "Verification of an answer, CPU time; each sentence has one quote, and in a model's words every check on "
            "prose is run. The aim is 5 ms for 20 quotes against 40 chunks.",
            "",
            "| sentences | 20 quotes, 40 chunks: p50 ms | p95 ms | 40 quotes, 80 chunks: p50 ms | times the first |",
            "|---|---|---|---|---|",
        ]
        for composed, name in ((False, "in fixed words"), (True, "in a model's words")):
            one, two = small[composed], large[composed]
            lines.append(f"| {name} | {one.p50:.1f} | {one.p95:.1f} | {two.p50:.1f} | {two.p50 / one.p50:.1f} |")
        return [*lines, ""]


def tune_half() -> list[Case]:
    """The cases that may be looked at."""
    return of_split(cases_of(yaml.safe_load(GOLD_SET.read_text(encoding="utf-8"))), "tune")


def table(timings: list[bench.Timing], yardsticks: dict[str, bench.Timing]) -> list[str]:
    lines = ["| search | clients | p50 ms | p95 ms | yardstick p50 ms | ratio |", "|---|---|---|---|---|---|"]
    beside = {"lexical": "bm25s", "dense": "numpy"}
    for timing in timings:
        yardstick = yardsticks.get(beside.get(timing.name, "")) if timing.clients == 1 else None
        ratio = f"{yardstick.name} {yardstick.p50:.2f} | {timing.p50 / yardstick.p50:.1f}×" if yardstick else "| "
        lines.append(f"| {timing.name} | {timing.clients} | {timing.p50:.1f} | {timing.p95:.1f} | {ratio} |")
    return lines
