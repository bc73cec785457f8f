"""What a heading says, Chapter to section: its number and its title, in each way in which compilations mark them.

Pure. Leaves what hangs from a heading to `provisions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from research.corpus.ingest.epub.blocks import Block
from research.corpus.ingest.epub.cover import MONTHS

SECTION_NUMBER = r"\d{1,4}[A-Z]{0,8}(?:(?:[\s]*[\u2010\u2011][\s]*|[-.])\d{1,4}[A-Z]{0,8}){0,4}"
"""6, 26AAB, 159GZZZZH, 8-1, 83A-33, 6.01, 292-155.01. A cap of four letters lost one user 98 sections."""

_SECTION = re.compile(rf"(?P<number>{SECTION_NUMBER})(?P<marks>\.?[\s]*—|\.(?=\s|$)|(?=\s|$))(?P<title>.*)", re.DOTALL)
_NUMBER = re.compile(SECTION_NUMBER)
_WIDE_GAP = re.compile(r" ?[\t\u00a0\u2003]|  ")  # parts a number from a title; "1 Short title" alone could be either
_YEAR_OR_DAY = re.compile(rf"(?:(?:19|20)\d\d|\d{{1,2}}) (?:{'|'.join(MONTHS)}|measures|Budget|No\b)")
_HARD = re.compile(r"(?<=[0-9A-Za-z])[\s]*[\u2010\u2011][\s]*(?=[0-9A-Za-z])")
_HARD_IN_NUMBER = re.compile(r"(?<=[0-9])[\u2010\u2011](?=[0-9A-Z])")
_CONTAINER = re.compile(
    r"(?:(?P<ordinal>First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth)\s+|The\s+)?"
    r"(?P<word>Schedules?|Sub-?Chapter|Chapter|Subdivision|Sub-?Division|Division|Sub-?Part|Part|Appendix|Annexure|"
    r"Attachment)"
    r"(?:\s+(?P<number>(?-i:(?:\d{1,4}[A-Z]{0,8}|[IVXLC]+[A-Z]{0,6}|[A-Z]{1,3})"
    r"(?:(?:\s*[\u2010\u2011]\s*|[-.])(?:\d{1,4}[A-Z]{0,8}|[A-Z]{1,4}))*)))?"
    r"(?P<marks>\.?\s*[—–:]\s*|\.?\s+|\.?$)(?P<title>.*)",
    re.DOTALL | re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
GUIDE = re.compile(r"\bGuide to (?:this |the )?(?:Chapter|Part|Division|Subdivision|Schedule|Act)\b", re.IGNORECASE)


class Rank(IntEnum):
    """What stands under what: a heading closes every open one of its own rank and below."""

    SCHEDULE = 0
    CHAPTER = 10
    SUBCHAPTER = 15
    PART = 20
    SUBPART = 25
    DIVISION = 30
    SUBDIVISION = 40
    GROUP = 50  # "Guide to Division 40", "Common rules"; the name of an Act that a Schedule amends
    SECTION = 90


_RANKS = {
    "schedule": Rank.SCHEDULE, "schedules": Rank.SCHEDULE, "appendix": Rank.CHAPTER, "annexure": Rank.SCHEDULE,
    "attachment": Rank.SCHEDULE, "chapter": Rank.CHAPTER, "subchapter": Rank.SUBCHAPTER, "part": Rank.PART,
    "subpart": Rank.SUBPART, "division": Rank.DIVISION, "subdivision": Rank.SUBDIVISION,
}  # fmt: skip
_RANK_OF_LEVEL = {
    1: Rank.CHAPTER, 2: Rank.PART, 3: Rank.DIVISION, 4: Rank.GROUP, 6: Rank.SCHEDULE, 7: Rank.PART, 8: Rank.DIVISION,
    9: Rank.GROUP,
}  # fmt: skip
_SHORT = {
    Rank.SCHEDULE: "Sch", Rank.CHAPTER: "Ch", Rank.SUBCHAPTER: "Sub-Ch", Rank.PART: "Pt", Rank.SUBPART: "SubPt",
    Rank.DIVISION: "Div", Rank.SUBDIVISION: "Sdiv",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heading:
    """word, number, title: "Division", "40", "Capital allowances"; an unnumbered one has a title alone.

    number: with plain hyphens. marks: what stood between number and title and is in neither. is_run_in: the heading is
    the beginning of a line of text, which stays whole.
    """

    rank: Rank
    word: str
    number: str
    title: str
    marks: str = ""
    is_run_in: bool = False

    @property
    def step(self) -> str:
        """As a step of a path: "Division 8—Deductions"."""
        named = f"{self.word} {self.number}".strip()
        return "—".join(part for part in (named, plain_numbers(self.title)) if part)

    @property
    def short(self) -> str:
        """As an address: "Div 40", "Sch 7"; the title of an unnumbered one."""
        if self.word and self.number:
            return f"{_SHORT[self.rank]} {self.number}"
        return "Guide" if GUIDE.search(self.title) else _one_line(self.title or self.word)[:60].rstrip()


Recogniser = Callable[[Block], Heading | None]


def plain_number(number: str) -> str:
    """A number as ids have it: plain hyphens, none of the space that pads them."""
    return _HARD.sub("-", number).replace("\u2010", "-").replace("\u2011", "-").strip().rstrip(".")


def plain_numbers(words: str) -> str:
    """Words of a path: on one line, the hyphens within numbers plain, all else as published."""
    return _HARD_IN_NUMBER.sub("-", _one_line(words))


def _one_line(words: str) -> str:
    return " ".join(words.split("\n"))


def section_of(block: Block) -> Heading:
    """A section's heading, from the spans that mark its number, else from how it begins; unnumbered ones too."""
    raw = block.raw.replace("\v", " ")
    whole = "".join(raw.split())
    if _NUMBER.fullmatch(block.number.strip().rstrip(".")) and whole == "".join(
        (block.number + block.after_number).split()
    ):
        number, title = block.number.strip(), _tidy(block.after_number)
        marks = "." if number.endswith(".") else ""
        bare = title.lstrip(".—– ").strip() if title[:1] in ".—–" else title
        return Heading(Rank.SECTION, "", plain_number(number), bare, marks + title[: len(title) - len(bare)])
    found = _SECTION.match(raw.strip())
    wide = bool(found) and bool(
        re.match(r"[\s]*[\t\u00a0\u2003]|[ ]{2}", raw.strip()[found.end("marks") :] if found else "")
    )
    if not found or (_YEAR_OR_DAY.match(_tidy(raw).replace("\u00a0", " ")) and not wide):
        return Heading(Rank.SECTION, "", "", _tidy(raw))
    return Heading(Rank.SECTION, "", plain_number(found["number"]), _tidy(found["title"]), found["marks"].strip())


def container_of(block: Block, level: int) -> Heading:
    """A heading above sections: what it is by its first word, and only without one by its level."""
    words = _tidy(block.raw.replace("\v", " "))
    found = _CONTAINER.match(words)
    word = found["word"].capitalize() if found else ""
    rank = _RANKS.get(word.lower().replace("-", ""), _RANK_OF_LEVEL[level])
    if not found or not (found["number"] or found["marks"].strip() or not found["title"] or found["ordinal"]):
        of_level = rank == Rank.SCHEDULE and level in (1, 6)  # "Schedule of rates"
        return Heading(rank if of_level else _RANK_OF_LEVEL[level], "", "", words)
    number = plain_number(found["number"] or "")
    if found["ordinal"]:
        number = str(_ORDINALS.index(found["ordinal"].lower()) + 1)
    return Heading(rank, word, number, found["title"].strip(), found["marks"].strip())


def _tidy(words: str) -> str:
    """As shown: tabs and runs of plain white space one space, ends bare."""
    return re.sub(r"[ \t\n\r\f\v]+", " ", words).strip()


# -- which blocks are headings


_ACT_HEAD = re.compile(r"ActHead([1-9])$")
_LI_HEAD = re.compile(r"LI-Heading([12])$")
_SCHEDULE_HEAD = re.compile(r"Sched\w*(?:Heading|Title|No)\w*$", re.IGNORECASE)
_SCHEDULE_WORDS = re.compile(r"(?:The\s+)?Schedule(?:\s+\d{1,3}[A-Z]{0,2})?(?:\s*[—–-].*)?", re.IGNORECASE | re.DOTALL)
_BARE = re.compile(r"h([1-5])$")


def act_head_level(block: Block) -> int:
    """1–9 of a paragraph in the drafting office's styles for headings, 0 for any other."""
    for cls in block.classes:
        if found := _ACT_HEAD.match(cls):
            return int(found.group(1))
    return 0


def is_heading_element(block: Block, is_styled: bool) -> bool:
    """Whether a block is a heading by its mark-up alone: ActHead1–5 in a styled volume, else a bare h1–h5."""
    if is_styled:
        return 1 <= act_head_level(block) <= 5
    return bool(_BARE.fullmatch(block.tag)) and not block.classes and bool(block.text)


def structural(blocks: Sequence[Block]) -> Recogniser:
    """Tells the headings of one volume: by its styles, in volumes without them by bare h1–h5 or the numbers' spans."""
    has_act_heads = any(act_head_level(block) for block in blocks)

    def recognise(block: Block) -> Heading | None:
        if block.table or not block.text:
            return None
        if level := act_head_level(block):
            return section_of(block) if level == 5 else container_of(block, level)
        if block.style == "ItemHead":
            return section_of(block)
        if found := _LI_HEAD.match(block.style):
            return container_of(block, 2) if found.group(1) == "1" else section_of(block)
        if _SCHEDULE_HEAD.match(block.style) and _SCHEDULE_WORDS.fullmatch(block.text):
            return container_of(block, 1)
        bare = _BARE.match(block.tag)
        if bare and (block.number or not (has_act_heads or block.style)):
            level = int(bare.group(1))
            return section_of(block) if level == 5 else container_of(block, level)
        if block.number and _is_numbered_line(block) and not has_act_heads:
            return section_of(block)  # Acts older than the styles mark a section by the span of its number alone
        return None

    return recognise


def _is_numbered_line(block: Block) -> bool:
    number = block.number.strip().rstrip(".")
    return (
        bool(_NUMBER.fullmatch(number))
        and block.raw.strip().startswith(number[:1])
        and bool(block.after_number.strip())
    )
