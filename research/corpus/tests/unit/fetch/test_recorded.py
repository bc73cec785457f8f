"""Answers recorded from the real Register, read as the client reads them.

Put them in a folder, name it in ASAT_REGISTER_FIXTURES, and call each by what was asked (the Register's own words after
the first hyphen, bodies exactly as they came):

    title-C2004A05138.json                           Titles('…'), one title by its key
    titles-<anything>.json                           Titles?…, one page of a list
    versions-C2004A05138[-<page>].json               Versions?$filter=titleId eq '…', one page
    version-C2004A05138-2020-06-30.json              Versions/Find(titleId='…',asAt=…), a bare object
    documents-C2004A05138-2020-04-01[-<page>].json   Documents?$filter=titleId eq '…' and start eq …, one page
    file-C2004A05138-C2020C00123.bin                 documents/find(…): an EPUB, or an envelope with one
    refused-<anything>.bin                           a 200 that is no file and must not be taken for one

Skipped, loudly, where none is named. A file of any other name fails: nothing in the folder goes unread.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from research.corpus.ingest.fetch import answers
from research.corpus.ingest.fetch.files import Wanted, WrongFile, check_epub, epub_in
from research.corpus.ingest.fetch.partial import Partial
from research.corpus.ingest.fetch.transport import Arrived

NAMED = os.environ.get("ASAT_REGISTER_FIXTURES", "")
RECORDED = sorted(path for path in Path(NAMED).iterdir() if path.is_file()) if NAMED else []
ID, DAY = r"[CF]\d{4}[A-Z]\d{5}", r"\d{4}-\d\d-\d\d"


def _title(path: Path, _: Path, title_id: str) -> None:
    assert answers.title_row(json.loads(path.read_bytes())).title_id == title_id


def _titles(path: Path, _: Path) -> None:
    assert [answers.title_row(row) for row in answers.rows_of(json.loads(path.read_bytes()))]


def _versions(path: Path, _: Path, title_id: str) -> None:
    rows = [answers.version_row(row) for row in answers.rows_of(json.loads(path.read_bytes()))]
    assert {row.title_id for row in rows} == {title_id}
    assert len({row.key for row in rows}) == len(rows)


def _version(path: Path, _: Path, title_id: str, day: str) -> None:
    row = answers.version_row(json.loads(path.read_bytes()))
    assert row.title_id == title_id
    assert row.covers(answers.day_of(day))


def _documents(path: Path, _: Path, title_id: str, start: str) -> None:
    rows = [answers.document_row(row) for row in answers.rows_of(json.loads(path.read_bytes()))]
    assert {(row.title_id, str(row.start)) for row in rows} == {(title_id, start)}


def _file(path: Path, folder: Path, title_id: str, register_id: str) -> None:
    check_epub(epub_in(_arrived(path, folder), Wanted(title_id, register_id)))


def _refused(path: Path, folder: Path) -> None:
    with pytest.raises(WrongFile):
        epub_in(_arrived(path, folder), Wanted("C2004A05138", "C2004C00001"))


def _arrived(path: Path, folder: Path) -> Arrived:
    partial = Partial(folder, path.name)
    partial.start("")
    partial.append([path.read_bytes()])
    return Arrived(partial, "")


READERS: dict[str, Callable[..., None]] = {
    rf"title-({ID})\.json": _title,
    r"titles-.+\.json": _titles,
    rf"versions-({ID})(?:-\d+)?\.json": _versions,
    rf"version-({ID})-({DAY})\.json": _version,
    rf"documents-({ID})-({DAY})(?:-\d+)?\.json": _documents,
    rf"file-({ID})-([A-Z0-9]+)\.bin": _file,
    r"refused-.+\.bin": _refused,
}


@pytest.mark.skipif(
    not NAMED, reason="THE REAL REGISTER'S ANSWERS WERE NOT READ: ASAT_REGISTER_FIXTURES names no folder"
)
@pytest.mark.parametrize("path", RECORDED or [Path(NAMED)], ids=lambda path: path.name)
def test_a_recorded_answer_is_read(path: Path, tmp_path: Path) -> None:
    assert RECORDED, f"{NAMED} holds no recorded answer"
    for pattern, read in READERS.items():
        if match := re.fullmatch(pattern, path.name):
            read(path, tmp_path, *match.groups())
            return
    pytest.fail(f"{path.name} is named like no answer known; the names are at the top of this file")
