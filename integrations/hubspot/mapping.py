"""HubSpot's JSON to our values: companies, properties and ABNs out of what an account may hold. Pure.

The interface has a version in its addresses (two a year, each for about 18 months); ours stands here alone. Texts come
from outside: they are bounded here, and escaped where they are shown. Nothing is guessed: what does not pass a check is
left out, with a note that says why.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from clients.rules import identifiers

VERSION = "2026-09"
COMPANIES = f"/crm/objects/{VERSION}/companies"
PROPERTIES = f"/crm/properties/{VERSION}/companies"
READ_COMPANIES = "crm.objects.companies.read"
READ_PROPERTIES = "crm.schemas.companies.read"
PAGE = 100  # the most that a list call gives
LONGEST_NAME = 300
LONGEST_DOMAIN = 255
LONGEST_CURSOR = 1000
LONGEST_ID = 64

_ABN_WORDS = re.compile(r"(?<![a-z0-9])(abn|australian business number)(?![a-z0-9])")
_NO_ABN_TYPES = frozenset({"bool", "date", "datetime"})
_LEAD = re.compile(r"^\s*abn\b\s*[:#.]?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?(?:[eE]\+?\d{1,2})?")
_SCOPE = re.compile(r"\bcrm\.[a-z0-9_.-]*[a-z0-9]\b")


class Outcome(StrEnum):
    """What becomes of a company."""

    NEW = "new"
    CAME_IN = "came_in"
    EXISTS = "exists"
    ARCHIVED = "archived"
    CAME_EARLIER = "came_earlier"
    REPEATED_NAME = "repeated_name"
    NAMELESS = "nameless"


class AbnNote(StrEnum):
    """Why an ABN was not carried over."""

    NOT_DIGITS = "not_digits"
    WRONG_LENGTH = "wrong_length"
    WRONG_CHECK = "wrong_check"
    HELD = "held"


class NameNote(StrEnum):
    """What was done to a name."""

    SHORTENED = "shortened"
    ABN_DIFFERS = "abn_differs"


class TokenNotOne(Exception):
    """What was pasted is no token that could work; `message` says what it looks like, and never what it is."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotAsDocumented(Exception):
    """An answer lacks what its description promises, or is past our bounds. The message holds nothing of it."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of companies, as an account defines them. name: for requests; label: for people."""

    name: str
    label: str
    type: str


@dataclass(frozen=True, slots=True)
class Company:
    """A company as it came. name: "" for none; abn: what stands in the chosen property, "" for nothing."""

    id: str
    name: str
    domain: str
    abn: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list. after: where it goes on, "" at its end. total: of the account, None where none is told.

    archived: how many companies that are archived at HubSpot stood in it all the same; they are left out.
    """

    companies: tuple[Company, ...]
    after: str
    total: int | None = None
    archived: int = 0


def clean_token(pasted: str) -> str:
    """The token out of what was pasted, with the blanks, quotes or word “Bearer” around it taken off.

    Raises TokenNotOne for what is plainly another kind of key. Neither region nor length is held against it.
    """
    token = pasted.strip().strip("\"'`“”‘’").strip()
    token = re.sub(r"^(?:authorization:\s*)?bearer\s+", "", token, flags=re.IGNORECASE).strip()
    if not token:
        raise TokenNotOne("Paste the key: it begins with “pat-”.")
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", token, re.IGNORECASE):
        raise TokenNotOne(
            "That is an old API key, or an id. HubSpot takes no API keys any more. Make a service key; it begins "
            "with “pat-”."
        )
    if not token.startswith("pat-"):
        raise TokenNotOne("That is another kind of key. A service key or a private app’s token begins with “pat-”.")
    if not re.fullmatch(r"[!-~]{8,500}", token):
        raise TokenNotOne("There is a blank, a line break or a strange character in that key. Copy it again.")
    return token


def abn_properties(answer: Mapping[str, Any]) -> tuple[Property, ...]:
    """The properties that may hold an ABN, likeliest first: texts and numbers before lists of choices.

    Raises NotAsDocumented.
    """
    found = [each for each in _properties(answer) if _is_about_abn(each)]
    return tuple(sorted(found, key=lambda each: (each.type == "enumeration", each.name != "abn", each.name)))


def page_of(answer: Mapping[str, Any], abn_property: str) -> Page:
    """The companies of a page and where the list goes on. Raises NotAsDocumented."""
    results = answer.get("results")
    if not isinstance(results, list) or len(results) > PAGE:
        raise NotAsDocumented("a list of companies")
    companies = tuple(_company(each, abn_property) for each in results if not _is_archived(each))
    total = answer.get("total")
    return Page(
        companies,
        _after(answer),
        total if isinstance(total, int) and not isinstance(total, bool) else None,
        len(results) - len(companies),
    )


def read_abn(text: str) -> tuple[str, AbnNote | None]:
    """The 11 digits that pass the check, or "" with the reason; ("", None) where nothing stands there.

    A number property may come as "51824753556.0" or in exponent form: expanded where that gives 11 digits exactly.
    The check is the Australian Business Register's; a real ABN begins with 1 to 9, though more passes the arithmetic.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    if not plain:
        return "", None
    plain = _LEAD.sub("", plain).strip()
    if _NUMBER.fullmatch(plain):
        plain = _whole(plain)
    bare = identifiers.SEPARATORS.sub("", plain)
    if not (bare.isascii() and bare.isdigit()):
        return "", AbnNote.NOT_DIGITS
    if len(bare) != 11:
        return "", AbnNote.WRONG_LENGTH
    digits = identifiers.read_abn(bare)
    if digits is None or digits.startswith("0"):
        return "", AbnNote.WRONG_CHECK
    return digits, None


def clean_name(text: str) -> tuple[str, NameNote | None]:
    """The name as it is, without blanks around it and what cannot be shown; at most 300 characters. "" for none."""
    shown = "".join(" " if letter.isspace() else letter for letter in text if _can_be_shown(letter)).strip()
    if len(shown) <= LONGEST_NAME:
        return shown, None
    return shown[:LONGEST_NAME].rstrip(), NameNote.SHORTENED


def scopes_in(problem: Mapping[str, Any]) -> tuple[str, ...]:
    """The scopes that an answer says are missing, wherever it says so; () where it names none."""
    found: dict[str, None] = {}
    for where in _contexts(problem):
        for key in ("requiredGranularScopes", "requiredScopes", "missingScopes"):
            values = where.get(key)
            for value in values if isinstance(values, list) else [values]:
                found.update(dict.fromkeys(_SCOPE.findall(value) if isinstance(value, str) else ()))
    if not found:
        found.update(dict.fromkeys(_SCOPE.findall(str(problem.get("message", "")))))
    return tuple(found)[:10]


def _contexts(problem: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    errors = problem.get("errors")
    for each in [problem, *(errors if isinstance(errors, list) else [])]:
        if isinstance(each, dict):
            yield each
            if isinstance(each.get("context"), dict):
                yield each["context"]


def _properties(answer: Mapping[str, Any]) -> list[Property]:
    results = answer.get("results")
    if not isinstance(results, list):
        raise NotAsDocumented("a list of properties")
    return [
        Property(each["name"], str(each.get("label") or each["name"])[:200], str(each.get("type", "")))
        for each in results
        if isinstance(each, dict) and isinstance(each.get("name"), str) and 0 < len(each["name"]) <= 200
        if not each.get("archived")
    ]


def _is_about_abn(found: Property) -> bool:
    names = (found.name.replace("_", " "), found.label)
    return found.type not in _NO_ABN_TYPES and any(_ABN_WORDS.search(name.casefold()) for name in names)


def _company(found: Any, abn_property: str) -> Company:
    vendor_id = found.get("id") if isinstance(found, dict) else None
    properties = found.get("properties") if isinstance(found, dict) else None
    if not isinstance(vendor_id, str) or not 0 < len(vendor_id) <= LONGEST_ID or not isinstance(properties, dict):
        raise NotAsDocumented("a company with an id and properties")
    name, domain = _text(properties, "name"), _text(properties, "domain")
    return Company(vendor_id, name, domain[:LONGEST_DOMAIN], _text(properties, abn_property) if abn_property else "")


def _text(properties: Mapping[str, Any], name: str) -> str:
    value = properties.get(name)
    return value if isinstance(value, str) else ""


def _is_archived(found: Any) -> bool:
    return isinstance(found, dict) and found.get("archived") is True


def _after(answer: Mapping[str, Any]) -> str:
    paging = answer.get("paging")
    following = paging.get("next") if isinstance(paging, dict) else None
    after = following.get("after") if isinstance(following, dict) else ""
    if after is None or after == "":
        return ""
    if not isinstance(after, str) or len(after) > LONGEST_CURSOR:
        raise NotAsDocumented("a place where the list goes on")
    return after


def _whole(number: str) -> str:
    """The digits of a number that is whole: "5.1824753556E10" gives "51824753556"; anything else stays as it is."""
    try:
        value = Decimal(number)
    except InvalidOperation:
        return number
    if value != value.to_integral_value() or ("." not in number and "e" not in number.lower()):
        return number
    return format(value.to_integral_value(), "f")


def _can_be_shown(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cs", "Co", "Cn")
