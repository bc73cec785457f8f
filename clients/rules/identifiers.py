"""Australian identifiers: read from what people type, held to their check digits, written as registers write them.

Digits alone are kept. Sources: the ABN is checked modulo 89, the ACN modulo 10 and the TFN modulo 11, as the
Australian Business Register, ASIC and the ATO publish.
"""

from __future__ import annotations

import re

from stdnum.au import abn, acn, tfn

SEPARATORS = re.compile(r"[\s.\-‐‑‒–—−/\u200b\u2060]+")
HIDDEN = "•"


def read_abn(text: str) -> str | None:
    """The 11 digits of an ABN; None if they are not 11, or its check digits are wrong."""
    digits = _digits(text)
    return digits if len(digits) == 11 and abn.is_valid(digits) else None


def read_acn(text: str) -> str | None:
    """The 9 digits of an ACN; None if they are not 9, or its check digit is wrong."""
    digits = _digits(text)
    return digits if len(digits) == 9 and acn.is_valid(digits) else None


def read_tfn(text: str) -> str | None:
    """The 9 digits of a TFN; None if they are not 9, or its check digit is wrong.

    Those of 8 digits, which some people still have, follow another rule and are refused.
    """
    digits = _digits(text)
    return digits if len(digits) == 9 and tfn.is_valid(digits) else None


def show_abn(digits: str) -> str:
    """51824753556 as 51 824 753 556; "" stays ""."""
    return " ".join(filter(None, (digits[:2], digits[2:5], digits[5:8], digits[8:])))


def show_acn(digits: str) -> str:
    """004085616 as 004 085 616; "" stays ""."""
    return " ".join(filter(None, (digits[:3], digits[3:6], digits[6:])))


def mask_tfn(digits: str) -> str:
    """A TFN as it may be shown to whoever need not know it: ••• ••• 782; "" stays ""."""
    return f"{HIDDEN * 3} {HIDDEN * 3} {digits[-3:]}" if digits else ""


def _digits(text: str) -> str:
    """The text without what separates groups of digits; "" if anything else stands in it."""
    digits = SEPARATORS.sub("", text)
    return digits if digits.isascii() and digits.isdigit() else ""
