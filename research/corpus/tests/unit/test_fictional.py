"""The Act that the repository ships: fictional and labelled so, and with every kind of change it promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.adapters.embedders.wordpiece import count_tokens
from research.corpus.ingest.examples import examples
from research.corpus.ingest.read import read_compilations
from research.corpus.ingest.record import Record
from research.corpus.ingest.sources import corpus_files
from research.corpus.ingest.split import MAX_TOKENS, Source, split
from research.corpus.ingest.words import strip_asterisks, wording_sha256

FOLDER = Path(__file__).resolve().parents[2] / "fictional"


def readings() -> tuple[dict[str, Record], dict[str, Record]]:
    found = [compilation for path in corpus_files([FOLDER]) for compilation in read_compilations(path)]
    assert [c.dated.isoformat() for c in found] == ["2018-07-01", "2022-07-01"]
    before, after = ({r.document_id: r for r in c.records} for c in found)
    return before, after


def wording(record: Record) -> str:
    return wording_sha256(record.heading, record.kind, strip_asterisks(record.text).text)


def test_it_says_everywhere_that_it_is_fictional() -> None:
    for record in [*readings()[0].values(), *readings()[1].values()]:
        assert "(Fictional)" in record.instrument_title
        assert record.register_id.startswith("FICTIONAL-")
        assert record.source_uri == ""
        assert record.licence == "AGPL-3.0-only"
        assert "legislation.gov.au" not in record.text


def test_between_its_compilations_sections_were_amended_inserted_repealed_and_left_alone() -> None:
    before, after = readings()
    both = before.keys() & after.keys()
    amended = {document for document in both if wording(before[document]) != wording(after[document])}
    assert amended == {
        f"hdfa99/{section}"
        for section in ("3-10", "3-35", "4-10", "5-20", "6-1", "12-15", "12-25", "15-10", "20-1", "sch1/1-5")
    }
    assert after.keys() - before.keys() == {"hdfa99/3-20", "hdfa99/3-40", "hdfa99/5-35", "hdfa99/6-10"}
    assert before.keys() - after.keys() == {"hdfa99/3-25", "hdfa99/15-15"}
    assert len(both - amended) == 28


@pytest.mark.parametrize("kind", ["operative", "guide", "definition", "table-of-sections-omitted"])
def test_it_has_every_kind_of_section(kind: str) -> None:
    assert any(record.kind == kind for record in readings()[0].values())


def test_its_chunks_fit_the_default_embedder() -> None:
    for record in [*readings()[0].values(), *readings()[1].values()]:
        wording = strip_asterisks(record.text)
        source = Source(
            record.instrument_title, record.schedule, record.section, record.heading, record.path, record.kind,
            wording.text, wording.spans,
        )  # fmt: skip
        assert all(piece.token_count <= MAX_TOKENS for piece in split(source, count_tokens))


def test_the_example_questions_are_for_it_and_for_real_acts() -> None:
    needed = {example.needs for example in examples()}
    assert "HDFA99" in needed and "ITAA97" in needed
    assert all(2000 <= example.year <= 2030 and example.question.endswith("?") for example in examples())
