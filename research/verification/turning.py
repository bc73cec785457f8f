"""Whether prose turns, widens or narrows what its quotes say: negation, exception, condition, duty, reach and bound.

For a model's prose only. A word that turns a rule and stands in the quotes, or in the rest of the sentence that they
were cut from, must be carried by the prose; and prose may carry none that stands in neither. Words of one group stand
for each other ("unless", "except"). It reads words, not grammar, and would sooner fail a true sentence than pass a
false one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from research.law.citation import fold
from research.verification.overlap import content_stems
from research.verification.turning_words import (
    AUXILIARY,
    BARRED,
    BOUND,
    BOUND_AFTER,
    CLAUSE,
    DUTY,
    GROUPS,
    MODAL,
    NO_TURN,
    NOT,
    OPPOSITES,
    POWER,
    WIDENING,
)
from research.verification.values import Value, values_in


def turned(prose: str, quotes: Sequence[str], left_out: Iterable[str] = ()) -> tuple[str, ...]:
    """How `prose` turns its quotes, in plain words, each once; () where it turns nothing.

    left_out: what stands beside the quotes in their own sentences (`sentence.Whole.left_out`).
    """
    said, held, cut = _read(prose), _read(" ".join(quotes)), _read(" ; ".join(left_out))
    found = [
        *_groups(said, held, cut),
        *_modality(said, held),
        *_widened(said, held),
        *_opposites(said, f"{held} {cut}"),
        *_governed_otherwise(said, held, f"{held} ; {cut}"),
        *_bounds(prose, quotes),
    ]
    return tuple(dict.fromkeys(found))


def _read(text: str) -> str:
    return re.sub(r"\s+", " ", fold(text).lower())


def _groups(said: str, held: str, cut: str) -> Iterable[str]:
    plain, plain_held, plain_cut = (NO_TURN.sub(" ", text) for text in (said, held, cut))
    for group in GROUPS:
        there = group.words.search(plain_cut) or (None if group.if_cut else group.words.search(plain_held))
        spoken = group.words.search(plain)
        if there and not group.carriers.search(plain):
            yield f'leaves out "{there.group()}"'
        elif spoken and not group.may_add and not group.carriers.search(f"{plain_held} ; {plain_cut}"):
            yield f'"{spoken.group()}" stands in none of its quotes'


def _modality(said: str, held: str) -> Iterable[str]:
    says_duty, says_power = DUTY.search(said), POWER.search(said)
    has_duty, has_power = DUTY.search(held), POWER.search(held)
    if says_duty and not has_duty:
        yield f'"{says_duty.group()}" stands in none of its quotes'
    if says_power and not has_power:
        yield f'"{says_power.group()}" stands in none of its quotes'
    if has_power and not (has_duty or says_power or says_duty or BARRED.search(said)):
        yield f'leaves out "{has_power.group()}"'


def _widened(said: str, held: str) -> Iterable[str]:
    for words, borne_out_by in WIDENING:
        wide = words.search(said)
        if wide and not borne_out_by.search(held):
            yield f'"{wide.group()}" stands in none of its quotes'


def _opposites(said: str, held: str) -> Iterable[str]:
    for pair in OPPOSITES:
        for mine, other in (pair, pair[::-1]):
            spoken = re.search(rf"(?<![\w-]){mine}\w{{0,3}}(?!\w)", said)
            if spoken and not re.search(rf"(?<![\w-]){mine}", held) and re.search(rf"(?<![\w-]){other}", held):
                yield f'"{spoken.group()}" stands in none of its quotes, which say "{other}"'


# ---- what a "not", a "must" and a "may" govern


def _governed_otherwise(said: str, held: str, whole: str) -> Iterable[str]:
    """A word that the one negates and the other says plainly, both saying it; and duty put for power."""
    said, held, whole = (NO_TURN.sub(" ", text) for text in (said, held, whole))
    said_near, said_far = _negated(said)
    near, far = _negated(held)
    for stem in sorted(said_near & (content_stems(whole) - far - _negated(whole)[1])):
        yield f'"not" governs "{_word_of(stem, said)}" in none of its quotes'
    for stem in sorted(near & (content_stems(said) - said_far)):
        yield f'leaves out "not" before "{_word_of(stem, held)}"'
    duties, powers = _under_modals(held)
    said_duties, said_powers = _under_modals(said)
    for stem in sorted(said_duties & powers - duties):
        yield f'"must" governs "{_word_of(stem, said)}" in none of its quotes'
    for stem in sorted(said_powers & duties - powers):
        yield f'"may" governs "{_word_of(stem, said)}" in none of its quotes'


def _negated(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems that a negative word governs directly, and all those in the reach of one."""
    near: set[str] = set()
    far: set[str] = set()
    for match in NOT.finditer(text):
        rest = CLAUSE.split(text[match.end() :], maxsplit=1)[0]
        behind = CLAUSE.split(text[: match.start()])[-1]
        if not match["determiner"]:
            first = re.search(r"\w+", rest)
            at = first.end() if first else 0
            auxiliary = AUXILIARY.search(rest, at)
            reach = rest[: auxiliary.start()] if auxiliary else rest
        else:
            reach = rest
        near |= _first_stem(reach)
        far |= content_stems(reach) | content_stems(behind)
    return frozenset(near), frozenset(far)


def _under_modals(text: str) -> tuple[frozenset[str], frozenset[str]]:
    duties: set[str] = set()
    powers: set[str] = set()
    for match in MODAL.finditer(text):
        (duties if match["duty"] else powers).update(_first_stem(CLAUSE.split(text[match.end() :], maxsplit=1)[0]))
    return frozenset(duties), frozenset(powers)


def _first_stem(text: str) -> frozenset[str]:
    for word in re.findall(r"[\w'-]+", text):
        if stems := content_stems(word):
            return stems
    return frozenset()


def _word_of(stem: str, text: str) -> str:
    return next((word for word in re.findall(r"[\w'-]+", text) if stem in content_stems(word)), stem)


# ---- bounds


def _bounds(prose: str, quotes: Sequence[str]) -> Iterable[str]:
    """A value said to be at most that its quotes say is at least, or the other way round; or with the bound gone."""
    held: dict[tuple[str, str], set[str]] = {}
    for quote in quotes:
        for value in _bounded_values(quote):
            held.setdefault((value.kind, value.form), set()).add(_bound_of(value, quote)[0])
    for value in _bounded_values(prose):
        sides = held.get((value.kind, value.form))
        if not sides:
            continue  # a value that no quote holds is named by the check on values
        side, words = _bound_of(value, prose)
        if side and side not in sides:
            yield f'"{words} {value.words}" stands in none of its quotes'
        elif not side and "" not in sides:
            yield f'leaves out what bounds "{value.words}"'


_BOUNDED = frozenset({"money", "percent", "points", "period", "age", "number", "date", "foreign_money"})


def _bounded_values(text: str) -> list[Value]:
    return [value for value in values_in(text) if value.kind in _BOUNDED]


def _bound_of(value: Value, text: str) -> tuple[str, str]:
    """ "upto", "from" or "", and the words that say so: those within 25 characters before the value, or right after."""
    folded = fold(text).lower()
    after = BOUND_AFTER.match(folded[value.start + len(value.words) :])
    if after:
        return ("upto" if after["upto"] else "from"), (after["upto"] or after["from"])
    before = re.split(r"[;:]", folded[max(0, value.start - 25) : value.start])[-1]
    bounds = list(BOUND.finditer(before))
    if not bounds:
        return "", ""
    last = bounds[-1]
    return ("upto" if last["upto"] or last["also_upto"] else "from"), last.group()
