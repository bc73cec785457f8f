"""Passages of invented law for the tests of the rules."""

from __future__ import annotations

from datetime import date

from research.terms import Dating, Passage, Role


def passage(chunk_id: int, text: str, **other: object) -> Passage:
    """A passage of the invented Lantern Tax Act; anything can be given otherwise."""
    values: dict[str, object] = {
        "chunk_id": chunk_id,
        "version_id": 100 + chunk_id,
        "provision_id": 200 + chunk_id,
        "instrument": "LTA01",
        "instrument_title": "Lantern Tax Act 2001",
        "section": f"3-{chunk_id}",
        "schedule": "",
        "heading": "Lanterns",
        "path": (),
        "role": Role.OPERATIVE,
        "parent": "(1)",
        "ordinal": 0,
        "offset_chars": 0,
        "text": text,
        "certain_from": date(2015, 6, 22),
        "certain_to": None,
        "dating": Dating.INFERRED,
        "compilation_date": date(2015, 6, 22),
        "register_id": "",
    } | other
    return Passage(**values)  # type: ignore[arg-type]
