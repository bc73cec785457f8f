"""Whether prose turns, widens or narrows what its quotes say: negation, exception, condition, duty, reach and bound.

For a model's prose only. A word that turns a rule and stands in the quotes, or in the rest of the sentence that they
were cut from, must be carried by the prose; and prose may carry none that stands in neither. Words of one group stand
for each other ("unless", "except"). It reads words, not grammar, and would sooner fail a true sentence than pass a
false one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from research.law.citation import fold
from research.verification.overlap import stem
from research.verification.turning_words import (
    AUXILIARY,
    BARRED,
    BOUND,
    BOUND_AFTER,
    CLAUSE,
    DUTY,
    FUNCTION_WORDS,
    GROUPS,
    MODAL,
    NO,
    NO_TURN,
    NONE,
    NOT,
    OPPOSITES,
    OTHERWISE,
    POWER,
    SENTENCE_PART,
    WIDENING,
    Group,
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


def cuts_off(quoted: str, left_out: Iterable[str]) -> tuple[str, ...]:
    """The words that turn the rule in what was left out of its sentence, where the quote carries none for them."""
    held, cut = _without_bounds(_read(quoted)), _without_bounds(_read(" ; ".join(left_out)))
    found = (group.words.search(cut) for group in GROUPS if not group.carriers.search(held))
    return tuple(match.group() for match in found if match)


def _without_bounds(text: str) -> str:
    return NO_TURN.sub(" ", text)


def _read(text: str) -> str:
    return re.sub(r"\s+", " ", fold(text).lower())


def _groups(said: str, held: str, cut: str) -> Iterable[str]:
    plain, plain_held, plain_cut = (_without_bounds(text) for text in (said, held, cut))
    for group in GROUPS:
        there = group.words.search(plain_cut) or (None if group.if_cut else group.words.search(plain_held))
        spoken = group.words.search(plain)
        if there and not group.carriers.search(plain) and not _is_told(group, plain, f"{plain_held} ; {plain_cut}"):
            yield f'leaves out "{there.group()}"'
        elif spoken and not group.may_add and not group.carriers.search(f"{plain_held} ; {plain_cut}"):
            yield f'"{spoken.group()}" stands in none of its quotes'


def _is_told(group: Group, said: str, whole: str) -> bool:
    """Whether prose carries each condition by half of its content, without the word for it."""
    conditions = [_stems(_PART_END.split(whole[match.end() :], maxsplit=1)[0]) for match in group.words.finditer(whole)]
    told = _stems(said)
    return group.by_content and all(2 * len(stems & told) >= len(stems) for stems in conditions)


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
    """A word where the quotes hold its opposite, and what the quotes say of the one said of its opposite."""
    said, held = NO_TURN.sub(" ", said), NO_TURN.sub(" ", held)
    for spoken in _ANY_OPPOSITE.finditer(said):
        for mine, other in _OPPOSITES_OF[spoken["beginning"]]:
            if not _beginning(other).search(held):
                continue
            if not _beginning(mine).search(held):
                yield f'"{spoken.group()}" stands in none of its quotes, which say "{other}"'
            elif swapped := _said_of_the_other(said, held, mine, other):
                yield f'says "{_word_of(swapped, said)}" of "{spoken.group()}", its quotes of "{other}"'


_OPPOSITES_OF: dict[str, list[tuple[str, str]]] = {}
for _one, _other in OPPOSITES:
    _OPPOSITES_OF.setdefault(_one, []).append((_one, _other))
    _OPPOSITES_OF.setdefault(_other, []).append((_other, _one))
_LONGEST_FIRST = sorted(_OPPOSITES_OF, key=lambda word: (-len(word), word))
_ANY_OPPOSITE = re.compile(rf"(?<![\w-])(?P<beginning>{'|'.join(_LONGEST_FIRST)})\w{{0,3}}(?!\w)")


@cache
def _beginning(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){word}\w{{0,3}}(?!\w)")


def _said_of_the_other(said: str, held: str, mine: str, other: str) -> str | None:
    """A stem that the prose sets after `mine` and the quotes after `other` alone; None where there is none."""
    ours, theirs, here = _following(held, mine, other), _following(held, other, mine), _following(said, mine, other)
    before = _stems(re.split(rf"(?<![\w-])(?:{mine}|{other})", held, maxsplit=1)[0])
    return min((here & theirs) - ours - before, default=None)


def _following(text: str, word: str, until: str) -> frozenset[str]:
    """The stems after each `word`, as far as its sentence or the next `until` goes."""
    pieces = re.split(rf"(?<![\w-]){word}\w{{0,3}}(?!\w)", text)[1:]
    return _stems(" ".join(re.split(rf"[.;]|(?<![\w-]){until}", piece, maxsplit=1)[0] for piece in pieces))


# ---- what a "not", a "must" and a "may" govern


_EXCEPTED_NOT = re.compile(r"\b(?:unless|except|without|other than)\b[^,.;:]*?\b(?:cannot|not|no|\w+n't)\b")


def _governed_otherwise(said: str, held: str, whole: str) -> Iterable[str]:
    """A word that the one negates and the other says plainly, both saying it; and duty put for power."""
    said, held, whole = (NO_TURN.sub(" ", text) for text in (said, held, whole))
    for negative, leads_up in ((NOT, CLAUSE), (NO, SENTENCE_PART)):
        for found in sorted((_governed(negative, said) & _stems(whole)) - _in_reach(whole, leads_up)):
            yield f'"not" governs "{_word_of(found, said)}" in none of its quotes'
    for found in sorted((_governed(_EXCEPTED_NOT, said) & _stems(whole)) - _in_reach(whole, negatives=(NOT, NO))):
        yield f'"not" governs "{_word_of(found, said)}" in none of its quotes'
    after = _in_reach(said)
    for found in sorted(_governed(NOT, held) & _stems(said) - after):
        yield f'leaves out "not" before "{_word_of(found, held)}"'
    if not NONE.search(said):
        for found in sorted(_governed(NO, held) & _stems(said) - after - _in_reach(said, CLAUSE)):
            yield f'leaves out "no" before "{_word_of(found, held)}"'
    duties, powers = _under_modals(held)
    said_duties, said_powers = _under_modals(said)
    for found in sorted(said_duties & powers - duties):
        yield f'"must" governs "{_word_of(found, said)}" in none of its quotes'
    for found in sorted(said_powers & duties - powers):
        yield f'"may" governs "{_word_of(found, said)}" in none of its quotes'


_BEGINS_CLAUSE = re.compile(r"\s*(?:if|when|where|unless|because|while)\b")


def _governed(negative: re.Pattern[str], text: str) -> frozenset[str]:
    """The stems of the words that each negative stands before, in the same clause."""
    return frozenset().union(*(_first_stem(_clause_after(text, match.end())) for match in negative.finditer(text)))


def _in_reach(
    text: str, before: re.Pattern[str] | None = None, negatives: Sequence[re.Pattern[str]] = (NOT, NO, OTHERWISE)
) -> frozenset[str]:
    """The stems that follow a negative in its clause, up to the next verb; with `before`, those that lead up to it too.

    before: what parts the words that lead up to a negative from those that do not.
    """
    found: set[str] = set()
    for negative in negatives:
        for match in negative.finditer(text):
            reach = _clause_after(text, match.end())
            if negative is NOT and (verb := AUXILIARY.search(reach, _end_of_first_word(reach))):
                reach = reach[: verb.start()]
            found |= _stems(f"{match.group()} {reach}")
            if before is not None:
                found |= _stems(before.split(text[: match.start()])[-1])
    return frozenset(found)


def _clause_after(text: str, at: int) -> str:
    """The clause that begins at `at`: of "not when they are fed", "they are fed"."""
    if begins := _BEGINS_CLAUSE.match(text, at):
        at = begins.end()
    return CLAUSE.split(text[at:], maxsplit=1)[0]


def _end_of_first_word(text: str) -> int:
    """Where the first word that is no mere function word ends; 0 where there is none."""
    words = (word for word in re.finditer(r"\w+", text) if word.group() not in FUNCTION_WORDS)
    first = next(words, None)
    return first.end() if first else 0


def _under_modals(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of the two words that each "must" governs, and of those that each "may" does."""
    duties: set[str] = set()
    powers: set[str] = set()
    for match in MODAL.finditer(text):
        governed = re.findall(r"\w+", _clause_after(text, match.end()))
        content = [word for word in governed if word not in FUNCTION_WORDS and word not in ("not", "no")]
        (duties if match["duty"] else powers).update(stem(word) for word in content[:2])
    return frozenset(duties), frozenset(powers)


@lru_cache(maxsize=1024)  # the same clause is read by several checks
def _stems(text: str) -> frozenset[str]:
    """The stems of all words that are no mere function words; of a hyphenated word, those of its parts too."""
    found = re.findall(r"\w+(?:['-]\w+)*", text)
    parts = {part for word in found for part in (word, *word.split("-"))} - FUNCTION_WORDS
    return frozenset(stem(part.removesuffix("'s")) for part in parts)


def _first_stem(text: str) -> frozenset[str]:
    words = (word for word in re.findall(r"\w+", text) if word not in FUNCTION_WORDS and word not in ("not", "no"))
    return frozenset(stem(word) for word in [next(words, "")] if word)


def _word_of(found: str, text: str) -> str:
    return next((word for word in re.findall(r"[\w'-]+", text) if found in _stems(word)), found)


_PART_END = re.compile(r"[,.;:]")

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


_NEAR_CHARS = 16  # between a bound and its value: "not more than the sum of"
_BOUNDED = frozenset({"money", "percent", "points", "period", "age", "number", "date", "foreign_money"})


def _bounded_values(text: str) -> list[Value]:
    return [value for value in values_in(text) if value.kind in _BOUNDED]


def _bound_of(value: Value, text: str) -> tuple[str, str]:
    """ "upto", "from" or "", and the words that say so: those just before the value, or right after it."""
    folded = fold(text).lower()
    after = BOUND_AFTER.match(folded[value.start + len(value.words) :])
    if after:
        return ("upto" if after["upto"] else "from"), (after["upto"] or after["from"])
    before = re.split(r"[,;:0-9]|\b(?:and|or)\b", folded[max(0, value.start - 30) : value.start])[-1]
    bounds = [bound for bound in BOUND.finditer(before) if len(before) - bound.end() <= _NEAR_CHARS]
    if not bounds:
        return "", ""
    last = bounds[-1]
    if last.group() == "by" and value.kind != "date":
        return "", ""  # "reduced by 15%"
    return ("upto" if last["upto"] or last["also_upto"] else "from"), last.group()
