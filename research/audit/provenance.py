"""The sentences that every answer carries: where its words come from, and what it is not.

The Register's sentence is fixed by its terms of use; a change of one word is a breach, so it is written here once.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from research.law.provision import in_words
from research.terms import Citation

NOT_ADVICE = "Not tax advice: a registered tax agent reviews every output."
REGISTER_URL = "https://www.legislation.gov.au"


def register_sentence(dates: Iterable[date]) -> str:
    """The Federal Register's attribution for text compiled on `dates`; "" for none."""
    named = [in_words(day) for day in sorted(set(dates))]
    if not named:
        return ""
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return (
        f"Based on content from the Federal Register of Legislation at {listed}. "
        f"For the latest information on Australian Government legislation please go to {REGISTER_URL}"
    )


def fictional_sentence(titles: Iterable[str]) -> str:
    """What is said of instruments written for the product; "" for none."""
    named = sorted(set(titles))
    if not named:
        return ""
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    is_are = "is" if len(named) == 1 else "are"
    return f"{listed} {is_are} fictional: written to show how AsAt works, and not the law anywhere."


def is_fictional(title: str) -> bool:
    """Whether an instrument's own title says that it is fictional, as the product's does."""
    return "fictional" in title.lower()


def attribution(citations: Iterable[Citation]) -> str:
    """The sentences for an answer with these citations, real law first; "" for none."""
    cited = list(citations)
    real = [citation.compilation_date for citation in cited if not is_fictional(citation.act_title)]
    invented = [citation.act_title for citation in cited if is_fictional(citation.act_title)]
    return " ".join(sentence for sentence in (register_sentence(real), fictional_sentence(invented)) if sentence)
