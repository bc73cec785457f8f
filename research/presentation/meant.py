"""What an ambiguous question could mean, each with the question that asks for it alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.law.citation import find_citations

CANDIDATE = re.compile(r"FY(?P<year>\d{4})(?: \((?P<read_from>.+)\))?")
BETWEEN = re.compile(
    r"(?:[\s,;/&–-]|\b(?:or|and|to|in|for|of|the|both|versus|vs|compared|with|between|from|until|rather|than|fy)\b)*",
    re.IGNORECASE,
)
STARTS_SMALL = re.compile(r"(?:in|for|during|from|between|both|of)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that could be meant. question: asks for it, "" where it can only be opened; year: to ask it for."""

    label: str
    heading: str = ""
    question: str = ""
    year: int | None = None
    instrument: str = ""
    pin: str = ""
    query: str = ""


def question_of_provision(question: str, authority: str, section: str) -> str:
    """`question` with the number that several provisions bear replaced by one of them: "ITAA36 s 45(2)"."""
    for found in reversed(find_citations(question)):
        if found.citation.section == section and (found.citation.instrument is None or found.assumed):
            pinpoint = found.citation.pinpoint
            question = f"{question[: found.start]}{authority}{pinpoint}{question[found.end :]}"
    return question


def years_meant(question: str, candidates: Sequence[str]) -> tuple[Candidate, ...]:
    """The years that a question names, each with the question that names it alone; `candidates` as recorded.

    Where the words of the years cannot be taken out of the sentence, nothing is asked again: question is "".
    """
    read = [match for candidate in candidates if (match := CANDIDATE.fullmatch(candidate))]
    mentions = _mentions(question, [match["read_from"] or f"FY{match['year']}" for match in read])
    run = _run(question, mentions)
    is_told_apart = len({match["read_from"] for match in read}) == len(read)
    return tuple(
        Candidate(
            label := f"FY{match['year']}",
            match["read_from"] if is_told_apart and match["read_from"] not in (None, label) else "",
            _with_one_year(question, run, label) if run else "",
            int(match["year"]),
        )
        for match in read
    )


def _with_one_year(question: str, run: tuple[int, int], label: str) -> str:
    before, said, after = question[: run[0]], question[run[0] : run[1]], question[run[1] :]
    return f"{before}in {label}{after}" if STARTS_SMALL.match(said) else f"{before}{label}{after}"


def _mentions(question: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words of each year stand, in order; empty when one of them is not there."""
    found: set[tuple[int, int]] = set()
    for said in words:
        spans = [match.span() for match in re.finditer(re.escape(said), question, re.IGNORECASE)]
        if not spans:
            return []
        found.update(spans)
    return sorted(found)


def _run(question: str, mentions: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """From the first mention to the last, where nothing but "or" and the like stands between them."""
    for (_, end), (start, _) in itertools.pairwise(mentions):
        if not BETWEEN.fullmatch(question, end, max(start, end)):
            return None
    return (mentions[0][0], max(end for _, end in mentions)) if mentions else None
