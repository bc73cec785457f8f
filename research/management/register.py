"""`manage.py corpus fetch|check`: compilations from the Federal Register of Legislation, and whether it has newer."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from django.utils import timezone

from research import composition
from research.corpus import register_check
from research.corpus.ingest.fetch.check import TitleCheck
from research.corpus.ingest.fetch.choose import day_asked
from research.corpus.ingest.fetch.plan import FetchReport, Outcome, fetch_all, fetch_as_at
from research.law.instruments import ACTS, KnownAct, act_of_code

FOLDER: Path = settings.BASE_DIR / "var" / "register"
EXIT_OK, EXIT_ABSENT, EXIT_USAGE, EXIT_NOT_CHECKED = 0, 1, 2, 3


def add_fetch_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("title", help=f"a code ({', '.join(act.code for act in ACTS)}) or a title id of the Register")
    when = parser.add_mutually_exclusive_group(required=True)
    when.add_argument(
        "--as-at", action="append", type=_day, metavar="YYYY-MM-DD", help="the text in force that day (repeatable)"
    )
    when.add_argument("--all-compilations", action="store_true", help="every text that was ever in force; see --since")
    parser.add_argument("--since", type=_since, metavar="YEAR", help="with --all-compilations: in force then or later")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where files are kept; left out: {FOLDER}")


def fetch(options: dict[str, Any], stdout: OutputWrapper) -> int:
    """Exit code of `corpus fetch`: 3 where something was not checked, 1 where a text is absent, else 0."""
    if options["since"] and not options["all_compilations"]:
        raise CommandError("--since goes with --all-compilations; give both.", returncode=EXIT_USAGE)
    act: KnownAct | str = act_of_code(options["title"]) or options["title"]
    folder: Path = options["folder"]
    told = (lambda report: None) if options["json"] else (lambda report: stdout.write(str(report)))
    try:
        with composition.register_client() as client:
            if options["all_compilations"]:
                reports = fetch_all(client, act, options["since"] or date(1901, 1, 1), folder, tell=told)
            else:
                reports = fetch_as_at(client, act, options["as_at"], folder, timezone.localdate(), tell=told)
    except ValueError as error:
        raise CommandError(str(error), returncode=EXIT_USAGE) from error
    except OSError as error:
        problem = f"--folder is {folder}, which cannot be written to ({error.strerror or error}); give another"
        raise CommandError(f"{problem}. What was fetched before is kept.", returncode=EXIT_USAGE) from error
    if options["json"]:
        stdout.write(json.dumps([_plain(report) for report in reports], indent=2, default=str, ensure_ascii=False))
    elif any(report.is_there for report in reports):
        stdout.write(f"Load what was fetched: manage.py corpus import {folder}")
    outcomes = {report.outcome for report in reports}
    if Outcome.NOT_CHECKED in outcomes:
        return EXIT_NOT_CHECKED
    return EXIT_ABSENT if outcomes & {Outcome.ABSENT, Outcome.NO_TEXT} else EXIT_OK


def check(options: dict[str, Any], stdout: OutputWrapper) -> int:
    """Exit code of `corpus check`: 3 where the Register could not be asked about something, else 0."""

    def told(found: TitleCheck) -> None:
        if not options["json"]:
            stdout.write(f"{found.title_id}: {found.message}")

    with composition.register_client(register_check.MANNERS) as client:
        asked = register_check.check_register(client, timezone.localdate(), report=told)
    if asked is None:
        raise CommandError("Another check of the Register is running; wait for its end.", returncode=EXIT_NOT_CHECKED)
    lines = register_check.register_lines()
    if options["json"]:
        stdout.write(json.dumps([asdict(line) for line in lines], indent=2, default=str, ensure_ascii=False))
    elif not lines:
        stdout.write("Nothing is loaded that the Register has a title of.")
    return EXIT_NOT_CHECKED if any(line.outcome.value == "not_checked" for line in lines) else EXIT_OK


def _plain(report: FetchReport) -> dict[str, Any]:
    return {**asdict(report), "path": str(report.path) if report.path else None}


def _day(text: str) -> date:
    try:
        return day_asked(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _since(text: str) -> date:
    if not (text.isascii() and text.isdecimal() and 1901 <= int(text) <= 9999):
        raise ArgumentTypeError(f"{text!r} is no year; give one such as 2010")
    return date(int(text), 1, 1)
