"""What Xero takes as an attachment, and under which name. Pure."""

from __future__ import annotations

import re
import unicodedata

MOST_BYTES = 10_000_000
LONGEST_NAME = 100
# What a practice's documents come in and Xero takes, with the ending that agrees. HEIC is not among them.
ENDINGS = {
    "application/pdf": "pdf",
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/bmp": "bmp",
    "image/tiff": "tif",
    "text/plain": "txt",
    "text/csv": "csv",
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
}
_SAME = {"jpeg": "jpg", "tiff": "tif"}


def attachment_name(name: str, media_type: str, mark: str) -> str:
    """A name of letters, digits, dots and hyphens, ending as its kind does.

    mark: makes it this bill's own, so that sending it again replaces itself and no file of anybody else's; at most 20
    letters or digits. Raises KeyError for a kind that Xero does not take; see `why_not`.
    """
    ending = ENDINGS[media_type]
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem, dot, last = plain.rpartition(".")
    if not dot or not re.fullmatch(r"[A-Za-z0-9]{1,5}\s*", last):
        stem, last = plain, ""
    elif _SAME.get(last.strip().lower(), last.strip().lower()) != ending:
        stem = plain  # an ending that disagrees stays a part of the name
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-_") or "document"
    tail = f"-{mark}.{ending}"
    return stem[: LONGEST_NAME - len(tail)].rstrip("-_") + tail


def why_not(media_type: str, size: int | None = None) -> str:
    """Why a file of this kind, and of so many bytes where they are known, is not attached; "" where it is."""
    if media_type not in ENDINGS:
        return "Xero takes no file of this kind as an attachment. Attach a copy as PDF or JPEG in Xero yourself."
    if size == 0:
        return "The original is empty."
    if size is not None and size > MOST_BYTES:
        return "The original is larger than the 10 MB that Xero takes. Attach a smaller copy in Xero yourself."
    return ""
