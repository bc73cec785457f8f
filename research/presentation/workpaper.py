"""A spreadsheet's answers as a workpaper: the facts at its head, each line from its record, and the whole as CSV.

Reads recorded outcomes alone, by the same view as the pages; nothing is searched again. How the pages of the PDF are
set is for `workpaper_pages`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateformat import format as format_moment

from research.models import Batch, Question
from research.outcome_json import outcomes_in
from research.presentation.answer import AnswerView, answer_view
from research.presentation.quotes import ShownClaim

HEAD = (
    *("Line", "Reference", "Question", "Income year", "Decision", "Reason", "Answer", "Quotes", "In force"),
    *("Next step", "Confidence", "Answered by", "Audit row", "Snapshot"),
)
STARTS_A_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # the wide ones in an East Asian spreadsheet program
MOST_CELL_CHARS = 32_000  # a spreadsheet program cuts a cell at 32,767, and says nothing
CUT = " … (cut here; the PDF and the audit row hold the whole)"
FOUND_ONLY = "Found, word for word; not an answer."


@dataclass(frozen=True, slots=True)
class NotAsked:
    """A line of the file that could not be asked, and why."""

    line: int
    reference: str
    why: str


@dataclass(frozen=True, slots=True)
class Paper:
    """What stands at the head. counts: how many questions came to each outcome; left: how many have none yet."""

    practice: str
    who: str
    filename: str
    uploaded: str
    made: str
    lines: int
    counts: Mapping[str, int]
    left: int
    notes: tuple[str, ...]
    not_asked: tuple[NotAsked, ...]

    @property
    def unfinished(self) -> str:
        """That questions are still open, in a sentence; "" when all have ended."""
        if not self.left:
            return ""
        total = sum(self.counts.values())
        return f"Not finished: {self.left} of {total} questions had no answer yet when this was made ({self.made})."


@dataclass(frozen=True, slots=True)
class WorkedLine:
    """One question with its recorded answer. confidence: of what is quoted, "0.97", "" where none was worked out."""

    line: int
    reference: str
    question: str
    answer: AnswerView
    confidence: str
    audit_number: int
    digest: str
    decided: str


def paper_of(practice: str, batch: Batch, counts: Mapping[str, int], now: datetime) -> Paper:
    """The head of the workpaper. counts: as `queries_batch.tally` gives them."""
    user = batch.uploaded_by
    return Paper(
        practice=practice,
        who=user.get_full_name() or user.email,
        filename=batch.filename,
        uploaded=moment_words(batch.uploaded_at),
        made=moment_words(now),
        lines=batch.lines,
        counts=counts,
        left=counts["waiting"],
        notes=tuple(map(str, batch.notes)),
        not_asked=not_asked_in(batch),
    )


def not_asked_in(batch: Batch) -> tuple[NotAsked, ...]:
    """The lines that could not be asked, in their order."""
    return tuple(
        NotAsked(int(each["line"]), str(batch.references.get(str(each["line"]), "")), str(each["why"]))
        for each in batch.refused
    )


def worked_lines(batch: Batch, finished: Iterable[Question]) -> Iterator[WorkedLine]:
    """Each question with its answer as it was recorded."""
    for question in finished:
        answer = question.answer
        yield WorkedLine(
            line=question.line or 0,
            reference=str(batch.references.get(str(question.line), "")),
            question=question.text,
            answer=answer_view(answer.outcome),
            confidence=_confidence(answer.outcome),
            audit_number=answer.audit.number,
            digest=answer.audit.digest,
            decided=moment_words(answer.decided_at),
        )


def csv_bytes(paper: Paper, worked: Iterable[WorkedLine]) -> bytes:
    """The workpaper as CSV: UTF-8 with its mark, CRLF, no cell that a spreadsheet program would work out."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(HEAD)
    rows = [(each.line, _not_asked_row(each)) for each in paper.not_asked]
    rows += [(each.line, _row(each)) for each in worked]
    for _, row in sorted(rows, key=lambda row: row[0]):
        writer.writerow([guarded(cell).replace("\r\n", "\n").replace("\r", "\n") for cell in row])
    if paper.unfinished:
        writer.writerow(_cells(Decision="Not finished", Reason=paper.unfinished))
    return b"\xef\xbb\xbf" + written.getvalue().encode()


def guarded(cell: str) -> str:
    """The cell as text whatever it begins with, and no longer than a spreadsheet program takes."""
    if len(cell) > MOST_CELL_CHARS:
        cell = cell[: MOST_CELL_CHARS - len(CUT)] + CUT
    may_be_formula = cell.startswith(("\t", "\r", "\n")) or cell.lstrip().startswith(STARTS_A_FORMULA)
    return f"'{cell}" if may_be_formula else cell


def leaves(view: AnswerView, label: str = "") -> Iterator[tuple[str, AnswerView]]:
    """What was answered or refused on its own, down the page, each under what tells it from the others: "" for one."""
    for number, part in enumerate(view.parts, start=1):
        yield from leaves(part, f"{number}. {part.question}")
    for side in view.sides:
        of_time = side.chip.label if side.chip else ""
        yield from leaves(side, f"{label}, {of_time}" if label else of_time)
    if not view.parts and not view.sides:
        yield label, view


def moment_words(moment: datetime) -> str:
    """30 November 2026, 10:05 a.m., on the practice's own clock."""
    return format_moment(timezone.localtime(moment), "j F Y, g:i a")


def _row(worked: WorkedLine) -> list[str]:
    view = worked.answer
    told = list(leaves(view))
    chips = dict.fromkeys(chip.label for _, one in told for chip in one.chips)
    steps = dict.fromkeys(step for step in (view.next_step, *(one.next_step for _, one in told)) if step)
    cited = [cited for _, one in told for claim in one.claims for cited in claim.cited]
    return _cells(
        Line=str(worked.line),
        Reference=worked.reference,
        Question=worked.question,
        Income_year=", ".join(chips),
        Decision=view.badge,
        Reason=view.message,
        Answer=_under_labels((label, _answer_text(one)) for label, one in told),
        Quotes=_under_labels((label, _quotes_text(one)) for label, one in told),
        In_force="\n".join(dict.fromkeys(f"{each.authority}: {each.in_force}" for each in cited)),
        Next_step="\n".join(steps),
        Confidence=worked.confidence,
        Answered_by=view.provider,
        Audit_row=str(worked.audit_number),
        Snapshot=view.snapshot,
    )


def _not_asked_row(refused: NotAsked) -> list[str]:
    return _cells(Line=str(refused.line), Reference=refused.reference, Decision="Not asked", Reason=refused.why)


def _cells(**by_name: str) -> list[str]:
    return [by_name.get(name.replace(" ", "_"), "") for name in HEAD]


def _under_labels(texts: Iterable[tuple[str, str]]) -> str:
    return "\n\n".join(f"{label}\n{text}" if label else text for label, text in texts if text)


def _answer_text(view: AnswerView) -> str:
    """The sentences of an answer; where the law is quoted without any, where it is quoted from."""
    if view.tone != "answered":
        return "\n".join(f"It could be: {each.label}" for each in view.candidates)
    lines = [f"{each.name}: {each.value} ({each.days}; set by {each.set_by}; {each.badge})" for each in view.figures]
    lines += [f"{each.formula}" for each in view.figures if each.formula]
    return "\n".join([*lines, *(_sentence(claim) for claim in view.claims)])


def _sentence(claim: ShownClaim) -> str:
    label = f" ({claim.label})" if claim.label else ""
    return f"{claim.lead_in}{label}: {claim.prose}" if claim.prose else f"{claim.lead_in}{label}: as quoted"


def _quotes_text(view: AnswerView) -> str:
    quotes = [cited.quote_with_citation for claim in view.claims for cited in claim.cited]
    if quotes and view.tone != "answered":
        quotes = [FOUND_ONLY, *quotes]
    return "\n\n".join(quotes)


def _confidence(outcome: Mapping[str, Any]) -> str:
    """Of the outcome, or of those of its times or parts that have one."""
    found: Sequence[float] = [one["confidence"] for one in outcomes_in(outcome) if one.get("confidence") is not None]
    return ", ".join(f"{each:.2f}" for each in found)
