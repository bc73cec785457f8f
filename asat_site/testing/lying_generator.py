"""A generator that lies, one lie at a time: what verification must catch, written as a language model would slip.

Each lie is built from an honest draft, so that everything else about it is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from research.ports import Generator, Waiting, waiting_quietly
from research.terms import Claim, Draft, ParentGroup, Passage, Quote, Ranked

INVENTED = "The Commissioner must allow every deduction that a taxpayer claims in good faith and in writing."


class Lie(StrEnum):
    INVENTED_QUOTE = "invented quote"
    WRONG_SOURCE = "real quote under the wrong source"
    STITCHED = "real quote stitched from two places"
    STITCHED_INSIDE = "real quote with its middle left out"
    TOO_SHORT = "quote too short to mean anything"
    LATER_COMPILATION = "quote in a later compilation"
    EMPTY_QUOTE = "empty quote"
    DUPLICATED = "quote that says its words twice"
    ONE_WORD_CHANGED = "quote that differs by one word"
    NEGATION_DROPPED = "quote whose negation was altered"
    FIGURE_CHANGED = "quote whose figure was altered"
    WORD_CUT = "quote that begins in the middle of a word"
    INVENTED_NUMBER = "invented number in the prose"
    INVENTED_PERCENTAGE = "invented percentage in the prose"
    INVENTED_DATE = "invented date in the prose"
    INVENTED_SECTION = "invented section number in the prose"


@dataclass(frozen=True, slots=True)
class LyingGenerator:
    """`research.ports.Generator` that tells `lie` about what `honest` drafts.

    later: a passage that is not in force on the days asked about, for the lie that quotes one.
    Raises ValueError when the passages at hand give the lie nothing to work on.
    """

    lie: Lie
    honest: Generator
    later: Passage | None = None
    provider: str = "lying"
    model: str = "none"

    def draft(
        self,
        question: str,
        groups: Sequence[ParentGroup],
        ranked: Sequence[Ranked],
        waiting: Waiting = waiting_quietly,
    ) -> Draft:
        claim = self.honest.draft(question, groups, ranked).claims[0]
        passages = [passage for group in groups for passage in group.passages]
        return Draft((self._lied(claim, passages),), self.provider, self.model)

    def _lied(self, claim: Claim, passages: Sequence[Passage]) -> Claim:
        quote = claim.quotes[0]
        if self.lie in _PROSE:
            return replace(claim, prose=_PROSE[self.lie])
        if self.lie is Lie.LATER_COMPILATION:
            if self.later is None:
                raise ValueError("the lie that quotes a later compilation needs a passage of one; give later=")
            return replace(claim, quotes=(Quote(self.later.chunk_id, self.later.text),))
        others = [p for p in passages if p.chunk_id != quote.chunk_id and quote.text not in p.text]
        return replace(claim, quotes=(_LIES[self.lie](quote, others),))


_PROSE = {
    Lie.INVENTED_NUMBER: "You can deduct up to $75,000:",
    Lie.INVENTED_PERCENTAGE: "You can deduct 40 per cent of it:",
    Lie.INVENTED_DATE: "This has been the law since 1 July 2011:",
    Lie.INVENTED_SECTION: "Section 999-5 says:",
}


def _wrong_source(quote: Quote, others: Sequence[Passage]) -> Quote:
    return replace(quote, chunk_id=_first(others).chunk_id)


def _stitched(quote: Quote, others: Sequence[Passage]) -> Quote:
    """The first half of one passage's words and the last half of another's."""
    mine, theirs = quote.text.split(), _first(others).text.split()
    return replace(quote, text=" ".join(mine[: len(mine) // 2] + theirs[len(theirs) // 2 :]))


def _stitched_inside(quote: Quote, others: Sequence[Passage]) -> Quote:
    words = quote.text.split()
    if len(words) < 12:
        raise ValueError(f"the quote has {len(words)} words; leaving out its middle needs 12")
    return replace(quote, text=" ".join(words[:5] + words[-5:]))


def _too_short(quote: Quote, others: Sequence[Passage]) -> Quote:
    return replace(quote, text=" ".join(quote.text.split()[:3]))


def _one_word_changed(quote: Quote, others: Sequence[Passage]) -> Quote:
    words = quote.text.split()
    words[len(words) // 2] = "otherwise" if words[len(words) // 2] != "otherwise" else "likewise"
    return replace(quote, text=" ".join(words))


def _negation_dropped(quote: Quote, others: Sequence[Passage]) -> Quote:
    """ "cannot" becomes "can", or "can" becomes "cannot"; "is not" becomes "is"."""
    for pattern, instead in (
        (r"\bcannot\b", "can"),
        (r"\bcan\b", "cannot"),
        (r"\bis not\b", "is"),
        (r"\bis\b", "is not"),
    ):
        lied = re.sub(pattern, instead, quote.text, count=1)
        if lied != quote.text:
            return replace(quote, text=lied)
    raise ValueError("the quote has no can, cannot or is to alter")


def _figure_changed(quote: Quote, others: Sequence[Passage]) -> Quote:
    lied = re.sub(r"\d(?=\D*$)", lambda match: str((int(match.group()) + 1) % 10), quote.text, count=1)
    if lied == quote.text:
        raise ValueError("the quote has no figure to alter")
    return replace(quote, text=lied)


def _word_cut(quote: Quote, others: Sequence[Passage]) -> Quote:
    match = re.search(r"(?<=[a-z]{3})[a-z]{3,}\b", quote.text)
    if match is None:
        raise ValueError("the quote has no word long enough to cut")
    return replace(quote, text=quote.text[match.start() :])


_LIES = {
    Lie.INVENTED_QUOTE: lambda quote, others: replace(quote, text=INVENTED),
    Lie.WRONG_SOURCE: _wrong_source,
    Lie.STITCHED: _stitched,
    Lie.STITCHED_INSIDE: _stitched_inside,
    Lie.TOO_SHORT: _too_short,
    Lie.EMPTY_QUOTE: lambda quote, others: replace(quote, text=""),
    Lie.DUPLICATED: lambda quote, others: replace(quote, text=f"{quote.text} {quote.text}"),
    Lie.ONE_WORD_CHANGED: _one_word_changed,
    Lie.NEGATION_DROPPED: _negation_dropped,
    Lie.FIGURE_CHANGED: _figure_changed,
    Lie.WORD_CUT: _word_cut,
}


def _first(others: Sequence[Passage]) -> Passage:
    if not others:
        raise ValueError("the lie needs a second passage that does not hold the quote")
    return others[0]
