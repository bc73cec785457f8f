"""Whether a claim holds: its quotes stand in their sources, and its prose says no more than they do.

Design rules 2 and 3. Every number, date, percentage, amount and legal citation in the prose must occur in one
of the claim's own verified quotes. One exception: prose may name the provision that a quote of it stands in,
because the lead-in does ("ITAA97 s 8-1(1) says:").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from research.terms import CheckedClaim, CheckedQuote, Claim, Draft, Passage
from research.verification.quotes import ALL_CHECKS, PROSE, check_quote
from research.verification.values import Value, values_in


def verify(
    draft: Draft, sources: Mapping[int, Passage], *, enabled_checks: Collection[str] = ALL_CHECKS
) -> tuple[CheckedClaim, ...]:
    """Each claim of the draft, checked, in order; nothing is dropped here.

    sources: every passage the generator was shown, by chunk id; all of them in force on the days asked about.
    enabled_checks: all, always, but for the test that shows what each check catches.
    """
    unknown = set(enabled_checks) - ALL_CHECKS
    if unknown:
        raise ValueError(f"no such check: {', '.join(sorted(unknown))}; the checks are {', '.join(sorted(ALL_CHECKS))}")
    return tuple(_checked(claim, sources, enabled_checks) for claim in draft.claims)


def _checked(claim: Claim, sources: Mapping[int, Passage], enabled_checks: Collection[str]) -> CheckedClaim:
    quotes = tuple(check_quote(quote, sources, enabled_checks=enabled_checks) for quote in claim.quotes)
    if PROSE not in enabled_checks:
        return CheckedClaim(claim, quotes)
    return CheckedClaim(claim, quotes, excess(claim.prose, quotes, sources))


def ungrounded(
    checked: Sequence[CheckedClaim], score: Callable[[str, Sequence[str]], float], bar: float
) -> tuple[CheckedClaim, ...]:
    """The claims, those of a model's prose that `score` puts under `bar` with that as an excess.

    score: how far the quotes bear the prose out, 0 to 1, on the scale that `bar` was measured on.
    """
    return tuple(
        replace(claim, excess=(*claim.excess, "is not borne out by its quotes"))
        if claim.claim.is_composed
        and claim.is_verified
        and score(claim.claim.prose, [quote.matched for quote in claim.quotes]) < bar
        else claim
        for claim in checked
    )


def excess(prose: str, quotes: Sequence[CheckedQuote], sources: Mapping[int, Passage]) -> tuple[str, ...]:
    """The words of `prose` that state a value which none of its verified quotes holds, in the prose's own writing."""
    verified = [quote for quote in quotes if quote.is_verified]
    cited = [sources[quote.quote.chunk_id] for quote in verified if quote.quote.chunk_id in sources]
    held = {(value.kind, value.form) for quote in verified for value in values_in(quote.matched)}
    held |= _implied(held)
    for passage in cited:
        held |= _of_authority(passage)
    left = _without_authority(prose, cited)
    missing = [value for value in values_in(left) if not _is_held(value, held)]
    return tuple(dict.fromkeys(value.words for value in missing))


def _is_held(value: Value, held: set[tuple[str, str]]) -> bool:
    return (value.kind, value.form) in held


def _implied(held: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """What a value says along with itself: a date its month, its day and its year; a year span both years."""
    more: set[tuple[str, str]] = set()
    for kind, form in held:
        if kind == "date":
            more |= {("month", form[:7]), ("day", form[5:]), ("year", form[:4])}
        elif kind == "month":
            more.add(("year", form[:4]))
        elif kind == "year_span":
            more |= {("year", year) for year in form.split("-")}
    return more


def _of_authority(passage: Passage) -> set[tuple[str, str]]:
    """What prose may say to name where a quote stands: the section, its Schedule and Act, and its own labels."""
    allowed = {("citation", f"section {passage.section}"), ("act", passage.instrument)}
    if passage.schedule:
        allowed.add(("schedule", passage.schedule))
    labels = re.findall(r"\(([^()\s]{1,5})\)", f"{passage.parent} {passage.text}")
    if re.fullmatch(r"[0-9A-Za-z]{1,5}", passage.parent):
        labels.append(passage.parent)
    return allowed | {("label", label) for label in labels}


def _without_authority(prose: str, cited: Sequence[Passage]) -> str:
    """`prose` with the titles, codes and authorities of the cited provisions blanked: they name, they do not claim."""
    names = {name for p in cited for name in (p.instrument_title, p.authority, p.instrument) if name}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        prose = re.sub(rf"(?<!\w){re.escape(name)}(?![\w-])", lambda match: " " * len(match.group()), prose)
    return prose
