"""`manage.py evaluate-retrieval CASES.json`: how well search finds controls; prints numbers over many queries alone."""

from __future__ import annotations

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from asat_site.tenancy.context import in_practice
from research.evaluation.control_search import Asked, Catalogue, ask
from research.evaluation.controls import QueriesRejected, queries_of
from research.evaluation.intervals import Estimate, means
from research.evaluation.ranking import NAMES
from research.management.practices import practice_named


class Command(BaseCommand):
    help = (
        "Measure retrieval at the level of controls: hit rate and recall at 1, 3, 5, 10, 20, 50, MRR@10, nDCG@10,\n"
        "with bootstrap 95 % intervals, of all queries, and apart for those in the controls' language and in another.\n"
        "The ranking is the one that answers are made from. Nothing of a single query, control or text is printed.\n\n"
        'CASES.json: [{"id", "query", "language", "framework", "relevant": [{"framework", "controlId"}]}]; how freely\n'
        "it may be written stands in docs/evaluation.md.\n\n"
        "Exit 0: measured. 1: none of the controls is in the corpus, so nothing was. 2: unusable input."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cases", type=Path, metavar="CASES.json")
        parser.add_argument("--practice", help="whose private documents count too; the only one where left out")
        parser.add_argument(
            "--everywhere", action="store_true", help="search all that is loaded, whatever a query names"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            queries = queries_of(json.loads(options["cases"].read_text(encoding="utf-8-sig")))
        except (OSError, ValueError) as error:
            # A JSON error may quote the file; a rejection never does.
            says = str(error) if isinstance(error, QueriesRejected | OSError) else "it is not JSON in UTF-8"
            raise CommandError(f"{options['cases']}: {says}", returncode=2) from None
        with in_practice(practice_named(options["practice"])):
            catalogue = Catalogue()
            asked = [ask(query, catalogue, not options["everywhere"]) for query in queries]
        if all(one.missing == one.relevant for one in asked):
            raise CommandError("None of the relevant controls is in the corpus; nothing was measured.", returncode=1)
        told = measures_of(asked)
        self.stdout.write(json.dumps(told, indent=2, ensure_ascii=False) if options["json"] else as_text(told))


def measures_of(asked: Sequence[Asked]) -> dict[str, Any]:
    """Counts, then the measures of all, by how the languages stand to each other, and by pair of languages."""
    return {
        "queries": len(asked),
        "relevant_controls": sum(one.relevant for one in asked),
        "controls_not_held": sum(one.missing for one in asked),
        "not_ranked": sum(not one.is_ranked for one in asked),
        "failed": sum(one.is_failed for one in asked),
        "all": _measured(asked),
        "by_language": _apart(asked, lambda one: one.relation),
        "by_pair": _apart(asked, lambda one: one.pair),
    }


def _apart(asked: Sequence[Asked], by: Callable[[Asked], str]) -> dict[str, Any]:
    strata: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        strata[by(one)].append(one)
    return {name: _measured(group) for name, group in sorted(strata.items())}


def _measured(group: Sequence[Asked]) -> dict[str, Any]:
    found = zip(NAMES, means([one.scores for one in group]), strict=True)
    return {"queries": len(group), **{name: _plain(estimate) for name, estimate in found}}


def _plain(estimate: Estimate) -> dict[str, float]:
    return {
        "value": round(estimate.value, 4),
        "low": round(estimate.low, 4),
        "high": round(estimate.high, 4),
    }


def as_text(told: dict[str, Any]) -> str:
    columns = {"all queries": told["all"], **told["by_language"], **told["by_pair"]}
    wide = max(map(len, columns)) + 2
    lines = [
        f"{told['queries']} queries, {told['relevant_controls']} relevant controls, {told['controls_not_held']} not "
        f"held (each a miss); {told['not_ranked']} queries had nothing ranked, {told['failed']} failed.",
    ]
    for measure in NAMES:
        lines += ["", measure]
        for name, found in columns.items():
            one = found[measure]
            told_of = f"{one['value']:.3f} ({one['low']:.3f}–{one['high']:.3f})"
            lines.append(f"  {name:{wide}} {told_of}  of {found['queries']}")
    return "\n".join(lines)
