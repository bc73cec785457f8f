"""How the ATO's legal database names a document: read out of addresses and printed numbers, and put in one form.

Pure. The printed number of a page goes before a decoded docid, because the docid has neither separators nor padding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from research.law.rulings import SERIES

# Never public rulings, whatever their page says about others.
NEVER_BINDING = frozenset({"PCG", "LCG", "PS LA", "SMSFRB", "SMSFR", "SMSFD"})
# Families whose pages are a commercial publisher's, or private matters: see licences.py.
PUBLISHERS = frozenset({"PAC", "REG", "JUD"})
PRIVATE = frozenset({"EV"})

NOTICES = {"A": "Addendum to", "ER": "Erratum to", "W": "Notice of withdrawal of", "EC": "Compendium to"}

_SERIES = "|".join(sorted((re.escape(s).replace(r"\ ", r"\s?") for s in SERIES), key=len, reverse=True))
_SUFFIX = r"(?P<suffix>EC|ER\d?|A\d?|W)?"
_PRINTED = re.compile(
    rf"\b(?P<series>{_SERIES})\s?(?P<year>\d{{4}}|\d{{2}})/(?P<draft>D?)(?P<number>\d{{1,4}}){_SUFFIX}(?!\w)"
)
_PRINTED_OLD = re.compile(rf"\b(?P<series>IT|MT)\s?(?P<number>\d{{1,4}}){_SUFFIX}(?![\w/])")
_DOCID_NUMBER = re.compile(rf"(?P<series>[A-Z]+?)(?P<digits>\d+)(?P<draft>D\d+)?{_SUFFIX}")
_PARAMETER = re.compile(r"[?&#](?:docid|locid)=([^&#]+)", re.IGNORECASE)
_PIT = re.compile(r"[?&#]pit=(\d{8})\d{6}", re.IGNORECASE)
_BARE = re.compile(r"[A-Za-z]{2,3}/[^\s?&#\"'<>]+")


@dataclass(frozen=True, slots=True)
class Number:
    """The number of a document. year: "2008", "93", or "" (IT 2650). suffix: "A2" of a second addendum, else ""."""

    series: str
    year: str
    number: str
    is_draft: bool = False
    suffix: str = ""

    @property
    def ruling(self) -> str:
        """The ruling that it is, or is about: "TR 2008/1", "IT 2650"."""
        draft = "D" if self.is_draft else ""
        return f"{self.series} {self.year}/{draft}{self.number}" if self.year else f"{self.series} {self.number}"

    @property
    def code(self) -> str:
        """With the suffix of a notice: "TR 2008/1A2"."""
        return f"{self.ruling}{self.suffix}"

    @property
    def prefix(self) -> str:
        """How its document ids begin: "tr2008-1", "psla2001-8", "it2650a3"."""
        year = f"{self.year}-" if self.year else ""
        draft = "d" if self.is_draft else ""
        return f"{self.series.replace(' ', '').lower()}{year}{draft}{self.number}{self.suffix.lower()}"

    @property
    def kind(self) -> str:
        return SERIES[self.series]

    @property
    def notice_of(self) -> str:
        """What a notice is of the ruling, as words before its number ("Addendum to"); "" for the ruling itself."""
        return NOTICES[self.suffix.rstrip("0123456789")] if self.suffix else ""


def docid_of(address: str) -> str:
    """The docid that an address of the legal database names, "" for none; a bare docid gives itself.

    Family, series and NAT/ATO in capitals; a section keeps its case. The point in time is a request for a version and
    no part of the identity.
    """
    address = unquote(unquote(address.strip()))
    named = _PARAMETER.search(address)
    bare = named.group(1) if named else address
    bare = bare.strip("\"' /")
    if not _BARE.fullmatch(bare):
        return ""
    parts = bare.split("/")
    fixed = [part.upper() if place < 2 or part.lower() in ("nat", "ato") else part for place, part in enumerate(parts)]
    return "/".join(fixed)


def version_day_of(address: str) -> str:
    """The point in time that an address asks for, as "20190701"; "" for none, the current or the earliest version."""
    found = _PIT.search(unquote(address))
    return "" if found is None or found.group(1) in ("99991231", "10010101") else found.group(1)


def family_of(docid: str) -> str:
    return docid.partition("/")[0].upper()


def number_of_docid(docid: str) -> Number | None:
    """The number in a docid: TXR/TR9331 is TR 93/31, TXR/TR20007 is TR 2000/7. None where it holds none that is read.

    Years before 1999 have two digits: only 19 or 20 with at least one digit after the fourth begins one of four.
    """
    parts = docid.upper().split("/")
    found = _DOCID_NUMBER.fullmatch(parts[1]) if len(parts) > 1 else None
    if found is None:
        return None
    series = "PS LA" if found["series"] == "PS" else found["series"]
    digits, suffix = found["digits"], found["suffix"] or ""
    if series not in SERIES:
        return None
    if found["draft"]:
        return Number(series, digits, found["draft"][1:], True, suffix)
    if series == "IT" or (series == "MT" and len(digits) <= 4 and not digits.startswith(("9", "20"))):
        return Number(series, "", digits, suffix=suffix)
    at = 4 if len(digits) > 4 and digits.startswith(("19", "20")) else 2
    return Number(series, digits[:at], digits[at:], suffix=suffix) if digits[at:] else None


def numbers_in(text: str) -> list[Number]:
    """The documents that `text` names, in order: "TR 2008/1", "PS LA 2001/8", "IT 2650", "TR 2026/D1", "IT 2500A"."""
    found = [
        (m.start(), Number(_series(m), m["year"], m["number"], bool(m["draft"]), m["suffix"] or ""))
        for m in _PRINTED.finditer(text)
    ]
    found += [
        (m.start(), Number(_series(m), "", m["number"], False, m["suffix"] or "")) for m in _PRINTED_OLD.finditer(text)
    ]
    return [number for _, number in sorted(found, key=lambda each: each[0])]


def number_headed(text: str) -> Number | None:
    """The number that a line is, a remark after it at most: "TR 2008/1", "IT 2500A - Addendum", "TR 93/31 (Withdrawn)".

    None where a line only begins with one: "TR 95/1 and ferries" is a title.
    """
    found = _PRINTED.match(text) or _PRINTED_OLD.match(text)
    if found is None or text[found.end() :].strip()[:1] not in ("", "-", "–", "—", "("):
        return None
    return numbers_in(found.group())[0]


def _series(match: re.Match[str]) -> str:
    return "PS LA" if match["series"].startswith("PS") else match["series"]
