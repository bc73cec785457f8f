"""`manage.py bench_line`: starts a worker, asks questions through it, and writes how many a second and how fairly."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.test.utils import override_settings
from django.utils import timezone

from asat_site import heartbeat
from asat_site.testing.model_server import model_server
from research import composition, tasks
from research.adapters.waiting_line import queue_of_questions
from research.evaluation import bench_line
from research.evaluation.bench import Timing
from research.evaluation.cases import cases_of, of_split
from research.management.practices import practice_named

GOLD_SET = Path(__file__).resolve().parents[3] / "gold_set" / "pit_suite.yaml"
WAITING = (8, 64)
WARMING = 20  # questions that are not counted: a worker's first
ALONE = 40  # questions asked one at a time
CROWD = 200  # questions of one practice, beside which another's is asked
STARTS_IN_S = 60.0
HOW_OFTEN = {8: 3, 64: 1}


class Command(BaseCommand):
    help = "Measure questions through a worker that this starts; no other may run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--practice", help="whose questions are asked")
        parser.add_argument("--other", required=True, help="the practice that asks beside it")
        parser.add_argument("--append", type=Path, help="a Markdown file that the section is added to")

    def handle(self, *args: Any, **options: Any) -> None:
        self.first, self.second = practice_named(options["practice"]), practice_named(options["other"])
        cases = of_split(cases_of(yaml.safe_load(GOLD_SET.read_text(encoding="utf-8"))), "tune")
        self.asked = [(case.question, case.income_year) for case in cases if case.acceptable]
        for practice in (self.first, self.second):
            bench_line.stop_what_waits(practice)
        try:
            with _worker({}):
                quoting, alone = self.throughput()
                fair = bench_line.fairness(self.first, self.second, self.asked, tasks.enqueue, CROWD)
                for practice in (self.first, self.second):
                    bench_line.stop_what_waits(practice)
            with model_server() as server:
                server.answers_with(bench_line.honest)
                chosen = {
                    "ASAT_GENERATION_PROVIDER": "ollama",
                    "ASAT_GENERATION_ADDRESS": server.address("ollama"),
                    "ASAT_GENERATION_MODEL": "bench",
                }
                with override_settings(**chosen), _worker(chosen):
                    drafting, _ = self.throughput()
                replies = len(server.requests)
        except bench_line.NoAnswer as error:
            raise CommandError(str(error)) from error
        text = "\n".join(section(quoting, drafting, replies, alone, fair)) + "\n"
        self.stdout.write(text)
        if options["append"]:
            with options["append"].open("a", encoding="utf-8") as out:
                out.write("\n" + text)

    def throughput(self) -> tuple[dict[int, float], bench_line.OneByOne]:
        """(questions a second by how many wait, the same questions one by one)."""
        bench_line.one_by_one(self.first, self.asked[:WARMING], tasks.enqueue)
        alone = bench_line.one_by_one(self.first, self.asked[WARMING : WARMING + ALONE], tasks.enqueue)
        rates = {1: 1000 * len(alone.whole.samples) / sum(alone.whole.samples)}
        for waiting in WAITING:
            found = [
                bench_line.all_waiting(self.first, self.asked[:waiting], tasks.send_missing_tickets)
                for _ in range(HOW_OFTEN[waiting])
            ]
            rates[waiting] = sorted(found)[len(found) // 2]
        return rates, alone


@contextmanager
def _worker(chosen: dict[str, str]) -> Iterator[None]:
    """A worker as `make run` starts it, without the owner's address, until the block ends."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | chosen
    queue = queue_of_questions()
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "asat_site.celery",
        "-q",
        "worker",
        "--queues",
        queue,
        "-O",
        "fair",
    ]
    command += ["--concurrency", "1", "--loglevel", "ERROR", "--without-gossip", "--without-mingle"]
    composition.redis_client().delete(heartbeat.KEY)
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdin=subprocess.DEVNULL)
    try:
        heartbeat.heartbeat.apply_async((queue,), queue=queue, priority=0)
        starts_by = time.monotonic() + STARTS_IN_S
        while heartbeat.worker_age_s() is None:
            if process.poll() is not None or time.monotonic() > starts_by:
                raise CommandError("The worker did not start; what it said stands above.")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def section(
    quoting: dict[int, float],
    drafting: dict[int, float],
    replies: int,
    alone: bench_line.OneByOne,
    fair: bench_line.Fairness,
) -> list[str]:
    """The section of the report, a line each."""
    lines = [
        "## Questions through the worker",
        "",
        f"Measured {timezone.localdate():%-d %B %Y} on {os.cpu_count()} cores ({platform.machine()}), Python "
        f"{platform.python_version()}, with the database, the line and one worker process on the machine; questions "
        "of the gold set's tune half. The model is a fake on loopback that replies at once by the ollama protocol, "
        f"with up to {bench_line.MOST_QUOTES} quotes and a sentence for each ({replies:,} replies): what is left is "
        "AsAt's own work.",
        "",
        "| waiting | extractive, questions/s | model, questions/s | model to extractive |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {waiting} | {rate:.1f} | {drafting[waiting]:.1f} | {drafting[waiting] / rate:.2f} |"
        for waiting, rate in quoting.items()
    ]
    return [
        *lines,
        "",
        f"From asking to the first stage event of the progress stream, the line empty: {_told(alone.first_sign)}; to "
        f"the recorded answer {_told(alone.whole)}.",
        "",
        f"Fairness: with {CROWD} questions of one practice waiting, one question of another took "
        f"{fair.behind.p50:.0f} ms (median of {bench_line.BESIDE}), in an empty line {fair.alone.p50:.0f} ms: "
        f"{fair.ratio:.1f} times as long, with {fair.waiting} still waiting when the last of them was answered.",
    ]


def _told(timing: Timing) -> str:
    return f"p50 {timing.p50:.0f} ms, p95 {timing.p95:.0f} ms"
