"""The report's sections on confidence: what silence buys, and whether a stated probability comes true. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from research.evaluation.calibration import Calibration
from research.evaluation.measured import Line, confidence
from research.evaluation.report import pictures
from research.evaluation.report.parts import Section, Table, in_per_cent, number, table

RISKS = (0.01, 0.02, 0.05, 0.1)


def silence(lines: Sequence[Line]) -> Section:
    found = confidence(lines)
    if found.would_be is None:
        return Section("Risk and coverage", ("No case is answerable, so there is no curve.",))
    curve = found.would_be
    series = [("if answered with the quotes held", [(at, risk) for at, risk, _ in curve.points])]
    if found.given:
        series.append(("answers given", [(at, risk) for at, risk, _ in found.given]))
    reached = found.given[-1] if found.given else (0.0, 0.0, 0.0)
    wrong_at_all = in_per_cent(curve.points[-1][1])
    told = f"At full coverage {wrong_at_all} would be wrong; answers were given on {in_per_cent(reached[0])}."
    most = max(0.1, *(risk for _, points in series for _, risk in points))
    rows = [
        ("AURC, if answered with the quotes held", number(curve.aurc)),
        ("AUGRC, if answered with the quotes held", number(curve.augrc)),
        ("share wrong at full coverage", wrong_at_all),
        *(
            (f"coverage at a risk of at most {100 * risk:.0f} %", in_per_cent(curve.coverage_at(risk)))
            for risk in RISKS
        ),
        ("coverage of the answers given", in_per_cent(reached[0])),
        ("share wrong of the answers given to answerable cases", in_per_cent(reached[1])),
    ]
    return Section(
        "Risk and coverage",
        (
            "Answerable cases, the surest first: what was looked up, then by confidence; those refused without one "
            "come last. A case counts as wrong if an answer with the quotes that it carries, given or held back, would "
            "be; where it carries none, if one from the first provision ranked would be. Areas: smaller is better.",
        ),
        (
            pictures.lines(
                "Risk against coverage",
                told,
                pictures.share_axis("coverage of the answerable cases"),
                pictures.share_axis("share wrong", most),
                series,
            ),
        ),
        (table(f"Selective answering, {curve.n} answerable cases", ("measure", "value (95 %)"), rows),),
    )


def calibration(lines: Sequence[Line]) -> Section:
    found = confidence(lines)
    groups = (("every case with a confidence", found.of_all), ("answers given", found.of_answers))
    rows = [
        (
            f"{name}, bands of {one.cut}",
            number(one.error),
            f"{one.worst.gap:.3f}",
            f"{one.worst.stated:.3f} / {one.worst.true:.3f}",
            str(one.worst.n),
        )
        for name, ones in groups
        for one in ones
    ]
    if not rows:
        return Section("Calibration", ("No result carries a confidence, so nothing can be said of its calibration.",))
    series = [(name, ones[0].bands) for name, ones in groups if ones]
    told = "; ".join(f"{name}: expected calibration error {ones[0].error.value:.3f}" for name, ones in groups if ones)
    head = ("over", "expected error (95 %)", "worst band", "stated / right there", "cases there")
    return Section(
        "Calibration",
        (
            f"{found.unstated} of {len(lines)} cases carry no confidence and are left out. Over every case, "
            "unanswerable ones too, right means that an answer with the quotes held would be.",
        ),
        (pictures.reliability("Confidence stated against share right, bands of equal mass", told, series),),
        (
            table("Expected calibration error, with the worst band beside it", head, rows),
            *(_bands(f"Bands: {name}, {one.cut}", one) for name, ones in groups for one in ones[:1]),
        ),
    )


def _bands(caption: str, found: Calibration) -> Table:
    head = ("band", "cases", "stated", "right", "apart")
    return table(
        caption,
        head,
        [
            (f"{b.low:.2f}–{b.high:.2f}", str(b.n), f"{b.stated:.3f}", f"{b.true:.3f}", f"{b.gap:.3f}")
            for b in found.bands
        ],
    )
