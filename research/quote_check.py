"""A text's citations and quotations, checked one by one against the law as at the days asked about.

Pure; the law is handed in, and no model has a part in it. Of each citation: whether the provision is there on those
days. Of each quotation: whether its words stand there literally, by the checks that every answer's quotes pass
(`verification.quotes`); where they do not, in what other wording of it, or in what other provision, they do; and the
first word that differs. An ellipsis parts a quotation into pieces, which must stand in one wording, in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from research.cited import CitedLookup, look_up_cited, not_there
from research.law.citation import CitationKind, FoundCitation, candidate_instruments, find_citations
from research.ports import CorpusStore
from research.terms import Passage, Quote, Window
from research.verification.normalise import normalise
from research.verification.quotations import Quotation, made_citations, owners_of, quotations_in, unwrapped
from research.verification.quotes import check_quote, find_in

MOST_CHARS = 20_000
MOST_CITATIONS = 100
MOST_QUOTATIONS = 100
NEAREST = 20  # passages of the days asked about, nearest by words, that are looked through for words not found in place
MOST_PLACES = 3
LEAST_ALIKE = 3  # words in a row that must agree before a word is said to be the first that differs
MOST_BEGINNINGS = 40  # words of a quotation from which on a like place is looked for

UNITS = {CitationKind.PART: "Part", CitationKind.DIVISION: "Division", CitationKind.SUBDIVISION: "Subdivision"}


class Standing(StrEnum):
    """What can be said of a provision cited, as at the days asked about."""

    THERE = "there"
    NOT_THERE = "not_there"
    WORDING_UNKNOWN = "wording_unknown"  # held, but what it said then is not known
    CANNOT_SAY = "cannot_say"  # the Act, or that part of it, is not held


class Match(StrEnum):
    """What can be said of words quoted."""

    MATCHED = "words_matched"
    OTHER_WORDING = "other_wording"  # they stand in the provision as it read on other days
    ELSEWHERE = "elsewhere"  # they stand in another provision, or in another subsection of it
    NOT_FOUND = "not_found"
    CANNOT_SAY = "cannot_say"  # what the provision said is not held or not known
    TOO_SHORT = "too_short"


class WholeTexts(Protocol):
    """Whole wordings: as passages whose text is all of a version's, at offset 0."""

    def wordings_of(self, provision_ids: Sequence[int]) -> list[Passage]:
        """Every wording that is known of these provisions, oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """Where words quoted stand: in which wording, at which spans of its text, one a piece of the quotation."""

    wording: Passage
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first word that differs. after: the words before it that agree; stands: "" where the text ends there."""

    after: str
    quoted: str
    stands: str


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """places: where the words stand, the best first. has_short_pieces: some of it was too short to be looked for.

    is_reworded: matched, and the provision has another wording on some of the days, in which the words do not stand.
    """

    quotation: Quotation
    match: Match
    places: tuple[Place, ...] = ()
    difference: Difference | None = None
    has_short_pieces: bool = False
    is_reworded: bool = False


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """One provision cited. mentions: how often the text cites it. provisions: a passage of each that it may mean.

    missing: the part of it that is not there, "section 8-1(7)"; "" where all of it is, or none.
    """

    cited: FoundCitation
    mentions: int
    standing: Standing
    provisions: tuple[Passage, ...]
    missing: str
    quotations: tuple[CheckedQuotation, ...]


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """All that was found. loose: quotations with no citation beside them. left_out: what was beyond the bounds."""

    citations: tuple[CheckedCitation, ...]
    loose: tuple[CheckedQuotation, ...]
    citations_left_out: int
    quotations_left_out: int


class TooLong(ValueError):
    """The text has more characters than are checked at once."""


def check_text(text: str, window: Window, store: CorpusStore, texts: WholeTexts) -> QuoteCheck:
    """The check of a text, in its order. Raises TooLong beyond MOST_CHARS."""
    if len(text) > MOST_CHARS:
        raise TooLong
    text = unwrapped(text.replace("\r\n", "\n"))
    quotations = quotations_in(text)
    made = made_citations(find_citations(text, titles=store.titles()), quotations)
    kept = quotations[:MOST_QUOTATIONS]
    owners = owners_of(quotations, text, made)[: len(kept)]
    distinct = list(dict.fromkeys((cited.citation, cited.assumed) for cited in made))
    horizon = store.horizon()
    held = [code for code, _, _ in horizon.instruments] if horizon else []
    law = _Law(window, store, texts)
    checked = []
    for key in distinct[:MOST_CITATIONS]:
        mentions = [i for i, cited in enumerate(made) if (cited.citation, cited.assumed) == key]
        own = [quotation for quotation, owner in zip(kept, owners, strict=True) if owner in mentions]
        is_more = any(_MORE_PINPOINTS.match(text, made[i].end) for i in mentions)
        subsection = "" if is_more else made[mentions[0]].citation.pinpoint
        checked.append(_checked(made[mentions[0]], len(mentions), own, held, law, subsection))
    loose = [quotation for quotation, owner in zip(kept, owners, strict=True) if owner is None]
    return QuoteCheck(
        citations=tuple(checked),
        loose=tuple(law.check_loose(quotation) for quotation in loose),
        citations_left_out=max(0, len(distinct) - MOST_CITATIONS),
        quotations_left_out=len(quotations) - len(kept),
    )


def _checked(
    cited: FoundCitation, mentions: int, own: Sequence[Quotation], held: Sequence[str], law: _Law, subsection: str
) -> CheckedCitation:
    lookups = look_up_cited([cited], law.window, held, law.store)
    missing = not_there([cited], lookups, law.window, held, law.store)
    standing = _standing(cited, lookups, missing is not None, held, law)
    provisions = {p.provision_id: p for entry in lookups for p in reversed(entry.lookup.passages)}
    in_force = {p.version_id for entry in lookups if entry.is_found for p in entry.lookup.passages}
    within = f"{UNITS[cited.citation.kind]} {cited.citation.section}" if cited.citation.kind in UNITS else ""
    instrument = cited.citation.instrument or ""
    place = _Cited(tuple(provisions), frozenset(in_force), standing, within, instrument, subsection)
    return CheckedCitation(
        cited=next((entry.cited for entry in lookups if entry.is_found), cited) if len(lookups) == 1 else cited,
        mentions=mentions,
        standing=standing,
        provisions=tuple(provisions.values()),
        missing=missing[0] if missing and in_force else "",
        quotations=tuple(law.check(quotation, place) for quotation in own),
    )


def _standing(
    cited: FoundCitation, lookups: Sequence[CitedLookup], is_missing: bool, held: Sequence[str], law: _Law
) -> Standing:
    if is_missing:
        return Standing.NOT_THERE
    citation = cited.citation
    if citation.kind in UNITS and citation.instrument is not None:
        named = candidate_instruments(citation) if cited.assumed else (citation.instrument,)
        titled = f"{UNITS[citation.kind]} {citation.section}"
        is_there = any(law.store.part_state(code, titled, law.window) == "found" for code in named if code in held)
        return Standing.THERE if is_there else Standing.CANNOT_SAY
    states = {entry.lookup.state for entry in lookups}
    if "found" in states:
        return Standing.THERE
    if "gap" in states:
        return Standing.WORDING_UNKNOWN
    return Standing.NOT_THERE if "absent" in states else Standing.CANNOT_SAY


@dataclass(frozen=True, slots=True)
class _Cited:
    """The place that a quotation names. within: the title of a Part or Division, "" for a provision.

    pinpoint: what of the provision, "(2)(a)"; "" for all of it.
    """

    provision_ids: tuple[int, ...]
    in_force: frozenset[int]
    standing: Standing
    within: str
    instrument: str
    pinpoint: str

    def holds(self, wording: Passage) -> bool:
        """Whether a wording stands in the Part or Division cited."""
        if not self.within or wording.instrument != self.instrument:
            return False
        title = re.compile(rf"{self.within}(?![\w-])")
        return any(title.match(step) for step in wording.path)


class _Law:
    """The law of the days asked about, with the whole texts that were read, each normalised once."""

    def __init__(self, window: Window, store: CorpusStore, texts: WholeTexts) -> None:
        self.window = window
        self.store = store
        self._texts = texts
        self._wordings: dict[int, list[Passage]] = {}
        self._normalised: dict[int, str] = {}

    def check(self, quotation: Quotation, cited: _Cited) -> CheckedQuotation:
        """The quotation against the provision it names, then its other wordings, then the passages nearest to it."""
        pieces, has_short = _pieces(quotation.words)
        if not pieces:
            return CheckedQuotation(quotation, Match.TOO_SHORT)
        wordings = self.wordings_of(cited.provision_ids)
        then = [wording for wording in wordings if wording.version_id in cited.in_force]
        if places := self._places(then, pieces):
            inside = self._places(then, pieces, cited.pinpoint) if cited.standing is not Standing.NOT_THERE else ()
            if not inside:
                return CheckedQuotation(quotation, Match.ELSEWHERE, places, None, has_short)
            provisions = {place.wording.provision_id for place in inside}
            of_them = sum(wording.provision_id in provisions for wording in then)
            is_reworded = len(inside) < min(of_them, MOST_PLACES)
            return CheckedQuotation(quotation, Match.MATCHED, inside, None, has_short, is_reworded)
        difference = next(filter(None, (self._difference(wording, pieces) for wording in then)), None)
        others = self._places([w for w in wordings if w.version_id not in cited.in_force], pieces)
        if others:
            return CheckedQuotation(quotation, Match.OTHER_WORDING, others, difference, has_short)
        near = self._nearest(pieces, {wording.version_id for wording in wordings})
        if inside := tuple(place for place in near if cited.holds(place.wording)):
            return CheckedQuotation(quotation, Match.MATCHED, inside, None, has_short)
        if near:
            return CheckedQuotation(quotation, Match.ELSEWHERE, near, None, has_short)
        is_known = bool(then) or cited.standing is Standing.NOT_THERE
        match = Match.NOT_FOUND if is_known else Match.CANNOT_SAY
        return CheckedQuotation(quotation, match, (), difference, has_short)

    def check_loose(self, quotation: Quotation) -> CheckedQuotation:
        """A quotation without a citation: where its words stand among the passages nearest to it."""
        pieces, has_short = _pieces(quotation.words)
        if not pieces:
            return CheckedQuotation(quotation, Match.TOO_SHORT)
        near = self._nearest(pieces, set())
        return CheckedQuotation(quotation, Match.ELSEWHERE if near else Match.NOT_FOUND, near, None, has_short)

    def wordings_of(self, provision_ids: Sequence[int]) -> list[Passage]:
        """Every wording known of these provisions, each read once."""
        if new := [number for number in provision_ids if number not in self._wordings]:
            self._wordings |= {number: [] for number in new}
            for wording in self._texts.wordings_of(new):
                self._wordings[wording.provision_id].append(wording)
        return [wording for number in provision_ids for wording in self._wordings[number]]

    def _places(self, wordings: Sequence[Passage], pieces: Sequence[str], pinpoint: str = "") -> tuple[Place, ...]:
        found = []
        for wording in wordings:
            spans = self._spans(wording, pieces, *subsection_of(wording.text, pinpoint))
            if spans:
                found.append(Place(wording, spans))
        return tuple(found[:MOST_PLACES])

    def _spans(self, wording: Passage, pieces: Sequence[str], first: int, last: int) -> tuple[tuple[int, int], ...]:
        """Where every piece stands in text[first:last], one after another; () where one does not."""
        whole = self._text(wording)
        spans: list[tuple[int, int]] = []
        for piece in pieces:
            start = spans[-1][1] if spans else first
            for wanted in (
                piece,
                piece.rstrip(".,;: "),
            ):  # the mark before a closing quotation mark may be the writer's
                span = find_in(wording, wanted, within=(start, last)) if wanted in whole else None
                if span:
                    spans.append(span)
                    break
            else:
                return ()
        return tuple(spans)

    def _nearest(self, pieces: Sequence[str], seen: set[int]) -> tuple[Place, ...]:
        """Where the words stand on those days, among the provisions whose passages are nearest by words."""
        hits = self.store.search_lexical(max(pieces, key=len), self.window, NEAREST)
        passages = self.store.passages([hit.chunk_id for hit in hits], self.window)
        versions = {p.version_id: p.provision_id for p in passages if p.version_id not in seen}
        wordings = self.wordings_of(list(dict.fromkeys(versions.values())))
        by_version = {wording.version_id: wording for wording in wordings}
        return self._places([by_version[version] for version in versions if version in by_version], pieces)

    def _text(self, wording: Passage) -> str:
        if wording.version_id not in self._normalised:
            self._normalised[wording.version_id] = normalise(wording.text).text
        return self._normalised[wording.version_id]

    def _difference(self, wording: Passage, pieces: Sequence[str]) -> Difference | None:
        text = self._text(wording)
        piece = next((piece for piece in pieces if piece not in text), pieces[0])
        return first_difference(piece, text)


def subsection_of(text: str, pinpoint: str) -> tuple[int, int]:
    """Where the numbered subsection stands that a pinpoint such as "(2)(a)" begins with; all of the text where it names
    none, or where it cannot be told which lines of the text are of it.
    """
    wanted = _NUMBERED.match(pinpoint)
    marks = list(_NUMBERED.finditer(text)) if wanted else []
    own = [place for place, mark in enumerate(marks) if wanted and mark[0] == wanted[0]]
    if len(own) != 1:
        return 0, len(text)
    return marks[own[0]].start(), marks[own[0] + 1].start() if own[0] + 1 < len(marks) else len(text)


def first_difference(quoted: str, text: str) -> Difference | None:
    """The first word of `quoted` that is not what `text` has there; None where no place in it is alike.

    Both normalised. The place is the one where most words agree from the quotation's beginning on; where those are
    fewer than LEAST_ALIKE, the one where most agree from a later word on, and then the word before them differs.
    """
    ours, theirs = quoted.split(), text.split()
    at: dict[str, list[int]] = {}
    for position, word in enumerate(theirs):
        at.setdefault(word, []).append(position)
    for first in range(min(len(ours), MOST_BEGINNINGS)):
        runs = [(_alike(ours, first, theirs, place), -place) for place in at.get(ours[first], ())]
        length, place = max(runs, default=(0, 0))
        if length < LEAST_ALIKE:
            continue
        if first:
            before = theirs[-place - 1] if place else ""
            return Difference(" ".join(ours[: first - 1][-6:]), ours[first - 1], before)
        after = " ".join(ours[:length][-6:])
        stands = theirs[length - place] if length - place < len(theirs) else ""
        return Difference(after, ours[length], stands) if length < len(ours) else None
    return None


def _alike(ours: Sequence[str], first: int, theirs: Sequence[str], place: int) -> int:
    length = 0
    while (
        first + length < len(ours) and place + length < len(theirs) and ours[first + length] == theirs[place + length]
    ):
        length += 1
    return length


_NUMBERED = re.compile(r"^\([0-9]+[A-Z]*\)", re.MULTILINE)
_MORE_PINPOINTS = re.compile(r"\s*(?:,|;|/|&|and|or|to|-|–|—)\s*(?:and\s+|or\s+)?\([0-9a-z]", re.IGNORECASE)
_ELLIPSIS = re.compile(r"\s*(?:[\[(]\s*)?(?:\.\.\.|…|\. \. \.)(?:\s*[\])])?\s*")
_ASTERISKS = re.compile(r"\*+(?=\w)|(?<=\w)\*+")  # mark a defined term, or bold type; the texts held have none


def _pieces(words: str) -> tuple[list[str], bool]:
    """The quotation normalised and parted at ellipses: the pieces long enough for a verdict, and whether any is not."""
    pieces = [normalise(piece).text for piece in _ELLIPSIS.split(_ASTERISKS.sub("", words))]
    pieces = [piece for piece in pieces if piece]
    long_enough = [piece for piece in pieces if check_quote(Quote(0, piece), {}).problem != "too_short"]
    return long_enough, len(long_enough) < len(pieces)
