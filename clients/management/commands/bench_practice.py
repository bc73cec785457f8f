"""`manage.py bench_practice`: fifty people click through the lists of a large practice, and how long they wait."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.test import Client as Browser
from django.utils import timezone

from asat_site.running.processes import free_port
from asat_site.tenancy.context import in_practice
from clients.bench import clicking, filling
from clients.models import Client, Transaction

AIM_MS = 300
SECONDS = 180.0
WEB_PROCESSES = 2
STARTS_IN_S = 60.0


class Command(BaseCommand):
    help = "Measure the lists of a practice of 5,000 clients and 50,000 transactions; made where it is not there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seconds", type=float, default=SECONDS, help="how long everybody clicks")
        parser.add_argument("--append", type=Path, help="a Markdown file that the section is added to")

    def handle(self, *args: Any, **options: Any) -> None:
        found = filling.filled()
        with in_practice(found.practice, found.staff[0].pk):
            clients = list(Client.objects.values_list("pk", flat=True))
            supplier = Transaction.objects.exclude(supplier_key="").values_list("supplier_key", flat=True)[0]
            cookies = [_cookie(user) for user in found.staff[: filling.STAFF]]
        what = clicking.pages(clients, supplier.replace(" ", "+"), has_documents=True)
        with _web() as address:
            try:
                clicking.click(address, filling.HOST, cookies[:8], what, 12.0)  # what is compiled once
                seen = clicking.click(address, filling.HOST, cookies, what, options["seconds"])
            except clicking.NotServed as error:
                raise CommandError(str(error)) from error
        text = "\n".join(section(seen)) + "\n"
        self.stdout.write(text)
        if options["append"]:
            with options["append"].open("a", encoding="utf-8") as out:
                out.write("\n" + text)


def _cookie(user: Any) -> str:
    browser = Browser(headers={"host": filling.HOST})
    browser.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"


@contextmanager
def _web() -> Iterator[tuple[str, int]]:
    """Where a web server listens, as the container starts it, without the owner's address, until the block ends."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "asat_site.asgi:application",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    command += ["--workers", str(WEB_PROCESSES), "--no-server-header", "--no-proxy-headers", "--log-level", "warning"]
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdin=subprocess.DEVNULL)
    try:
        starts_by = time.monotonic() + STARTS_IN_S
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > starts_by:
                raise CommandError("The web server did not start; what it said stands above.")
            time.sleep(0.2)
        yield "127.0.0.1", port
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=5):
            return True
    except urllib.error.HTTPError:
        return True  # it says what is amiss, and so it answers
    except OSError:
        return False


def section(seen: clicking.Seen) -> list[str]:
    """The section of the report, a line each."""
    everything = [ms for took in seen.took.values() for ms in took]
    rows = [(name, took) for name, took in sorted(seen.took.items()) if len(took) > 1]
    low, high = clicking.THINKS_S
    documents, entries = filling.BILLS + filling.STATEMENTS, filling.BILLS + filling.STATEMENTS * filling.ROWS
    restricted = -(-filling.CLIENTS // filling.RESTRICTED_EVERY)
    return [
        "## A large practice",
        "",
        f"Measured {timezone.localdate():%-d %B %Y} on {os.cpu_count()} cores ({platform.machine()}), Python "
        f"{platform.python_version()}, with the database, {WEB_PROCESSES} web processes and the browsers on the "
        f"machine: {filling.STAFF} people click through {filling.CLIENTS:,} clients, {restricted} of them restricted, "
        f"and {entries:,} transactions of {documents:,} documents. Each reads a page for {low:g} to {high:g} seconds. "
        f"The aim is p95 within {AIM_MS} ms.",
        "",
        "| page | asked for | p50 ms | p95 ms |",
        "|---|---|---|---|",
        *(f"| {name} | {len(took)} | {statistics.median(took):.0f} | {_p95(took):.0f} |" for name, took in rows),
        f"| **all** | {len(everything)} | {statistics.median(everything):.0f} | {_p95(everything):.0f} |",
    ]


def _p95(took: list[float]) -> float:
    return statistics.quantiles(took, n=20, method="inclusive")[-1]
