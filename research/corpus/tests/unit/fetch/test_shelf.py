"""The folder of fetched files, and what is on its way into it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from asat_site.testing.register_catalogue import small_epub
from research.corpus.ingest.fetch.answers import VersionRow
from research.corpus.ingest.fetch.partial import Partial
from research.corpus.ingest.fetch.shelf import SameBytes, Shelf, ShelfInUse
from research.corpus.ingest.origin import Fetched

VERSION = VersionRow("C1999A00123", date(2019, 7, 1), date(2019, 7, 1), None, "C2019C00200", "12")
FETCHED = Fetched(
    sha256="",
    file_name="C2019C00200.epub",
    title_id="C1999A00123",
    title="Harbour Dues and Ferries Act 1999",
    register_id="C2019C00200",
    compilation_number="12",
    starts=date(2019, 7, 1),
    ends=None,
    checked_on=date(2024, 3, 1),
    source_uri="https://example.test/",
    size_bytes=0,
    fetched_at=datetime(2024, 3, 1, tzinfo=UTC),
)
HERE = "http://127.0.0.1/a"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "register")


def put(shelf: Shelf, fetched: Fetched = FETCHED, words: str = "Dues are payable.") -> Fetched:
    shelf.partials.mkdir(parents=True, exist_ok=True)
    path = shelf.partials / "arrived.epub"
    path.write_bytes(small_epub(words))
    return shelf.keep(path, fetched)


def test_a_kept_file_lies_under_its_digest_with_what_it_is_beside_it(shelf: Shelf) -> None:
    kept = put(shelf)
    assert shelf.path_of(kept).read_bytes() == small_epub("Dues are payable.")
    assert Fetched.from_json((shelf.folder / f"{kept.sha256}.json").read_text()) == kept
    assert kept.size_bytes == len(small_epub("Dues are payable."))
    assert sorted(p.name for p in shelf.folder.iterdir()) == [".partial", f"{kept.sha256}.epub", f"{kept.sha256}.json"]
    assert list(shelf.partials.iterdir()) == []
    assert list(shelf.everything()) == [kept]


@pytest.mark.parametrize(
    ("changed", "rectification"),
    [
        ({}, 1),
        ({"register_id": "C2019C00201"}, 0),
        ({"title_id": "C1999A00124"}, 0),
        ({"start": date(2019, 7, 2)}, 0),
        ({"retrospective_start": date(2021, 1, 1)}, 0),
    ],
)
def test_a_file_is_held_as_the_very_text_it_is_and_as_no_other(
    shelf: Shelf, changed: dict[str, object], rectification: int
) -> None:
    kept = put(shelf)
    assert shelf.held(VERSION, 0) == kept
    assert shelf.held(replace(VERSION, **changed), rectification) is None


def test_a_file_whose_bytes_changed_or_went_is_not_held(shelf: Shelf) -> None:
    kept = put(shelf)
    shelf.path_of(kept).write_bytes(b"PK\x03\x04")
    assert shelf.held(VERSION, 0) is None
    shelf.path_of(kept).unlink()
    assert shelf.held(VERSION, 0) is None
    assert list(shelf.everything()) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sha256": 3}', "\x00", '"text"', '{"starts": "2019-02-31"}'])
def test_other_files_in_the_folder_are_passed_over(shelf: Shelf, text: str) -> None:
    kept = put(shelf)
    (shelf.folder / "notes.json").write_text(text)
    (shelf.folder / "by-hand.epub").write_bytes(small_epub("By hand."))
    assert list(shelf.everything()) == [kept]


def test_the_same_bytes_as_another_compilation_are_not_kept(shelf: Shelf) -> None:
    kept = put(shelf)
    with pytest.raises(SameBytes, match="C2020C00001 of C1999A00123 is, byte for byte, that of C2019C00200"):
        put(shelf, replace(FETCHED, register_id="C2020C00001"))
    assert list(shelf.everything()) == [kept]


def test_one_fetch_at_a_time_writes_to_a_folder(shelf: Shelf) -> None:
    with shelf.alone(), pytest.raises(ShelfInUse, match="wait for it to end"), Shelf(shelf.folder).alone():
        pass
    with shelf.alone():
        pass


def test_what_arrived_is_gone_on_with_for_the_same_address_alone(tmp_path: Path) -> None:
    first = Partial(tmp_path, HERE)
    first.start('"v1"')
    first.append([b"PK", b"\x03"])
    first.keep_or_discard()
    assert (Partial(tmp_path, HERE).received, Partial(tmp_path, HERE).etag) == (3, '"v1"')
    assert Partial(tmp_path, "http://127.0.0.1/b").received == 0


def test_what_arrived_without_a_mark_of_its_state_is_thrown_away(tmp_path: Path) -> None:
    first = Partial(tmp_path, HERE)
    first.start("")
    first.append([b"PK\x03"])
    first.keep_or_discard()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("note", ["", "[]", '{"address": "http://127.0.0.1/b", "etag": "\\"v1\\""}'])
def test_what_lies_there_without_its_own_note_is_thrown_away(tmp_path: Path, note: str) -> None:
    first = Partial(tmp_path, HERE)
    first.start('"v1"')
    first.append([b"another title's answer"])
    first.path.with_suffix(".part.json").write_text(note)
    again = Partial(tmp_path, HERE)
    assert (again.received, again.path.exists()) == (0, False)
