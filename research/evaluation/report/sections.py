"""The whole report of a measuring, in reading order, and its first and last sections. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from research.evaluation.cases import Authority
from research.evaluation.gates import Gate, Integrity
from research.evaluation.intervals import RESAMPLES
from research.evaluation.measured import Line, by_words
from research.evaluation.report import answering, finding, sureness
from research.evaluation.report.parts import NONE, Report, Section, table


@dataclass(frozen=True, slots=True)
class Run:
    """What was measured: the lines, the gates, what the corpus said, and how it was run, in words by name."""

    lines: Sequence[Line]
    gates: Sequence[Gate]
    integrity: Integrity
    facts: dict[str, str]


def report_of(run: Run) -> Report:
    sections = (
        _gates(run),
        answering.answers(run.lines),
        answering.decisions(run.lines),
        sureness.silence(run.lines),
        sureness.calibration(run.lines),
        finding.retrieval_by_stratum(run.lines),
        finding.topics(run.lines),
        finding.latency(run.lines),
        _cases(run.lines),
        _how(run),
    )
    title = f"How AsAt answers {run.facts.get('cases file', 'its cases')}"
    return Report(title, all(gate.passed for gate in run.gates), sections)


def _gates(run: Run) -> Section:
    rows = [(gate.name, "held" if gate.passed else "FAILED", gate.says) for gate in run.gates]
    found = run.integrity
    share = "not measurable" if found.share is None else f"{found.share:.4f}"
    says = [f"Referential integrity: {share} ({found.resolved} of {found.named} authorities)."]
    if found.missing_traps:
        says.append(f"Of what must not be cited, not in the corpus: {_pairs(found.missing_traps)}.")
    if found.unreachable:
        says.append(
            "Answerable cases none of whose authorities is certain in their year: " + ", ".join(found.unreachable) + "."
        )
    return Section("Gates", tuple(says), tables=(table("What must hold", ("gate", "state", "found"), rows, True),))


def _pairs(missing: Sequence[tuple[str, Authority]]) -> str:
    return ", ".join(f"{one.act} {one.section} ({case})" for case, one in missing)


def _cases(lines: Sequence[Line]) -> Section:
    """What to read next: every wrong answer, and every answer that was wanted and not given."""
    wrong = [(line.case.id, _cited(line), _wanted(line)) for line in lines if line.verdict.kind == "wrong"]
    silent = [
        (line.case.id, ": ".join(filter(None, answering.reason(line))), _place(line))
        for line in lines
        if line.case.is_answerable and line.verdict.kind == "refused"
    ]
    return Section(
        "Cases to read",
        tables=(
            table(f"Wrong authority ({len(wrong)})", ("case", "cited", "wanted"), wrong, True),
            table(
                f"Answerable and not answered ({len(silent)})",
                ("case", "decision: reason", "place of the first acceptable provision"),
                silent,
                True,
            ),
        ),
    )


def _cited(line: Line) -> str:
    told = [*line.result["citations"], *(line.result.get("figures") or ())]
    return ", ".join(dict.fromkeys(f"{one['act']} {one['section']}".strip() for one in told)) or "nothing"


def _wanted(line: Line) -> str:
    if not line.case.may_be_answered:
        return line.case.behaviour
    return ", ".join(f"{one.act} {one.section}" for one in line.case.gold or line.case.acceptable)


def _place(line: Line) -> str:
    order = list(dict.fromkeys(line.ranked))
    return next((str(at) for at, one in enumerate(order, 1) if one in line.case.acceptable), NONE)


def _how(run: Run) -> Section:
    words = Counter(map(by_words, run.lines))
    counted = ", ".join(f"{count} {name}" for name, count in sorted(words.items()))
    return Section(
        "How this was measured",
        (
            "The definitions stand in docs/evaluation.md. Intervals are 95 %: exact ones are Clopper–Pearson, the "
            f"others percentiles of {RESAMPLES:,} bootstrap samples of cases, drawn with a fixed seed.",
        ),
        tables=(table("The run", ("what", "value"), [*run.facts.items(), ("words of the questions", counted)], True),),
    )
