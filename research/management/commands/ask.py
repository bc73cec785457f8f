"""`manage.py ask "…"`: one question, answered on the command line and recorded in the practice's audit chain."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from datetime import date
from typing import Any
from urllib.parse import parse_qsl

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from research import services
from research.law.income_year import IncomeYear
from research.law.provision import describe_range
from research.management.practices import practice_named
from research.outcome_json import outcome_to_json, result_line
from research.presentation.answer import answer_view
from research.presentation.figures import figure_lines
from research.presentation.quotes import Cited
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
    """The answer as plain text, in the order of the page.

    The operative words at each claim with its limits, workings, why the year, the next step, who answered, the sources
    by number, attribution. Of a question for two times, or with parts, one after the other.
    """
    view = answer_view(outcome)
    numbers = {
        version_of(cited): cited.number for one in view.answering for claim in one.claims for cited in claim.cited
    }
    lines = _told(outcome, numbers)
    if view.made:
        lines += ["", *view.made]
    if view.sources:
        lines += ["", "Sources:", *(f"  {each.number}. {each.citation}" for each in view.sources)]
    if outcome["attribution"]:
        lines += ["", outcome["attribution"]]
    return "\n".join(lines)


def _told(outcome: dict[str, Any], numbers: dict[int, int]) -> list[str]:
    """The outcome with those within it. numbers: of the sources, by version."""
    lines = [outcome["message"], *_read_as(outcome)]
    if outcome["frameworks"]:
        lines.append(f"Searched: {', '.join(outcome['frameworks'])} alone")
    for side in outcome["sides"]:
        lines += ["", *_told({**side, "next_step": ""}, numbers)]
    for number, part in enumerate(outcome["parts"], 1):
        lines += ["", f"{number}. {part['question']}", *_told(part, numbers)]
    lines += _found(outcome, numbers)
    if outcome["next_step"]:
        lines += ["", f"Next: {outcome['next_step']}"]
    return lines


def _read_as(outcome: dict[str, Any]) -> list[str]:
    found = []
    for line in outcome["read_as"]:
        what = f"Read “{line['words']}” as" if line["words"] else "Taken to be about"
        found.append(f"{what} {line['term']} ({', '.join(line['provisions'])})")
    return found


def _found(outcome: dict[str, Any], numbers: dict[int, int]) -> list[str]:
    """What was found for one time: the year, the words with their numbers, the workings, what to read."""
    lines = []
    if outcome["time"] and not outcome["sides"] and not outcome["parts"]:
        lines.append(f"As at: {describe_reading(time_of(outcome['time']))}")
        lines += [f"Why this year: {outcome['year_because']}"] if outcome["year_because"] else []
    lines += [f"  {candidate}" for candidate in outcome["candidates"]]
    lines += [f"Note: {caution}" for caution in outcome["cautions"]]
    for figure in outcome["figures"]:
        lines += ["", *figure_lines(figure)]
    for claim in outcome["claims"]:
        lines += ["", claim["prose"]]
        for citation in claim["citations"]:
            number = numbers.get(citation["version_id"])
            place = f"  [{number}] " if number else "  "
            lines += [f"“{citation['quote']}”", f"{place}{citation['heading']} · {range_of(citation)}"]
            lines += [f"  {citation['basis']}"] if citation["dating"] in DATED_BY_ITS_HISTORY else []
    if outcome["reading_list"] and not outcome["claims"]:
        lines += ["", "Worth reading:"]
        lines += [f"  {r['act']} {r['section']} {r['heading']}" for r in outcome["reading_list"][:6]]
    return lines


def version_of(cited: Cited) -> int:
    """The version that a quote is of, as its link has it."""
    return int(dict(parse_qsl(cited.query))["version"])


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
