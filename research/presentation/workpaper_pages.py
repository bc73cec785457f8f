"""The pages of a workpaper as HTML for the PDF: a summary, each question in reading order, and the sources' notes.

Only what the PDF's own setting knows is used: blocks, tables, margins and colours. All words are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from research.adapters.workpaper_pdf import as_html as _e
from research.presentation.answer import NOT_ADVICE, AnswerView, ReadingLine
from research.presentation.batch import OUTCOME_WORDS
from research.presentation.figures import FigureView
from research.presentation.law_text import Line
from research.presentation.quotes import Cited, ShownClaim
from research.presentation.workpaper import FOUND_ONLY, Paper, WorkedLine, leaves

CSS = """
body { margin: 0; font-family: sans-serif; font-size: 9.5pt; line-height: 1.35; color: #1c2024; }
h1 { font-size: 19pt; margin: 0 0 2pt 0; } h2 { font-size: 12pt; margin: 0 0 3pt 0; }
h3 { font-size: 9.5pt; margin: 9pt 0 3pt 0; }
p { margin: 0 0 4pt 0; }
.quiet, .fine { color: #494f55; } .fine { font-size: 8pt; }
.of { font-size: 8.5pt; color: #494f55; margin: 0 0 2pt 0; padding: 6pt 0 0 0; border-top: 0.7pt solid #8d877a; }
.facts td { white-space: nowrap; }
.badge { font-weight: bold; } .answered { color: #0b5259; } .refused, .asked { color: #664800; }
.fault { color: #8a2315; }
.label { font-weight: bold; color: #1c2024; font-size: 9.5pt; margin: 9pt 0 4pt 0; }
.where { margin: 9pt 0 2pt 0; } .role { color: #664800; }
.quote { font-family: serif; font-size: 11pt; line-height: 1.4; margin: 2pt 0 3pt 0;
  padding: 0 0 0 9pt; border-left: 1.5pt solid #9cc3c5; }
.quote p { margin: 0 0 2pt 0; } .lv1 { padding-left: 16pt; } .lv2 { padding-left: 32pt; } .lv3 { padding-left: 48pt; }
.note { background-color: #faf2de; color: #664800; padding: 3pt 6pt; margin: 4pt 0; }
.next { background-color: #f4f2ed; padding: 4pt 6pt; margin: 7pt 0 5pt 0; }
.value { font-size: 15pt; font-weight: bold; margin: 1pt 0; }
table { border: 0.5pt solid #8d877a; margin: 3pt 0 6pt 0; }
td, th { padding: 2pt 7pt 2pt 3pt; text-align: left; font-size: 8.5pt; }
ul { margin: 0 0 4pt 0; padding-left: 12pt; } li { margin: 0 0 2pt 0; }
"""


@dataclass(frozen=True, slots=True)
class Section:
    """Some pages' worth. title: as the PDF's outline lists it."""

    title: str
    html: str


def sections_of(paper: Paper, worked: Iterable[WorkedLine]) -> Iterator[Section]:
    """The summary, a section for each question, and last what the sources ask to be said."""
    yield Section("Summary", _summary(paper))
    notes: dict[str, None] = {}
    for each in worked:
        notes.update(dict.fromkeys(one.attribution for _, one in leaves(each.answer) if one.attribution))
        notes.update({each.answer.attribution: None} if each.answer.attribution else {})
        yield Section(f"Line {each.line}: {each.question[:80]}", _question(each))
    yield Section("Sources and notes", _closing(tuple(notes)))


def foot_of(paper: Paper) -> str:
    """The words at the foot of every page, before its number."""
    return f"{paper.practice} · {paper.filename[:60]} · Not tax advice"


def _summary(paper: Paper) -> str:
    facts = [
        ("Practice", paper.practice),
        ("Asked by", paper.who),
        ("File", paper.filename),
        ("Uploaded", paper.uploaded),
        ("Workpaper made", paper.made),
        ("Lines", f"{paper.lines:,}"),
    ]
    counts = [(OUTCOME_WORDS[name], f"{count:,}") for name, count in paper.counts.items() if count]
    counts += [("Not asked", f"{len(paper.not_asked):,}")] if paper.not_asked else []
    parts = [
        "<h1>Workpaper of tax law questions</h1>",
        '<p class="quiet">Answered by AsAt from the words of the law in force at the time asked about, or refused.</p>',
        f'<p class="note">{_e(paper.unfinished)}</p>' if paper.unfinished else "",
        _table((), facts, "facts"),
        "<h3>What came of it</h3>",
        _table((), counts, "facts"),
        "<h3>What was read of the file</h3>" if paper.notes else "",
        _list(paper.notes),
    ]
    if paper.not_asked:
        rows = [(str(each.line), each.reference, each.why) for each in paper.not_asked]
        parts += ["<h3>Lines that were not asked</h3>", _table(("Line", "Reference", "Why"), rows)]
    return "".join([*parts, f"<p><b>{_e(NOT_ADVICE)}</b></p>"])


def _question(worked: WorkedLine) -> str:
    view = worked.answer
    reference = f" · Reference {worked.reference}" if worked.reference else ""
    told = list(leaves(view))
    parts = [
        f'<p class="of">Line {worked.line}{_e(reference)}</p>',
        f"<h2>{_e(worked.question)}</h2>",
        _badge(view),
        f'<p class="fine">{_e(view.because)}</p>' if view.because else "",
    ]
    if view.parts or view.sides:
        parts += [f"<p>{_e(view.message)}</p>" if view.message else "", _changed(view)]
        for label, one in told:
            parts += [f'<p class="label">{_e(label)}</p>', _badge(one), _because(one, view), _told(one)]
        parts.append(_next(view.next_step) if view.next_step not in {one.next_step for _, one in told} else "")
    else:
        parts.append(_told(view))
    return "".join([*parts, _proof(worked, view)])


def _because(one: AnswerView, whole: AnswerView) -> str:
    return f'<p class="fine">{_e(one.because)}</p>' if one.because and one.because != whole.because else ""


def _badge(view: AnswerView) -> str:
    times = "; ".join(f"{chip.label}, {chip.span}" for chip in view.chips)
    when = f' <span class="quiet">· {_e(times)}</span>' if times else ""
    return f'<p><span class="badge {view.tone}">{_e(view.badge)}</span>{when}</p>'


def _told(view: AnswerView) -> str:
    """What was said for one time and one issue."""
    is_answered = view.tone == "answered"
    read_as = [f"“{each.words}” as {each.term}" if each.words else f"about {each.term}" for each in view.read_as]
    parts = [f'<p class="fine">Read {_e("; ".join(read_as))}.</p>' if read_as else ""]
    parts += [f'<p class="note">{_e(sentence)}</p>' for sentence in (*view.degraded, *view.cautions)]
    parts += [f"<p>{_e(view.message)}</p>" if not is_answered else ""]
    could_be = [each.label + (f" ({each.heading})" if each.heading else "") for each in view.candidates]
    parts += ['<p class="label">It could be</p>' if view.candidates or (view.figures and view.tone == "asked") else ""]
    parts += [_list(could_be) if not view.figures else ""]
    parts += [f'<p class="label">{_e(FOUND_ONLY)}</p>' if view.claims and not is_answered else ""]
    parts += [_figure(figure) for figure in view.figures]
    parts += [_claim(claim) for claim in view.claims]
    parts += [_reading("The words on either side", view.sides_to_compare)]
    parts += [_reading("Worth reading", view.further) if not is_answered else ""]
    parts += [
        f'<p class="fine">{len(view.dropped)} left out because the words did not match.</p>' if view.dropped else ""
    ]
    return "".join([*parts, _next(view.next_step)])


def _claim(claim: ShownClaim) -> str:
    return "".join(_cited(claim, cited, place == 0) for place, cited in enumerate(claim.cited))


def _cited(claim: ShownClaim, cited: Cited, is_first: bool) -> str:
    where = claim.lead_in if is_first else cited.authority
    label = f' <span class="role">· {_e(claim.label)}</span>' if claim.label else ""
    return "".join(
        (
            f'<p class="where"><b>{_e(where)}</b> {_e(cited.heading)}{label}</p>',
            f"<p>{_e(claim.prose)}</p>" if is_first and claim.prose else "",
            f'<div class="quote">{"".join(map(_line, cited.lines))}</div>',
            f'<p class="note">{_e(cited.notice)}</p>' if cited.notice else "",
            f'<p class="fine">{_e(cited.absent)}</p>' if cited.absent else "",
            f'<p class="fine">{_e(cited.citation)}. {_e(cited.in_force)}. {_e(cited.basis)}</p>',
        )
    )


def _line(line: Line) -> str:
    marker = f"{line.marker} " if line.marker else ""
    return f'<p class="lv{line.level}">{_e(marker + line.text)}</p>'


def _figure(figure: FigureView) -> str:
    workings = figure.workings
    facts = f"{figure.days} · Set by {figure.set_by} · {figure.badge}"
    return "".join(
        (
            f'<p class="where"><b>{_e(figure.name)}</b></p><p class="value">{_e(figure.value)}</p>',
            f'<p class="fine">{_e(facts[:1].upper() + facts[1:])}</p>',
            f'<p class="fine">{_e(figure.note)}</p>' if figure.note else "",
            f'<p class="label">Workings</p>{_table(workings.head, (*workings.rows, workings.total))}',
            f'<p class="fine">{_e(figure.formula)}</p>' if figure.formula else "",
        )
    )


def _changed(view: AnswerView) -> str:
    said = {True: "the wording is the same at both times", False: "the wording is not the same"}
    return _list(f"{change.authority}: {said[change.is_same]}" for change in view.changes)


def _reading(title: str, lines: Iterable[ReadingLine]) -> str:
    said = [" · ".join(filter(None, (f"{each.authority} {each.heading}", each.note, each.known))) for each in lines]
    return f'<p class="label">{_e(title)}</p>{_list(said)}' if said else ""


def _next(step: str) -> str:
    return f'<p class="next"><b>Next</b> {_e(step)}</p>' if step else ""


def _proof(worked: WorkedLine, view: AnswerView) -> str:
    by = " · ".join(filter(None, (view.provider, view.mode)))
    said = [f"{by}." if by else "", *view.made]
    said += [f"Confidence {worked.confidence}." if worked.confidence else ""]
    sealed = [f"Audit row {worked.audit_number} of {worked.decided}", f"Digest {worked.digest}"]
    sealed += [f"Snapshot {view.snapshot}"] if view.snapshot else []
    lines = "<br>".join(map(_e, sealed))
    return f'<p class="fine">{_e(" ".join(filter(None, said)))}</p><p class="fine">{lines}</p>'


def _closing(notes: tuple[str, ...]) -> str:
    return (
        f"<h2>Sources and notes</h2>{_list(notes)}"
        "<p>Quotes are the words of the source they name, matched letter for letter when the answer was recorded. "
        "Each answer can be replayed from its audit row; the digest seals that row with those before it.</p>"
        f"<p><b>{_e(NOT_ADVICE)}</b></p>"
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "") -> str:
    top = "".join(f"<th>{_e(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{_e(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="{kind}">{f"<tr>{top}</tr>" if top else ""}{body}</table>' if body else ""


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{_e(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""
