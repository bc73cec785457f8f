"""The report's sections on what was answered: the headline numbers, and the decisions by kind and reason. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from research.evaluation.measured import Line, by_kind, grouped, headline
from research.evaluation.measures import KINDS
from research.evaluation.report import pictures
from research.evaluation.report.parts import NONE, SHARE_HEAD, Section, Table, in_per_cent, number, share_row, table

VERDICTS = {
    "right": "right",
    "wrong": "wrong authority",
    "rightly_refused": "rightly refused",
    "refused": "refused, otherwise wanted",
    "error": "component failed",
}


def answers(lines: Sequence[Line]) -> Section:
    tables = [_headline_table("All that was measured", lines)]
    splits = {split: group for split, group in grouped(lines, lambda line: line.case.tags.split).items() if split}
    if len(splits) > 1:
        tables += [_headline_table(f"The split “{split}” alone", group) for split, group in splits.items()]
    first = headline(lines)
    bound = (
        f"With 95 % confidence at most {in_per_cent(first.wrong_at_most)} of the answers are wrong (exact, one-sided)."
        if first.answered
        else "No answer was given, so nothing bounds the share of wrong ones."
    )
    says = (
        f"Wrong authority: {first.wrong} of {first.answered} answers given, {first.wrong} of {len(lines)} cases. "
        + bound,
        f"Out-of-period answers: {first.out_of_period}. Results that cite what they must not: {first.forbidden}.",
    )
    return Section("Answers", says, tables=tuple(tables))


def _headline_table(caption: str, lines: Sequence[Line]) -> Table:
    found = headline(lines)
    scores = [
        (f"truthfulness score, {name} (right +1, wrong −1)", str(one.n) if one else "0", NONE, NONE, number(one))
        for name, one in found.truthfulness
    ]
    wanted = Counter(line.wanted for line in lines)
    counts = ", ".join(f"{wanted[name]} {name}" for name in ("answerable", "either", "unanswerable"))
    return table(f"{caption}: {len(lines)} cases ({counts})", SHARE_HEAD, [*map(share_row, found.shares), *scores])


def decisions(lines: Sequence[Line]) -> Section:
    by = {kind: Counter(line.verdict.kind for line in group) for kind, group in grouped(lines, by_kind).items()}
    rows = [(kind, [counts[name] for name in KINDS]) for kind, counts in by.items()]
    told = "; ".join(f"{kind}: {counts['right']} right, {counts['wrong']} wrong" for kind, counts in by.items())
    picture = pictures.stacked("What came of each kind of case", told, list(VERDICTS.values()), rows)
    refused = [line for line in lines if not line.verdict.is_answer]
    reasons = Counter((line.result["decision"], line.result.get("reason") or "") for line in refused)
    wanted = {key: Counter(line.wanted for line in refused if reason(line) == key) for key in reasons}
    names = ("answerable", "either", "unanswerable")
    expected = sorted({line.case.behaviour for line in lines})
    met_as = sorted({line.result["decision"] for line in lines})
    met = Counter((line.case.behaviour, line.result["decision"]) for line in lines)
    return Section(
        "Decisions",
        (
            "A refusal that no case expects by name (nothing found, thin evidence, wording not known, ungrounded) "
            "counts as out of corpus; the last table shows which label each kind of case met.",
        ),
        (picture,),
        (
            table("By kind", ("kind", *VERDICTS.values()), [(kind, *map(str, counts)) for kind, counts in rows]),
            table(
                "Not answered, by reason",
                ("decision: reason", *names, "all"),
                [
                    (": ".join(filter(None, key)), *(str(wanted[key][name]) for name in names), str(count))
                    for key, count in reasons.most_common()
                ],
            ),
            table(
                "Expected behaviour against decision",
                ("expected", *met_as),
                [(name, *(str(met[name, decision]) for decision in met_as)) for name in expected],
            ),
        ),
    )


def reason(line: Line) -> tuple[str, str]:
    return line.result["decision"], line.result.get("reason") or ""
