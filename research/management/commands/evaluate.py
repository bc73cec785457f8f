"""`manage.py evaluate CASES.yaml --out results.jsonl`: asks every case and measures; `evaluate compare A B`: two runs.

Records nothing in any practice. What every number means stands in docs/evaluation.md.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from research import services
from research.evaluation.asking import Answer, ask_all, mode_of
from research.evaluation.cases import Case, CasesRejected, cases_of, of_split
from research.evaluation.comparing import ResultsRejected, compared, results_in
from research.evaluation.gates import CeilingRejected, Gate, ceiling_in, gates, has_ceiling
from research.evaluation.held import check_quotes, integrity
from research.evaluation.measured import Line
from research.evaluation.measures import judge, summary
from research.evaluation.report.markdown import as_markdown
from research.evaluation.report.numbers import numbers_of
from research.evaluation.report.page import as_page
from research.evaluation.report.sections import Run, report_of
from research.management.practices import practice_named

GOLD_SET = Path(settings.BASE_DIR) / "gold_set" / "pit_suite.yaml"


class Command(BaseCommand):
    help = (
        "Measure answers against cases, or compare two measurings.\n\n"
        "  evaluate CASES.yaml --out results.jsonl [--report FOLDER] [--split test] …\n"
        "  evaluate compare A.jsonl B.jsonl [--cases CASES.yaml] [--again A2.jsonl] [--json]\n\n"
        "Exit 0: measured, and every gate held (compare: compared). 1: a gate failed: something was cited out of\n"
        "period, a quote does not stand where it is said to, an authority of the cases is not in the served corpus or\n"
        "that could not be measured, or more answers rest on a wrong authority than --ceiling allows. Results and\n"
        "report are written all the same. 2: unusable input, nothing was measured."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="+", metavar="CASES.yaml | compare A.jsonl B.jsonl")
        parser.add_argument("--out", type=Path, help="results, one JSON object a line; needed to measure")
        parser.add_argument("--workers", type=int, default=1, help="questions asked at once")
        parser.add_argument("--provider", help="who drafts: extractive, or the provider configured")
        parser.add_argument("--practice", help="host, schema or name; may be left out where there is only one")
        parser.add_argument("--split", default="all", help="tune, test, or all (the default)")
        parser.add_argument("--report", type=Path, help="folder for report.md, report.html and measures.json")
        parser.add_argument("--ceiling", type=Path, help="YAML of recorded ceilings of wrong authority")
        parser.add_argument("--no-subject-index", action="store_true", help="ask without the subject index")
        parser.add_argument("--cases", type=Path, default=GOLD_SET, help="compare: what both runs were asked")
        parser.add_argument("--again", type=Path, help="compare: a second run just like A, for the noise floor")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"][0] == "compare":
            self.compare([Path(name) for name in options["what"][1:]], options)
            return
        if len(options["what"]) != 1 or options["out"] is None:
            raise CommandError("Give one cases file and --out FILE, or compare and two results files.", returncode=2)
        if options["provider"] not in (None, "extractive", settings.ASAT_GENERATION_PROVIDER):
            raise CommandError(
                f"--provider is {options['provider']!r} and ASAT_GENERATION_PROVIDER is "
                f"{settings.ASAT_GENERATION_PROVIDER!r}; set the variable and run again.",
                returncode=2,
            )
        self.measure(Path(options["what"][0]), options)

    def measure(self, path: Path, options: dict[str, Any]) -> None:
        cases = read_cases(path, options["split"])
        ceilings = read_ceilings(options["ceiling"], options["split"]) if options["ceiling"] else None
        practice = practice_named(options["practice"])
        try:  # now, not after an hour of asking
            options["out"].touch()
            if options["report"]:
                options["report"].mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be written: {error.strerror}.", returncode=2) from error
        shape: dict[str, Any] = {"uses_subject_index": False} if options["no_subject_index"] else {}
        if options["provider"] == "extractive":
            shape["drafts"] = services.quoting
        answers = ask_all(practice, cases, options["workers"], **shape)
        with options["out"].open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(answer.result, ensure_ascii=False) + "\n" for answer in answers)
        ceiling = None if ceilings is None else ceiling_of(ceilings, options["split"], mode_of(answers))
        run = run_of(practice, cases, answers, ceiling, facts_of(path, options, answers))
        if options["report"]:
            write_report(run, options["report"])
        counted = measures_of(run)
        self.stdout.write(json.dumps(counted, indent=2, ensure_ascii=False) if options["json"] else as_lines(run))
        if not all(gate.passed for gate in run.gates):
            sys.exit(1)

    def compare(self, paths: list[Path], options: dict[str, Any]) -> None:
        if len(paths) != 2:
            raise CommandError("compare takes two results files: evaluate compare A.jsonl B.jsonl.", returncode=2)
        cases = read_cases(options["cases"], "all")
        try:
            before, after, *again = [results_in(path) for path in (*paths, options["again"]) if path is not None]
            found = compared(cases, before, after, again[0] if again else None, options["split"])
        except (OSError, ResultsRejected) as error:
            raise CommandError(f"These cannot be compared: {error}", returncode=2) from error
        self.stdout.write(
            json.dumps(found.as_json(), indent=2, ensure_ascii=False) if options["json"] else found.as_text()
        )


def read_cases(path: Path, split: str) -> list[Case]:
    """The cases of a split. Raises CommandError, exit 2, naming the file."""
    try:
        return of_split(cases_of(yaml.safe_load(path.read_text(encoding="utf-8"))), split)
    except (OSError, yaml.YAMLError, UnicodeDecodeError, CasesRejected) as error:
        raise CommandError(f"{path}: {error}", returncode=2) from error


def read_ceilings(path: Path, split: str) -> Any:
    """What is in a file of ceilings. Raises CommandError, exit 2, where it records nothing for the split."""
    try:
        recorded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}", returncode=2) from error
    if not has_ceiling(recorded, split):
        raise CommandError(f"{path}: no ceiling is recorded for {split!r}; record one for each mode.", returncode=2)
    return recorded


def ceiling_of(recorded: Any, split: str, mode: str) -> float | CeilingRejected:
    """The ceiling, or why there is none for the way in which the law was searched."""
    try:
        return ceiling_in(recorded, split, mode)
    except CeilingRejected as rejected:
        return rejected


def run_of(
    practice: Practice,
    cases: list[Case],
    answers: list[Answer],
    ceiling: float | CeilingRejected | None,
    facts: dict[str, str],
) -> Run:
    """Every answer judged, and looked up again in the corpus as that practice sees it."""
    lines = [
        Line(case, answer.result, judge(case, answer.result, answer.windows))
        for case, answer in zip(cases, answers, strict=True)
    ]
    with in_practice(practice):
        resolved = integrity(cases)
        quotes = check_quotes([answer.result for answer in answers], [answer.windows for answer in answers])
    return Run(lines, gates(resolved, [line.verdict for line in lines], quotes, ceiling), resolved, facts)


def facts_of(path: Path, options: dict[str, Any], answers: list[Answer]) -> dict[str, str]:
    results = [answer.result for answer in answers]
    return {
        "cases file": path.name,
        "split": options["split"],
        "search": mode_of(answers) or "nothing was searched",
        "subject index": "off" if options["no_subject_index"] else "as configured",
        "provider": ", ".join(sorted({result["provider"] for result in results if result["provider"]})),
        "model": ", ".join(sorted({result["model"] for result in results if result["model"]})),
        "snapshots": ", ".join(sorted({result["snapshot_id"][:12] for result in results if result["snapshot_id"]})),
        "asked at once": str(options["workers"]),
        "measured on": timezone.localdate().isoformat(),
    }


def measures_of(run: Run) -> dict[str, Any]:
    """The counts and the gates, for a program."""
    counted = summary([line.verdict for line in run.lines], [line.result for line in run.lines])
    return {
        **counted,
        "integrity": run.integrity.share,
        "gates": [{"name": gate.name, "passed": gate.passed, "says": gate.says} for gate in run.gates],
        "run": run.facts,
    }


def write_report(run: Run, folder: Path) -> None:
    report = report_of(run)
    (folder / "report.md").write_text(as_markdown(report), encoding="utf-8")
    (folder / "report.html").write_text(as_page(report), encoding="utf-8")
    measures = json.dumps({**measures_of(run), **numbers_of(run.lines)}, indent=1, ensure_ascii=False)
    (folder / "measures.json").write_text(measures + "\n", encoding="utf-8")


def as_lines(run: Run) -> str:
    counted = summary([line.verdict for line in run.lines], [line.result for line in run.lines])
    told = [f"{name.replace('_', ' ')}: {value}" for name, value in counted.items()]
    return "\n".join([*told, *map(_gate_line, run.gates)])


def _gate_line(gate: Gate) -> str:
    return f"{'held' if gate.passed else 'FAILED'}: {gate.name}. {gate.says}"
