"""Whether a question names law that is held, or only law that is not: another Act, a ruling, a regulation.

Pure. What it names by number or title binds it: a question that cites a section of an Act held goes to that Act,
whatever else it speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.law.citation import CODES, CitationKind, FoundCitation, act_mentions, fold
from research.question.outside import is_tied
from research.terms import Elsewhere, OutsideField

_REGISTER = "the Federal Register of Legislation (legislation.gov.au), or the State's own register"
_ATO_LEGAL = "the ATO's legal database (ato.gov.au/law)"
_OF_TAX = re.compile(
    r"tax|excise|customs|tariff|levy|\blevies\b|superannuation|imposition|treat|agreements|charge|assessment|gst|fbt"
    r"|\b(?:sis|sg|taa|itaa|lct|wet|prrt|itar|sisr|prrtaa)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"(?:\b(?:see|cf|compare|also|e\.?g\.?|following|despite|apart from)\.?\s*|\()$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LawNamed:
    """is_held: the question names law that is held. elsewhere: it names only law that is not; None for neither."""

    is_held: bool = False
    elsewhere: Elsewhere | None = None


def law_named(question: str, citations: Sequence[FoundCitation], titles: Mapping[str, str]) -> LawNamed:
    """What law the question names. titles: of the instruments held that have no short code of their own → codes."""
    held = {*CODES, *titles.values(), "ITAA", "HDFA99"}
    acts = [mention.instrument for mention in act_mentions(question, titles)]
    cited = [found.citation for found in citations if found.citation.kind is not CitationKind.RULING]
    acts += [citation.instrument for citation in cited if citation.instrument]
    if any(act in held for act in acts) or any(citation.instrument is None for citation in cited):
        return LawNamed(is_held=True)
    folded = fold(question)
    if acts:
        name = acts[0]
        of_tax = bool(_OF_TAX.search(name))
        field = OutsideField.FEDERAL_LAW_NOT_HELD if of_tax else OutsideField.COMPANY_LAW
        if is_tied(folded, field):
            return LawNamed()
        return LawNamed(elsewhere=Elsewhere(f"the {name}", field, _REGISTER, name))
    rulings = [found for found in citations if found.citation.kind is CitationKind.RULING]
    asked = [found for found in rulings if not _ASIDE.search(folded[: found.start])]
    if asked and not is_tied(folded, OutsideField.FEDERAL_LAW_NOT_HELD):
        name = asked[0].citation.instrument or asked[0].text
        return LawNamed(elsewhere=Elsewhere(name, OutsideField.FEDERAL_LAW_NOT_HELD, _ATO_LEGAL, name))
    return LawNamed()
