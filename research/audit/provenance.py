"""The sentences that every answer carries: where its words come from, and what it is not.

The terms of each source fix its sentence; a change of one word is a breach, so they are written once, in `licences`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from research.law import licences
from research.law.licences import LICENCES
from research.law.provision import in_words
from research.terms import Citation

NOT_ADVICE = "Not tax advice: a registered tax agent reviews every output."


def attribution(citations: Iterable[Citation]) -> str:
    """The sentences for an answer with these citations, each source once, in the order of `LICENCES`; "" for none."""
    found: dict[str, list[Citation]] = {}
    for citation in citations:
        found.setdefault(_licence_of(citation), []).append(citation)
    return " ".join(_sentence(code, found[code]) for code in LICENCES if code in found)


def _licence_of(citation: Citation) -> str:
    """The licence's code. Answers recorded before it was kept quote the Register or the product's own text."""
    if citation.licence in LICENCES:
        return citation.licence
    return "fictional" if "fictional" in citation.act_title.lower() else "FRL"


def _sentence(code: str, cited: Sequence[Citation]) -> str:
    licence = LICENCES[code]
    titles = sorted({citation.act_title for citation in cited})
    if code == "FRL":
        return licences.attribution(licence, day=_days(citation.compilation_date for citation in cited))
    if code == "fictional" and len(titles) > 1:
        return licences.attribution(licence, title=_listed(titles)).replace(" is fictional", " are fictional")
    said = [licences.attribution(licence, title=title, sentence=f"{title}.") for title in titles]
    return " ".join(dict.fromkeys([*said, licence.changes] if code == "ATO" else said))


def _days(days: Iterable[date]) -> str:
    return _listed([in_words(day) for day in sorted(set(days))])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
