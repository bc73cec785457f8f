"""`manage.py corpus` from outside: what it prints, its exit codes, and what the worker does with what is pending.

These commit, as a user's run does: the fictional Act stays loaded, as other tests want it; the invented one goes again.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connections

from research import composition, tasks
from research.corpus import models
from research.corpus.ingest import embed, examples, store
from research.corpus.ingest.store import OWNER
from research.corpus.tests.forget import forget
from research.corpus.tests.records import record, write

FICTIONAL = settings.BASE_DIR / "research" / "corpus" / "fictional"


def run(*arguments: str | Path) -> tuple[int, dict[str, Any], str]:
    """Exit code, what was printed as JSON, and what went to stderr."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("corpus", *map(str, arguments), "--json", stdout=out, stderr=err)
        code = 0
    except SystemExit as ending:
        code = int(ending.code or 0)
    except CommandError as error:
        return error.returncode, {}, str(error)
    return code, json.loads(out.getvalue()), err.getvalue()


@pytest.fixture
def fictional() -> None:
    assert run("import", FICTIONAL, "--no-embed")[0] == 0


@pytest.fixture
def no_bell_act() -> Iterator[None]:
    yield
    forget("BELL01")


def test_importing_twice_changes_nothing_the_second_time(fictional: None) -> None:
    code, told, _ = run("import", FICTIONAL, "--no-embed")
    assert code == 0
    assert [(c["instrument"], c["compilation"], c["state"]) for c in told["compilations"]] == [
        ("HDFA99", "2018-07-01", "unchanged"),
        ("HDFA99", "2022-07-01", "unchanged"),
    ]
    assert told["seconds"] < 5


def test_what_is_loaded_is_what_the_index_says_it_was_built_from(fictional: None) -> None:
    _, told, _ = run("status")
    held = {(c["instrument"], c["compilation"]): c["provisions"] for c in told["compilations"]}
    assert held[("HDFA99", "2018-07-01")] == 40
    assert held[("HDFA99", "2022-07-01")] == 42
    assert [problem for problem in told["problems"] if "Vectors" not in problem] == []


def test_a_bad_file_is_refused_and_the_others_are_loaded(tmp_path: Path, no_bell_act: None) -> None:
    write(tmp_path / "a.jsonl", record("1-1"), record("1-2", kind="poem"))
    write(tmp_path / "b.jsonl", record("1-1", dated="2012-07-01"))
    code, told, err = run("import", tmp_path, "--no-embed")
    assert code == 1
    wanted = "one of operative, guide, definition, table-of-sections-omitted. Nothing of this file was loaded."
    assert told["refused"] == [f"{tmp_path / 'a.jsonl'}, line 2: metadata.kind is 'poem'; give {wanted}"]
    assert told["refused"][0] in err
    assert [(c["instrument"], c["compilation"]) for c in told["compilations"]] == [("BELL01", "2012-07-01")]
    assert [str(c.dated) for c in models.Compilation.objects.filter(instrument="BELL01")] == ["2012-07-01"]


def test_a_path_that_is_not_there_is_exit_1_and_no_verb_is_exit_2(tmp_path: Path) -> None:
    code, _, err = run("import", tmp_path / "nowhere")
    assert (code, "no such file or folder" in err) == (1, True)
    with pytest.raises(CommandError):
        call_command("corpus")


def test_importing_without_the_owner_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {name: value for name, value in connections.settings.items() if name != OWNER}
    monkeypatch.setattr(connections, "settings", without)
    code, _, err = run("import", FICTIONAL)
    assert (code, err) == (2, "The law is written as its owner: set DATABASE_URL.")


def test_embedding_makes_search_hybrid_and_says_so(fictional: None, phrase_vectors: None) -> None:
    code, told, _ = run("embed")
    assert (code, told["complete"]) == (0, True)
    assert told["embedder"] == "minilm-l6-v2-int8@8199be6f699a"
    code, told, _ = run("status")
    assert (code, told["mode"], told["problems"]) == (0, "hybrid", [])
    assert told["vectors"] == told["chunks"] > 100
    assert run("embed")[1]["computed"] == 0


def test_the_worker_embeds_what_an_import_left_pending_slice_by_slice(
    fictional: None, tmp_path: Path, no_bell_act: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("embed")
    sections = [record(f"1-{n}", f"(1) Bell {n} hangs in tower {n * 7}.") for n in range(1, 30)]
    assert run("import", write(tmp_path / "a.jsonl", *sections), "--no-embed")[0] == 0
    assert run("status")[0] == 3
    composition.redis_client().delete(tasks.EMBED_CHAIN)
    monkeypatch.setattr(embed, "BATCH", 10)
    monkeypatch.setattr(tasks, "EMBED_SLICE_S", 1e-4)  # one batch a slice
    enqueued: list[tuple[str, ...]] = []
    monkeypatch.setattr(tasks.embed_pending, "apply_async", lambda args=(), **_: enqueued.append(args))
    tasks.embed_pending()
    assert len(enqueued) == 1 and run("status")[1]["mode"] == "lexical"
    tasks.embed_pending()  # beat comes by while the chain is alive: nothing is started twice
    assert len(enqueued) == 1
    slices = 1
    while enqueued:
        tasks.embed_pending(*enqueued.pop())
        slices += 1
        assert slices < 10
    assert slices >= 3
    assert run("status")[1]["mode"] == "hybrid"
    assert composition.redis_client().get(tasks.EMBED_CHAIN) is None
    composition.redis_client().set(tasks.EMBED_CHAIN, "another", ex=5)
    tasks.embed_pending("left over")  # the last slice of a chain that was given up ends no other
    assert composition.redis_client().getdel(tasks.EMBED_CHAIN) == b"another"


def test_only_questions_that_are_answered_are_offered(fictional: None) -> None:
    offered = [("What is the rate of harbour dues?", 2019), ("Who must pay harbour dues?", 2022)]
    before = list(models.VerifiedExample.objects.order_by("id"))
    asked: list[tuple[str, int]] = []

    def ask(question: str, year: int) -> bool:
        asked.append((question, year))
        return (question, year) in offered

    try:
        kept, of = examples.verify_examples(ask, "snapshot")
        assert kept == 2 and of == len(asked) >= 8
        assert [(e.question, e.year) for e in models.VerifiedExample.objects.order_by("id")] == offered
        held = set(models.Instrument.objects.values_list("code", flat=True))
        needs = {(e.question, e.year): e.needs for e in examples.examples()}
        assert {needs[pair] for pair in asked} <= held  # a question about an Act that is not loaded is not even asked
    finally:
        models.VerifiedExample.objects.all().delete()
        models.VerifiedExample.objects.bulk_create(
            models.VerifiedExample(question=e.question, year=e.year, snapshot_id=e.snapshot_id) for e in before
        )


def test_an_import_offers_questions_about_the_fictional_act(fictional: None) -> None:
    models.VerifiedExample.objects.all().delete()
    assert run("import", FICTIONAL, "--no-embed")[0] == 0
    found = [e.question for e in models.VerifiedExample.objects.all()]
    assert "Can a harbour pilot deduct travel between ports?" in found


def test_what_a_folder_holds_beside_law_is_left_out_and_said(tmp_path: Path, no_bell_act: None) -> None:
    write(tmp_path / "a.jsonl", record("1-1"))
    write(tmp_path / ".hidden.jsonl", record("1-2"))
    for name in ("notes.txt", "readme.md", "page.pdf"):
        (tmp_path / name).write_text("Notes.")
    code, told, _ = run("import", tmp_path, "--no-embed")
    assert (code, len(told["compilations"])) == (0, 1)
    assert [Path(path).name for path in told["left_out"]] == ["notes.txt", "page.pdf", "readme.md"]


def test_a_file_that_the_reader_fails_on_does_not_keep_the_others_out(
    tmp_path: Path, no_bell_act: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.jsonl", record("1-1"))
    write(tmp_path / "b.jsonl", record("1-1", dated="2012-07-01"))
    read = store.read_source

    def failing(path: Path, *more: Any) -> Any:
        return [][1] if path.name == "a.jsonl" else read(path, *more)

    monkeypatch.setattr(store, "read_source", failing)
    code, told, err = run("import", tmp_path, "--no-embed")
    assert (code, [c["compilation"] for c in told["compilations"]]) == (1, ["2012-07-01"])
    assert "AsAt failed on it (IndexError); please report that. Nothing of this file was loaded." in err


@pytest.mark.parametrize("day", ["31/12/2020", "2999-01-01"])
def test_a_day_of_saving_that_cannot_be_is_wrong_use(day: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--saved-on"):
        call_command("corpus", "import", str(tmp_path), "--saved-on", day)


def test_a_database_of_another_version_says_what_to_run(
    tmp_path: Path, no_bell_act: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def behind(*_: Any) -> Any:
        raise ProgrammingError('column "x" does not exist')

    monkeypatch.setattr(store, "read_source", behind)
    code, _, err = run("import", write(tmp_path / "a.jsonl", record("1-1")), "--no-embed")
    assert (code, err) == (2, "The database does not fit this version of AsAt; run: manage.py upgrade.")


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(settings, "ASAT_REGISTER_URL", "http://127.0.0.1:9/v1/")
    code, _, err = run("fetch", "ITAA97", "--as-at", "2020-07-01", "--folder", tmp_path / "file")
    assert code == 2
    assert err.startswith(f"--folder is {tmp_path / 'file'}, which cannot be written to (")
