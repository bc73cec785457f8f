"""Passages for tests: sections of a fictional Act, cut at their subsections as the splitter cuts them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from research.law.identity import stable_id
from research.terms import Dating, Passage, Ranked, Role

ACT, TITLE = "OLA20", "Orchard Levy Act 2020"
FROM = date(2014, 7, 1)


def section(
    number: str,
    heading: str,
    *parts: str,
    certain: tuple[date, date | None] = (FROM, None),
    act: str = ACT,
    title: str = TITLE,
    kind: Role = Role.OPERATIVE,
    path: tuple[str, ...] = (),
    wording: int = 1,
    compiled: date | None = None,
) -> list[Passage]:
    """One version of a section, each of `parts` a passage in reading order.

    A part that opens with "(2)" begins subsection (2), and those after it stay there; one that opens with "Note" or
    "Example" has that role. certain: half-open, None for no end known. wording: tells versions of it apart.
    """
    provision_id = stable_id("provision", act, number)
    version_id = stable_id("version", act, number, wording)
    parent, offset, passages = "", 0, []
    for ordinal, text in enumerate(parts):
        mark = re.match(r"(?:[^\n(]*\n)?(\(\d+[A-Z]*\))", text)
        parent = mark.group(1) if mark else parent
        passages.append(
            Passage(
                chunk_id=stable_id("chunk", version_id, ordinal, text),
                version_id=version_id,
                provision_id=provision_id,
                instrument=act,
                instrument_title=title,
                section=number,
                schedule="",
                heading=heading,
                path=path,
                role=_role(text, kind),
                parent=parent,
                ordinal=ordinal,
                offset_chars=offset,
                text=text,
                certain_from=certain[0],
                certain_to=certain[1],
                dating=Dating.INFERRED,
                compilation_date=compiled or certain[0],
                register_id="F2020X00001",
                document_id=f"{act.lower()}/{number}",
            )
        )
        offset += len(text) + 1
    return passages


def dictionary(*entries: tuple[str, str], number: str = "99-1") -> list[Passage]:
    """A section of definitions: each entry (term, text) a passage whose label holds its term."""
    plain = section(number, "Dictionary", *(text for _, text in entries), kind=Role.DEFINITION)
    return [_entry(passage, term) for passage, (term, _) in zip(plain, entries, strict=True)]


def ranked(*scored: tuple[Passage, float]) -> list[Ranked]:
    """The passages as a ranking, best first."""
    return [
        Ranked(passage, fused=relevance / 10, relevance=relevance, closeness=relevance)
        for passage, relevance in sorted(scored, key=lambda pair: (-pair[1], pair[0].chunk_id))
    ]


def _role(text: str, kind: Role) -> Role:
    if text.startswith("Note"):
        return Role.NOTE
    return Role.EXAMPLE if text.startswith("Example") else kind


def _entry(passage: Passage, term: str) -> Passage:
    return replace(passage, parent=f"(1) {term}", defined_term=term)
