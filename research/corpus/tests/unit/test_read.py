"""Files of law: what is read, and how each fault is named by file, line and field."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from research.corpus.ingest import read
from research.corpus.ingest.read import CorpusRejected, read_compilations
from research.corpus.ingest.sources import corpus_files
from research.corpus.tests.records import record, write

NO_METADATA = {key: value for key, value in record().items() if key != "metadata"}

BAD_FIELDS = [
    ({"schemaVersion": 2}, "schemaVersion is 2; give 1"),
    ({"schemaVersion": True}, "schemaVersion is True; give 1"),
    ({"documentId": "no slash"}, "documentId is 'no slash'"),
    ({"documentId": 7}, "documentId is 7"),
    ({"corpusVersion": "1 July 2010"}, "corpusVersion is '1 July 2010'; give the compilation date as YYYY-MM-DD"),
    ({"corpusVersion": "2010-02-30"}, "corpusVersion is '2010-02-30'"),
    ({"compilationDate": "2011-07-01"}, "metadata.compilationDate is '2011-07-01'; give 2010-07-01"),
    ({"actShort": "bell act"}, "metadata.actShort is 'bell act'"),
    ({"framework": ""}, "framework is ''; give words, not blank"),
    ({"compilationNumber": 1.5}, "metadata.compilationNumber is 1.5"),
    ({"registerId": 5}, "metadata.registerId is 5"),
    ({"licence": None}, "metadata.licence is missing or null"),
    ({"section": "x" * 81}, "metadata.section is 81 characters; give at most 80"),
    ({"path": "Part 1"}, "metadata.path is 'Part 1'; give a list of headings"),
    ({"path": ["Part 1", 2]}, "metadata.path is"),
    ({"title": "Two\nlines"}, "title is"),
    ({"kind": "poem"}, "metadata.kind is 'poem'; give one of operative, guide, definition"),
    ({"text": "  \n "}, "text is"),
    ({"text": None}, "text is missing or null"),
    ({"text": "a\x00b"}, "control character '\\x00'"),
    ({"text": "a\ud800b"}, "control character"),
]


@pytest.mark.parametrize(("changes", "problem"), BAD_FIELDS, ids=[problem for _, problem in BAD_FIELDS])
def test_a_bad_field_is_named_with_file_line_and_what_is_wanted(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    path = tmp_path / "bell.jsonl"
    path.write_text(json.dumps(record("1-1")) + "\n" + json.dumps(record("1-2", **changes)) + "\n")
    with pytest.raises(CorpusRejected) as refusal:
        read_compilations(path)
    assert refusal.value.line == 2
    assert f"{path}, line 2: " in str(refusal.value)
    assert problem in str(refusal.value)
    assert "Nothing of this file was loaded" in str(refusal.value)


BAD_BYTES = [
    (b"{not json}\n", 1, "is not JSON"),
    (b"[1, 2]\n", 1, "the record is [1, 2]; give a JSON object"),
    (b"\n\n" + b'{"a": "\xff"}\n', 3, "byte 8 is not UTF-8"),
    (json.dumps(NO_METADATA).encode(), 1, "metadata is missing or null"),
    (b'{"schemaVersion": NaN}\n', 1, "NaN is no JSON value"),
    (b"[" * 200_000, 1, "is not JSON"),
    (b"", None, "the file holds no record"),
]


@pytest.mark.parametrize(("content", "line", "problem"), BAD_BYTES, ids=[row[2] for row in BAD_BYTES])
def test_what_is_no_record_is_refused(tmp_path: Path, content: bytes, line: int | None, problem: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(CorpusRejected) as refusal:
        read_compilations(path)
    assert refusal.value.line == line
    assert problem in str(refusal.value)


def test_a_gzip_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress("".join(json.dumps(record(f"1-{n}")) + "\n" for n in range(1, 400)).encode())
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorpusRejected, match="gzip data is cut short or damaged"):
        read_compilations(path)


def test_a_gzip_with_a_flipped_byte_is_refused(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress("".join(json.dumps(record(f"1-{n}")) + "\n" for n in range(1, 400)).encode()))
    whole[-6] ^= 0xFF  # in the checksum
    path = tmp_path / "flipped.jsonl.gz"
    path.write_bytes(bytes(whole))
    with pytest.raises(CorpusRejected, match="damaged"):
        read_compilations(path)


def test_a_plain_file_named_gz_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl.gz"
    path.write_text(json.dumps(record()))
    with pytest.raises(CorpusRejected, match="not gzip'd"):
        read_compilations(path)


def test_a_line_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "MAX_LINE_BYTES", 1000)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b"x" * 5_000_000))
    with pytest.raises(CorpusRejected, match="too long"):
        read_compilations(path)


def test_the_same_document_twice_in_one_compilation_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "twice.jsonl", record("1-1"), record("1-2"), record("1-1"))
    with pytest.raises(CorpusRejected, match="'bell01/1-1' at 2010-07-01 is already on line 1") as refusal:
        read_compilations(path)
    assert refusal.value.line == 3


def test_two_titles_in_one_compilation_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "mixed.jsonl", record("1-1"), record("1-2", framework="Another Act 1999"))
    with pytest.raises(CorpusRejected, match="instrument_title is 'Another Act 1999'"):
        read_compilations(path)


def test_a_file_may_hold_several_compilations(tmp_path: Path) -> None:
    path = write(tmp_path / "two.jsonl.gz", record("1-1"), record("1-1", dated="2012-07-01"), record("1-2"))
    found = [(c.instrument, c.dated.isoformat(), len(c.records)) for c in read_compilations(path)]
    assert found == [("BELL01", "2010-07-01", 2), ("BELL01", "2012-07-01", 1)]


def test_an_act_without_a_short_code_goes_by_its_document_ids(tmp_path: Path) -> None:
    path = write(tmp_path / "long.jsonl", record(actShort=None, documentId="bell-keepers-act-2001/1-1"))
    assert read_compilations(path)[0].instrument == "bell-keepers-act-2001"


def test_gzip_and_plain_of_the_same_lines_have_one_content_hash(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.jsonl", record("1-1"), record("1-2"))
    packed = write(tmp_path / "a.jsonl.gz", record("1-1"), record("1-2"))
    other = write(tmp_path / "b.jsonl", record("1-2"), record("1-1"))
    digests = [read_compilations(path)[0].sha256 for path in (plain, packed, other)]
    assert digests[0] == digests[1] != digests[2]


def test_a_folder_stands_for_the_law_files_in_it_and_not_below(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", record())
    write(tmp_path / "a.jsonl.gz", record())
    (tmp_path / "MANIFEST.json").write_text("{}")
    (tmp_path / "below").mkdir()
    write(tmp_path / "below" / "c.jsonl", record())
    assert [path.name for path in corpus_files([tmp_path, tmp_path / "b.jsonl"])] == ["a.jsonl.gz", "b.jsonl"]


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusRejected, match="no such file or folder"):
        corpus_files([tmp_path / "nowhere"])
    with pytest.raises(CorpusRejected, match=r"holds no file that is read"):
        corpus_files([tmp_path])


def test_a_byte_order_mark_before_the_first_record_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "bell.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(record()).encode() + b"\n")
    assert len(read_compilations(path)[0].records) == 1


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bell.jsonl"
    path.write_text(json.dumps(record()).replace('"text"', '"text": "Other words.", "text"'))
    with pytest.raises(CorpusRejected, match=r"line 1: the line is not JSON \('text' stands twice in one object\)"):
        read_compilations(path)


def test_a_message_stands_on_one_line_whatever_the_name_of_the_file() -> None:
    refused = CorpusRejected(Path("a\nb\u202ec\udce9.html"), None, "it holds \x1b[31m")
    assert str(refused) == r"a\nb\u202ec\udce9.html: it holds \x1b[31m. Nothing of this file was loaded."
