"""Which provision, and which of its statements, answers a question: scores, and nothing chosen yet."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.generation.asked import Asked, term_stems, term_words
from research.generation.statements import LineKind, Statement, read_statements
from research.law.content_words import content_pairs, content_stems, rarity, weight
from research.terms import ParentGroup, Passage, Ranked, Role

# How much each part of a score counts. Chosen by reading the answers to some fifty real questions, not fitted.
CLOSENESS, COVERAGE, NEIGHBOURS, OPENING, HEADING = 0.45, 0.25, 0.10, 0.08, 0.12
OPENING_WORDS = 7  # "CGT event A1 happens if …": what a sentence opens with is what it is about
FLOOR_OF_CLOSENESS = 0.5  # of the best relevance; what lies below counts as far away
HEADING_FACTOR = 0.7  # a word in the heading alone counts for less than one in the sentence
LONG_CHARS = 900  # beyond, a statement covers words by its length rather than by its subject
PINPOINT = 3.0  # more than any other reason: the question names the subsection
FIRST_BONUS = 1.04  # a section states its rule first

_ROLE_FACTOR = {
    Role.OPERATIVE: 1.0,
    Role.DEFINITION: 0.95,
    Role.NOTE: 0.5,
    Role.GUIDE: 0.45,
    Role.EXAMPLE: 0.4,
    Role.OMITTED: 0.0,
}
_GUIDE_PATH = re.compile(r"\bguide to\b", re.IGNORECASE)
_POINTS_ELSEWHERE = re.compile(
    r"\bha(?:s|ve) the (?:same )?meanings?\b|\bsee (?:section|subsection|Division|Subdivision)\b"
)
_DENIES = re.compile(r"\b(?:is|are) not\b")
_MEANS = frozenset(("mean", "means", "is", "are", "includ"))  # stems
_BECOMES = frozenset(("is", "are", "be", "make", "mak", "has", "have", "hav", "acquir", "hold", "as"))
_INTERPRETS = re.compile(
    r"^(?:To avoid doubt|For the purposes of (?:this|applying|working)|It does not matter|Below is"
    r"|This (?:section|subsection) (?:applies|covers)\b)"
    r"|\b(?:using the(?: following)? formula|in the(?: following)? table)\b"
)
_SIGNPOST = re.compile(r"^(?:For|To find out|To see|See)\b[^.:;]*\b[Ss]ee\b|^See\b")  # says where, not what
_ONLY_TERMS = re.compile(r"^In (?:this|these) (?:section|subsection|Subdivision|Division|Part|Act)s?\b")


@dataclass(frozen=True, slots=True)
class ScoredStatement:
    """coverage: the weighted share of the question's words that it holds, 0 to 1."""

    statement: Statement
    score: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """One provision version as a source of the answer: its statements best first, and in reading order.

    relevance: the reranker's, of its provision. standing: that, by how well the kind of its best statement suits the
    question. score: of that statement.
    """

    version_id: int
    relevance: float
    standing: float
    score: float
    best_first: tuple[ScoredStatement, ...]
    in_order: tuple[Statement, ...]

    @property
    def provision_id(self) -> int:
        return self.in_order[0].passage.provision_id

    def scored(self, statement: Statement) -> ScoredStatement:
        return next(item for item in self.best_first if item.statement is statement)


def candidates(asked: Asked, groups: Sequence[ParentGroup], ranked: Sequence[Ranked]) -> list[Candidate]:
    """The provisions among `groups`, by standing, then by their best statement; without what cannot be quoted."""
    by_version = {version: _quotable(passages) for version, passages in _passages_by_version(groups).items()}
    scorer = _Scorer(asked, by_version, ranked)
    found = [scorer.candidate(version, statements) for version, statements in by_version.items() if statements]
    return sorted(found, key=lambda candidate: (-candidate.standing, -candidate.score, candidate.version_id))


def defines(statement: Statement, term: frozenset[str]) -> float:
    """How surely the statement defines `term`, from 0 (not at all) to 1."""
    passage = statement.passage
    if not term or statement.kind is not LineKind.SUBSECTION:
        return 0.0
    points = 0.6 if _POINTS_ELSEWHERE.search(statement.text) and len(statement.text) < 250 else 1.0
    if passage.is_dictionary_entry:
        return points if term_stems(passage.defined_term) == term else 0.0
    if not _states_meaning(statement.lead_in[:240], term):
        return 0.0
    is_named = term in (_named_by(passage.heading), term_stems(passage.defined_term))
    return points * (1.0 if is_named else 0.8)


def _states_meaning(lead_in: str, term: frozenset[str]) -> bool:
    """Whether a sentence reads "X means …", "X is …", or "… is an X if …"."""
    words = term_words(lead_in)
    size = len(term)
    for at in range(len(words) - size + 1):
        if frozenset(words[at : at + size]) != term or _DENIES.search(lead_in):
            continue
        after = words[at + size] if at + size < len(words) else ""
        before = words[at - 1] if at else ""
        if after in _MEANS and at <= 3:
            return True
        if before in _BECOMES and at <= 5 and re.search(r"\b(?:if|to the extent)\b", lead_in):
            return True
    return False


def _named_by(heading: str) -> frozenset[str]:
    """The term that a heading asks after: "Meaning of dwelling", "What is a dwelling?", "CGT assets"."""
    words = re.sub(r"^(?:Meanings? of|Definition of|What (?:is|are)|When is|Who is)\s+", "", heading.strip(" ?"))
    return term_stems(words)


def _passages_by_version(groups: Sequence[ParentGroup]) -> dict[int, list[Passage]]:
    versions: dict[int, dict[int, Passage]] = {}
    for group in groups:
        for passage in group.passages:
            versions.setdefault(passage.version_id, {})[passage.chunk_id] = passage
    return {version: list(passages.values()) for version, passages in versions.items()}


def _quotable(passages: Sequence[Passage]) -> list[Statement]:
    return [statement for statement in read_statements(passages) if statement.lines and not statement.is_orphan]


class _Scorer:
    """Holds what all statements are measured against."""

    def __init__(self, asked: Asked, by_version: Mapping[int, Sequence[Statement]], ranked: Sequence[Ranked]) -> None:
        self._asked = asked
        self._stems = {
            (version, statement.position): content_stems(statement.text)
            for version, statements in by_version.items()
            for statement in statements
        }
        self._weights = rarity(self._stems.values())
        self._relevance = {item.passage.version_id: item.relevance for item in reversed(ranked)}
        self._near = {item.passage.chunk_id: item.closeness for item in ranked}
        self._top = max(self._near.values(), default=0.0)
        self._whole = weight(asked.stems, self._weights)
        everything = [statement for statements in by_version.values() for statement in statements]
        self._a_meaning_is_asked = any(defines(statement, asked.term) for statement in everything)

    def candidate(self, version: int, statements: Sequence[Statement]) -> Candidate:
        near = max(self._closeness(statement) for statement in statements)
        scored = [self._score(version, statement, near) for statement in statements]
        scored.sort(key=lambda item: (-item.score, item.statement.position))
        relevance = self._relevance.get(version, 0.0)
        standing = relevance * self._fitness(scored[0].statement)
        return Candidate(version, relevance, standing, scored[0].score, tuple(scored), tuple(statements))

    def _score(self, version: int, statement: Statement, near: float) -> ScoredStatement:
        coverage = self._coverage(version, statement)
        # A sibling that search did not find itself stands as near as its section, less a step.
        closeness = max(self._closeness(statement), near - 0.15)
        score = CLOSENESS * closeness + COVERAGE * coverage + NEIGHBOURS * self._neighbours(statement)
        score += OPENING * self._opening(statement) + HEADING * self._heading(statement.passage.heading)
        score *= self._fitness(statement)
        if (statement.passage.section.upper(), subsection_label(statement.passage)) in self._asked.pinpoints:
            score += PINPOINT * _ROLE_FACTOR[_role(statement)]
        return ScoredStatement(statement, score, coverage)

    def _coverage(self, version: int, statement: Statement) -> float:
        if not self._whole:
            return 0.0
        passage = statement.passage
        own = self._stems[version, statement.position]
        around = (passage.heading, statement.subheading, passage.defined_term, passage.instrument_title)
        heading = content_stems(" ".join(around)) - own
        held = weight(self._asked.stems & own, self._weights)
        held += HEADING_FACTOR * sum(self._weights.get(found, 1.0) for found in sorted(self._asked.stems & heading))
        shortness = min(1.0, LONG_CHARS / max(1, len(statement.text)))
        return min(1.0, held / self._whole) * math.pow(shortness, 0.15)

    def _neighbours(self, statement: Statement) -> float:
        if not self._asked.pairs:
            return 0.0
        return len(self._asked.pairs & content_pairs(f"{statement.passage.heading}\n{statement.text}")) / len(
            self._asked.pairs
        )

    def _opening(self, statement: Statement) -> float:
        """The share of the question's words in the first few of the statement."""
        opening = content_stems(" ".join(statement.lead_in.split()[:OPENING_WORDS]))
        return weight(self._asked.stems & opening, self._weights) / self._whole if self._whole else 0.0

    def _heading(self, heading: str) -> float:
        """How far heading and question say the same (F1): a general rule is headed by little else."""
        stems = content_stems(heading)
        both = len(stems & self._asked.stems)
        return 2 * both / (len(stems) + len(self._asked.stems)) if both else 0.0

    def _closeness(self, statement: Statement) -> float:
        """Its best passage's closeness beside the best of all, stretched so that what is far counts nothing."""
        if self._top <= 0:
            return 0.0
        best = max(self._near.get(line.passage.chunk_id, 0.0) for line in statement.lines)
        return max(0.0, (best / self._top - FLOOR_OF_CLOSENESS) / (1 - FLOOR_OF_CLOSENESS))

    def _fitness(self, statement: Statement) -> float:
        """How well the kind of statement suits the kind of question; about 1 for a plain rule."""
        passage = statement.passage
        fitness = _ROLE_FACTOR[_role(statement)]
        if statement.position == 0:
            fitness *= FIRST_BONUS
        if "Transitional" in passage.instrument_title:
            fitness *= 0.9
        if _ONLY_TERMS.search(statement.lead_in):
            fitness *= 0.6
        if _SIGNPOST.search(statement.text):
            fitness *= 0.3
        if _INTERPRETS.search(statement.lead_in):
            fitness *= 0.85
        if self._a_meaning_is_asked:
            return fitness * (0.75 + 1.25 * defines(statement, self._asked.term))
        return fitness * (0.5 if passage.is_dictionary_entry else 1.0)


def _role(statement: Statement) -> Role:
    if statement.kind is LineKind.NOTE:
        return Role.NOTE
    if statement.kind is LineKind.EXAMPLE:
        return Role.EXAMPLE
    return Role.GUIDE if is_guide(statement.passage) else statement.passage.role


def is_guide(passage: Passage) -> bool:
    """Whether the passage explains the law rather than lays it down, by its role or the Guide it stands in."""
    return passage.role is Role.GUIDE or any(_GUIDE_PATH.search(step) for step in passage.path)


def subsection_label(passage: Passage) -> str:
    """The number of the subsection it stands in, without brackets: "2A"; "" for none."""
    match = re.match(r"\(?(\d+[A-Za-z]{0,4})\)?(?=\s|$)", passage.parent)
    return match.group(1).upper() if match else ""
