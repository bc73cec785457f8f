"""The front matter of a practice's own document: what it is, from when, and whose.

Pure: takes the text, gives a `Front` or raises `BadFront` with the line. Every value is read as the characters that
stand in the file: YAML would make a number of "12.10" and an error of a date that does not exist.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

import yaml

from research.corpus.ingest.json_origin import RESERVED
from research.corpus.ingest.record import FIRST_DAY, LAST_DAY, LONGEST_LANGUAGE, UNNAMEABLE
from research.law.instruments import act_of_code
from research.law.licences import LicenceRefused, licence_of
from research.law.rulings import names_a_ruling

KEYS = (
    "number",
    "title",
    "effective",
    "superseded-by",
    "superseded-on",
    "scope",
    "tenant",
    "language",
    "licence",
)
OWN_DOCUMENTS = "Own documents"
MAX_FRONT_CHARS = 20_000
_FENCE = re.compile(r"---[ \t]*\n")
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_NUMBER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ./_\-]{0,38}[A-Za-z0-9])?")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


class BadFront(ValueError):
    """Front matter that is not what it must be. line: in the file, from 1. The message quotes no text of it."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line, self.problem = line, problem


@dataclass(frozen=True, slots=True)
class Front:
    """What a document says of itself. superseded_on: the first day on which it no longer applies, None if not said.

    unread: keys that mean nothing here, with their lines. body_line: of the file, on which the document's text begins.
    """

    number: str
    title: str
    effective: date
    superseded_by: str
    superseded_on: date | None
    scope: str
    language: str
    licence: str
    unread: tuple[tuple[int, str], ...]
    body_line: int


def front_of(text: str, tenants: Collection[str]) -> tuple[Front, str]:
    """The front matter of `text`, and the text behind it.

    tenants: what the practice may call itself in `tenant`. Whether it is this practice's is looked at first: nothing of
    another practice's document gets into a message. Raises BadFront.
    """
    matter, body, body_line = _split(text)
    found = _values(matter)
    _its_own(found, tenants)
    unread = _unread(found)
    number = _number(found, "number", required=True)
    if act_of_code(number) or names_a_ruling(number):  # it would be quoted as if it were that
        raise BadFront(
            found["number"][0], f"number is {number}, which names public law; give one of the practice's own"
        )
    effective = _day(found, "effective", required=True)
    superseded_by, superseded_on = _number(found, "superseded-by"), _day(found, "superseded-on")
    assert effective is not None  # required
    line = found.get("superseded-on", (1, ""))[0]
    if superseded_on is not None and superseded_on <= effective:
        raise BadFront(line, f"superseded-on is {superseded_on}; give a day after effective, which is {effective}")
    if superseded_by == number:
        raise BadFront(found["superseded-by"][0], f"superseded-by is {number} itself; give another document's number")
    front = Front(
        number=number,
        title=_words(found, "title", 400, required=True),
        effective=effective,
        superseded_by=superseded_by,
        superseded_on=superseded_on,
        scope=_scope(found),
        language=_language(found),
        licence=_licence(found),
        unread=unread,
        body_line=body_line,
    )
    return front, body


def _split(text: str) -> tuple[str, str, int]:
    begins = _FENCE.match(text)
    if begins is None:
        raise BadFront(1, "there is no front matter; begin the file with a line ---, then number, title and so on")
    ends = _END.search(text, begins.end())
    if ends is None or ends.start() > MAX_FRONT_CHARS:
        raise BadFront(1, "the front matter has no end; close it with a line --- within the first 20,000 characters")
    body_line = text.count("\n", 0, ends.end()) + 2
    return text[begins.end() : ends.start()], text[ends.end() :].removeprefix("\n"), body_line


def _values(matter: str) -> dict[str, tuple[int, str]]:
    """The keys with (line, value as it stands). Only plain values: a list or an alias is refused."""
    try:
        node = yaml.SafeLoader(matter).get_single_node()
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.line + 2 if error.problem_mark else 1
        raise BadFront(
            at, "the front matter is not YAML here; give `key: value`, the value in quotes if in doubt"
        ) from None
    except (yaml.YAMLError, RecursionError):
        raise BadFront(1, "the front matter is not YAML; give one `key: value` a line") from None
    if not isinstance(node, yaml.MappingNode):
        raise BadFront(2, "the front matter is no list of keys; give one `key: value` a line")
    found: dict[str, tuple[int, str]] = {}
    for key, value in node.value:
        line = key.start_mark.line + 2
        if not isinstance(key, yaml.ScalarNode):
            raise BadFront(line, "a key of the front matter is no word; give one `key: value` a line")
        name = key.value.strip().lower().replace("_", "-").replace(" ", "-")
        if name in found:
            shown = name if name in KEYS else "a key"  # whose document it is, is not known yet
            raise BadFront(line, f"{shown} stands twice, first on line {found[name][0]}; give it once")
        if isinstance(value, yaml.ScalarNode):
            found[name] = (line, "" if value.tag.endswith(":null") else value.value.strip())
        elif name in KEYS:
            raise BadFront(line, f"{name} is a list or a mapping; give one value")
        else:
            found[name] = (line, "")
    return found


def _its_own(found: Mapping[str, tuple[int, str]], tenants: Collection[str]) -> None:
    line, tenant = found.get("tenant", (1, ""))
    if not tenant:
        raise BadFront(line, "tenant is missing; name the practice whose document it is")
    if _folded(tenant) not in {_folded(name) for name in tenants}:
        raise BadFront(line, "tenant names another practice than the one it is imported for; import it for its own")


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _unread(found: Mapping[str, tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    unread = []
    for name, (line, _) in found.items():
        if name in KEYS:
            continue
        close = difflib.get_close_matches(name, KEYS, n=1, cutoff=0.75)
        if close:  # read over, a misspelt superseded-by would leave an old document in force
            raise BadFront(line, f"{_safe(name)} is no key of a document; did you mean {close[0]}?")
        unread.append((line, _safe(name)))
    return tuple(unread)


def _words(found: Mapping[str, tuple[int, str]], name: str, longest: int, required: bool = False) -> str:
    line, value = found.get(name, (1, ""))
    if required and not value:
        raise BadFront(line, f"{name} is missing; give it in the front matter")
    if "\n" in value or len(value) > longest:
        raise BadFront(line, f"{name} is {len(value)} characters; give at most {longest}, on one line")
    if UNNAMEABLE.search(value):
        raise BadFront(line, f"{name} holds characters that cannot be seen (such as U+202E); take them out")
    return value


def _number(found: Mapping[str, tuple[int, str]], name: str, required: bool = False) -> str:
    value = _words(found, name, 400, required)
    if value and not _NUMBER.fullmatch(value):
        raise BadFront(
            found[name][0], f"{name} is {_safe(value)}; give up to 40 letters, digits, spaces and . / _ - such as KB-12"
        )
    return value


def _day(found: Mapping[str, tuple[int, str]], name: str, required: bool = False) -> date | None:
    line, value = found.get(name, (1, ""))
    if not value and not required:
        return None
    for form in ("%Y-%m-%d", "%d %B %Y", "%d %b %Y"):
        try:
            day = datetime.strptime(value, form).date()  # noqa: DTZ007 (a day has no zone)
        except ValueError:
            continue
        if FIRST_DAY <= day <= LAST_DAY:
            return day
    shown = _safe(value) if value else "missing"
    raise BadFront(line, f"{name} is {shown}; give a day that exists, such as 2024-07-01 or 1 July 2024")


def _scope(found: Mapping[str, tuple[int, str]]) -> str:
    scope = _words(found, "scope", 100) or OWN_DOCUMENTS
    if _folded(scope) in {_folded(name) for name in RESERVED}:
        raise BadFront(found["scope"][0], f"scope is {scope}, which is public law; give a name of the practice's own")
    return scope


def _language(found: Mapping[str, tuple[int, str]]) -> str:
    language = _words(found, "language", 400) or "en"
    if len(language) > LONGEST_LANGUAGE or not _LANGUAGE.fullmatch(language):
        raise BadFront(found["language"][0], f"language is {_safe(language)}; give a tag such as en or en-AU")
    return language


def _licence(found: Mapping[str, tuple[int, str]]) -> str:
    value = _words(found, "licence", 80) or "own"
    try:
        return licence_of(value).code
    except LicenceRefused as refused:
        raise BadFront(found["licence"][0], str(refused)) from refused


def _safe(value: str) -> str:
    """The value as a message may show it: short, and on one line."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
