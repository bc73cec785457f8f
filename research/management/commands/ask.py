"""`manage.py ask "…"`: one question, answered on the command line and recorded in the practice's audit chain."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from research import services
from research.law.income_year import IncomeYear
from research.law.provision import describe_range
from research.management.practices import practice_named
from research.outcome_json import outcome_to_json, result_line
from research.presentation.figures import figure_lines
from research.question.resolve import describe_reading
from research.terms import Dating, ResolvedTime, Window

DATED_BY_ITS_HISTORY = ("endnote", "commencement")  # what else is known of the days is said by the range itself
EXIT_ANSWERED, EXIT_REFUSED, EXIT_ERROR = 0, 3, 4


class Command(BaseCommand):
    help = (
        "Ask what the law said then. Exit 0: answered; 3: not answered, with the reason; 4: a part failed; "
        "2: the question cannot be asked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--income-year", type=int, help="the year it ends in: 2020 is 2019–20")
        parser.add_argument(
            "--framework", action="append", default=[], help="search only this (repeatable); Status lists them"
        )
        parser.add_argument(
            "--no-subject-index", action="store_true", help="take the words as they stand, not as terms of the law"
        )
        parser.add_argument("--practice", help="host, schema or name; may be left out where there is only one")
        parser.add_argument("--json", action="store_true", help="print the answer as one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        with in_practice(practice_named(options["practice"])):
            try:
                question = services.ask(
                    user=None,
                    text=options["question"],
                    year=options["income_year"],
                    frameworks=options["framework"],
                    uses_subject_index=not options["no_subject_index"],
                )
            except services.NotAskable as error:
                raise CommandError(error.message, returncode=2) from error
            claimed = services.claim(question.pk, timezone.now())
            assert claimed is not None  # nobody else knows of it yet
            outcome = outcome_to_json(services.run(claimed))
        if options["json"]:
            line = result_line(str(question.pk), outcome)
            self.stdout.write(json.dumps({**line, "text": text_of(outcome)}, ensure_ascii=False, indent=2))
        else:
            self.stdout.write(text_of(outcome))
        if outcome["decision"] == "error":
            sys.exit(EXIT_ERROR)
        if outcome["decision"] != "answer":
            sys.exit(EXIT_REFUSED)


def text_of(outcome: dict[str, Any]) -> str:
    """The answer as plain text: decision, year, each quote with where it stands, what to read, attribution.

    Of a question for two times, one after the other.
    """
    lines = [outcome["message"]]
    for line in outcome["read_as"]:
        what = f"Read “{line['words']}” as" if line["words"] else "Taken to be about"
        lines.append(f"{what} {line['term']} ({', '.join(line['provisions'])})")
    if outcome["frameworks"]:
        lines.append(f"Searched: {', '.join(outcome['frameworks'])} alone")
    for side in outcome["sides"]:
        lines += ["", text_of({**side, "attribution": ""})]
    if outcome["time"] and not outcome["sides"]:
        lines.append(f"As at: {describe_reading(time_of(outcome['time']))}")
    lines += [f"  {candidate}" for candidate in outcome["candidates"]]
    lines += [f"Note: {caution}" for caution in outcome["cautions"]]
    for figure in outcome["figures"]:
        lines += ["", *figure_lines(figure)]
    for claim in outcome["claims"]:
        lines += ["", claim["prose"]]
        for citation in claim["citations"]:
            lines += [f"“{citation['quote']}”", f"  {citation['heading']} · {range_of(citation)}"]
            lines += [f"  {citation['basis']}"] if citation["dating"] in DATED_BY_ITS_HISTORY else []
    if outcome["reading_list"] and not outcome["claims"]:
        lines += ["", "Worth reading:"]
        lines += [f"  {r['act']} {r['section']} {r['heading']}" for r in outcome["reading_list"][:6]]
    for key in ("next_step", "attribution"):
        if outcome[key]:
            lines += ["", outcome[key]]
    return "\n".join(lines)


def time_of(plain: dict[str, Any]) -> ResolvedTime:
    """The time of an outcome, back from its JSON."""
    window = Window(*(date.fromisoformat(plain["window"][end]) for end in ("first", "last")))
    return ResolvedTime(window, IncomeYear(plain["year"]), plain["source"], plain["read_from"])


def range_of(citation: dict[str, Any]) -> str:
    """When the quoted words are known to have been in force, and how that is known."""
    until = citation["in_force_to"]
    return describe_range(
        date.fromisoformat(citation["in_force_from"]),
        date.fromisoformat(until) if until else None,
        Dating(citation["dating"]),
    )
