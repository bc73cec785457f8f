"""A provision as at a day, turned into what its page shows: numbered text, strip, wordings, a comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from research.corpus.queries import Neighbour, ProvisionPage, VersionLine
from research.law.income_year import IncomeYear
from research.law.provision import in_words, place_of
from research.presentation import words
from research.presentation.absent import absent_from
from research.presentation.answer import authority_of
from research.presentation.compare import compare
from research.presentation.law_text import Line, Span, lines_of
from research.presentation.parts import PART_CHARS, Part, part_to_show, parts_of
from research.presentation.timeline import Strip, Wording, strip_of
from research.terms import Window

REGISTER = "https://www.legislation.gov.au/"
ATTRIBUTION = (
    "Based on content from the Federal Register of Legislation at {day}. For the latest information on Australian"
    " Government legislation please go to https://www.legislation.gov.au"
)


@dataclass(frozen=True, slots=True)
class AsAt:
    """The days a provision is read at: an income year, or one day."""

    window: Window
    year: IncomeYear | None

    @property
    def value(self) -> str:
        """As it stands in an address: "FY2015" or "2015-06-22"."""
        return self.year.label if self.year else self.window.first.isoformat()

    @property
    def label(self) -> str:
        return self.year.label if self.year else in_words(self.window.first)

    @property
    def within(self) -> str:
        """ "in FY2015", "on 22 June 2015"."""
        return f"in {self.label}" if self.year else f"on {self.label}"


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One wording, or one gap between two, in the list beside the text. show and compare are query strings."""

    is_gap: bool
    says: str = ""
    name: str = ""
    is_shown: bool = False
    in_force: str = ""
    compilation: str = ""
    show: str = ""
    compare: str = ""


@dataclass(frozen=True, slots=True)
class Meaning:
    key: str
    term: str
    meaning: str


@dataclass(frozen=True, slots=True)
class PartLink:
    """One part of a long provision. query: the address of it."""

    number: int
    label: str
    query: str
    is_shown: bool


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
    comparing: str
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


def as_at_of(text: str, default: IncomeYear) -> AsAt:
    """The days that `text` names: "FY2015", "2015" or "2015-06-22"; the default year when empty.

    Raises ValueError, in words for the reader, for anything else.
    """
    text = text.strip()
    if not text:
        return AsAt(Window.of_year(default), default)
    if match := re.fullmatch(r"(?:FY)?(\d{4,6})", text):
        year = IncomeYear(int(match.group(1)))
        return AsAt(Window.of_year(year), year)
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(
            f"as at is “{text[:40]}”; give an income year such as FY2015, or a day such as 2015-06-22"
        ) from error
    return AsAt(Window(day, day), None)


def provision_view(
    page: ProvisionPage,
    as_at: AsAt,
    years: Sequence[IncomeYear],
    today: date,
    quoted: Sequence[tuple[int, int]] = (),
    other: tuple[int, str] | None = None,
    side_texts: Mapping[int, str] | None = None,
    part: int | None = None,
) -> ProvisionView:
    """What to show of `page`.

    quoted: pairs of offsets into its text; other: (version id, text) to compare with; side_texts: the texts of the
    versions that `versions_beside` names, where no wording is certain; part: which part of a long text.
    """
    names = {version.id: _name(index) for index, version in enumerate(page.versions)}
    shown = page.shown
    definitions = _meanings(page)
    marks = [Span(*span) for span in quoted if 0 <= span[0] < span[1] <= len(page.text)]
    if other is not None and shown is not None:
        lines = compare(other[1], page.text)
    else:
        lines = lines_of(page.text, _terms(page, definitions), marks, defines=page.kind == "definition")
    parts = parts_of(lines)
    shown_part = part_to_show(parts, lines, part)
    lines = lines[shown_part.first : shown_part.last]
    definitions = _in_use(definitions, lines)
    marked = [index for index, line in enumerate(lines) if any(piece.is_quoted for piece in line.pieces)]
    here = {"as_at": as_at.value, "version": shown.id} if shown else {"as_at": as_at.value}
    return ProvisionView(
        authority=authority_of(page.instrument, page.section, page.schedule),
        number=page.section,
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
        parts=_part_links(parts, shown_part, here, other) if len(parts) > 1 else (),
        sides=tuple(
            SideWords(
                names[version.id],
                words.in_force_words(version.certain_from, version.certain_to),
                lines_of(side_texts[version.id], defines=page.kind == "definition"),
            )
            for version in page.versions
            if side_texts and sum(map(len, side_texts.values())) <= PART_CHARS and version.id in side_texts
        ),
        compare_sides=_compare_sides(side_texts, as_at),
        quoted_line=marked[0] if marked else None,
        quote_missing=len(marks) < len(quoted),
        absent=absent_from(lines),
        outside=_outside(shown, as_at),
        comparing=f"{names[shown.id]} compared with {names[other[0]]}" if other and shown else "",
        stop_comparing=urlencode(here),
        shown_name=names[shown.id] if shown else "",
        versions=tuple(_version_rows(page, as_at, names)),
        definitions=definitions,
        before=page.before,
        after=page.after,
        citation=_citation(page),
        source_uri=page.source_uri if page.source_uri.startswith(REGISTER) else "",
        attribution=_attribution(page),
        licence=page.licence,
    )


def _part_links(
    parts: Sequence[Part], shown: Part, here: Mapping[str, object], other: tuple[int, str] | None
) -> tuple[PartLink, ...]:
    kept = {**here, "compare": other[0]} if other else dict(here)
    return tuple(
        PartLink(part.number, part.label, urlencode({**kept, "part": part.number}), part == shown) for part in parts
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


def _name(index: int) -> str:
    return f"Wording {chr(ord('A') + index)}" if index < 26 else f"Wording {index + 1}"


def _meanings(page: ProvisionPage) -> tuple[Meaning, ...]:
    marked = {page.text[start:end].lower(): page.text[start:end] for start, end in page.term_spans}
    return tuple(
        Meaning(f"term-{number}", marked[term], page.definitions[term])
        for number, term in enumerate(sorted(term for term in marked if term in page.definitions), start=1)
    )


def _terms(page: ProvisionPage, definitions: Sequence[Meaning]) -> list[Span]:
    keys = {meaning.term.lower(): meaning.key for meaning in definitions}
    marked = [(start, end, keys.get(page.text[start:end].lower(), "")) for start, end in page.term_spans]
    return [Span(start, end, key) for start, end, key in marked if key]


def _version_rows(page: ProvisionPage, as_at: AsAt, names: dict[int, str]) -> list[VersionRow]:
    rows: list[VersionRow] = []
    for index, version in enumerate(page.versions):
        show = {"as_at": as_at.value, "version": version.id}
        compare_with = (
            urlencode({"as_at": as_at.value, "version": page.shown.id, "compare": version.id}) if page.shown else ""
        )
        rows.append(
            VersionRow(
                is_gap=False,
                name=names[version.id],
                is_shown=version.is_shown,
                in_force=words.in_force_words(version.certain_from, version.certain_to, version.dating),
                compilation=_compilation(version),
                show=urlencode(show),
                compare=compare_with,
            )
        )
        following = page.versions[index + 1] if index + 1 < len(page.versions) else None
        if following and version.certain_to and version.certain_to < following.certain_from:
            starts, ends = in_words(version.certain_to), words.last_day(following.certain_from)
            until = f" – {in_words(ends)}" if ends else ""
            rows.append(VersionRow(is_gap=True, says=f"Wording not known: {starts}{until}"))
    return rows


def _outside(shown: VersionLine | None, as_at: AsAt) -> str:
    if shown is None or shown.is_in_force:
        return ""
    days = f"on any day of {as_at.label}" if as_at.year else f"on {as_at.label}"
    return f"These words are not known to have been in force {days}."


def _compilation(version: VersionLine) -> str:
    register_id = f" ({version.register_id})" if version.register_id else ""
    return f"Compilation of {in_words(version.compilation_date)}{register_id}"


def _citation(page: ProvisionPage) -> str:
    compilation = _compilation(page.shown) if page.shown else ""
    compiled = f", {compilation[0].lower()}{compilation[1:]}" if compilation else ""
    return f"{page.instrument_title} {place_of(page.section, page.schedule)} ({page.heading}){compiled}"


def _attribution(page: ProvisionPage) -> str:
    if not page.source_uri.startswith(REGISTER):
        return ""
    dated = (page.shown or page.versions[-1]).compilation_date
    return ATTRIBUTION.format(day=in_words(dated))
