"""Files into the database: whole or not at all, in any order, and nothing when nothing changed."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connections, transaction

from research.corpus import index_settings, models
from research.corpus.ingest.read import CorpusRejected
from research.corpus.ingest.split import embedded_text
from research.corpus.ingest.store import OWNER, Loader
from research.corpus.tests.records import record, write
from research.law.identity import text_sha256
from research.retrieval.time_filter import day_number

DAY = timedelta(days=1)
Y10, Y12, Y14 = date(2010, 7, 1), date(2012, 7, 1), date(2014, 7, 1)
RATE = "(1) The fee is {} for each ring.\n(2) A *keeper pays it."
DICTIONARY = "(1) In this Act:\n\nkeeper means a person who keeps a bell.\n\nrope means a line."


def rows(query: str, *parameters: Any) -> list[tuple[Any, ...]]:
    with connections[OWNER].cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall())


def bell_2010(**more: Any) -> list[dict[str, Any]]:
    return [
        record("1-1", "(1) A *keeper may ring the bell.\nNote: By day."),
        record("1-2", RATE.format("$3"), title="Fee"),
        record("1-3", "A bell that is cracked is exempt."),
        record("9-1", DICTIONARY, title="Definitions", kind="definition"),
    ]


def bell_2012() -> list[dict[str, Any]]:
    return [
        record("1-1", "(1) A *keeper may ring the bell.\nNote: By day.", dated="2012-07-01"),
        record("1-2", RATE.format("$4"), title="Fee", dated="2012-07-01"),
        record("1-4", "A bell under repair is exempt.", dated="2012-07-01"),
        record("9-1", DICTIONARY, title="Definitions", kind="definition", dated="2012-07-01"),
    ]


def bell_2014() -> list[dict[str, Any]]:
    return [
        record("1-1", "(1) A *keeper may ring the bell.\nNote: By day.", dated="2014-07-01"),
        record("1-2", RATE.format("$3"), title="Fee", dated="2014-07-01"),
        record("1-4", "A bell under repair is exempt.", dated="2014-07-01"),
    ]


def versions() -> list[tuple[str, str, date, date, date | None, date | None, str]]:
    """What is known now of the versions of the test Act."""
    found = models.VersionDates.objects.using(OWNER).filter(provision__instrument="BELL01")
    return [
        (d.provision.section, d.version.words.text.split("\n")[0][:24], d.certain.lower, d.certain.upper,
         d.possible.lower, d.possible.upper, d.dating)
        for d in found.extra(where=["upper_inf(recorded)"])
        .select_related("provision", "version__words").order_by("provision__sort_key", "certain")
    ]  # fmt: skip


def everything() -> dict[str, str]:
    """A digest of what is known now of the test Act, with nothing in it that a sequence or a clock made."""
    queries = {
        "versions": """SELECT v.id, v.provision_id, v.words_id, v.path, w.heading, w.kind, w.text, w.term_spans,
                       d.certain, d.possible, d.dating, d.basis_from, d.basis_to, m.dated
                       FROM corpus_provisionversion v JOIN corpus_words w ON w.id = v.words_id
                       JOIN corpus_versiondates d ON d.version_id = v.id AND upper_inf(d.recorded)
                       JOIN corpus_provision p ON p.id = v.provision_id
                       JOIN corpus_compilation m ON m.id = d.compilation_id WHERE p.instrument_id = 'BELL01'""",
        "chunks": """SELECT c.* FROM corpus_chunk c JOIN corpus_provisionversion v ON v.id = c.version_id
                     JOIN corpus_provision p ON p.id = v.provision_id
                     WHERE p.instrument_id = 'BELL01' AND c.from_day < c.to_day""",
        "postings": """SELECT t.lexeme, k.chunk_id, k.from_day, k.to_day, k.impact FROM corpus_posting k
                       JOIN corpus_term t ON t.id = k.term_id JOIN corpus_chunk c ON c.id = k.chunk_id
                       JOIN corpus_provisionversion v ON v.id = c.version_id
                       JOIN corpus_provision p ON p.id = v.provision_id
                       WHERE p.instrument_id = 'BELL01' AND k.from_day < k.to_day""",
        "readings": """SELECT p.document_id, m.dated, r.position, r.path, r.words_id FROM corpus_reading r
                       JOIN corpus_provision p ON p.id = r.provision_id
                       JOIN corpus_compilation m ON m.id = r.compilation_id WHERE p.instrument_id = 'BELL01'""",
        "state": "SELECT corpus_sha256, settings FROM corpus_indexstate WHERE upper_inf(recorded)",
    }
    return {
        name: hashlib.sha256(repr(sorted(map(repr, rows(query)))).encode()).hexdigest()
        for name, query in queries.items()
    }


def test_two_compilations_become_dated_versions(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()))
    (report,) = loader.import_file(write(tmp_path / "b.jsonl.gz", *bell_2012()))
    assert (report.versions_new, report.versions_unchanged, report.versions_gone) == (2, 0, 0)
    assert versions() == [
        ("1-1", "(1) A keeper may ring th", Y10, Y12 + DAY, None, None, "inferred"),
        ("1-2", "(1) The fee is $3 for ea", Y10, Y10 + DAY, None, Y12, "unknown"),
        ("1-2", "(1) The fee is $4 for ea", Y12, Y12 + DAY, Y10 + DAY, None, "unknown"),
        ("1-3", "A bell that is cracked i", Y10, Y10 + DAY, None, Y12, "unknown"),
        ("1-4", "A bell under repair is e", Y12, Y12 + DAY, Y10 + DAY, None, "unknown"),
        ("9-1", "(1) In this Act:", Y10, Y12 + DAY, None, None, "inferred"),
    ]


def test_the_order_of_loading_changes_nothing(tmp_path: Path) -> None:
    # A term of two words that only the first compilation defines, in words that went from A to B and back to A.
    defined = record("9-2", "ringing day means a day.\n\nbell day means another.", kind="definition")
    marked, changed = "It rings on the *ringing day.", "It rings on the *ringing day alone."
    files = [
        write(tmp_path / "a.jsonl", *bell_2010(), record("1-9", marked), defined),
        write(tmp_path / "b.jsonl", *bell_2012(), record("1-9", changed, dated="2012-07-01")),
        write(tmp_path / "c.jsonl", *bell_2014(), record("1-9", marked, dated="2014-07-01")),
    ]
    found = []
    for order in permutations(files):
        with transaction.atomic(using=OWNER):
            loader = Loader(lambda texts: [len(text.split()) for text in texts])
            for path in order:
                loader.import_file(path)
            found.append(everything())
            assert [v[:4] for v in versions() if v[0] == "1-2"] == [
                ("1-2", "(1) The fee is $3 for ea", Y10, Y10 + DAY),
                ("1-2", "(1) The fee is $4 for ea", Y12, Y12 + DAY),
                ("1-2", "(1) The fee is $3 for ea", Y14, Y14 + DAY),
            ]
            transaction.set_rollback(True, using=OWNER)
    assert all(each == found[0] for each in found)


def test_a_second_import_of_the_same_changes_nothing(loader: Loader, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", *bell_2010(), *bell_2012())
    loader.import_file(path)
    stamps = "SELECT xmin::text, id FROM corpus_provisionversion UNION ALL SELECT xmin::text, id FROM corpus_chunk"
    before, marks = everything(), sorted(rows(stamps))
    reports = Loader(loader.count_tokens).import_file(path)
    assert [report.state for report in reports] == ["unchanged", "unchanged"]
    assert everything() == before
    assert sorted(rows(stamps)) == marks  # not even written again


def test_a_corrected_file_replaces_what_it_said_before(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()))
    corrected = [record("1-1", "(1) A *keeper must ring the bell."), record("1-2", RATE.format("$3"), title="Fee")]
    (report,) = Loader(loader.count_tokens).import_file(write(tmp_path / "a.jsonl", *corrected))
    assert (report.versions_new, report.versions_unchanged, report.versions_gone) == (1, 1, 3)
    assert [v[:2] for v in versions()] == [("1-1", "(1) A keeper must ring t"), ("1-2", "(1) The fee is $3 for ea")]
    orphans = (
        "SELECT count(*) FROM corpus_posting k WHERE NOT EXISTS (SELECT FROM corpus_chunk c WHERE c.id = k.chunk_id)"
    )
    assert rows(orphans) == [(0,)]


def test_nothing_of_a_file_with_one_bad_record_is_loaded(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()))
    before = everything()
    bad = [*bell_2012()[:3], record("9-1", DICTIONARY, kind="poem", dated="2012-07-01")]
    with pytest.raises(CorpusRejected, match=r"b\.jsonl, line 4: metadata\.kind is 'poem'"):
        loader.import_file(write(tmp_path / "b.jsonl", *bad))
    assert everything() == before


def test_a_failure_after_the_first_compilation_of_a_file_undoes_it(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()))
    before = everything()
    clash = record("1-1", short="BELL02", dated="2012-07-01", documentId="bell01/7-7")
    with pytest.raises(CorpusRejected, match=r"BELL02 comes as bell01/…, but BELL01 has bell01/… here"):
        loader.import_file(write(tmp_path / "b.jsonl", *bell_2012(), clash))
    assert everything() == before
    assert rows("SELECT count(*) FROM corpus_instrument WHERE code = 'BELL02'") == [(0,)]


def test_one_compilation_in_two_files_is_refused(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()[:2]))
    with pytest.raises(CorpusRejected, match=r"BELL01 at 2010-07-01 was in .*a\.jsonl already; give it once"):
        loader.import_file(write(tmp_path / "b.jsonl", *bell_2010()[2:]))


def test_chunks_are_slices_of_their_version_with_its_days(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010(), *bell_2012()))
    chunks = list(models.Chunk.objects.using(OWNER).filter(version__provision__instrument="BELL01"))
    assert len(chunks) == 11
    for chunk in chunks:
        text, dates = chunk.version.words.text, chunk.version.dates.get()
        assert text[chunk.offset_chars : chunk.offset_chars + len(chunk.text)] == chunk.text
        assert chunk.from_day == day_number(dates.certain.lower)
        assert chunk.to_day == day_number(dates.certain.upper)
        assert chunk.input_sha256 == text_sha256(embedded_text(chunk.context, chunk.text))


def test_postings_hold_bm25_impacts_with_a_fixed_pivot(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", record("1-3", "A cracked bell, a bell.", title="Cracked")))
    found = dict(
        rows(
            "SELECT t.lexeme, k.impact FROM corpus_posting k JOIN corpus_term t ON t.id = k.term_id "
            "JOIN corpus_chunk c ON c.id = k.chunk_id JOIN corpus_provisionversion v ON v.id = c.version_id "
            "JOIN corpus_provision p ON p.id = v.provision_id WHERE p.instrument_id = 'BELL01'"
        )
    )
    # "section 1-3 Cracked", "Ringing", "A cracked bell, a bell.": the Act's own title is left out.
    length = sum({"section": 1, "1": 1, "-3": 1, "crack": 2, "ring": 1, "bell": 2}.values())
    k1, b, pivot = index_settings.K1, index_settings.B, index_settings.PIVOT_LENGTH

    def impact(tf: int) -> float:
        return tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / pivot))

    assert found["bell"] == pytest.approx(impact(2), rel=1e-5)
    assert found["crack"] == pytest.approx(impact(2), rel=1e-5)
    assert found["ring"] == pytest.approx(impact(1), rel=1e-5)
    assert "keeper" not in found
    assert found["§1-3"] == pytest.approx(impact(3), rel=1e-5)


def test_another_text_moves_no_impact(loader: Loader, tmp_path: Path) -> None:
    impacts = (
        "SELECT t.lexeme, k.chunk_id, k.impact FROM corpus_posting k JOIN corpus_term t ON t.id = k.term_id "
        "JOIN corpus_chunk c ON c.id = k.chunk_id WHERE c.text LIKE '%%cracked%%'"
    )
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()))
    before = sorted(rows(impacts))
    loader.import_file(write(tmp_path / "b.jsonl", record("1-1", "A gong. " * 300, short="GONG02")))
    assert before and sorted(rows(impacts)) == before


def test_a_defined_term_is_found_where_it_is_defined_and_where_it_is_used(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()))
    found = rows(
        "SELECT p.section, c.defined_term FROM corpus_posting k JOIN corpus_term t ON t.id = k.term_id "
        "JOIN corpus_chunk c ON c.id = k.chunk_id JOIN corpus_provisionversion v ON v.id = c.version_id "
        "JOIN corpus_provision p ON p.id = v.provision_id WHERE t.lexeme = '=keeper' AND p.instrument_id = 'BELL01'"
    )
    assert sorted(found) == [("1-1", ""), ("1-2", ""), ("9-1", "keeper")]


def test_a_placeholder_is_kept_to_be_shown_and_is_in_no_index(loader: Loader, tmp_path: Path) -> None:
    lost = record("1-5", "[Chart not carried.]", kind="table-of-sections-omitted")
    loader.import_file(write(tmp_path / "a.jsonl", record("1-1"), lost))
    chunk = models.Chunk.objects.using(OWNER).get(version__provision__document_id="bell01/1-5")
    assert (chunk.role, chunk.text) == ("omitted", "[Chart not carried.]")
    assert rows("SELECT count(*) FROM corpus_posting WHERE chunk_id = %s", chunk.id) == [(0,)]


def test_an_act_that_is_renamed_is_cut_again_under_its_new_name(loader: Loader, tmp_path: Path) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", record("1-1")))
    renamed = record("1-1", dated="2012-07-01", framework="Bells (Fictional) Act 2001")
    loader.import_file(write(tmp_path / "b.jsonl", renamed))
    contexts = models.Chunk.objects.using(OWNER).filter(version__provision__instrument="BELL01")
    assert [chunk.context.split(" section")[0] for chunk in contexts] == ["Bells (Fictional) Act 2001"]


def test_other_index_settings_have_everything_cut_again(
    loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loader.import_file(write(tmp_path / "a.jsonl", *bell_2010()))
    before = everything()
    assert loader.rebuild() == 0
    monkeypatch.setattr(index_settings, "SPLITTER", "another-splitter")
    assert loader.rebuild() >= 8
    after = everything()
    assert after["chunks"] == before["chunks"]
    assert after["state"] != before["state"]


def test_the_app_role_can_read_the_law_and_not_write_it(tmp_path: Path) -> None:
    before = models.Instrument.objects.count()
    with pytest.raises(DatabaseError, match="permission denied"):
        Loader(lambda texts: [len(text.split()) for text in texts], using="default").import_file(
            write(tmp_path / "a.jsonl", *bell_2010())
        )
    assert models.Instrument.objects.count() == before
