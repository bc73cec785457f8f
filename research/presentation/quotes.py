"""The claims of a recorded outcome with their quotes: set as lines, with where they stand and how they are dated.

Reads the record and nothing else. Where another wording is shown beside it, the words that differ are marked; which
those are is for `sides` to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from research.law.provision import authority_of, in_words, place_of
from research.presentation import words
from research.presentation.absent import absent_from
from research.presentation.law_text import Line, lines_of, with_gaps
from research.presentation.marks import Marks, Span

FIXED_PROSE = re.compile(
    r"(?:(?:Limit|Definition|Guide material) in |(?:Note|Example) to |On this, )?"
    r"(?P<place>.+?)(?: says)?(?P<part>, in part)?:"
)
LEFT_OUT = "[…]"
LINE_END_CHARS = 2  # quotes no further apart than the end of a line follow one another without a gap

Differing = Mapping[int, Sequence[Span]]
"""By version id, where its words are not those of the wording shown beside it, as offsets into its text."""


@dataclass(frozen=True, slots=True)
class Cited:
    """Verified quotes of one wording that follow one another, where they stand, and what is copied of them.

    number: among the sources of a conversation, 0 where they are not numbered.
    """

    authority: str
    act_title: str
    heading: str
    instrument: str
    pin: str
    query: str
    lines: tuple[Line, ...]
    in_force: str
    absent: str
    role: str
    quote: str
    citation: str
    compilation: str
    notice: str
    basis: str
    number: int = 0

    @property
    def quote_with_citation(self) -> str:
        return f"“{self.quote}”\n{self.citation}"


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """One sentence with its quotes. kind: rule, limit, definition, note or ruling; label says so in words.

    lead_in: where it stands, "ITAA97 s 8-1(1)". prose is "" when it says no more than lead_in and label do.
    """

    lead_in: str
    prose: str
    kind: str
    label: str
    cited: tuple[Cited, ...]


def pin_of(recorded: Mapping[str, Any]) -> str:
    """The last part of a provision's address, as recorded; worked out where an older record does not hold it."""
    if pin := recorded.get("pin"):
        return str(pin)
    section, schedule = str(recorded["section"]), str(recorded.get("schedule") or "")
    return f"sch{schedule.lower()}/{section}" if schedule else section


def cited_in_full(code: str, title: str, section: str, schedule: str, heading: str) -> str:
    """A provision as it is copied: "Harbour Levies Act 2001 s 12 (Berth due)"; what is no section, as it is cited."""
    place, authority = place_of(section, schedule), authority_of(code, section, schedule)
    where = f"{title or code} {place}" if authority == f"{code} {place}" else authority
    return f"{where} ({heading})" if heading and heading != section else where


def claim_of(claim: Mapping[str, Any], as_at: str, differing: Differing) -> ShownClaim:
    """What to show of a recorded claim. as_at: the time that its quotes lead to."""
    kind, prose = str(claim.get("kind", "rule")), str(claim.get("prose", ""))
    cited = tuple(_cited(together, as_at, differing) for together in _together(claim.get("citations", ())))
    authority = cited[0].authority if cited else ""
    label = words.KINDS.get(kind, "") or (cited[0].role if cited else "")
    fixed = FIXED_PROSE.fullmatch(prose)
    if fixed and fixed["place"].startswith(authority):
        label = " · ".join(part for part in (label, "in part" if fixed["part"] else "") if part)
        return ShownClaim(fixed["place"], "", kind, label, cited)
    return ShownClaim(authority, prose, kind, label, cited)


def _together(citations: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Quotes of one wording that stand in its order, each further down than the last, in one list."""
    groups: list[list[Mapping[str, Any]]] = []
    for citation in citations:
        last = groups[-1][-1] if groups else None
        is_alike = last is not None and all(last.get(key) == citation.get(key) for key in ("version_id", "role"))
        if last is not None and is_alike and last["end_chars"] <= citation["start_chars"]:
            groups[-1].append(citation)
        else:
            groups.append([citation])
    return groups


def _cited(together: Sequence[Mapping[str, Any]], as_at: str, differing: Differing) -> Cited:
    citation = together[0]
    act, section = str(citation["act"]), str(citation["section"])
    schedule = str(citation.get("schedule") or "")
    compiled = date.fromisoformat(citation["compilation_date"])
    heading = str(citation.get("heading", ""))
    register_id = str(citation.get("register_id", ""))
    compilation = f"compilation of {in_words(compiled)}" + (f" ({register_id})" if register_id else "")
    quotes = [(str(each["quote"]), int(each["start_chars"]), int(each["end_chars"])) for each in together]
    query: list[tuple[str, object]] = [("as_at", as_at or compiled.isoformat()), ("version", citation["version_id"])]
    for _, start, end in quotes:
        query += [("quote_start", start), ("quote_end", end)]
    lines = _lines(quotes, differing.get(citation["version_id"], ()))
    return Cited(
        authority=authority_of(act, section, schedule, str(citation.get("act_title", ""))),
        act_title=str(citation.get("act_title", "")),
        heading=heading,
        instrument=act,
        pin=pin_of(citation),
        query=urlencode(query),
        lines=lines,
        in_force=words.in_force_words(
            date.fromisoformat(citation["in_force_from"]),
            date.fromisoformat(ends) if (ends := citation.get("in_force_to")) else None,
            str(citation.get("dating", "")),
        ),
        absent=absent_from(lines, is_quote=True),
        role=words.ROLES.get(str(citation.get("role", "")), ""),
        quote="".join(f"{join}{quote}" for join, quote in zip(_joins(quotes), (q for q, *_ in quotes), strict=True)),
        citation=f"{cited_in_full(act, str(citation.get('act_title', '')), section, schedule, heading)}, {compilation}",
        compilation=compilation,
        notice=str(citation.get("notice") or ""),
        basis=_sentences(str(citation.get("basis") or "")),
    )


def _joins(quotes: Sequence[tuple[str, int, int]]) -> list[str]:
    """What stands before each quote when they are written one after another: a gap shows where words are left out."""
    ends = [None, *(end for _, _, end in quotes)]
    return [
        "" if end is None else "\n" if start - end <= LINE_END_CHARS else f"\n{LEFT_OUT}\n"
        for end, (_, start, _) in zip(ends, quotes, strict=False)
    ]


def _lines(quotes: Sequence[tuple[str, int, int]], differing: Sequence[Span]) -> tuple[Line, ...]:
    """The quotes as lines that hang from their numbers together. differing: offsets as the quotes have them."""
    marked: list[Span] = []
    at = 0
    for quote, start, end in quotes:
        if end - start == len(quote):
            near = [span for span in differing if span.start < end and span.end > start]
            marked += [Span(max(s.start, start) - start + at, min(s.end, end) - start + at) for s in near]
        at += len(quote) + 1
    lines = lines_of("\n".join(quote for quote, *_ in quotes), Marks(differs=marked))
    counts = [sum(bool(line.strip()) for line in quote.split("\n")) for quote, *_ in quotes]
    gaps = [sum(counts[:at]) for at, join in enumerate(_joins(quotes)) if LEFT_OUT in join]
    return with_gaps(lines, gaps, LEFT_OUT)


def _sentences(basis: str) -> str:
    """How the ends of the days are known. What the days say already, that one compilation was read, is left out."""
    said = basis.strip()
    half = len(said) // 2
    if said[:half].strip() == said[half:].strip():  # both ends are known alike
        said = said[:half].strip()
    return "" if not said or said.startswith("Read from the compilation") else f"{said.rstrip('.')}."
