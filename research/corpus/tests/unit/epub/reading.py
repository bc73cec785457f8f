"""A fictional Act read from an EPUB built for one test."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.read import read_epub
from research.corpus.ingest.published import Published, PublishedProvision

Read = Callable[..., Published]


def packed(*volumes: e.Volume, **more: Any) -> bytes:
    """The bytes of an Act of these volumes."""
    given: dict[str, Any] = {
        "title": "Harbour Dues and Ferries Act 1999",
        "number": 38,
        "year": 1999,
        "compilation": "12",
        "dated": date(2020, 7, 1),
    }
    return e.epub(volumes=volumes, **(given | more))


def reader(tmp_path: Path) -> Read:
    """Reads an Act whose one volume has this body, or whose volumes are these."""

    def read(*body: e.Item | e.Items | e.Volume, **more: Any) -> Published:
        whole = [item for item in body if isinstance(item, e.Volume)]
        endnotes = more.pop("endnotes", ())
        volumes = whole or [e.Volume(body=[item for item in body if not isinstance(item, e.Volume)], endnotes=endnotes)]
        return read_bytes(tmp_path, packed(*volumes, **more))

    return read


def read_bytes(tmp_path: Path, content: bytes, name: str = "harbour.epub") -> Published:
    path = tmp_path / name
    path.write_bytes(content)
    return read_epub(path)


def by_address(published: Published) -> dict[tuple[str, str], PublishedProvision]:
    """(schedule, section) to provision; the first of two."""
    found: dict[tuple[str, str], PublishedProvision] = {}
    for provision in published.provisions:
        found.setdefault((provision.schedule, provision.section), provision)
    return found


def only(published: Published) -> PublishedProvision:
    (provision,) = published.provisions
    return provision
