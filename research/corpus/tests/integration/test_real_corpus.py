"""Real Acts, read at run time from the corpus beside the repository: no statute's text is kept in it.

Skipped, loudly, where that corpus is not there.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections, transaction

from research.adapters.embedders.wordpiece import count_tokens
from research.corpus import models
from research.corpus.ingest.outline import is_subheading
from research.corpus.ingest.read import read_compilations
from research.corpus.ingest.record import Record
from research.corpus.ingest.sources import corpus_files
from research.corpus.ingest.split import MAX_TOKENS, Piece, Source, split
from research.corpus.ingest.store import OWNER, CompilationReport, Loader
from research.corpus.ingest.words import entries, strip_asterisks, terms_by_first_word, terms_defined_in

CORPUS = Path(settings.BASE_DIR).parent / "shared" / "corpus"
ITAA97 = [CORPUS / "itaa97-2015-06-22.jsonl.gz", CORPUS / "itaa97-2024-01-01.jsonl.gz"]
EMBEDDER_READS = 256

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason=f"THE REAL ACTS WERE NOT TESTED: there is no corpus at {CORPUS}"
)


@dataclass(frozen=True)
class Cut:
    record: Record
    text: str
    pieces: list[Piece]


@pytest.fixture(scope="module")
def acts() -> list[Cut]:
    """Every section of every Act, cut as the import cuts it."""
    found = []
    for path in corpus_files([CORPUS]):
        for compilation in read_compilations(path):
            terms = terms_by_first_word(
                term for r in compilation.records for term in terms_defined_in(r.heading, r.kind, r.text)
            )
            for r in compilation.records:
                wording = strip_asterisks(r.text, terms)
                source = Source(
                    r.instrument_title, r.schedule, r.section, r.heading, r.path, r.kind, wording.text, wording.spans
                )
                found.append(Cut(r, wording.text, split(source, count_tokens)))
    return found


def test_all_sections_are_read(acts: list[Cut]) -> None:
    assert len(acts) == 11_101
    assert 35_000 < sum(len(cut.pieces) for cut in acts) < 60_000


def test_no_chunk_is_longer_than_the_embedder_reads(acts: list[Cut]) -> None:
    embedded = [piece.embedded for cut in acts for piece in cut.pieces]
    counted = [tokens + 2 for tokens in count_tokens(embedded)]
    assert counted == [piece.token_count for cut in acts for piece in cut.pieces]
    assert max(counted) <= MAX_TOKENS < EMBEDDER_READS


def test_chunks_are_literal_slices_that_cover_every_line(acts: list[Cut]) -> None:
    for cut in acts:
        at = 0
        for piece in cut.pieces:
            assert cut.text[piece.offset_chars : piece.offset_chars + len(piece.text)] == piece.text
            assert not cut.text[at : piece.offset_chars].strip(), cut.record.document_id
            at = piece.offset_chars + len(piece.text)
        assert not cut.text[at:].strip(), cut.record.document_id


def test_no_heading_stands_alone(acts: list[Cut]) -> None:
    for cut in acts:
        for piece, following in zip(cut.pieces, cut.pieces[1:], strict=False):
            if "\n" not in piece.text:
                assert not is_subheading(piece.text, following.text.split("\n", 1)[0]), (
                    cut.record.document_id,
                    piece.text,
                )


def test_no_asterisk_that_marks_a_term_is_left(acts: list[Cut]) -> None:
    marked = [cut.record.document_id for cut in acts if " *" in cut.text.replace(" * ", " ").replace(" ** ", " ")]
    assert marked == []


def test_each_definition_of_the_dictionary_is_a_chunk_of_its_own(acts: list[Cut]) -> None:
    (dictionary,) = [cut for cut in acts if cut.record.document_id == "itaa97/995-1"]
    parts = entries(dictionary.text)
    assert len(parts) > 1_500
    starts = {piece.offset_chars for piece in dictionary.pieces}
    alone = [start for start, _ in parts if start in starts]
    assert len(alone) >= len(parts) - 3  # two entries are parted from their terms by stray blank lines
    bounds = sorted(start for start, _ in parts)
    for piece in dictionary.pieces:
        inside = [start for start in bounds if piece.offset_chars < start < piece.offset_chars + len(piece.text)]
        assert not inside or dictionary.text[inside[0]] == "("
    terms = {piece.defined_term for piece in dictionary.pieces}
    assert {"business", "CGT asset", "depreciating asset", "capital gain", "small business entity"} <= terms
    assert len(terms) > 1_500


def test_notes_and_examples_are_marked(acts: list[Cut]) -> None:
    roles = Counter(piece.role.value for cut in acts for piece in cut.pieces)
    assert roles["note"] > 5_000 and roles["example"] > 700 and roles["omitted"] == 47
    for cut in acts:
        for piece in cut.pieces:
            if piece.text.startswith(("Note:", "Note 1:")):
                assert piece.role.value == "note", cut.record.document_id


@pytest.fixture(scope="module")
def itaa97() -> list[CompilationReport]:
    """Reports of both compilations of ITAA97, 2024 first, loaded and rolled back; versions are counted inside."""
    with transaction.atomic(using=OWNER):
        loader = Loader(count_tokens)
        reports = [report for path in reversed(ITAA97) for report in loader.import_file(path)]
        versions = models.VersionDates.objects.using(OWNER).filter(provision__instrument="ITAA97")
        versions = versions.extra(where=["upper_inf(recorded)"])
        counts = Counter(versions.values_list("provision_id", "certain"))
        assert max(counts.values()) == 1
        reports.append(CompilationReport("ITAA97", "counts", ""))
        held = list(versions.values_list("dating", "certain", "possible"))
        reports[-1].provisions = models.Provision.objects.using(OWNER).filter(instrument="ITAA97").count()
        reports[-1].versions_unchanged = sum(dating == "inferred" for dating, _, _ in held)
        reports[-1].versions_changed = len(held)
        started = time.monotonic()
        again = [r for path in ITAA97 for r in Loader(count_tokens).import_file(path)]
        reports[-1].seconds = time.monotonic() - started
        assert [report.state for report in again] == ["unchanged", "unchanged"]
        transaction.set_rollback(True, using=OWNER)
    connections[OWNER].close()
    return reports


def test_two_compilations_of_itaa97_share_the_wordings_that_did_not_change(itaa97: list[CompilationReport]) -> None:
    counts = itaa97[-1]
    in_both, only_2015, only_2024 = 2_129, 4_090 - 2_129, 2_368 - 2_129
    assert counts.provisions == in_both + only_2015 + only_2024
    identical = counts.versions_unchanged
    assert 1_500 <= identical <= 1_560
    # Every section in one compilation only has one version, every changed one has two.
    assert counts.versions_changed == only_2015 + only_2024 + identical + 2 * (in_both - identical)


def test_loading_itaa97_again_takes_under_a_second_for_ten_thousand_provisions(
    itaa97: list[CompilationReport],
) -> None:
    assert itaa97[-1].seconds * 10_000 / (4_090 + 2_368) < 1.0


def test_loading_itaa97_takes_well_under_a_minute(itaa97: list[CompilationReport]) -> None:
    assert sum(report.seconds for report in itaa97[:2]) < 60
