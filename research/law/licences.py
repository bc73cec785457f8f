"""The licences under which text may be loaded and quoted, the words that must go with it, and what is kept out and why.

Pure. A source that is not here is refused: silence about a licence is no permission. DATA-LICENCES.md says the same
for people, and a test keeps the two in step. Where in a page the words stand is for those who show it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from research.law.provision import in_words

CC_BY_URL = "https://creativecommons.org/licenses/by/4.0/"
CC_BY_TITLE = "Creative Commons Attribution 4.0 International (CC BY 4.0)"


@dataclass(frozen=True, slots=True)
class Licence:
    """The terms of one source.

    source: whose text it is. attribution: the sentence that the terms require, {day} the full date of download or
    compilation, {title} the document's, {sentence} one that the source itself supplies. changes: what was changed, as
    some terms want it said. why_not: why text under it is refused, "" where it may be served. hosts: addresses on
    which its text stands.
    """

    code: str
    title: str
    source: str
    url: str
    attribution: str
    may_be_served: bool = True
    why_not: str = ""
    changes: str = ""
    hosts: tuple[str, ...] = ()


class LicenceRefused(ValueError):
    """Text that may not be loaded. found: the licence as given; why: what is wrong with it; wanted: what is taken."""

    def __init__(self, found: str, why: str) -> None:
        self.found, self.why, self.wanted = found, why, f"one of {ACCEPTED}; else leave this source out"
        super().__init__(f"the licence is {found or 'not stated'}, {why}; give {self.wanted}")


_CHANGED = (
    "Changed: cut into provisions; contents, running heads and images left out; tables set as lines; the asterisks of"
    " defined terms taken out. Not the authorised version."
)

_SERVED = (
    Licence(
        "FRL",
        CC_BY_TITLE,
        "Federal Register of Legislation",
        CC_BY_URL,
        "Based on content from the Federal Register of Legislation at {day}. For the latest information on Australian"
        " Government law please go to https://www.legislation.gov.au.",
        changes=_CHANGED,
        hosts=("legislation.gov.au", "comlaw.gov.au"),
    ),
    Licence(
        "ATO",
        "Commonwealth copyright, on the ATO's own terms (not a Creative Commons licence)",
        "Australian Taxation Office: rulings, determinations, guidelines",
        "https://www.ato.gov.au/",
        "© Australian Taxation Office for the Commonwealth of Australia",
        changes="Cut into paragraphs. Neither the ATO nor the Commonwealth endorses AsAt or what it says.",
        hosts=("ato.gov.au",),
    ),
    Licence(
        "TREASURY",
        CC_BY_TITLE,
        "Treasury and Budget sites",
        CC_BY_URL,
        "© Commonwealth of Australia",
        changes=_CHANGED,
        hosts=("treasury.gov.au", "budget.gov.au"),
    ),
    Licence(
        "OALC",
        CC_BY_TITLE,
        "Open Australian Legal Corpus",
        CC_BY_URL,
        "{sentence} From the Open Australian Legal Corpus.",
        changes=_CHANGED,
    ),
    Licence(
        "CC BY 4.0",
        CC_BY_TITLE,
        "any other publisher whose text is under this licence",
        CC_BY_URL,
        "{title}, licensed under Creative Commons Attribution 4.0 International.",
        changes=_CHANGED,
    ),
    Licence("own", "the practice's own", "a practice's own documents", "", "{title}: a document of your practice."),
    Licence(
        "fictional",
        "AGPL-3.0-only, as the product",
        "invented texts that come with the product",
        "https://www.gnu.org/licenses/agpl-3.0.html",
        "{title} is fictional: written to show how AsAt works, and not the law anywhere.",
    ),
)


def _excluded(code: str, title: str, source: str, why_not: str, *hosts: str) -> Licence:
    return Licence(code, title, source, "", "", may_be_served=False, why_not=why_not, hosts=hosts)


_EXCLUDED = (
    _excluded(
        "CC BY-NC",
        "Creative Commons, non-commercial",
        "any",
        "it forbids commercial use, and a practice's use is commercial",
    ),
    _excluded(
        "CC BY-ND", "Creative Commons, no derivatives", "any", "it forbids changed text, and cut text is changed"
    ),
    _excluded("CC BY-SA", "Creative Commons, share alike", "any", "what is made from it must carry its terms"),
    _excluded("all rights reserved", "all rights reserved", "any", "it permits no copy"),
    _excluded(
        "ATO legislation",
        "CCH Australia copyright",
        "Acts, regulations and cases in the ATO legal database (PAC, REG, JUD)",
        "those pages are a commercial publisher's; take Acts from the Federal Register of Legislation",
    ),
    _excluded(
        "ATO private advice",
        "Commonwealth copyright",
        "edited private advice in the ATO legal database (EV)",
        "it is de-identified private matters that nobody else may rely on",
    ),
    _excluded(
        "CCH",
        "commercial publishers' copyright",
        "CCH and Wolters Kluwer, Thomson Reuters, LexisNexis",
        "it is a commercial publisher's",
        "cch.com.au",
        "wolterskluwer.com",
        "thomsonreuters.com.au",
        "westlaw.com.au",
        "lexisnexis.com.au",
        "lexisnexis.com",
    ),
    _excluded(
        "AustLII",
        "AustLII usage policy",
        "AustLII",
        "its usage policy forbids automated and AI-related access",
        "austlii.edu.au",
    ),
    _excluded(
        "Fair Work Ombudsman",
        "not established (CC BY-NC reported, CC BY 3.0 AU on an older page)",
        "Fair Work Ombudsman",
        "the two reports of its licence conflict, and one of them forbids commercial use",
        "fairwork.gov.au",
    ),
    _excluded(
        "Parliament",
        "CC BY-NC-ND on much of the site",
        "Parliament of Australia: bills and explanatory memoranda",
        "it forbids commercial use and changed text",
        "aph.gov.au",
    ),
    _excluded(
        "courts",
        "each court's own terms",
        "courts and tribunals",
        "each court has terms of its own, and none has been read yet",
        "hcourt.gov.au",
        "fedcourt.gov.au",
        "art.gov.au",
        "aat.gov.au",
    ),
    _excluded(
        "state revenue offices",
        "each office's own terms",
        "state and territory revenue offices",
        "their terms differ, most are not open, and none has been read yet",
        "revenue.nsw.gov.au",
        "sro.vic.gov.au",
        "qro.qld.gov.au",
        "revenuesa.sa.gov.au",
        "sro.tas.gov.au",
        "revenue.act.gov.au",
    ),
)

LICENCES: Mapping[str, Licence] = MappingProxyType({licence.code: licence for licence in _SERVED + _EXCLUDED})
ACCEPTED = ", ".join(licence.code for licence in _SERVED)

_CC_BY = re.compile(
    r"(?:cc by|creative commons attribution|(?:https? )?creativecommons org licenses by) 4 0"
    r"(?: international| legalcode| deed(?: en)?| licen[cs]e| au| cc by 4 0)*"
)
_ALIASES = {
    "frl": "FRL",
    "federal register of legislation": "FRL",
    "ato": "ATO",
    "ato terms": "ATO",
    "australian taxation office for the commonwealth of australia": "ATO",
    "treasury": "TREASURY",
    "oalc": "OALC",
    "open australian legal corpus": "OALC",
    "own": "own",
    "fictional": "fictional",
    "agpl 3 0 only": "fictional",
}
_REFUSED_WORDS = (
    ("CC BY-NC", re.compile(r"\bnc\b|non ?commercial")),
    ("CC BY-ND", re.compile(r"\bnd\b|no ?deriv\w*")),
    ("CC BY-SA", re.compile(r"\bsa\b|share ?alike")),
    ("ATO legislation", re.compile(r"ato legislation")),
    ("ATO private advice", re.compile(r"ato private advice|edited private advice")),
    ("CCH", re.compile(r"\bcch\b|wolters kluwer|thomson reuters|lexisnexis|westlaw")),
    ("AustLII", re.compile(r"austlii")),
    ("Fair Work Ombudsman", re.compile(r"fair work")),
    ("Parliament", re.compile(r"parliament")),
    ("state revenue offices", re.compile(r"state revenue|revenue office")),
    ("courts", re.compile(r"\bcourts?\b|\btribunals?\b")),
    ("all rights reserved", re.compile(r"all rights reserved")),
)
_ATO_NOT_THEIRS = {"PAC": "ATO legislation", "REG": "ATO legislation", "JUD": "ATO legislation"} | {
    "EV": "ATO private advice"
}
_DOCID = re.compile(r"(?:docid|locid)=[\"']*([a-z]+)/", re.IGNORECASE)


@lru_cache(maxsize=1024)
def licence_of(text: str, uri: str = "") -> Licence:
    """The licence that `text` names, of the source on whose site `uri` stands.

    "CC BY 4.0", "cc-by-4.0" and its address are one; with an address it is that source's ("FRL" for the Register).
    Raises LicenceRefused for one that is unknown, not stated or not to be served, and for text that stands where
    text is not to be taken from, whatever licence it is said to have.
    """
    on_site = _licence_of_site(uri)
    if on_site is not None and not on_site.may_be_served:
        raise LicenceRefused(f"{text!r} on text of {on_site.source}", f"but {on_site.why_not}")
    words = " ".join(re.findall(r"[^\W_]+", text.casefold()))
    for code, named in _REFUSED_WORDS:
        if named.search(words):
            refused = LICENCES[code]
            raise LicenceRefused(f"{text!r} ({refused.title})", f"and {refused.why_not}")
    if _CC_BY.fullmatch(words):
        if on_site is not None and on_site.title != CC_BY_TITLE:
            raise LicenceRefused(f"{text!r} on text of {on_site.source}", f"which is under {on_site.title}")
        return on_site or LICENCES["CC BY 4.0"]
    if words in _ALIASES:
        return LICENCES[_ALIASES[words]]
    raise LicenceRefused(repr(text) if text.strip() else "", "which nobody has read and entered here")


def _licence_of_site(uri: str) -> Licence | None:
    host = (urlsplit(uri).hostname or "") if "//" in uri else ""
    for licence in LICENCES.values():
        if any(host == known or host.endswith(f".{known}") for known in licence.hosts):
            family = _DOCID.search(unquote(uri)) if licence.code == "ATO" else None
            return LICENCES[_ATO_NOT_THEIRS.get(family.group(1).upper(), "ATO")] if family else licence
    return None


def attribution(licence: Licence, *, title: str = "", day: date | str | None = None, sentence: str = "") -> str:
    """The sentence that must go with text under `licence`.

    day: of download, or of the compilation; or the days in words, where there are several. sentence: the one that the
    source supplies for each document.
    Raises LookupError where the licence wants one of these and it is missing: no text goes out half attributed.
    """
    for name, given in (("title", title), ("day", day), ("sentence", sentence)):
        if f"{{{name}}}" in licence.attribution and not given:
            raise LookupError(f"the attribution of {licence.code} wants the {name}; give it")
    return licence.attribution.format(
        title=title, day=in_words(day) if isinstance(day, date) else day or "", sentence=sentence
    )
