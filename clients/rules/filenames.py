"""Names of files as they came, made safe to keep, to show and to give back. Pure."""

from __future__ import annotations

import unicodedata

LONGEST = 200
_ENDINGS = {
    "application/pdf": (".pdf",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/png": (".png",),
    "image/tiff": (".tif", ".tiff"),
    "image/heic": (".heic", ".heif"),
}


def cleaned(name: str) -> str:
    """The name without folders, control and direction characters, up to LONGEST with its ending; "file" for none."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    plain = "".join(" " if each.isspace() else each for each in last)
    words = " ".join("".join(each for each in plain if unicodedata.category(each)[0] != "C").split())
    if not words.strip(". "):
        return "file"
    if len(words) <= LONGEST:
        return words
    stem, dot, ending = words.rpartition(".")
    if not dot or len(ending) > 8:
        return words[:LONGEST].rstrip()
    return f"{stem[: LONGEST - len(ending) - 1]}.{ending}"


def given_back(name: str, media_type: str) -> str:
    """The name for a download: its ending is one of what the file is, whatever it was sent as."""
    endings = _ENDINGS[media_type]
    return name if name.lower().endswith(endings) else f"{name}{endings[0]}"
