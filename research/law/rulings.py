"""The ATO's series of rulings, determinations and guidelines that are read here, and what bears such a number. Pure."""

from __future__ import annotations

import re

# Series whose documents are read here, and which kind each is: "ruling", "determination" or "guideline".
SERIES = {
    **dict.fromkeys(("TR", "GSTR", "CR", "PR", "LCR", "SGR", "SMSFR", "FBTR", "FBT", "FTR", "WETR", "PRRTR"), "ruling"),
    **dict.fromkeys(("IT", "MT"), "ruling"),
    **dict.fromkeys(("TD", "GSTD", "SGD", "SMSFD", "FTD", "WETD", "LCTD"), "determination"),
    **dict.fromkeys(("PCG", "LCG", "PS LA", "SMSFRB"), "guideline"),
}

_NUMBERED = "|".join(re.escape(name).replace(r"\ ", r"\s?") for name in SERIES)
_SUFFIX = r"(?:EC|ER\d?|A\d?|W)?"
_CODE = re.compile(
    rf"(?:(?:{_NUMBERED})\s?(?:\d{{4}}|\d{{2}})/D?\d{{1,4}}|(?:IT|MT)\s?\d{{1,4}}){_SUFFIX}", re.IGNORECASE
)
# As document ids begin: "tr2008-1", "psla2001-8", "it2650a3".
_SQUEEZED = "|".join(name.replace(" ", "") for name in SERIES)
_PREFIX = re.compile(rf"(?:(?:{_SQUEEZED})(?:\d{{4}}|\d{{2}})-D?\d{{1,4}}|(?:IT|MT)\d{{1,4}}){_SUFFIX}", re.IGNORECASE)


def names_a_ruling(name: str) -> bool:
    """Whether a code, or the beginning of a document id, is that of a document of the ATO: "TR 2008/1", "tr2008-1"."""
    return bool(_CODE.fullmatch(name.strip()) or _PREFIX.fullmatch(name.strip()))
