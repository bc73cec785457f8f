"""What a text refers to and does not hold: tables without their columns, formulas that were pictures."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from research.presentation.law_text import Line

OWN_TABLE = re.compile(r"\b(?:the|this) (?:following )?table(?! (?:in|to|of|under|at) )", re.IGNORECASE)
FORMULA = re.compile(r"\bformula:?$")
OFFICIAL = "Read the official compilation for"


def absent_from(lines: Sequence[Line], *, is_quote: bool = False) -> str:
    """What a reader must know is missing from `lines`, in words; "" where nothing is known to be.

    is_quote: they are part of a provision, which may hold what they do not.
    """
    words = [line.text for line in lines]
    has_formula = any("the formula where:" in said for said in words) or any(
        FORMULA.search(said.strip()) and following.strip().startswith("where:")
        for said, following in itertools.pairwise(words)
    )
    if any(line.kind == "row" for line in lines):
        return f"A table here is held as lines, without its columns. {OFFICIAL} what stands beside what."
    missing = ["the formula"] if has_formula else []
    if any(OWN_TABLE.search(said) for said in words) and not any(line.cells for line in lines):
        missing.append("the table")
    if not missing:
        return ""
    where = "not in the quote" if is_quote else "not held here as it is printed"
    verb, them = ("is", "it") if len(missing) == 1 else ("are", "them")
    return f"{' and '.join(missing).capitalize()} that these words refer to {verb} {where}. {OFFICIAL} {them}."
