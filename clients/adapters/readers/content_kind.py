"""What a file is, by its first bytes and never by its name."""

from __future__ import annotations

import filetype

from clients.extraction.ports import Unreadable

PDF = "application/pdf"
PICTURES = ("image/jpeg", "image/png", "image/tiff", "image/heic")
TAKEN = "AsAt reads PDF, JPEG, PNG, TIFF and HEIC."


def media_type_of(start: bytes) -> str:
    """The media type of a file that AsAt reads. start: its first 1,024 bytes or more. Raises Unreadable for others."""
    if not start:
        raise Unreadable("The file is empty.")
    if b"%PDF-" in start[:1024]:  # the standard allows bytes before it
        return PDF
    found = filetype.guess(start)
    media_type = found.mime if found else ""
    if media_type == "image/heif":
        media_type = "image/heic"
    if media_type not in PICTURES:
        raise Unreadable(f"The file is {found.extension.upper() if found else 'of no kind that is known'}. {TAKEN}")
    return media_type
