"""A provision as at a day, turned into what its page shows: numbered text, strip, wordings, a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlencode

from research.corpus import references
from research.corpus.queries import Neighbour, ProvisionPage, VersionLine
from research.decision.words import not_current
from research.law.income_year import IncomeYear
from research.law.provision import authority_of, in_words
from research.presentation import words
from research.presentation.absent import absent_from
from research.presentation.as_at import AsAt
from research.presentation.compare import compare, words_changed
from research.presentation.history import HistoryLine, history_of
from research.presentation.law_text import Line, lines_of
from research.presentation.marks import Marks, Piece, Span
from research.presentation.parts import PART_CHARS, Part, part_to_show, parts_of
from research.presentation.quotes import cited_in_full
from research.presentation.timeline import Strip, Wording, strip_of
from research.presentation.two_dates import Comparison
from research.presentation.wordings import Known, VersionRow, compilation_of, known_of, names_of, version_rows

REGISTER = "https://www.legislation.gov.au/"
ATTRIBUTION = (
    "Based on content from the Federal Register of Legislation at {day}. For the latest information on Australian"
    " Government legislation please go to https://www.legislation.gov.au"
)


@dataclass(frozen=True, slots=True)
class Looked:
    """What is looked up for a page besides the provision itself.

    quoted: pairs of offsets into its text; links: spans keyed by the address that they lead to; meanings: of its
    terms, in lower case; other: (version id, heading, text) to compare with; comparison: what is
    said of two times; side_texts: of the versions that `versions_beside` names; part: which part of a long text;
    not_current_from: since when, by the days asked about, the text of the Act held is behind the law.
    """

    quoted: Sequence[tuple[int, int]] = ()
    links: Sequence[Span] = ()
    meanings: Mapping[str, references.Meaning] = field(default_factory=dict)
    other: tuple[int, str, str] | None = None
    comparison: Comparison | None = None
    side_texts: Mapping[int, str] | None = None
    part: int | None = None
    not_current_from: date | None = None


NOTHING_MORE = Looked()


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a term means. act: the Act that says so, where that is not the provision's own."""

    key: str
    term: str
    meaning: str
    act: str = ""


@dataclass(frozen=True, slots=True)
class PartLink:
    """One part of a long provision. query: the address of it; has_change: of a comparison, whether it differs."""

    number: int
    label: str
    query: str
    is_shown: bool
    has_change: bool


@dataclass(frozen=True, slots=True)
class SideWords:
    """A wording beside a gap, shown because none can be picked."""

    name: str
    in_force: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class ProvisionView:
    """All that a provision's page shows."""

    authority: str
    number: str
    heading: str
    instrument: str
    instrument_title: str
    path: tuple[str, ...]
    as_at: str
    asked_label: str
    asked_within: str
    day: bool
    is_other_year: bool
    strip: Strip
    lines: tuple[Line, ...]
    parts: tuple[PartLink, ...]
    sides: tuple[SideWords, ...]
    compare_sides: str
    quoted_line: int | None
    quote_missing: bool
    absent: str
    outside: str
    caution: str
    unknown: str
    comparing: str
    heading_changed: tuple[Piece, ...]
    comparison: Comparison | None
    known: Known | None
    history: tuple[HistoryLine, ...]
    stop_comparing: str
    shown_name: str
    versions: tuple[VersionRow, ...]
    definitions: tuple[Meaning, ...]
    before: Neighbour | None
    after: Neighbour | None
    citation: str
    source_uri: str
    attribution: str
    licence: str


def provision_view(
    page: ProvisionPage, as_at: AsAt, years: Sequence[IncomeYear], today: date, looked: Looked = NOTHING_MORE
) -> ProvisionView:
    """What to show of `page`."""
    names = names_of(page.versions)
    shown = page.shown
    other, comparison = looked.other, looked.comparison
    definitions = _meanings(page, looked)
    quoted = [Span(*span) for span in looked.quoted if 0 <= span[0] < span[1] <= len(page.text)]
    if other is not None and shown is not None:
        lines = compare(other[2], page.text)
    else:
        marks = Marks(_terms(page, definitions), quoted, looked.links)
        lines = lines_of(page.text, marks, defines=page.kind == "definition")
    parts = parts_of(lines)
    shown_part = part_to_show(parts, lines, looked.part)
    here = _here(page, as_at, looked)
    part_links = _part_links(parts, shown_part, here, lines) if len(parts) > 1 else ()
    lines = lines[shown_part.first : shown_part.last]
    definitions = _in_use(definitions, lines)
    marked = [index for index, line in enumerate(lines) if any(piece.is_quoted for piece in line.pieces)]
    return ProvisionView(
        authority=authority_of(page.instrument, page.section, page.schedule, page.instrument_title),
        number=page.section if page.section != page.heading else "",
        heading=page.heading,
        instrument=page.instrument,
        instrument_title=page.instrument_title,
        path=page.path,
        as_at=as_at.value,
        asked_label=as_at.label,
        asked_within=as_at.within,
        day=as_at.year is None,
        is_other_year=as_at.year is not None and as_at.year not in years,
        strip=_strip(page, as_at, names, today),
        lines=lines,
        parts=part_links,
        sides=_sides(page, names, looked.side_texts),
        compare_sides=_compare_sides(looked.side_texts, as_at),
        quoted_line=marked[0] if marked else None,
        quote_missing=len(quoted) < len(looked.quoted),
        absent=absent_from(lines),
        outside=_outside(shown, as_at),
        caution=not_current(page.instrument_title, looked.not_current_from) if looked.not_current_from else "",
        unknown=_unknown(page, as_at, looked),
        comparing=_comparing(shown, looked, names),
        heading_changed=words_changed(other[1], page.heading) if other and other[1] != page.heading else (),
        comparison=comparison,
        known=known_of(shown) if shown else None,
        history=history_of(page.amendments),
        stop_comparing=urlencode({"as_at": as_at.value} if comparison else _shown_query(page, as_at)),
        shown_name=names[shown.id] if shown else "",
        versions=tuple(version_rows(page, as_at, names)),
        definitions=definitions,
        before=page.before,
        after=page.after,
        citation=_citation(page),
        source_uri=page.source_uri if page.source_uri.startswith(REGISTER) else "",
        attribution=_attribution(page),
        licence=page.licence,
    )


def _shown_query(page: ProvisionPage, as_at: AsAt) -> dict[str, object]:
    return {"as_at": as_at.value, "version": page.shown.id} if page.shown else {"as_at": as_at.value}


def _here(page: ProvisionPage, as_at: AsAt, looked: Looked) -> dict[str, object]:
    """The address of what is shown, without its part."""
    if looked.comparison:
        return {"from": looked.comparison.first, "to": looked.comparison.second}
    return {**_shown_query(page, as_at), **({"compare": looked.other[0]} if looked.other else {})}


def _comparing(shown: VersionLine | None, looked: Looked, names: Mapping[int, str]) -> str:
    """What is compared with what; "" where nothing is marked."""
    if looked.other is None or shown is None:
        return ""
    return looked.comparison.says if looked.comparison else f"{names[shown.id]} compared with {names[looked.other[0]]}"


def _sides(
    page: ProvisionPage, names: Mapping[int, str], side_texts: Mapping[int, str] | None
) -> tuple[SideWords, ...]:
    """The wordings beside a gap, where they are short enough for one page."""
    if not side_texts or sum(map(len, side_texts.values())) > PART_CHARS:
        return ()
    return tuple(
        SideWords(
            names[version.id],
            words.in_force_words(version.certain_from, version.certain_to),
            lines_of(side_texts[version.id], defines=page.kind == "definition"),
        )
        for version in page.versions
        if version.id in side_texts
    )


def _part_links(
    parts: Sequence[Part], shown: Part, here: Mapping[str, object], lines: Sequence[Line]
) -> tuple[PartLink, ...]:
    return tuple(
        PartLink(
            part.number,
            part.label,
            urlencode({**here, "part": part.number}),
            part == shown,
            any(piece.change for line in lines[part.first : part.last] for piece in line.pieces),
        )
        for part in parts
    )


def _in_use(definitions: Sequence[Meaning], lines: Sequence[Line]) -> tuple[Meaning, ...]:
    """The meanings of the terms that these lines use."""
    used = {piece.term for line in lines for piece in line.pieces}
    return tuple(meaning for meaning in definitions if meaning.key in used)


def versions_beside(page: ProvisionPage) -> list[VersionLine]:
    """The last wording known before the days asked about and the first known after them, where there are such."""
    before = [v for v in page.versions if v.certain_to is not None and v.certain_to <= page.window.first]
    after = [v for v in page.versions if v.certain_from > page.window.last]
    return before[-1:] + after[:1]


def _compare_sides(side_texts: Mapping[int, str] | None, as_at: AsAt) -> str:
    if side_texts is None or len(side_texts) != 2:
        return ""
    earlier, later = side_texts
    return urlencode({"as_at": as_at.value, "version": later, "compare": earlier})


def _strip(page: ProvisionPage, as_at: AsAt, names: dict[int, str], today: date) -> Strip:
    wordings = [
        Wording(v.id, names[v.id], v.certain_from, v.certain_to, v.possible_from, v.possible_to) for v in page.versions
    ]
    asked = (as_at.window.first, as_at.window.last)
    return strip_of(wordings, asked, as_at.label, page.shown.id if page.shown else None, today)


def terms_of(page: ProvisionPage) -> set[str]:
    """The defined terms marked in the text, in lower case."""
    return {page.text[start:end].lower() for start, end in page.term_spans}


def _meanings(page: ProvisionPage, looked: Looked) -> tuple[Meaning, ...]:
    marked = {page.text[start:end].lower(): page.text[start:end] for start, end in page.term_spans}
    held = looked.meanings
    return tuple(
        Meaning(f"term-{number}", marked[term], held[term].words, held[term].act)
        for number, term in enumerate(sorted(term for term in marked if term in held), start=1)
    )


def _terms(page: ProvisionPage, definitions: Sequence[Meaning]) -> list[Span]:
    keys = {meaning.term.lower(): meaning.key for meaning in definitions}
    marked = [(start, end, keys.get(page.text[start:end].lower(), "")) for start, end in page.term_spans]
    return [Span(start, end, key) for start, end, key in marked if key]


def _outside(shown: VersionLine | None, as_at: AsAt) -> str:
    if shown is None or shown.is_in_force:
        return ""
    days = f"on any day of {as_at.label}" if as_at.year else f"on {as_at.label}"
    return f"These words are not known to have been in force {days}."


def _unknown(page: ProvisionPage, as_at: AsAt, looked: Looked) -> str:
    """Of a page that shows no wording: that it is not known, and what the page shows in its place."""
    if page.shown is not None:
        return ""
    beside = versions_beside(page)
    if not looked.side_texts or sum(map(len, looked.side_texts.values())) > PART_CHARS:
        shown = "The wordings that are held are listed."
    elif len(beside) > 1:
        shown = "Here is what is known on either side; none is picked for you."
    elif beside[0].certain_from > page.window.last:
        shown = "Here are the first words known after that; they are not picked for you."
    else:
        shown = "Here are the last words known before that; they are not picked for you."
    return f"The wording {as_at.within} is not known. {shown}"


def _citation(page: ProvisionPage) -> str:
    compilation = compilation_of(page.shown, page.instrument) if page.shown else ""
    compiled = f", {compilation[0].lower()}{compilation[1:]}" if compilation else ""
    where = cited_in_full(page.instrument, page.instrument_title, page.section, page.schedule, page.heading)
    return f"{where}{compiled}"


def _attribution(page: ProvisionPage) -> str:
    if not page.source_uri.startswith(REGISTER):
        return ""
    dated = (page.shown or page.versions[-1]).compilation_date
    return ATTRIBUTION.format(day=in_words(dated))
