"""What the lines of a provision make of it: its kind, its text, and what a person should know of it.

Pure. Works on (style, text) of each line, in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.corpus.ingest.epub.headings import GUIDE
from research.corpus.ingest.words import OMITTED_KIND, defined_term_of

Line = tuple[str, str]
"""(style, text)."""

_BOX = re.compile(r"(?:Box|SO)[A-Z]|BoxText")
_WHAT_ABOUT = re.compile(r"What this (?:Act|Chapter|Part|Division|Subdivision|Schedule) is about|Simplified outline\b")
_DEFINES = re.compile(r"(?:Definitions?\b|(?:The )?Dictionary\b|Interpretation\b|Meanings? of )", re.IGNORECASE)
_DEFINITION_STYLE = re.compile(r"definition$", re.IGNORECASE)
_OLD_ENTRY = re.compile(
    r"(?!Notes?\b|Example)[*“\"'A-Za-z][^.;\n]{0,120}?(?: means? | includes? | has the | have the )"
)
_ITEM_STYLE = re.compile(r"(?:subsection$|SubsectionHead$)")
_LETTER = re.compile(r"\(([a-z]{1,3})\)(?=\s|$)")
_SUBSECTION_LABEL = re.compile(r"\((\d+[A-Z]{0,4})\)(?=\s|$)")
_PLACEHOLDERS_ALONE = re.compile(r"(?:\[Image: [^\]]+\]\s*)+")


def kind_of(path: Sequence[str], heading: str, lines: Sequence[Line]) -> str:
    """One of record.KINDS, by the headings and the styles of the lines."""
    texts = [text for _, text in lines]
    styles = [style for style, _ in lines]
    if texts and all(_PLACEHOLDERS_ALONE.fullmatch(text) for text in texts):
        return OMITTED_KIND
    if any(GUIDE.search(step) for step in (*path, heading)) or _WHAT_ABOUT.match(heading):
        return "guide"
    if styles and all(_BOX.match(style) for style in styles):
        return "guide"
    defined = sum(bool(_DEFINITION_STYLE.match(style)) for style in styles)
    if _DEFINES.match(heading) or 2 * defined > len(styles):
        return "definition"
    return "operative"


def text_of(lines: Sequence[Line], kind: str) -> str:
    """The lines joined; among definitions a blank line before each, and before a subsection that follows them."""
    if kind != "definition":
        return "\n".join(text for _, text in lines)
    is_styled = any(_DEFINITION_STYLE.match(style) for style, _ in lines)
    found: list[str] = []
    has_definition = False
    for style, text in lines:
        # Texts older than the style: what reads as the beginning of a definition is one.
        defines = (
            bool(_DEFINITION_STYLE.match(style))
            if is_styled
            else bool(_OLD_ENTRY.match(text) and defined_term_of(text))
        )
        starts = defines or (has_definition and bool(_ITEM_STYLE.match(style)))
        has_definition |= defines
        found.append(("\n" if starts and found else "") + text)
    return "\n".join(found)


def collisions(lines: Sequence[Line]) -> list[str]:
    """Flags for paragraphs of one letter within one list: a real fault of some Acts, both are kept."""
    flags: list[str] = []
    where, seen = "", set[str]()
    for style, text in lines:
        if style == "paragraph" and (found := _LETTER.match(text)):
            if found.group(1) in seen:
                flags.append(f"two paragraphs ({found.group(1)}){f' in subsection {where}' if where else ''}")
            seen.add(found.group(1))
        elif style.startswith(("subsection", "Subsection")) or _DEFINITION_STYLE.match(style):
            label = _SUBSECTION_LABEL.match(text)
            where = f"({label.group(1)})" if label else where
            seen = set()
    return flags
