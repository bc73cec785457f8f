"""Whether a claim holds: its quotes stand in their sources, and its prose says no more than they do.

Design rules 2 and 3. Every number, date, percentage, amount and legal citation in the prose must occur in one
of the claim's own verified quotes. One exception: prose may name the provision that a quote of it stands in,
because the lead-in does ("ITAA97 s 8-1(1) says:").

A model's prose (`Claim.is_composed`) is held to more: it is plain (`plain`), counts what its quotes count, and turns,
widens and narrows nothing of them or of the sentences that they were cut from (`turning`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from research.law.citation import fold
from research.terms import CheckedClaim, CheckedQuote, Claim, Draft, Passage
from research.verification.overlap import content_stems
from research.verification.plain import brings_along, not_plain, speaks_to_a_model
from research.verification.quotes import ALL_CHECKS, NEGATION, PLAIN, PROSE, check_quote
from research.verification.sentence import sentences_of
from research.verification.turning import cuts_off, turned
from research.verification.values import Value, values_in

NOT_BORNE_OUT = "is not borne out by its quotes"


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


def ungrounded(
    checked: Sequence[CheckedClaim], score: Callable[[str, Sequence[str]], float], bar: float
) -> tuple[CheckedClaim, ...]:
    """The claims, those of a model's prose that `score` puts under `bar` with that as an excess.

    score: how far the quotes bear the prose out, 0 to 1, on the scale that `bar` was measured on.
    """
    return tuple(
        replace(claim, excess=(*claim.excess, NOT_BORNE_OUT))
        if claim.claim.is_composed
        and claim.is_verified
        and score(claim.claim.prose, [quote.matched for quote in claim.quotes]) < bar
        else claim
        for claim in checked
    )


def _checked(claim: Claim, sources: Mapping[int, Passage], enabled_checks: Collection[str]) -> CheckedClaim:
    quotes = tuple(check_quote(quote, sources, enabled_checks=enabled_checks) for quote in claim.quotes)
    found: list[str] = []
    if PROSE in enabled_checks:
        found += excess(claim.prose, quotes, sources)
    if claim.is_composed:
        found += _composed_excess(claim.prose, quotes, sources, enabled_checks)
    return CheckedClaim(claim, quotes, tuple(dict.fromkeys(found)))


def _composed_excess(
    prose: str, quotes: Sequence[CheckedQuote], sources: Mapping[int, Passage], enabled_checks: Collection[str]
) -> list[str]:
    """What a model's prose says beyond its verified quotes that is no value: see `plain` and `turning`."""
    verified = [quote for quote in quotes if quote.is_verified]
    matched = _matched(quotes)
    cited = [passage for quote in verified if (passage := sources.get(quote.found_in or 0))]
    beside = [whole.left_out for whole in sentences_of(verified, sources)]
    bare = _without_authority(prose, cited)
    found: list[str] = []
    if PLAIN in enabled_checks:
        found += (*not_plain(prose, matched, cited), *speaks_to_a_model(cited))
    if PROSE in enabled_checks:
        found += _counted_otherwise(bare, matched)
    if NEGATION in enabled_checks and verified:
        found += turned(bare, matched, beside)
    if PLAIN in enabled_checks and not found:
        found += brings_along(bare, matched, beside, cited)
    return found


def _matched(quotes: Sequence[CheckedQuote]) -> list[str]:
    return [quote.matched for quote in quotes if quote.is_verified]


def _counted_otherwise(prose: str, quotes: Sequence[str]) -> list[str]:
    """Bare numbers that the prose gives to other things than its quotes do: "99 lanterns" there, "99 towns" here."""
    counted: dict[str, list[frozenset[str]]] = {}
    for quote in quotes:
        for value in values_in(quote):
            if value.kind == "number":
                counted.setdefault(value.form, []).append(_stems_after(value, quote, 5))
    found = []
    for value in values_in(prose):
        things = counted.get(value.form, []) if value.kind == "number" else []
        mine = _stems_after(value, prose, 1)
        if things and mine and not any(mine & thing for thing in things):
            found.append(f"{value.words} {' '.join(_words_after(value, prose)[:1])}")
    return found


def _words_after(value: Value, text: str) -> list[str]:
    rest = re.split(r"[.,;:()]", fold(text)[value.start + len(value.words) :], maxsplit=1)[0]
    return re.findall(r"[\w'-]+", rest)


def _stems_after(value: Value, text: str, most: int) -> frozenset[str]:
    return content_stems(" ".join(_words_after(value, text)[:most]))


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
    """What a value says along with itself: a date its month, day and year; a year span both years; half, 50%."""
    more: set[tuple[str, str]] = set()
    for kind, form in held:
        if kind == "date":
            more |= {("month", form[:7]), ("day", form[5:]), ("year", form[:4])}
        elif kind == "month":
            more.add(("year", form[:4]))
        elif kind == "year_span":
            more |= {("year", year) for year in form.split("-")}
        elif kind == "percent":
            more.add(("share", str(Fraction(form) / 100)))
        elif kind == "share":
            more.add(("percent", str(Fraction(form) * 100)))
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
        if name not in prose:  # a pattern costs a quarter of a millisecond to make
            continue
        prose = re.sub(rf"(?<!\w){re.escape(name)}(?![\w-])", lambda match: " " * len(match.group()), prose)
    return prose


def stands_alone(quote: CheckedQuote, sources: Mapping[int, Passage]) -> bool:
    """Whether a verified quote may be shown under fixed words: it leaves out no exception, negation or condition of its
    own sentence, and its source speaks of the law and not to a model.
    """
    passage = sources.get(quote.found_in or 0)
    if not quote.is_verified or passage is None:
        return False
    left_out = [whole.left_out for whole in sentences_of([quote], sources)]
    return not speaks_to_a_model([passage]) and not cuts_off(quote.matched, left_out)
