"""`manage.py calibrate relevance|confidence|ablation|groundedness CASES`: reads off cases the numbers that decide.

relevance: which provision answers, from the features of what search finds; written to `research/retrieval/weights.py`.
confidence: whether the answer given is right, from the signs in its outcome; written to
`research/decision/weights.py`. Changes nothing without --write. Fit relevance first: confidence is read off its
answers. ablation: what each group of features is worth to relevance, each left out in turn, on unseen folds.
groundedness: from where on the scorer that is set lets prose pass, from pairs of quote and prose.

--thresholds FILE keeps what was measured of the embedder, reranker or scorer that is set, for ASAT_THRESHOLDS to name.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from research import composition, flow, services
from research.adapters import thresholds_file
from research.adapters.law_sql import NOW
from research.adapters.rerankers import LearnedReranker
from research.decision import thresholds
from research.decision import weights as decision_weights
from research.decision.thresholds import Grounded
from research.evaluation import bars, grounding
from research.evaluation.cases import Authority, Case, CasesRejected, cases_of, of_split
from research.evaluation.measures import judge
from research.law.citation import find_citations
from research.law.income_year import IncomeYear
from research.logistic import Weights
from research.management.practices import practice_named
from research.outcome_json import outcome_to_json, result_line
from research.question.resolve import resolve
from research.retrieval import weights as relevance_weights
from research.retrieval.features import NAMES
from research.shown import Searched
from research.terms import ResolvedTime, Window

HITS_AT = (1, 3, 5, 10, 50)
MODES = {  # of which each module holds a set of numbers
    "relevance": ("hybrid", "lexical", "hybrid_plain", "lexical_plain"),
    "confidence": ("hybrid", "lexical"),
}
ALONE = ("cosine", "lexical", "subject_words", "subject_together", "subject_meaning", "subject_middle", "subject_votes")
GROUPS = {  # what an ablation leaves out: features whose name begins so
    "the subject index": ("subject_", "place_subject"),
    "its phrases by words": ("subject_words",),
    "its entries' words together": ("subject_together",),
    "its nearest phrase by meaning": ("subject_meaning",),
    "the middle of its entries": ("subject_middle",),
    "its votes": ("subject_votes", "place_subject"),
    "vectors of the law": ("cosine", "place_cosine"),
    "BM25 of the law": ("lexical", "place_lexical"),
    "headings and paths (fields)": ("heading", "path"),
    "phrases and proximity": ("pairs",),
    "the question's words covered": ("coverage",),
    "Acts that the question names": ("act_named", "other_act_named"),
    "what kind of provision it is": ("guide", "definition", "transitional"),
}


class Command(BaseCommand):
    help = "Fit relevance or confidence to the tune half of the cases. Changes nothing without --write."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["relevance", "confidence", "ablation", "groundedness"])
        parser.add_argument("cases", type=Path)
        parser.add_argument("--practice", help="host, schema or name; may be left out where there is only one")
        parser.add_argument("--strength", type=float, default=0.1, help="inverse of the penalty; more fits closer")
        parser.add_argument("--without", action="append", default=[], help="leave this feature out (repeatable)")
        parser.add_argument("--only", action="append", default=[], help="keep this feature and no other (repeatable)")
        parser.add_argument(
            "--plain", action="store_true", help="relevance where the subject index knows nothing of what was found"
        )
        parser.add_argument("--write", action="store_true", help="write the numbers into the program")
        parser.add_argument("--thresholds", type=Path, help="keep confidence or groundedness as measured here, in FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "groundedness":
            self.ground(options["cases"], options["thresholds"])
            return
        try:
            from research.evaluation import fitting
        except ImportError as error:
            raise CommandError(f"Fitting needs {error.name}; install what the tests need: make install-dev.") from error
        try:
            cases = of_split(cases_of(yaml.safe_load(options["cases"].read_text(encoding="utf-8"))), "tune")
        except (OSError, yaml.YAMLError, CasesRejected) as error:
            raise CommandError(f"{options['cases']}: {error}") from error
        with in_practice(practice_named(options["practice"])):
            let_the_unmeasured_answer()
            mode = composition.store().snapshot(Window.of_year(IncomeYear(timezone.localdate().year))).mode
            if options["what"] == "confidence":
                rows = confidence_rows(cases, fitting.Rows)
            else:
                rows = relevance_rows(cases, NAMES, fitting.Rows)
        left_out = (*options["without"], *(GROUPS["the subject index"] if options["plain"] else ()))
        names = [name for name in rows.names if not options["only"] or name in options["only"]]
        rows = replace(rows, names=tuple(name for name in names if not name.startswith(left_out or ("/",))))
        if options["what"] == "ablation":
            self.ablate(rows, options["strength"], fitting.fit_shares)
            return
        fit = fitting.fit if options["what"] == "confidence" else fitting.fit_shares
        fitted = fit(rows, options["strength"])
        self.report(rows, fitted)
        measured = (
            f"{timezone.localdate()}, {len(set(rows.groups))} tune cases of {options['cases'].name}, {mode} search"
        )
        if options["thresholds"] and options["what"] == "confidence":
            self.keep(options["thresholds"], mode, rows, fitted, measured)
        if options["write"]:
            name = f"{mode}_plain" if options["plain"] else mode
            write(options["what"], name, Weights(fitted.intercept, fitted.coefficients, measured))

    def keep(self, path: Path, mode: str, rows: Any, fitted: Any, measured: str) -> None:
        """The bars of the reranker that is set, into the file."""
        identity = composition.rerankers_unmeasured(composition.store())[mode].identity
        weights = Weights(fitted.intercept, fitted.coefficients, measured)
        try:
            found = bars.bars_of(weights, rows.numbers, rows.labels, fitted.predicted, measured)
            thresholds_file.write(path, identity, found)
        except (bars.NoBars, thresholds_file.ThresholdsRefused) as error:
            raise CommandError(f"{identity} gets no thresholds: {error}.") from error
        self.stdout.write(f"{path}: {identity}, {found.measured}.")

    def ground(self, cases: Path, path: Path | None) -> None:
        """The bar of the scorer that is set, told, and kept in the file where one is given."""
        scorer = composition.groundedness_scorer()
        try:
            pairs = grounding.pairs_of(yaml.safe_load(cases.read_text(encoding="utf-8")))
            found = grounding.measure(scorer, pairs)
            if path:
                measured = f"{timezone.localdate()}, {cases.name}: {found.said}"
                thresholds_file.write(path, scorer.identity, Grounded(found.bar, measured))
        except (OSError, yaml.YAMLError, grounding.PairsRejected, thresholds_file.ThresholdsRefused) as error:
            raise CommandError(f"{cases}: {error}") from error
        self.stdout.write(f"{scorer.identity}: {found.said}.")

    def report(self, rows: Any, fitted: Any) -> None:
        """The numbers by weight, and how the first places come out on questions that a fold did not see."""
        for name, value in sorted(fitted.coefficients.items(), key=lambda pair: -abs(pair[1])):
            self.stdout.write(f"{name:22}{value:+.4f}")
        if len(rows.groups) == len(set(rows.groups)):  # a row a question: nothing is ranked
            right = sum(rows.labels)
            self.stdout.write(f"{len(rows.groups)} questions, {right} of them right if answered.")
        else:
            self.stdout.write(f"{len(set(rows.groups))} questions, unseen folds: {hits(rows, fitted.predicted)}")

    def ablate(self, rows: Any, strength: float, fit: Any) -> None:
        """A line for each single measure by itself, for all features, and for all but each group."""
        for name in ALONE:
            self.stdout.write(f"{name + ' alone':36}{hits(rows, [row[name] for row in rows.numbers])}")
        self.stdout.write(f"{'all features':36}{hits(rows, fit(rows, strength).predicted)}")
        for group, left_out in GROUPS.items():
            fewer = replace(rows, names=tuple(name for name in rows.names if not name.startswith(left_out)))
            self.stdout.write(f"{'without ' + group:36}{hits(rows, fit(fewer, strength).predicted)}")


def let_the_unmeasured_answer() -> None:
    """Let the reranker that is set answer while it is measured; one with bars of its own keeps them."""
    for reranker in composition.rerankers_unmeasured(composition.store()).values():
        try:
            thresholds.for_reranker(reranker.identity)
        except LookupError:
            thresholds.put(reranker.identity, bars.TO_MEASURE)


def relevance_rows(cases: Sequence[Case], names: tuple[str, ...], rows: type[Any]) -> Any:
    """A row for each provision found for a question that cites none; labelled where it is acceptable.

    Of a question that must be refused no row is labelled: none of what is found answers it.
    """
    numbers: list[Mapping[str, float]] = []
    labels: list[bool] = []
    groups: list[int] = []
    for group, case in enumerate(cases):
        for authority, features in _found(case):
            numbers.append(features)
            labels.append(authority in case.acceptable)
            groups.append(group)
    refused = frozenset(group for group, case in enumerate(cases) if not case.is_answerable)
    return rows(names, numbers, labels, groups, refused)


def _found(case: Case) -> Iterator[tuple[Authority, Mapping[str, float]]]:
    """Each provision that search finds for the case, with its features."""
    ports = composition.ports(NOW)
    year = IncomeYear(case.income_year) if case.income_year else None
    time = resolve(case.question, year, timezone.localdate(), ports.store.titles())
    if not isinstance(time, ResolvedTime) or find_citations(case.question, titles=ports.store.titles()):
        return
    searched = Searched(case.question, time, ports.store.snapshot(time.window))
    reranker = ports.rerankers[searched.snapshot.mode]
    if not isinstance(reranker, LearnedReranker):
        raise CommandError(f"The reranker is {reranker.identity}; set ASAT_RERANKER=learned.")
    found = flow.retrieve(searched, [], ports)
    for candidate, features in reranker.candidates(found.sought, found.passages):
        first = candidate.passages[0]
        yield Authority(first.instrument, first.section), features


def confidence_rows(cases: Sequence[Case], rows: type[Any]) -> Any:
    """A row for each question that search was made for; labelled where an answer from it would be right."""
    numbers: list[Mapping[str, float]] = []
    labels: list[bool] = []
    groups: list[int] = []
    for group, case in enumerate(cases):
        outcome = services.try_question(case.question, case.income_year, timezone.localdate(), drafts=services.quoting)
        if outcome.signs and outcome.claims:
            line = result_line(case.id, outcome_to_json(outcome)) | {"decision": "answer"}
            numbers.append(outcome.signs)
            labels.append(judge(case, line).kind == "right")
            groups.append(group)
    return rows(tuple(numbers[0]), numbers, labels, groups)


def hits(rows: Any, scores: Sequence[float]) -> str:
    """The share of answerable questions with an acceptable provision among the first 1, 3, 5 … by `scores`."""
    by_group: dict[int, list[tuple[float, bool]]] = {}
    for group, label, score in zip(rows.groups, rows.labels, scores, strict=True):
        if group not in rows.refused:
            by_group.setdefault(group, []).append((score, label))
    ordered = [[label for _, label in sorted(pairs, key=lambda p: -p[0])] for pairs in by_group.values()]
    return ", ".join(f"hit@{k} {sum(any(o[:k]) for o in ordered) / len(ordered):.3f}" for k in HITS_AT)


HEAD = "The numbers of the {what}, by mode of search. Written by `manage.py calibrate`; read them as a table."
MODULES = {"relevance": relevance_weights, "confidence": decision_weights}


def write(what: str, mode: str, fitted: Weights) -> None:
    """The fitted numbers into the module that holds them, beside those of the other mode as they were."""
    module = MODULES[what]
    both = {name: fitted if name == mode else getattr(module, name.upper()) for name in MODES[what]}
    lines = [f'"""{HEAD.format(what=what)}"""', "", "from research.logistic import Weights"]
    for name, weights in both.items():
        lines += ["", f"{name.upper()} = Weights(", f"    intercept={weights.intercept!r},", "    coefficients={"]
        lines += [f'        "{key}": {value!r},' for key, value in weights.coefficients.items()]
        lines += ["    },", f'    measured="{weights.measured}",', ")"]
    assert module.__file__ is not None
    Path(module.__file__).write_text("\n".join(lines) + "\n", encoding="utf-8")
