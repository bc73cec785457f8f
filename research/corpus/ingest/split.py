"""Chunks: a provision's wording cut into pieces that an embedder reads whole, each with the headings it stands under.

Pure; the token counter is handed in. Rules:
- a chunk is a literal slice of the text, and together the chunks cover every line that is not blank;
- context and text together stay within `MAX_TOKENS`, special tokens included: nothing is cut off silently;
- cuts fall between subsections, then paragraphs, then subparagraphs; a line too long by itself is cut after a
  sentence, at last after a word. Two subsections never share a chunk, however small: a chunk has one parent;
- notes and examples are chunks of their own, with their role; a heading goes with the lines it heads;
- in a section whose definitions are parted by blank lines, each definition is cut by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from research.corpus.ingest.outline import EXAMPLE, NOTE, OPERATIVE, Line, is_subheading, outline
from research.corpus.ingest.words import OMITTED_KIND, defined_term_of, entries, meaning_of
from research.terms import Role

MAX_TOKENS = 250  # of MiniLM's 256: a margin for a tokenizer that joins differently than it counts
SPECIAL_TOKENS = 2
AIM_TOKENS = 180  # of text; above it a run of paragraphs is cut
SMALL_TOKENS = 24  # a last piece below it joins the one before, if that fits
HEAD_TOKENS = 90  # most that Act, headings and path may take
LEAD_TOKENS = 56  # most that repeated lead-in lines may take
MIN_TEXT_TOKENS = 40  # what a piece may count on even under the longest headings

CountTokens = Callable[[Sequence[str]], list[int]]

_SENTENCE = re.compile(r"(?<=[.;:?])\s+|(?<=—)\s*(?=\S)")
_WORD = re.compile(r"\S+")
_STRAY = re.compile(r"\([a-z]{1,4}\)\s")
_DIVISION = re.compile(r"(?:Sub)?[Dd]ivision\b[^—]*—\s*(?P<title>.+)")


@dataclass(frozen=True, slots=True)
class Source:
    """The wording to cut and where it stands."""

    instrument_title: str
    schedule: str
    section: str
    heading: str
    path: tuple[str, ...]
    kind: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()  # of marked defined terms, as `words.strip_asterisks` found them


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk before it is stored; text == source.text[offset_chars : offset_chars + len(text)]."""

    ordinal: int
    parent: str
    role: Role
    defined_term: str
    context: str
    text: str
    offset_chars: int
    token_count: int

    @property
    def embedded(self) -> str:
        return embedded_text(self.context, self.text)


def embedded_text(context: str, text: str) -> str:
    """What is embedded for a chunk."""
    return f"{context}\n{text}"


def split(source: Source, count: CountTokens) -> list[Piece]:
    """The chunks of a wording, in reading order. Raises ValueError if the counter makes a fit impossible.

    count: tokens of each text, special tokens left out.
    """
    room = MAX_TOKENS
    for _ in range(4):
        pieces = _Cutter(source, count, room).pieces()
        counted = count([piece.embedded for piece in pieces])
        over = max((tokens + SPECIAL_TOKENS for tokens in counted), default=0) - MAX_TOKENS
        if over <= 0:
            return [replace(p, token_count=n + SPECIAL_TOKENS) for p, n in zip(pieces, counted, strict=True)]
        room -= over + 2
    raise ValueError(f"{source.section}: a chunk does not fit {MAX_TOKENS} tokens; the tokenizer does not add up")


class _Cutter:
    def __init__(self, source: Source, count: CountTokens, room: int) -> None:
        self.source, self.count, self.room = source, count, room
        self.lines: list[Line] = []
        self.tokens: list[int] = []
        self.head = self._head()
        self.head_tokens = count([self.head])[0] + SPECIAL_TOKENS
        self.base_role = {"guide": Role.GUIDE, "definition": Role.DEFINITION, OMITTED_KIND: Role.OMITTED}.get(
            source.kind, Role.OPERATIVE
        )

    def pieces(self) -> list[Piece]:
        found: list[Piece] = []
        parts = _parts(self.source.text) if self.source.kind == "definition" else [(0, len(self.source.text))]
        parent = ""
        for start, end in parts:
            self.lines = outline(self.source.text, start, end, parent)
            self.tokens = self.count([self.source.text[line.start : line.end] for line in self.lines])
            term = ""
            if len(parts) > 1:
                term = defined_term_of(self._marked(start, self.lines[0].end))
            found += self._entry(term)
            parent = self.lines[-1].parent
        about = meaning_of(self.source.heading) if self.source.kind == "definition" else ""
        if about and found and not found[0].defined_term:
            found[0] = replace(found[0], defined_term=about[:300])
        return [replace(piece, ordinal=at) for at, piece in enumerate(found)]

    def _marked(self, start: int, end: int) -> str:
        """text[start:end] with the asterisks back in, which tell a term from the terms it is explained by."""
        marks = [a for a, _ in self.source.spans if start < a < end]
        bounds = [start, *marks, end]
        return "*".join(self.source.text[a:b] for a, b in pairwise(bounds))

    def _entry(self, term: str) -> list[Piece]:
        found: list[Piece] = []
        at = 0
        for _, group in groupby(self.lines, key=lambda line: (line.subsection, line.role)):
            size = len(list(group))
            parent, role = self.lines[at].parent, self.lines[at].role
            cut = self._merged(self._cut(at, at + size))
            found += [self._piece(start, end, lead, parent, role, term) for start, end, lead in cut]
            at += size
        return found

    def _piece(self, start: int, end: int, lead: str, parent: str, role: str, term: str) -> Piece:
        label = " ".join(part for part in (parent, term) if part)[:80]
        roles = {NOTE: Role.NOTE, EXAMPLE: Role.EXAMPLE, OPERATIVE: self.base_role}
        chosen = self.base_role if self.base_role in (Role.OMITTED, Role.GUIDE) and role == OPERATIVE else roles[role]
        context = f"{self.head}\n{lead}" if lead else self.head
        return Piece(0, label, chosen, term[:300], context, self.source.text[start:end], start, 0)

    # -- cutting: everything below works on lines lo to hi of one subsection and one role

    def _fits(self, lo: int, tokens: int) -> bool:
        lead = min(self._lead_tokens(lo), LEAD_TOKENS)
        return self.head_tokens + lead + tokens <= self.room

    def _cut(self, lo: int, hi: int) -> list[tuple[int, int, str]]:
        """(start, end, lead-in) of the pieces of lines lo to hi."""
        total = sum(self.tokens[lo:hi])
        if self._fits(lo, total) and (total <= AIM_TOKENS or hi - lo == 1):
            return [(self.lines[lo].start, self.lines[hi - 1].end, self._lead(lo))]
        if hi - lo == 1:
            return self._cut_line(lo)
        segments = self._segments(lo, hi)
        pieces: list[tuple[int, int, str]] = []
        at = 0
        while at < len(segments):
            first, upto = segments[at][0], at + 1
            while upto < len(segments):
                tokens = sum(self.tokens[first : segments[upto][1]])
                if tokens > AIM_TOKENS or not self._fits(first, tokens):
                    break
                upto += 1
            pieces += self._cut(first, segments[upto - 1][1]) if upto - at < len(segments) else [self._whole(lo, hi)]
            at = upto
        return pieces

    def _whole(self, lo: int, hi: int) -> tuple[int, int, str]:
        return (self.lines[lo].start, self.lines[hi - 1].end, self._lead(lo))

    def _segments(self, lo: int, hi: int) -> list[tuple[int, int]]:
        """Lines lo to hi cut at the shallowest boundaries there are, never behind a line that introduces a list."""
        inner = range(lo + 1, hi)
        allowed = [at for at in inner if not self._introduces(at - 1)] or list(inner)
        depth = min(self.lines[at].depth for at in allowed)
        cuts = [lo, *(at for at in allowed if self.lines[at].depth == depth), hi]
        return list(pairwise(cuts))

    def _introduces(self, at: int) -> bool:
        line, below = self.lines[at], self.lines[at + 1]
        opens = self.source.text[line.end - 1] in ":—"
        return line.is_heading or (opens and below.depth > line.depth)

    def _merged(self, cut: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Pieces too small to stand alone joined to the one before, or the first to the one after, where that fits."""
        tokens = self.count([self.source.text[start:end] for start, end, _ in cut]) if len(cut) > 1 else []
        at = 1
        while at < len(cut):
            leads = self.count([cut[at - 1][2]])[0]
            small = min(tokens[at], tokens[at - 1]) < SMALL_TOKENS
            if small and self.head_tokens + leads + tokens[at] + tokens[at - 1] <= self.room:
                cut = [*cut[: at - 1], (cut[at - 1][0], cut[at][1], cut[at - 1][2]), *cut[at + 1 :]]
                tokens = [*tokens[: at - 1], tokens[at - 1] + tokens[at], *tokens[at + 1 :]]
            else:
                at += 1
        return cut

    def _cut_line(self, at: int) -> list[tuple[int, int, str]]:
        """One line too long to fit, cut after sentences, and a sentence too long after words."""
        line = self.lines[at]
        lead = self._lead(at)
        most = max(self.room - self.head_tokens - self.count([lead])[0], MIN_TEXT_TOKENS)
        spans = _sentences(self.source.text, line.start, line.end)
        counts = self.count([self.source.text[a:b] for a, b in spans])
        small: list[tuple[int, int, int]] = []
        for (start, end), tokens in zip(spans, counts, strict=True):
            small += [(start, end, tokens)] if tokens <= most else self._words(start, end)
        packed: list[list[int]] = []
        for start, end, tokens in small:
            if packed and packed[-1][2] + tokens <= min(most, AIM_TOKENS):
                packed[-1][1:] = [end, packed[-1][2] + tokens]
            else:
                packed.append([start, end, tokens])
        return [(start, end, lead) for start, end, _ in packed]

    def _words(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Words, and parts of what has no spaces: no tokenizer needs more tokens than characters."""
        spans = []
        for match in _WORD.finditer(self.source.text, start, end):
            a, b = match.span()
            spans += [(at, min(at + MIN_TEXT_TOKENS, b)) for at in range(a, b, MIN_TEXT_TOKENS)]
        counts = self.count([self.source.text[a:b] for a, b in spans])
        return [(a, b, tokens) for (a, b), tokens in zip(spans, counts, strict=True)]

    # -- context

    def _head(self) -> str:
        source = self.source
        schedule = f" Schedule {source.schedule}" if source.schedule else ""
        first = f"{source.instrument_title}{schedule} section {source.section} {source.heading}"
        titles = " > ".join(_nearest_divisions(source.path))
        whole = f"{first}\n{titles}" if titles else first
        sizes = self.count([whole, first])
        if sizes[0] <= HEAD_TOKENS:
            return whole
        return first if sizes[1] <= HEAD_TOKENS else self._shortened(first, HEAD_TOKENS)

    def _lead_tokens(self, at: int) -> int:
        return sum(self.tokens[above] for above in self.lines[at].above)

    def _lead(self, at: int) -> str:
        """The lines that line `at` hangs from, shortened where they take too much."""
        lines = [self.source.text[self.lines[i].start : self.lines[i].end] for i in self.lines[at].above]
        lead = "\n".join(lines)
        return lead if self._lead_tokens(at) <= LEAD_TOKENS else self._shortened(lead, LEAD_TOKENS)

    def _shortened(self, words: str, most: int) -> str:
        """The first words of `words` that fit. A lead-in's verb stands early, its conditions late."""
        found = list(_WORD.finditer(words))
        total, end = 0, 0
        for match, tokens in zip(found, self.count([m.group() for m in found]), strict=True):
            total += tokens
            if total > most:
                break
            end = match.end()
        return words[:end]


def _parts(text: str) -> list[tuple[int, int]]:
    """The entries of a definition section; a heading that ends one heads the next, and goes with it.

    An entry that begins with "(a)" was parted from its term by a stray blank line and joins the one before.
    """
    found: list[tuple[int, int]] = []
    for start, end in entries(text):
        if found and _STRAY.match(text, start):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    for at in range(len(found) - 1):
        start, end = found[at]
        last = text.rfind("\n", start, end) + 1 or start
        following = text[found[at + 1][0] : found[at + 1][0] + 40].split("\n", 1)[0]
        if is_subheading(text[max(last, start) : end].strip(), following):
            found[at], found[at + 1] = (start, max(last, start)), (max(last, start), found[at + 1][1])
    return [(start, end) for start, end in found if text[start:end].strip()]


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans, at = [], start
    for gap in _SENTENCE.finditer(text, start, end):
        if at < gap.start():
            spans.append((at, gap.start()))
        at = gap.end()
    if at < end:
        spans.append((at, end))
    return spans


def _nearest_divisions(path: Sequence[str]) -> list[str]:
    """The titles of the nearest Division and Subdivision, or of the nearest step where there is none."""
    titles = [found.group("title") for step in path if (found := _DIVISION.match(step))]
    if not titles and path:
        titles = [path[-1].partition("—")[2] or path[-1]]
    return titles[-2:]
