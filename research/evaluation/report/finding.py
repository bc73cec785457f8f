"""The report's sections on search: the ranking by stratum, each topic, and the time that each stage took. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from research.evaluation import ranking
from research.evaluation.measured import GROUPINGS, Line, Retrieval, grouped, latencies, retrieval
from research.evaluation.measures import KINDS
from research.evaluation.report import pictures
from research.evaluation.report.answering import VERDICTS
from research.evaluation.report.parts import NONE, Section, Table, number, per_cent, table


def retrieval_by_stratum(lines: Sequence[Line]) -> Section:
    by_stratum = {name: retrieval(lines, by) for name, by in GROUPINGS.items() if name != "topic"}
    words = by_stratum["words"]
    series = [(one.stratum, [(at, one.measures[f"hit@{k}"].value) for at, k in enumerate(ranking.KS)]) for one in words]
    told = "; ".join(f"{one.stratum}: hit@1 {one.measures['hit@1'].value:.0%}" for one in words)
    x = pictures.Axis(
        "among the first k provisions", len(ranking.KS) - 1, [(at, str(k)) for at, k in enumerate(ranking.KS)]
    )
    return Section(
        "Retrieval",
        (
            "By provision, over answerable cases, never pooled across strata. A case that nothing was ranked for "
            "counts as a miss; those that the figure ledger answered were not searched for and are left out.",
        ),
        (pictures.lines("hit@k by the words of the question", told, x, pictures.share_axis("hit@k"), series),)
        if words
        else (),
        tuple(_strata(name, found) for name, found in by_stratum.items() if found),
    )


def _strata(name: str, found: Sequence[Retrieval]) -> Table:
    rows = [
        (one.stratum, str(one.n), str(one.unranked), *(number(one.measures[measure], 2) for measure in ranking.NAMES))
        for one in found
    ]
    return table(f"Per {name}", (name, "cases", "not ranked", *ranking.NAMES), rows)


def topics(lines: Sequence[Line]) -> Section:
    ranked = {one.stratum: one for one in retrieval(lines, GROUPINGS["topic"])}
    rows = []
    for topic, group in grouped(lines, GROUPINGS["topic"]).items():
        kinds = Counter(line.verdict.kind for line in group)
        one = ranked.get(topic)
        measured = [per_cent(one.measures[name]) if one else NONE for name in ("hit@1", "hit@5", "hit@50")]
        counts = [str(kinds[kind]) for kind in KINDS]
        rows.append((topic, str(len(group)), *counts, str(one.n) if one else "0", *measured))
    head = ("topic", "cases", *VERDICTS.values(), "searched", "hit@1", "hit@5", "hit@50")
    return Section("Topics", tables=(table("Per topic", head, rows),))


def latency(lines: Sequence[Line]) -> Section:
    found = latencies(lines)
    if not found:
        return Section("Time", ("No result carries timings.",))
    bars = [(one.stage, one.p50.value, one.p95.value) for one in found]
    told = "; ".join(f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms" for name, p50, p95 in bars)
    rows = [(one.stage, str(one.n), number(one.p50, 1), number(one.p95, 1)) for one in found]
    return Section(
        "Time",
        ("Milliseconds as each question's own clock saw them; questions asked at once wait for one another.",),
        (pictures.bars("Time per stage", told, "ms", bars),),
        (table("Per stage", ("stage", "questions", "p50 ms (95 %)", "p95 ms (95 %)"), rows),),
    )
