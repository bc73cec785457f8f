"""Which files are meant, and whose documents are known of before any is loaded."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from asat_site.testing import epubs as e
from research.corpus.ingest.origin import Fetched
from research.corpus.ingest.read import CorpusRejected
from research.corpus.ingest.sources import Own, corpus_files, documents_known, left_out, read_source
from research.corpus.tests.unit.epub.reading import packed

PRACTICE = Own(UUID(int=5), frozenset({"harbour.example.com"}))


def document(number: str, effective: str, tenant: str = "harbour.example.com") -> str:
    return f"---\nnumber: {number}\ntitle: Fees\ntenant: {tenant}\neffective: {effective}\n---\nA fee is due.\n"


def test_one_bad_document_does_not_hide_the_days_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(document("KB-1", "2020-07-01"))
    (tmp_path / "bad.md").write_text(document("KB-2", "yesterday"))
    (tmp_path / "other.md").write_text(document("KB-3", "2020-07-01", "another practice"))
    (tmp_path / "named.txt").write_text(document("KB-4", "2021-07-01"))
    known = documents_known(sorted(tmp_path.iterdir()), PRACTICE)
    assert known.effective == {"KB-1": date(2020, 7, 1), "KB-4": date(2021, 7, 1)}


def test_a_folder_gives_documents_with_a_byte_order_mark_and_no_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "bom.md").write_text(document("KB-1", "2020-07-01"), encoding="utf-8-sig")
    (tmp_path / "._bom.md").write_bytes(b"---")
    (tmp_path / "note.md").write_text("# A note")
    (tmp_path / "act.epub").touch()
    (tmp_path / "act.json").touch()
    assert [path.name for path in corpus_files([tmp_path])] == ["act.epub", "bom.md"]
    assert [path.name for path in left_out([tmp_path])] == ["note.md"]


def test_what_is_no_file_is_refused_by_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "link.epub").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CorpusRejected, match="it is neither a file nor a folder"):
        corpus_files([tmp_path / "pipe.jsonl"])
    with pytest.raises(CorpusRejected, match="the link leads nowhere"):
        corpus_files([tmp_path / "link.epub"])


def test_a_name_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"latin\xe9.html")
    path.touch()
    with pytest.raises(CorpusRejected, match="the file's name is not UTF-8; rename it"):
        corpus_files([tmp_path])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"title": "Harbour " * 60 + "Act 1999"}, "its title has 488 characters; at most 400"),
        ({"dated": date(9999, 12, 31)}, "it is dated 9999-12-31; days from 1600-01-01 to 2199-12-31 are read"),
    ],
)
def test_an_act_that_cannot_be_kept_is_refused(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    path = tmp_path / "act.epub"
    path.write_bytes(
        packed(e.Volume(body=[e.section("1-1", "Dues", [e.subsection("(1)", "Dues are due.")])]), **changes)
    )
    with pytest.raises(CorpusRejected, match=problem):
        read_source(path, None, None)


@pytest.mark.parametrize(
    ("lie", "problem"),
    [
        ({"sha256": "0" * 64}, "it is of another file than act.epub; fetch that again, or take this file away"),
        ({"ends": date(2019, 7, 1)}, "act.epub would end before it began"),
    ],
)
def test_what_is_kept_beside_a_fetched_file_must_be_of_that_file(
    tmp_path: Path, lie: dict[str, Any], problem: str
) -> None:
    content = packed(e.Volume(body=[e.section("1-1", "Dues", [e.subsection("(1)", "Dues are due.")])]))
    said: dict[str, Any] = {
        "sha256": hashlib.sha256(content).hexdigest(), "file_name": "act.epub", "title_id": "C1999A00038",
        "title": "Harbour Dues and Ferries Act 1999", "register_id": "C2020C00001", "compilation_number": "12",
        "starts": date(2020, 7, 1), "ends": None, "checked_on": date(2024, 1, 1), "source_uri": "",
        "size_bytes": len(content), "fetched_at": datetime(2024, 1, 1, tzinfo=UTC),
    }  # fmt: skip
    path = tmp_path / "act.epub"
    path.write_bytes(content)
    path.with_suffix(".json").write_text(Fetched(**said).as_json())
    assert len(read_source(path, None, None)) == 1
    path.with_suffix(".json").write_text(Fetched(**{**said, **lie}).as_json())
    with pytest.raises(CorpusRejected, match=problem):
        read_source(path, None, None)
