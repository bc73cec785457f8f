"""What identifies somebody whoever they are: numbers by their check digits or by what is said before them, addresses,
e-mail, phones, accounts; and amounts. Looked for in the practice's own words, never in the law's.

A provision, a ruling, a year and a date are left alone: each pattern asks for a shape that none of them has, and a
number right behind a word such as "section" or "Div" is a provision's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation

from clients.rules.identifiers import read_abn, read_acn, read_tfn
from research.privacy.folding import key_of
from research.privacy.register import Kind
from research.privacy.spans import Span

_GAP = r"[\s.\-‐‑–\u200b\u2060]{1,2}"
_EASY_GAP = r"[\s.\-‐‑–\u200b\u2060]{0,2}"
_ALONE, _THEN = r"(?<![\d$.,])", r"(?![\d]|[.,]\d)"
_BY_WORD = r"(?:\s|number|no\.?|num|is|\(|:|#|=|-){0,6}?\s*(?!(?:19|20)\d\d[-–/]\d\d\b)"

ELEVEN = re.compile(rf"{_ALONE}(?:\d{{11}}|\d\d(?:{_GAP}\d{{3}}){{3}}){_THEN}")
NINE = re.compile(rf"{_ALONE}(?:\d{{9}}|\d{{3}}(?:{_GAP}\d{{3}}){{2}}){_THEN}")
SAID = {
    Kind.ABN: re.compile(rf"\bABN{_BY_WORD}(\d(?:{_EASY_GAP}\d){{10}}){_THEN}", re.IGNORECASE),
    Kind.ACN: re.compile(rf"\bACN{_BY_WORD}(\d(?:{_EASY_GAP}\d){{8}}){_THEN}", re.IGNORECASE),
    Kind.TFN: re.compile(
        rf"\b(?:TFN|tax\s+file\s+n(?:umber|o\.?)){_BY_WORD}(\d(?:{_EASY_GAP}\d){{7,8}}){_THEN}", re.IGNORECASE
    ),
    Kind.ACCOUNT: re.compile(
        rf"\b(?:BSB|account|acct|a/c|Medicare|CRN)\b{_BY_WORD}(\d(?:{_EASY_GAP}\d){{4,15}}){_THEN}", re.IGNORECASE
    ),
}
BSB = re.compile(r"(?<![\d-])\d{3}-\d{3}\s{1,2}\d(?:[ -]?\d){4,9}(?![\d-])")
EMAIL = re.compile(r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(
    rf"(?<![\d+])(?:(?:(?:\+|00)61{_EASY_GAP}(?:\(0\){_EASY_GAP})?|\(0)|0)[2-478]\)?(?:{_EASY_GAP}\d){{8}}(?!\d)"
    r"|(?<![\d+])1[38]00(?:[\s-]?\d){6}(?!\d)"
)
_STREETS = r"street|road|rd|avenue|ave|highway|hwy|crescent|cres|boulevard|blvd|terrace|tce|esplanade"
_CAPITAL_STREETS = r"St|Drive|Dr|Court|Ct|Place|Pl|Parade|Pde|Lane|Ln|Close|Cl|Circuit|Cct|Square|Sq|Way|Grove|Quay"
_STATE = (
    r"(?:NSW|VIC|Vic|QLD|Qld|WA|SA|TAS|Tas|ACT|NT|New South Wales|Victoria|Queensland|Tasmania|South Australia"
    r"|Western Australia|Northern Territory|Australian Capital Territory)"
)
_SUBURB = rf"(?:,?\s+(?:[A-Z][\w'’-]*\s*){{1,3}},?\s*(?:{_STATE}\b,?(?:\s*\d{{4}}\b)?|\d{{4}}\b))?"
_UNIT = r"(?:\b(?:unit|suite|level|shop|flat|lot|apartment|apt)\s+\w{1,5}[\s,/]+)?"
_NUMBER = r"\b\d{1,5}[A-Za-z]?(?:\s?[-–/]\s?\d{1,5}[A-Za-z]?){0,2}\s+"
_NO_STREET = r"(?!of\b|the\b|and\b|or\b|to\b|in\b|for\b|on\b|by\b|is\b|was\b|at\b)"
ADDRESS = re.compile(
    rf"(?i:{_UNIT}){_NUMBER}(?:(?i:(?:{_NO_STREET}[a-z'’-]+\s+){{1,3}}(?:{_STREETS}))"
    rf"|(?:[A-Z][\w'’-]*\s+){{1,3}}(?:{_CAPITAL_STREETS}))\b\.?{_SUBURB}"
)
BOX = re.compile(rf"\b(?i:(?:G\.?)?P\.?\s?O\.?\s?Box|Locked\s+Bag|Private\s+Bag)\s+\d{{1,6}}\b{_SUBURB}")
_SIZE = r"(?:\s?(?:k|m|bn|thousand|million|billion)\b)?"
_FIGURE = r"\d+(?:[,\s]\d{3}(?!\d))*(?:\.\d+)?"
AMOUNT = re.compile(
    rf"(?:\b(?:AUD|USD|NZD|GBP|EUR)\s?\$?|\b(?:A|AU|US|NZ)\$|[$€£])\s?{_FIGURE}{_SIZE}"
    rf"|(?<![\w.$-]){_FIGURE}{_SIZE}\s+(?:dollars|AUD|USD|NZD|GBP|EUR|bucks|grand)\b"
    rf"|(?<![\w.$-])(?:\d{{1,3}}(?:[,\s]\d{{3}})+(?!\d)(?:\.\d+)?{_SIZE}"
    r"|\d+(?:\.\d+)?(?:\s?(?:k|thousand|million|billion)|m|bn)\b)"
    r"|(?<![\w.$/-])\d{5,9}(?:\.\d+)?(?:\s?[-–]\s?\d{5,9}(?:\.\d+)?)?(?![\w/-]|\.\d)"
    r"|(?<![\w.$/-])\d{3,4}\.\d\d(?![\w/-]|\.\d)"
    r"|(?<![\w.$/-])(?<!(?-i:IT|MT) )(?!(?:19|20)\d\d)\d{4}(?![\w/-]|\.\d)",  # "IT 2650" is a ruling
    re.IGNORECASE,
)
_PROVISION_BEFORE = re.compile(
    r"\b(?:ss?|subs?|sec|subsec|sections?|subsections?|divs?|divisions?|subdivs?|subdivisions?|pts?|parts?|regs?"
    r"|regulations?|sch|schedules?|items?|paras?|paragraphs?|chs?|chapters?)\.?\s*$",
    re.IGNORECASE,
)
_TIMES = {"k": 1000, "thousand": 1000, "m": 10**6, "million": 10**6, "bn": 10**9, "billion": 10**9}


def identifying_spans(text: str) -> Iterator[Span]:
    """Every identifier, address and way to reach somebody that shows as one; they may overlap."""
    for kind, said in SAID.items():
        yield from (_digits(kind, found.span(1), found[1]) for found in said.finditer(text))
    yield from _checked(text, ELEVEN, (Kind.ABN, read_abn))
    yield from _checked(text, NINE, (Kind.TFN, read_tfn), (Kind.ACN, read_acn))
    for kind, pattern in ((Kind.ACCOUNT, BSB), (Kind.PHONE, PHONE)):
        for found in pattern.finditer(text):
            if not _is_provision(text, found.start()):
                yield _digits(kind, found.span(), found[0])
    for kind, pattern in ((Kind.EMAIL, EMAIL), (Kind.ADDRESS, ADDRESS), (Kind.ADDRESS, BOX)):
        for found in pattern.finditer(text):
            if kind is not Kind.ADDRESS or not _is_provision(text, found.start()):
                yield Span(*found.span(), kind, key_of(found[0]))


def amount_spans(text: str) -> Iterator[Span]:
    """Every amount of money, and every number written as one ("75,000", "1.2 million", "75000", "8400")."""
    for found in AMOUNT.finditer(text):
        if not _is_provision(text, found.start()):
            yield Span(*found.span(), Kind.AMOUNT, _value_of(found[0]))


def _checked(text: str, shape: re.Pattern[str], *readers: tuple[Kind, Callable[[str], str | None]]) -> Iterator[Span]:
    """Numbers of this shape whose check digits are right by one of the readers; the first that says so names them."""
    for found in shape.finditer(text):
        if _is_provision(text, found.start()):
            continue
        for kind, read in readers:
            digits = read(found[0])
            if digits is not None:
                yield Span(*found.span(), kind, digits)
                break


def _digits(kind: Kind, at: tuple[int, int], written: str) -> Span:
    return Span(*at, kind, key_of(written))


def _is_provision(text: str, start: int) -> bool:
    return _PROVISION_BEFORE.search(text, max(0, start - 20), start) is not None


def _value_of(amount: str) -> str:
    """The amount in dollars, so that $75,000 and 75k are one; the words themselves where they cannot be read."""
    size = re.search(r"(k|m|bn|thousand|million|billion)\b", amount, re.IGNORECASE)
    digits = re.search(r"\d[\d,\s]*(?:\.\d+)?", amount)
    try:
        figure = Decimal(re.sub(r"[,\s]", "", digits[0] if digits else ""))
    except InvalidOperation:
        return key_of(amount)
    return str((figure * (_TIMES[size[1].lower()] if size else 1)).normalize())
