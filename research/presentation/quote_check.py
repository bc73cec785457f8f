"""A checked text as its page and the API show it: a verdict in words for each citation and each quotation.

"Words matched" is all that is ever said of a quotation: that the law cited supports what the text says is for a reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from research import composition
from research.adapters.law_wordings import PostgresWholeTexts
from research.law.identity import shown_code
from research.law.provision import authority_of, describe_days, in_words
from research.presentation.as_at import AsAt
from research.presentation.quotes import cited_in_full
from research.presentation.words import in_force_words
from research.quote_check import (
    MOST_CHARS,
    MOST_CITATIONS,
    MOST_QUOTATIONS,
    UNITS,
    CheckedCitation,
    CheckedQuotation,
    Match,
    Place,
    QuoteCheck,
    Standing,
    TooLong,
    check_text,
)
from research.terms import Passage
from research.verification.quotes import LEAST_CHARS, LEAST_WORDS

NOTHING_GIVEN = "There is no text yet. Paste what is to be checked."
TONES = {
    Standing.THERE: "good",
    Standing.NOT_THERE: "off",
    Standing.WORDING_UNKNOWN: "open",
    Standing.CANNOT_SAY: "open",
    Match.MATCHED: "good",
    Match.OTHER_WORDING: "off",
    Match.ELSEWHERE: "off",
    Match.NOT_FOUND: "off",
    Match.CANNOT_SAY: "open",
    Match.TOO_SHORT: "open",
}
SHORTLY = {
    Standing.THERE: "There",
    Standing.NOT_THERE: "Not there",
    Standing.WORDING_UNKNOWN: "Wording not known",
    Standing.CANNOT_SAY: "Cannot be said",
    Match.MATCHED: "Words matched",
    Match.OTHER_WORDING: "Another wording",
    Match.ELSEWHERE: "Another provision",
    Match.NOT_FOUND: "Words not matched",
    Match.CANNOT_SAY: "Cannot be said",
    Match.TOO_SHORT: "Too short",
}


class NotCheckable(Exception):
    """The text cannot be checked as it stands; `message` says why, in words for the person who pasted it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A provision, or words in it. words: the law's own, "" where none were looked for; href marks them."""

    authority: str
    heading: str
    act_title: str
    in_force: str
    href: str
    words: str
    citation: str

    @property
    def words_with_citation(self) -> str:
        return f"“{self.words}”\n{self.citation}"


@dataclass(frozen=True, slots=True)
class DifferenceView:
    after: str
    quoted: str
    stands: str


@dataclass(frozen=True, slots=True)
class QuotationView:
    """tone: good, off or open, which is shown beside the words and never instead of them."""

    words: str
    state: str
    short: str
    tone: str
    says: str
    places: tuple[PlaceView, ...]
    difference: DifferenceView | None


@dataclass(frozen=True, slots=True)
class CitationView:
    """cited: as it is written in the text. read_as: in the form of every page, "" where it says no more."""

    cited: str
    read_as: str
    is_assumed: bool
    mentions: int
    state: str
    short: str
    tone: str
    says: str
    provisions: tuple[PlaceView, ...]
    quotations: tuple[QuotationView, ...]


@dataclass(frozen=True, slots=True)
class QuoteCheckView:
    as_at: str
    label: str
    within: str
    citations: tuple[CitationView, ...]
    loose: tuple[QuotationView, ...]
    left_out: tuple[str, ...]
    counts: tuple[tuple[str, str, int], ...] = field(default=())

    @property
    def is_empty(self) -> bool:
        return not self.citations and not self.loose

    def as_json(self) -> dict[str, Any]:
        """What the API answers with: the same words as the page, and the states by name."""
        return {
            "as_at": self.as_at,
            "citations": [asdict(citation) for citation in self.citations],
            "without_citation": [asdict(quotation) for quotation in self.loose],
            "left_out": list(self.left_out),
        }


def checked(text: str, as_at: AsAt) -> QuoteCheckView:
    """The text checked against the law held, as at those days. Raises NotCheckable. Nothing is kept."""
    text = (
        text.replace("\x00", " ").encode("utf-8", "replace").decode()
    )  # PostgreSQL takes no NUL and no half of a pair
    if not text.strip():
        raise NotCheckable(NOTHING_GIVEN)
    try:
        found = check_text(text, as_at.window, composition.store(), PostgresWholeTexts())
    except TooLong as error:
        raise NotCheckable(
            f"The text has {len(text):,} characters; up to {MOST_CHARS:,} are checked at once."
            " Check it in parts: a part may end after any paragraph."
        ) from error
    return view_of(found, as_at)


def view_of(found: QuoteCheck, as_at: AsAt) -> QuoteCheckView:
    """What to show of a check. as_at: the days that it was made for."""
    citations = tuple(_citation(citation, as_at) for citation in found.citations)
    loose = tuple(_quotation(quotation, as_at, None) for quotation in found.loose)
    return QuoteCheckView(
        as_at=as_at.value,
        label=as_at.label,
        within=as_at.within,
        citations=citations,
        loose=loose,
        left_out=_left_out(found),
        counts=_counts([q for citation in citations for q in citation.quotations] + list(loose)),
    )


def _left_out(found: QuoteCheck) -> tuple[str, ...]:
    said = []
    if found.citations_left_out:
        said.append(
            f"The text cites more than {MOST_CITATIONS} provisions; the first {MOST_CITATIONS} were checked,"
            f" {found.citations_left_out} were left out. Check the rest of it as a text of its own."
        )
    if found.quotations_left_out:
        said.append(
            f"The text has more than {MOST_QUOTATIONS} quotations; the first {MOST_QUOTATIONS} were checked,"
            f" {found.quotations_left_out} were left out. Check the rest of it as a text of its own."
        )
    return tuple(said)


def _counts(quotations: Sequence[QuotationView]) -> tuple[tuple[str, str, int], ...]:
    """(tone, short verdict, how many) of the quotations, in the order of the verdicts; only those there are."""
    states = [match.value for match in Match]
    many = {state: [q for q in quotations if q.state == state] for state in states}
    return tuple((group[0].tone, group[0].short, len(group)) for group in many.values() if group)


def _citation(checked_citation: CheckedCitation, as_at: AsAt) -> CitationView:
    cited = checked_citation.cited
    read_as = _read_as(checked_citation)
    return CitationView(
        cited=" ".join(cited.text.split()),
        read_as=read_as if read_as != cited.text else "",
        is_assumed=cited.assumed,
        mentions=checked_citation.mentions,
        state=checked_citation.standing.value,
        short=SHORTLY[checked_citation.standing],
        tone=TONES[checked_citation.standing],
        says=_standing_words(checked_citation, read_as, as_at),
        provisions=tuple(_place(Place(passage, ()), as_at) for passage in checked_citation.provisions[:MOST_SHOWN]),
        quotations=tuple(_quotation(q, as_at, checked_citation) for q in checked_citation.quotations),
    )


MOST_SHOWN = 5


def _read_as(checked_citation: CheckedCitation) -> str:
    citation = checked_citation.cited.citation
    if len(checked_citation.provisions) == 1:
        only = checked_citation.provisions[0]
        authority = authority_of(only.instrument, only.section, only.schedule, only.instrument_title)
        return f"{authority}{citation.pinpoint}" if citation.pinpoint.startswith("(") else authority
    if citation.kind in UNITS:
        return " ".join(filter(None, (citation.instrument, UNITS[citation.kind], citation.section)))
    return str(citation)


def _standing_words(checked_citation: CheckedCitation, read_as: str, as_at: AsAt) -> str:
    citation, within = checked_citation.cited.citation, as_at.within
    standing = checked_citation.standing
    if standing is Standing.THERE:
        several = len(checked_citation.provisions) > 1 and citation.instrument is None
        return f"Several provisions have this number {within}." if several else f"It is there {within}."
    if standing is Standing.NOT_THERE:
        if checked_citation.missing:
            return f"Section {citation.section} is there {within}, but has no {citation.pinpoint}."
        return f"There was no such provision {within}: {read_as}."
    if standing is Standing.WORDING_UNKNOWN:
        return f"It is held, but its wording {within} is not known."
    if citation.instrument is None:
        return "It cannot be said: the text names no Act for it, and none that is held settles which is meant."
    return f"It cannot be said: {shown_code(citation.instrument)}, or that part of it, is not held {within}."


def _quotation(quotation: CheckedQuotation, as_at: AsAt, owner: CheckedCitation | None) -> QuotationView:
    difference = quotation.difference
    says = _match_words(quotation, as_at, owner)
    if quotation.has_short_pieces and quotation.match is not Match.TOO_SHORT:
        says += " A piece beside an ellipsis is too short for a verdict and was left aside."
    return QuotationView(
        words=quotation.quotation.words,
        state=quotation.match.value,
        short=SHORTLY[quotation.match] if owner or quotation.match is not Match.ELSEWHERE else "No citation",
        tone=TONES[quotation.match] if owner or quotation.match is not Match.ELSEWHERE else "open",
        says=says,
        places=tuple(_place(place, as_at) for place in quotation.places),
        difference=DifferenceView(difference.after, difference.quoted, difference.stands) if difference else None,
    )


def _match_words(quotation: CheckedQuotation, as_at: AsAt, owner: CheckedCitation | None) -> str:
    match, within = quotation.match, as_at.within
    if match is Match.TOO_SHORT:
        return f"Too short for a verdict: that takes {LEAST_CHARS} characters and {LEAST_WORDS} words."
    if owner is None:
        if match is Match.ELSEWHERE:
            return "No citation stands beside it. Its words stand in:"
        return f"No citation stands beside it, and the passages nearest to it {within} do not have its words."
    is_unknown = owner.standing is Standing.WORDING_UNKNOWN
    unknown = f"Its wording {within} is not known."
    if match is Match.MATCHED:
        unit = owner.cited.citation.kind in UNITS
        if unit:
            return f"These words stand in it {within}, in:"
        if quotation.is_reworded:
            days = "; ".join(describe_days(p.wording.certain_from, p.wording.certain_to) for p in quotation.places)
            return f"These words stand there on some of the days {within}, and not on others: {days}."
        return f"These words stand there {within}."
    if match is Match.OTHER_WORDING:
        first = unknown if is_unknown else f"It does not read so {within}."
        return f"{first} These words stand in its wording of other days:"
    if match is Match.ELSEWHERE:
        if quotation.places[0].wording.provision_id in {passage.provision_id for passage in owner.provisions}:
            citation = owner.cited.citation
            return (
                f"{citation.pinpoint} of it does not have these words {within}. They stand elsewhere in the provision:"
            )
        first = f"The provision cited does not have these words {within}."
        if owner.standing is Standing.NOT_THERE and not owner.missing:
            first = f"The provision cited was not there {within}."
        elif owner.standing in (Standing.WORDING_UNKNOWN, Standing.CANNOT_SAY):
            first = unknown if is_unknown else "The provision cited is not held."
        return f"{first} They stand in:"
    if match is Match.CANNOT_SAY:
        first = unknown if is_unknown else "What this provision says is not held."
        return f"{first} The passages nearest to these words do not have them either."
    if owner.standing is Standing.NOT_THERE and not owner.missing:
        return f"The provision cited was not there {within}, and the passages nearest to these words do not have them."
    return (
        f"These words do not stand there {within}, nor in any other wording of it that is held,"
        " nor in the passages nearest to them."
    )


def _place(place: Place, as_at: AsAt) -> PlaceView:
    wording = place.wording
    is_then = wording.certain_from <= as_at.window.last and (
        wording.certain_to is None or wording.certain_to > as_at.window.first
    )
    when = as_at.value if is_then or not place.spans else wording.compilation_date.isoformat()
    query: list[tuple[str, object]] = [("as_at", when)]
    if place.spans:
        query.append(("version", wording.version_id))
    for start, end in place.spans:
        query += [("quote_start", start), ("quote_end", end)]
    compilation = f"compilation of {in_words(wording.compilation_date)}"
    compilation += f" ({wording.register_id})" if wording.register_id else ""
    in_full = cited_in_full(
        wording.instrument, wording.instrument_title, wording.section, wording.schedule, wording.heading
    )
    return PlaceView(
        authority=authority_of(wording.instrument, wording.section, wording.schedule, wording.instrument_title),
        heading=wording.heading if wording.heading != wording.section else "",
        act_title=wording.instrument_title,
        in_force=in_force_words(wording.certain_from, wording.certain_to, wording.dating.value),
        href=f"{_address(wording)}?{urlencode(query)}{'#quoted' if place.spans else ''}",
        words=" … ".join(wording.text[start:end] for start, end in place.spans),
        citation=f"{in_full}, {compilation}",
    )


def _address(wording: Passage) -> str:
    return reverse("provision", args=[wording.instrument, wording.pin])
