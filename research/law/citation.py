"""Pinpoints read and written: "s 8-1(2)(b) ITAA 1997" ⇄ ITAA97 s 8-1(2)(b); "Sch 1 s 12-35 TAA"; "TR 2024/3".

Reads the forms that practitioners write, in running text, with offsets into it. It knows the numbering
customs of the Acts, but not their contents: whether a provision exists is for the corpus to say.

Two rules keep it honest. A section is bound to an Act only when nothing but connectives stands between them;
every other binding is a custom and is marked `assumed`. And what could be a year range, a date, a telephone
number or an amount is never read as a section.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_FOLD = str.maketrans(
    dict.fromkeys(DASHES, "-")
    | dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000\t\n\r", " ")
    | {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'}
)

# Acts whose sections are all numbered like 8-1, and those that have none so numbered. TAA53 has both (Schedule 1
# and the body), ITAA36 too (Schedules 2C to 2H and the body).
HYPHENATED = frozenset({"ITAA97", "ITTPA97", "GSTA99", "TASA09", "FTA06", "HDFA99"})
UNHYPHENATED = frozenset({"ITRA86", "FBTAA86", "SISA93", "SGAA92", "SGCA92", "ABNA99", "MLA86", "AIA01"})
CODES = (
    "ITAA97",
    "ITAA36",
    "ITTPA97",
    "ITRA86",
    "GSTA99",
    "TAA53",
    "FBTAA86",
    "SISA93",
    "SGAA92",
    "SGCA92",
    "TASA09",
    "ABNA99",
    "MLA86",
    "FTA06",
    "AIA01",
)

# ITAA36 keeps its hyphenated sections in Schedules: first part of the number (inclusive range) → Schedule.
_ITAA36_SCHEDULES = ((57, 57, "2D"), (245, 245, "2C"), (265, 272, "2F"), (326, 326, "2H"), (393, 393, "2G"))


class CitationKind(StrEnum):
    SECTION = "section"
    DIVISION = "division"
    SUBDIVISION = "subdivision"
    PART = "part"
    SCHEDULE = "schedule"
    RULING = "ruling"


_UNIT = {
    CitationKind.SECTION: "s",
    CitationKind.DIVISION: "Div",
    CitationKind.SUBDIVISION: "Subdiv",
    CitationKind.PART: "Pt",
}


@dataclass(frozen=True, slots=True)
class Citation:
    """One pinpoint in canonical form; `str()` writes it.

    instrument: one of the short codes, the title of an Act that has none ("Corporations Act 2001"), a ruling's
    name ("TR 2024/3"), or None where the text names no Act and custom offers none.
    section: the number within its kind ("8-1", "7A", "328-D", "III"); "" for a ruling or a whole Schedule.
    pinpoint: "(2)(b)" below a section, "[12]" for a ruling's paragraph, or "".
    """

    instrument: str | None
    schedule: str
    section: str
    pinpoint: str
    kind: CitationKind

    def __str__(self) -> str:
        unit = _UNIT.get(self.kind, "")
        parts = [
            self.instrument or "",
            f"sch {self.schedule}" if self.schedule else "",
            f"{unit} {self.section}{self.pinpoint}" if unit else self.pinpoint,
        ]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class FoundCitation:
    """A citation where it stands: text[start:end] are the words read. assumed: the Act was supplied by custom."""

    citation: Citation
    start: int
    end: int
    text: str
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class ActMention:
    """A named Act where it stands; instrument is its short code, or its title when it has none."""

    instrument: str
    start: int
    end: int


def fold(text: str) -> str:
    """`text` with every dash as "-", every space as " " and quotes straight; the same length, so offsets hold."""
    return text.translate(_FOLD)


# ------------------------------------------------------------------------------------------------ Acts

_CTH = r"(?:\s+\(Cth\))?"
_ACT_PATTERNS: tuple[tuple[str, str], ...] = (
    ("ITAA97", r"Income\s+Tax\s+Assessment\s+Act,?\s+\(?1997\)?|ITAA\s?\(?(?:19)?97\)?|(?:income\s+)?Tax\s+Act\s+1997"),
    ("ITAA97", r"1997\s+(?:Assessment\s+|Tax\s+)?Act"),
    ("ITAA36", r"Income\s+Tax\s+Assessment\s+Act,?\s+\(?1936\)?|ITAA\s?\(?(?:19)?36\)?|(?:income\s+)?Tax\s+Act\s+1936"),
    ("ITAA36", r"1936\s+(?:Assessment\s+|Tax\s+)?Act"),
    ("ITAA", r"Income\s+Tax\s+Assessment\s+Acts?(?!,?\s+\(?19)|ITAA(?!\s?\(?(?:19)?(?:36|97))"),
    (
        "ITTPA97",
        r"Income\s+Tax\s+\(Transitional\s+Provisions\)\s+Act(?:\s+1997)?|IT\s?\(TP\)\s?A(?:ct)?(?:\s?(?:19)?97)?"
        r"|ITTPA(?:\s?(?:19)?97)?|Transitional\s+Provisions\s+Act(?:\s+1997)?",
    ),
    ("ITRA86", r"Income\s+Tax\s+Rates\s+Act(?:\s+1986)?|ITRA(?:\s?(?:19)?86)?|(?-i:Rates\s+Act)(?:\s+1986)?"),
    (
        "GSTA99",
        r"A\s+New\s+Tax\s+System\s+\(Goods\s+and\s+Services\s+Tax\)\s+Act(?:\s+1999)?"
        r"|Goods\s+and\s+Services\s+Tax\s+Act(?:\s+1999)?|(?:ANTS\s?\(GST\)\s?A(?:ct)?|GST\s+Act|GSTA)(?:\s?(?:19)?99)?",
    ),
    ("TAA53", r"Tax(?:ation)?\s+Administration\s+Act(?:\s+1953)?|TAA(?:\s?(?:19)?53)?"),
    (
        "FBTAA86",
        r"Fringe\s+Benefits\s+Tax\s+Assessment\s+Act(?:\s+1986)?|FBTAA(?:\s?(?:19)?86)?|FBT\s+(?:Assessment\s+)?Act(?:\s+1986)?",
    ),
    (
        "SISA93",
        r"Superannuation\s+Industry\s+\(Supervision\)\s+Act(?:\s+1993)?|SIS\s+Act(?:\s+1993)?|SISA(?:\s?(?:19)?93)?",
    ),
    (
        "SGAA92",
        r"Superannuation\s+Guarantee\s+\(Administration\)\s+Act(?:\s+1992)?|SGAA(?:\s?(?:19)?92)?"
        r"|SG\s?\(A(?:dmin(?:istration)?)?\)\s?A(?:ct)?(?:\s+1992)?|SG\s+(?:Administration\s+)?Act(?:\s+1992)?|SGA\s+Act(?:\s+1992)?",
    ),
    ("SGCA92", r"Superannuation\s+Guarantee\s+Charge\s+Act(?:\s+1992)?|(?:SGCA|SGC\s+Act)(?:\s?(?:19)?92)?"),
    ("TASA09", r"Tax\s+Agent\s+Services\s+Act(?:\s+2009)?|TASA(?:\s?(?:20)?09)?"),
    (
        "ABNA99",
        r"A\s+New\s+Tax\s+System\s+\(Australian\s+Business\s+Number\)\s+Act(?:\s+1999)?|ABN\s+Act(?:\s+1999)?|ABNA\s?(?:19)?99",
    ),
    ("MLA86", r"Medicare\s+Levy\s+Act(?:\s+1986)?|MLA\s?(?:19)?86"),
    ("FTA06", r"Fuel\s+Tax\s+Act(?:\s+2006)?|FTA\s?(?:20)?06"),
    # The fictional Act that comes with the product.
    ("HDFA99", r"Harbour\s+Dues\s+(?:\(Fictional\)\s+)?Act(?:\s+1999)?|HDFA(?:\s?(?:19)?99)?"),
    ("AIA01", r"Acts\s+Interpretation\s+Act(?:\s+1901)?|(?-i:AIA)(?:\s?(?:19)?01)?"),
)
_ACTS = tuple((code, re.compile(rf"(?<!\w)(?:{form}){_CTH}(?!\w)", re.IGNORECASE)) for code, form in _ACT_PATTERNS)

_TITLE_WORD = r"[A-Z(][\w'()&.-]{0,40},?\s+(?:(?:and|of|for|on|to)\s+)?"
_OTHER_ACT = re.compile(
    rf"(?<!\w)(?:{_TITLE_WORD}){{1,14}}(?:Act|Acts|Regulations?|Rules|Determination|Instrument|Code)\s+(?:19|20)[0-9]{{2}}{_CTH}(?!\w)"
    r"|(?<!\w)(?:Corporations|Fair\s+Work|Crimes|Privacy|Migration|Bankruptcy|Trustee|Excise|Customs|LCT|WET|PRRT"
    r"|Competition\s+and\s+Consumer)\s+Act(?:\s+(?:19|20)[0-9]{2})?(?!\w)"
    r"|(?<!\w)(?:SIS|SG|GST|TAA?|ITAA|Corporations|FBT)\s+Reg(?:ulation)?s(?:\s+(?:19|20)[0-9]{2})?(?!\w)"
    r"|(?<!\w)(?:CCA|ITAR|SISR|PRRTAA|FWA)(?:\s?(?:19|20)[0-9]{2})?(?!\w)"
)
_LEAD_WORD = re.compile(
    r"(?:Is|Are|Was|Were|Do|Does|Did|Can|Could|Must|May|Should|Would|Will|Has|Have|Under|In|Of|The|What|When|How"
    r"|Which|Who|Why|Where|If|And|Section|Sections|Schedule|Sch|Part|Division|By|For|To|See)\s+"
)


def act_mentions(text: str, titles: Mapping[str, str] | None = None) -> tuple[ActMention, ...]:
    """The Acts that `text` names, in order. titles: further titles or short names → codes, matched first."""
    return _act_mentions(text, titles) if titles else _known_acts(text)


@functools.lru_cache(maxsize=512)  # a text is read for its Acts, and again for its citations
def _known_acts(text: str) -> tuple[ActMention, ...]:
    return _act_mentions(text, {})


def _act_mentions(text: str, titles: Mapping[str, str]) -> tuple[ActMention, ...]:
    folded = fold(text)
    plain = " ".join(folded.split()).lower() if titles else ""
    found: list[ActMention] = []
    for title, code in sorted(titles.items(), key=lambda item: (-len(item[0]), item[0])):
        if " ".join(fold(title).split()).lower() not in plain:  # a thousand titles, of which a question names one
            continue
        pattern = r"\s+".join(re.escape(fold(word)) for word in title.split())
        for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", folded, re.IGNORECASE):
            found.append(ActMention(code, match.start(), match.end()))
    for code, form in _ACTS:
        found.extend(ActMention(code, match.start(), match.end()) for match in form.finditer(folded))
    for match in _OTHER_ACT.finditer(folded):
        start = match.start()
        while lead := _LEAD_WORD.match(folded, start, match.end()):
            start = lead.end()
        found.append(ActMention(" ".join(folded[start : match.end()].split()), start, match.end()))
    return _without_overlaps(found)


def _without_overlaps(found: Iterable[ActMention]) -> tuple[ActMention, ...]:
    """The longest mention wins; at equal length the earlier found (named titles, then known codes, then others)."""
    kept: list[ActMention] = []
    for mention in sorted(found, key=lambda m: m.start - m.end):
        if all(mention.end <= other.start or other.end <= mention.start for other in kept):
            kept.append(mention)
    return tuple(sorted(kept, key=lambda m: m.start))


# ---------------------------------------------------------------------------------------------- rulings

_SERIES = "TR|TD|GSTR|GSTD|CR|PR|PCG|LCR|LCG|SGR|SGD|SMSFRB|SMSFR|SMSFD|FBTR?|FTR|FTD|WETR|WETD|LCTD|PRRTR?|TA|MT|SPR"
_AFTER_RULING = r"(?:\s*,?\s*(?:at\s+)?(?:\[(?P<at>[0-9]{1,3})\]|para(?:graph)?s?\.?\s*(?P<para>[0-9]{1,3})(?!\w)))?"
_RULING = re.compile(
    r"(?:(?<!\w)para(?:graph)?s?\.?\s+(?P<before>[0-9]{1,3})\s+(?:of|in)\s+)?"
    r"(?<!\w)(?:"
    rf"(?P<series>{_SERIES})\s?(?P<year>(?:19|20)[0-9]{{2}}|[0-9]{{2}})/(?P<draft>D?)(?P<number>[0-9]{{1,4}})(?:EC|ER[0-9]?|A[0-9]?|W)?"
    r"|(?P<ato>ATO\s?ID|PS\s?LA)\s?(?P<ato_year>(?:19|20)[0-9]{2})/(?P<ato_number>D?[0-9]{1,4})(?:\s?\(GA\))?"
    r"|(?-i:(?P<old>IT|MT))\s(?P<old_number>[0-9]{2,4})"
    rf")(?!\w){_AFTER_RULING}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Token:
    """One mention on the way to a citation: kind "act", "ruling", "schedule", or a CitationKind's value."""

    kind: str
    start: int
    end: int
    number: str = ""
    pinpoint: str = ""
    plural: bool = False
    unit: str = ""
    act: str | None = None
    schedule: str = ""
    assumed: bool = False


def _ruling_tokens(folded: str) -> list[_Token]:
    tokens = []
    for match in _RULING.finditer(folded):
        name = _ruling_name(match, folded)
        if name is None:
            continue
        paragraph = match["at"] or match["para"] or match["before"]
        pinpoint = f"[{int(paragraph)}]" if paragraph else ""
        tokens.append(_Token("ruling", match.start(), match.end(), pinpoint=pinpoint, act=name))
    return tokens


def _ruling_name(match: re.Match[str], folded: str) -> str | None:
    """The ruling's canonical name, or None where the words are more likely something else."""
    if match["series"]:
        is_upper = match["series"].isupper()
        if not is_upper and len(match["year"]) == 2:
            return None  # "pr 10/20" is no product ruling
        return f"{match['series'].upper()} {match['year']}/{match['draft'].upper()}{match['number']}"
    if match["ato"]:
        series = "ATO ID" if match["ato"].upper().startswith("ATO") else "PS LA"
        return f"{series} {match['ato_year']}/{match['ato_number'].upper()}"
    number = int(match["old_number"])
    introduced = re.search(r"ruling\s+(?:no\.?\s+)?$", folded[: match.start("old")], re.IGNORECASE)
    if not introduced and (number < 100 or 1900 <= number <= 2099):
        return None  # "IT 2019 costs" is information technology in a year
    return f"{match['old']} {match['old_number']}"


# ------------------------------------------------------------------------- sections, divisions, schedules

_END = r"(?![\w])(?!-\w)(?![/.,][0-9])"
_NUMBER = r"[0-9]{1,4}[A-Za-z]{0,6}(?:-[0-9]{1,4}[A-Za-z]{0,4})?"
_PINPOINT = r"(?P<pin>(?:\s?\([0-9]{1,3}[A-Z]{0,3}\)|\([a-z]{1,3}\)|\([A-Z]{1,2}\))*)"
_SECTION = re.compile(
    r"(?<![\w'.$-])(?P<unit>ss|s|sects?|secs?|sections?|provisions?"
    r"|sub-?sections?|sub-?ss?|(?P<para>sub-?paragraphs?|sub-?paras?|paragraphs?|paras?)|§{1,2})\.?\s*"
    rf"(?P<number>{_NUMBER}){_PINPOINT}{_END}",
    re.IGNORECASE,
)
_NEXT_NUMBER = re.compile(rf"\s*(?:,\s*(?:and|or)|,|and|or|&)\s+(?P<number>{_NUMBER}){_PINPOINT}{_END}", re.IGNORECASE)
_QUANTITY_AFTER = re.compile(
    r"\s*(?:%|per\s?cent|days?|weeks?|months?|years?|hours?|km|dollars|cents|times|others?|more"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"(?<![\w$/.,()-])(?P<number>[0-9]{{1,3}}[A-Z]{{0,4}}-[0-9]{{1,4}}[A-Z]{{0,4}}|[0-9]{{1,3}}[A-Z]{{1,6}}){_PINPOINT}{_END}"
)
_DIVISION = re.compile(
    r"(?<![\w'.$-])(?P<unit>(?P<sub>sub-?div(?:ision)?s?)|div(?:ision)?s?|(?P<part>parts?|pts?))\.?\s*"
    r"(?P<number>[0-9]{1,3}[A-Za-z]{0,4}(?:-[0-9]{1,3}|-[A-Za-z]{1,3})?|[IVXL]{1,6}[A-Z]{0,3}|[ivxl]{2,4}[a-d]{0,3})"
    + _END,
    re.IGNORECASE,
)
_NEXT_DIVISION = re.compile(
    r"\s*(?:,\s*(?:and|or)|,|and|or|&)\s+(?P<number>[0-9]{1,3}[A-Za-z]{0,4}(?:-[A-Za-z]{1,3})?)" + _END
)
_SCHEDULE = re.compile(r"(?<![\w'.$-])sch(?:edules?)?\.?\s*(?P<number>[0-9]{1,2}[A-Za-z]{0,2})" + _END, re.IGNORECASE)
_SECTION_NUMBER = re.compile(r"([0-9]{1,4})([A-Z]{0,6})(?:-([0-9]{1,4}[A-Z]{0,4}))?")


def _section_number(raw: str) -> str | None:
    """`raw` as a section number, or None where it is a year range, an ordinal or a number no Act has."""
    number = raw.upper()
    match = _SECTION_NUMBER.fullmatch(number)
    if match is None or number.startswith("0"):
        return None
    first, rest = match[1], match[3]
    if rest is not None and (len(first) == 4 or re.match(r"0|(?:19|20)[0-9]{2}", rest)):
        return None  # "2019-20", "19-00" and "12-2015" are years
    if re.search(r"[0-9](?:st|nd|rd|th|k|m|km)$", raw):
        return None  # "6th", "75k"; in capitals they are sections, such as 82M
    return number


def _pinpoint(raw: str) -> str:
    return raw.replace(" ", "")


def _section_tokens(folded: str) -> list[_Token]:
    tokens: list[_Token] = []
    for match in _SECTION.finditer(folded):
        number = _section_number(match["number"])
        if number is None:
            continue
        unit = match["unit"].lower()
        plural = unit in {"ss", "§§"} or (unit.endswith("s") and unit not in {"s", "subs", "sub-s"})
        is_paragraph = match["para"] is not None
        start = match.start()
        token = _Token(
            "section", start, match.end(), number, _pinpoint(match["pin"]), plural, "para" if is_paragraph else "s"
        )
        tokens.append(token)
        tokens.extend(_continued(folded, token))
    return tokens


def _continued(folded: str, first: _Token) -> list[_Token]:
    """The further numbers of a list: the "8-5" of "ss 8-1 and 8-5"."""
    found: list[_Token] = []
    position, hyphenated = first.end, "-" in first.number
    while match := _NEXT_NUMBER.match(folded, position):
        number = _section_number(match["number"])
        if number is None or _QUANTITY_AFTER.match(folded, match.end()):
            break
        if not ("-" in number and hyphenated) and not (first.plural and len(re.sub(r"\D.*", "", number)) < 4):
            break
        found.append(
            _Token("section", match.start("number"), match.end(), number, _pinpoint(match["pin"]), first.plural, "s")
        )
        position = match.end()
    return found


def _division_tokens(folded: str) -> list[_Token]:
    tokens: list[_Token] = []
    for match in _DIVISION.finditer(folded):
        number, unit = match["number"].upper(), match["unit"].lower()
        kind = _division_kind(number, is_part=match["part"] is not None, is_sub=match["sub"] is not None)
        if kind is None:
            continue
        tokens.append(_Token(kind, match.start(), match.end(), number, unit="div"))
        position = match.end()
        while unit.endswith("s") and (more := _NEXT_DIVISION.match(folded, position)):
            if _QUANTITY_AFTER.match(folded, more.end()):
                break
            tokens.append(_Token(kind, more.start("number"), more.end(), more["number"].upper(), unit="div"))
            position = more.end()
    return tokens


def _division_kind(number: str, *, is_part: bool, is_sub: bool) -> CitationKind | None:
    if is_part:
        return (
            CitationKind.PART
            if re.fullmatch(r"[0-9]-[0-9]{1,3}|[0-9]{1,3}[A-Z]{0,3}|[IVXL]+[A-Z]{0,3}", number)
            else None
        )
    if is_sub:
        return CitationKind.SUBDIVISION if re.fullmatch(r"[0-9]{1,3}[A-Z]{0,3}-[A-Z]{1,3}|[A-Z]", number) else None
    if re.fullmatch(r"[0-9]{1,3}[A-Z]{0,3}-[A-Z]{1,3}", number):
        return CitationKind.SUBDIVISION  # "Div 328-D" is written for Subdivision 328-D
    return CitationKind.DIVISION if re.fullmatch(r"[0-9]{1,3}[A-Z]{0,4}", number) else None


def _bare_tokens(folded: str) -> list[_Token]:
    """Numbers without a unit word; kept only where an Act stands beside them ("ITAA97 8-1")."""
    tokens = []
    for match in _BARE.finditer(folded):
        number = _section_number(match["number"])
        short_years = re.fullmatch(r"([0-9]{2})-([0-9]{2})", match["number"])
        if number is None or (short_years and int(short_years[2]) == (int(short_years[1]) + 1) % 100):
            continue  # "19-20" is a year
        tokens.append(_Token("section", match.start(), match.end(), number, _pinpoint(match["pin"]), unit="bare"))
    return tokens


# ---------------------------------------------------------------------------------------------- binding

_BY_PREPOSITION = re.compile(r"[\s,]*\(?(?:(?:of|in|to|under|from|within)\s+)(?:the\s+)?(?:Cth\s+)?", re.IGNORECASE)
_BY_NEARNESS = re.compile(r"[\s,:(\[]*(?:the\s+)?")
_LIST_JOIN = re.compile(r"[\s,]*(?:and|or|&|to|/|and/or)?\s*", re.IGNORECASE)


def _tokens(folded: str, acts: Sequence[ActMention]) -> list[_Token]:
    """All mentions, none overlapping: Acts and rulings first, then by unit word, then bare numbers."""
    kept = [_Token("act", act.start, act.end, act=act.instrument) for act in acts]
    schedules = [_Token("schedule", m.start(), m.end(), m["number"].upper()) for m in _SCHEDULE.finditer(folded)]
    found = (_ruling_tokens(folded), _section_tokens(folded), schedules, _division_tokens(folded), _bare_tokens(folded))
    for tokens in found:
        for token in tokens:
            if all(token.end <= other.start or other.end <= token.start for other in kept):
                kept.append(token)
    return sorted(kept, key=lambda token: token.start)


def _to_the_right(tokens: Sequence[_Token], index: int, folded: str) -> tuple[str | None, str, bool]:
    """The Act and Schedule that follow, and whether a preposition ties the Act on ("of the …")."""
    schedule, by_preposition = "", False
    for before, after in zip(tokens[index:], tokens[index + 1 :], strict=False):
        between = folded[before.end : after.start]
        if _BY_PREPOSITION.fullmatch(between):
            by_preposition = True
        elif not _BY_NEARNESS.fullmatch(between):
            break
        if after.kind == "act":
            return after.act, schedule, by_preposition
        if after.kind == "schedule" and not schedule:
            schedule = after.number
        elif not (after.kind in {"division", "subdivision", "part"} and by_preposition):
            break
    return None, schedule, False


def _to_the_left(tokens: Sequence[_Token], index: int, folded: str) -> tuple[str | None, str]:
    """The Act and Schedule that stand directly before: "TAA 1953 Sch 1 s 12-35", "Schedule 1 to the TAA, s 12-35"."""
    schedule, position = "", index
    while position > 0:
        before, after = tokens[position - 1], tokens[position]
        between = folded[before.end : after.start]
        if before.kind == "act" and _BY_NEARNESS.fullmatch(between):
            earlier = tokens[position - 2] if position > 1 else before
            is_of_act = earlier.kind == "schedule" and _BY_PREPOSITION.fullmatch(folded[earlier.end : before.start])
            return before.act, schedule or (earlier.number if is_of_act else "")
        if before.kind != "schedule" or schedule or not _BY_NEARNESS.fullmatch(between):
            break
        schedule, position = before.number, position - 1
    return None, schedule


def _bind(tokens: Sequence[_Token], folded: str) -> list[_Token]:
    """Every token with the Act and Schedule that the words tie to it, lists included."""
    bound = []
    for index, token in enumerate(tokens):
        if token.kind in {"act", "ruling"}:
            bound.append(token)
            continue
        right_act, right_schedule, by_preposition = _to_the_right(tokens, index, folded)
        left_act, left_schedule = _to_the_left(tokens, index, folded)
        act = right_act if right_act and (by_preposition or not left_act) else left_act
        schedule = "" if token.kind == "schedule" else right_schedule or left_schedule
        bound.append(replace(token, act=act, schedule=schedule))
    for order in (range(len(bound) - 2, -1, -1), range(len(bound) - 1)):  # from the right, then from the left
        for index in order:
            first, second = bound[index], bound[index + 1]
            if first.kind != second.kind or first.kind in {"act", "ruling", "schedule"}:
                continue
            if not _LIST_JOIN.fullmatch(folded[first.end : second.start]):
                continue
            if first.act is None and second.act is not None and order.step == -1:
                bound[index] = replace(first, act=second.act, schedule=first.schedule or second.schedule)
            elif second.act is None and first.act is not None and order.step == 1:
                bound[index + 1] = replace(second, act=first.act, schedule=second.schedule or first.schedule)
    return bound


def fits(instrument: str, number: str) -> bool:
    """Whether `number` has the shape of that Act's section numbers; True for an Act whose custom is not known."""
    if instrument in HYPHENATED:
        return "-" in number
    return not (instrument in UNHYPHENATED and "-" in number)


def _customary(token: _Token, only_act: str | None, default_act: str | None) -> str | None:
    """The Act that a citation without one is taken to mean, or None: the one Act named, the default, custom."""
    for act in (only_act, default_act):
        if act and act != "ITAA" and (token.kind != "section" or fits(act, token.number)):
            return act
    if token.kind == "section":
        return "ITAA97" if "-" in token.number else None
    if token.kind == "subdivision":
        return "ITAA97" if "-" in token.number else None
    if token.kind == "division":
        digits = int(re.match(r"[0-9]+", token.number)[0])  # type: ignore[index]  # the form requires a digit
        if digits > 17:
            return "ITAA97"
        return "ITAA36" if token.number[-1].isalpha() else None  # Div 6 stands in both Acts
    if token.kind == "part":
        return {"IVA": "ITAA36", "IVAAA": "TAA53", "IVC": "TAA53"}.get(token.number)
    return None


def _with_act(token: _Token, only_act: str | None, default_act: str | None) -> _Token:
    if token.act == "ITAA":  # either Assessment Act: the numbering tells them apart
        return replace(token, act="ITAA97" if "-" in token.number else "ITAA36", assumed=True)
    if token.act is not None:
        return token
    act = _customary(token, only_act, default_act)
    return replace(token, act=act, assumed=act is not None)


def _customary_schedule(act: str | None, number: str) -> str:
    """The Schedule that must hold a hyphenated section of an Act whose body has none."""
    if "-" not in number:
        return ""
    if act == "TAA53":
        return "1"
    if act == "ITAA36":
        first = int(re.match(r"[0-9]+", number)[0])  # type: ignore[index]  # the form requires a digit
        return next((schedule for low, high, schedule in _ITAA36_SCHEDULES if low <= first <= high), "")
    return ""


def _citations(token: _Token) -> list[Citation]:
    if token.kind == "ruling":
        return [Citation(token.act, "", "", token.pinpoint, CitationKind.RULING)]
    if token.kind == "schedule":
        return [Citation(token.act, token.number, "", "", CitationKind.SCHEDULE)]
    kind = CitationKind(token.kind)
    if kind is not CitationKind.SECTION:
        return [Citation(token.act, token.schedule, token.number, "", kind)]
    first, _, second = token.number.partition("-")
    if second and token.plural and token.act in UNHYPHENATED and _ascends(first, second):
        return [Citation(token.act, token.schedule, number, "", kind) for number in (first, second)]
    schedule = token.schedule or _customary_schedule(token.act, token.number)
    return [Citation(token.act, schedule, token.number, token.pinpoint, kind)]


def _ascends(first: str, second: str) -> bool:
    return first.isdigit() and second.isdigit() and int(first) < int(second)


def _stands(token: _Token, tokens: Sequence[_Token], folded: str) -> bool:
    """Whether a bound token is a citation at all, rather than words that merely look like one."""
    if token.kind == "act":
        return False
    if token.kind == "schedule":  # on its own only: within another citation it is part of that
        return token.act is not None and not any(_holds_schedule(other, token, folded) for other in tokens)
    if token.unit == "bare":
        return token.act is not None
    if token.unit == "para":
        return token.act is not None or "-" in token.number or bool(token.pinpoint)
    if token.kind == "part" and token.act is None:
        return bool(re.search(r"[A-Z-]", token.number)) and (len(token.number) > 1)
    return True


def _holds_schedule(other: _Token, schedule: _Token, folded: str) -> bool:
    if other.kind in {"act", "schedule", "ruling"} or other.schedule != schedule.number:
        return False
    gap = folded[other.end : schedule.start] if other.end <= schedule.start else folded[schedule.end : other.start]
    return len(gap) <= 80


def find_citations(
    text: str, default_act: str | None = None, titles: Mapping[str, str] | None = None
) -> tuple[FoundCitation, ...]:
    """Every pinpoint in `text`, in order, with offsets into it.

    default_act: the short code to assume where the text names none ("All references are to …").
    titles: titles or short names of further instruments → their codes.
    A section such as 8-1 without an Act is customarily the ITAA 1997's; such a binding has `assumed` set.
    """
    folded = fold(text)
    acts = act_mentions(text, titles)
    named = {act.instrument for act in acts}
    only_act = next(iter(named)) if len(named) == 1 else None
    bound = _bind(_tokens(folded, acts), folded)
    found = []
    for token in bound:
        if not _stands(token, bound, folded):
            continue
        resolved = _with_act(token, only_act, default_act)
        for citation in _citations(resolved):
            words = text[token.start : token.end]
            found.append(FoundCitation(citation, token.start, token.end, words, resolved.assumed))
    return tuple(found)


_LIKELIEST_FIRST = (
    *("ITAA97", "ITAA36", "TAA53", "GSTA99", "FBTAA86", "SISA93", "SGAA92", "ITTPA97", "FTA06", "TASA09"),
    *("ITRA86", "MLA86", "ABNA99", "SGCA92", "AIA01"),
)


def candidate_instruments(citation: Citation) -> tuple[str, ...]:
    """The Acts whose numbering fits a section that names none, the likeliest first; for look-ups by trial."""
    if citation.kind is not CitationKind.SECTION:
        return ("ITAA97", "ITAA36")
    return tuple(code for code in _LIKELIEST_FIRST if fits(code, citation.section))


def in_instrument(citation: Citation, instrument: str) -> Citation:
    """The same pinpoint read as one of another Act, in the Schedule where that Act keeps such numbers."""
    schedule = (
        citation.schedule if citation.instrument == instrument else _customary_schedule(instrument, citation.section)
    )
    return replace(citation, instrument=instrument, schedule=schedule)


_CASE = re.compile(
    r"\[(?:19|20)[0-9]{2}\]\s+[A-Za-z]{2,10}\s+[0-9]+(?:\s+at\s+\[[0-9]+\])?"
    r"|\((?:19|20)[0-9]{2}\)\s+[0-9]+\s+(?:CLR|ALR|ALJR|FCR|ATR|AATR|ATC)\s+[0-9]+"
    r"|(?<!\w)(?:19|20)?[0-9]{2}\s+ATC\s+[0-9-]+"
)
_NUMBERED_ACT = re.compile(
    r"(?<!\w)(?:Act\s+)?No\.?\s*[0-9]{1,3}(?:,|\s+of)\s*(?:19|20)[0-9]{2}(?!\w)|(?<!\w)Act\s+(?:19|20)[0-9]{2}(?!\w)",
    re.I,
)
_ACT_OF_YEAR = re.compile(r"(?<!\w)(?:19|20)[0-9]{2}\s+(?:Measures|Act|Regulations?|Bill)(?!\w)", re.IGNORECASE)


def mask_citations(text: str, titles: Mapping[str, str] | None = None) -> str:
    """`text`, folded, with every Act, provision, ruling and case blanked out; the same length.

    What is left holds no number that belongs to a citation: for reading years and content words.
    """
    folded = fold(text)
    spans = [(act.start, act.end) for act in act_mentions(text, titles)]
    spans += [(found.start, found.end) for found in find_citations(text, titles=titles)]
    spans += [(match.start(), match.end()) for match in _SECTION.finditer(folded) if match["para"] is None]
    for form in (_CASE, _NUMBERED_ACT, _ACT_OF_YEAR):
        spans += [(match.start(), match.end()) for match in form.finditer(folded)]
    letters = list(folded)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return "".join(letters)
