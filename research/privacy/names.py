"""The ways in which a client's name is written, as keys to look for.

Three strengths. What is whole identifies anywhere, also in the law's text. What is loose (a surname, initials, the
first words of a business) is looked for in the practice's own words only: a judge, a party to a case and a client share
surnames, and the law's text is public. What is ordinary counts only where it is written as a name is, in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from research.privacy.folding import key_of, words_of
from research.privacy.ordinary import ENDINGS, OF_BODIES, ORDINARY, PARTICLES, TITLES, is_ordinary

SHORTEST = 2  # letters of a name without its ending
SHORT = 4  # a single word under so many letters is as good as ordinary
FORMS = ("ptyltd", "pl", "pty", "ltd", "inc", "co")
_FOR_ANOTHER = re.compile(
    r"\b(?:a\.?t\.?f\.?|as\s+trustees?\s+for|trustees?\s+(?:for|of)|estate\s+of(?:\s+the\s+late)?)\b", re.IGNORECASE
)
_COUPLE = re.compile(r"\s+(?:&|and)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a name. is_whole: identifies anywhere. in_capitals: counts only where every word has one."""

    key: str
    is_whole: bool = True
    in_capitals: bool = False


def forms_of(name: str) -> Iterator[Form]:
    """Every way to write this name that is looked for; a name may come more than once."""
    for part in [name, *_FOR_ANOTHER.split(name)] if _FOR_ANOTHER.search(name) else [name]:
        words = words_of(part)
        if words[:1] == ["the"]:
            words = words[1:]
        core = list(words)
        while len(core) > 1 and core[-1] in ENDINGS:
            core.pop()
        if not core:
            continue
        yield from _whole(core, has_ending=len(core) < len(words))
        yield from _shortened(core) if _is_body(part, words) else _of_people(part)


def _is_body(name: str, words: list[str]) -> bool:
    return any(word in OF_BODIES or word in ENDINGS or not word.isalpha() for word in words) or len(words) > 5


def _whole(core: list[str], *, has_ending: bool) -> Iterator[Form]:
    key = "".join(core)
    is_weak = is_ordinary(core) or (len(core) == 1 and len(key) < SHORT)
    if has_ending or is_weak:
        yield from (Form(key + ending) for ending in FORMS)
    if len(key) >= SHORTEST:
        yield Form(key, is_whole=not is_weak and not (has_ending and len(core) == 1), in_capitals=is_weak)


def _shortened(core: list[str]) -> Iterator[Form]:
    """A business by its first words: "Kowalczyk Plumbing", "Kowalczyk"."""
    for length in range(len(core) - 1, 0, -1):
        left = core[:length]
        if core[length] not in ORDINARY | OF_BODIES | ENDINGS or is_ordinary(left) or len("".join(left)) < SHORT:
            return
        yield Form("".join(left), is_whole=False, in_capitals=True)


def _of_people(name: str) -> Iterator[Form]:
    """People by given names and surname in either order, initials, title or a surname that few share."""
    people = _COUPLE.split(name)
    if "," in name and len(people) == 1:
        family, _, first = name.partition(",")
        yield from _of_surname(first.split(), family)
        return
    given, surname = _surname_of(people[-1].replace(",", " ").split())
    yield from _of_surname(given, surname)
    for person in people[:-1]:
        first_names, own = _surname_of(person.replace(",", " ").split())
        yield from _of_surname(first_names or [own], own if first_names else surname)


def _surname_of(words: list[str]) -> tuple[list[str], str]:
    """Given names, and the surname with what belongs to it ("van der Berg")."""
    first = len(words) - 1
    while first > 1 and key_of(words[first - 1]) in PARTICLES:
        first -= 1
    return words[:first], " ".join(words[first:])


def _of_surname(given: list[str], surname: str) -> Iterator[Form]:
    """With the whole surname, and with each half of a double one."""
    first_names = [key for word in given for key in words_of(word.replace("-", " "))]
    for part in dict.fromkeys([surname, *surname.split("-")]):
        yield from _of_person(first_names, key_of(part))


def _of_person(given: list[str], surname: str) -> Iterator[Form]:
    given = given[1:] if given[:1] and given[0] in TITLES else given
    if not surname or not given:
        return
    whole, initials = "".join(given), "".join(word[0] for word in given)
    for called in {whole, given[0]}:
        for key in (called + surname, surname + called):
            yield Form(key, is_whole=len(called) > 1)
    for letters in {initials, initials[0], given[0] + initials[1:]}:
        yield Form(letters + surname, is_whole=False)
        yield Form(surname + letters, is_whole=False)
    for title in TITLES:
        yield Form(title + surname, is_whole=False)
    if len(surname) >= SHORT and surname not in ORDINARY:
        yield Form(surname, is_whole=False, in_capitals=True)
