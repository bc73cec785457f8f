"""`evaluate`, `evaluate compare`, `evaluate-retrieval` on a real database: files, exit codes, what is looked up anew.

The lookups of `held.py` are tested by lying to them: a quote, a compilation, a day or an authority that is not so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import composition
from research.adapters.embedders.wordpiece import count_tokens
from research.corpus.ingest.embed import embed_pending
from research.corpus.ingest.sources import Own
from research.corpus.ingest.store import Loader
from research.corpus.models import Reading, VersionDates
from research.corpus.tests.forget import forget
from research.evaluation.asking import ask
from research.evaluation.cases import Authority, Case, cases_of
from research.evaluation.held import check_quotes, integrity
from research.law.identity import own_code
from research.models import AuditRow

pytestmark = pytest.mark.integration

CASES = """
- id: travel
  question: "What does section 5-10 of the HDFA99 say?"
  income_year: 2020
  expected: {behaviour: answer, gold: [{act: HDFA99, section: 5-10}]}
  tags: {topic: dues, kind: citation, words: statutory, split: tune}
- id: duty
  question: "How much stamp duty is payable on a house in Victoria?"
  income_year: 2020
  expected: {behaviour: abstain_out_of_scope}
  tags: {topic: scope, kind: out_of_scope, words: lay, split: test}
"""
YEAR = (date(2019, 7, 1), date(2020, 6, 30))


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.yaml"
    path.write_text(CASES)
    return path


def run(here: KnownPractice, command: str, *words: str) -> tuple[int, str]:
    """(exit code, what was printed)."""
    out = StringIO()
    try:
        call_command(command, *words, "--practice", here.practice.schema_name, stdout=out)
    except SystemExit as stopped:
        return int(str(stopped.code)), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def test_a_report_is_written_in_three_shapes_beside_the_results(
    here: KnownPractice, cases: Path, tmp_path: Path
) -> None:
    results, folder = tmp_path / "results.jsonl", tmp_path / "report"
    code, printed = run(
        here, "evaluate", str(cases), "--out", str(results), "--report", str(folder), "--json", "--workers", "2"
    )
    assert code == 0, printed
    counted = json.loads(printed)
    assert (counted["right"], counted["rightly_refused"], counted["integrity"]) == (1, 1, 1.0)
    assert [gate["passed"] for gate in counted["gates"]] == [True, True, True]
    assert [json.loads(line)["id"] for line in results.read_text().splitlines()] == ["travel", "duty"]
    assert (folder / "report.html").read_text().startswith("<!doctype html>")
    assert "# How AsAt answers cases.yaml" in (folder / "report.md").read_text()
    measures = json.loads((folder / "measures.json").read_text())
    assert measures["run"]["search"] == "hybrid"
    assert measures["answers_by_split"]["tune"]["shares"]["right, of the answerable"]["count"] == 1
    assert measures["retrieval"]["kind"]["citation"]["hit@1"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 1}
    with in_practice(here.practice):
        assert not AuditRow.objects.exists()


def test_one_split_is_measured_alone(here: KnownPractice, cases: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    assert run(here, "evaluate", str(cases), "--out", str(results), "--split", "test")[0] == 0
    assert [json.loads(line)["id"] for line in results.read_text().splitlines()] == ["duty"]
    assert run(here, "evaluate", str(cases), "--out", str(results), "--no-subject-index")[0] == 0
    code, said = run(here, "evaluate", str(cases), "--out", str(results), "--split", "dev")
    assert code == 2 and "'dev'" in said


def test_an_authority_that_is_not_served_fails_the_gate_and_the_results_are_kept(
    here: KnownPractice, cases: Path, tmp_path: Path
) -> None:
    cases.write_text(CASES.replace("section: 5-10}]}", "section: 5-10}, {act: HDFA99, section: 99-99}]}"))
    results = tmp_path / "results.jsonl"
    code, printed = run(here, "evaluate", str(cases), "--out", str(results))
    assert code == 1
    assert "FAILED: every authority resolves in the served corpus. 1 of 2 resolve; not there: HDFA99 99-99" in printed
    assert len(results.read_text().splitlines()) == 2


def test_a_ceiling_that_is_passed_fails_and_one_that_is_not_recorded_is_refused(
    here: KnownPractice, cases: Path, tmp_path: Path
) -> None:
    cases.write_text(CASES.replace("gold: [{act: HDFA99, section: 5-10}]", "gold: [{act: HDFA99, section: 1-1}]"))
    results, ceilings = tmp_path / "results.jsonl", tmp_path / "ceilings.yaml"
    command = ("evaluate", str(cases), "--out", str(results), "--ceiling", str(ceilings))
    for text, code, says in (
        ("all: {hybrid: 0.5}", 1, "1 of 1 answers, 1 of 2 cases; the ceiling is 50.00% of answers"),
        ("all: {hybrid: 1.0}", 0, "held: wrong authority stays below"),
        ("all: {lexical: 1.0}", 1, "It could not be measured: no ceiling from 0 to 1 stands under all: hybrid"),
        ("test: {hybrid: 1.0}", 2, "'all'"),
        ("all: [", 2, "ceilings.yaml"),
    ):
        ceilings.write_text(text)
        found, printed = run(here, *command)
        assert (found, says in printed) == (code, True), printed


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere.yaml", "--out", "x.jsonl"), "nowhere.yaml"),
        (("cases.yaml",), "--out"),
        (("compare", "a.jsonl"), "two results files"),
        (("cases.yaml", "--out", "x.jsonl", "--provider", "parrot"), "parrot"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_asked(
    here: KnownPractice, words: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = run(here, "evaluate", *words)
    assert code == 2 and says in said
    assert not list(tmp_path.iterdir())


def test_two_runs_are_compared(here: KnownPractice, cases: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    run(here, "evaluate", str(cases), "--out", str(first))
    silent = [json.loads(line) for line in first.read_text().splitlines()]
    silent[0] |= {"decision": "abstain_no_basis", "citations": []}
    second.write_text("".join(json.dumps(line) + "\n" for line in silent))
    compare = ("evaluate", "compare", str(second), str(first), "--cases", str(cases))
    code, printed = run(here, *compare, "--again", str(second))
    assert code == 0 and "2 cases: 1 fixed, 0 broken" in printed
    assert "fixed   travel: refused → right" in printed and "0 of 2 verdicts differ" in printed
    found = json.loads(run(here, *compare, "--json")[1])
    assert found["fixed"] == [{"id": "travel", "before": "refused", "after": "right"}]
    code, said = run(here, "evaluate", "compare", str(first), str(tmp_path / "none.jsonl"), "--cases", str(cases))
    assert code == 2 and "none.jsonl" in said


# What is looked up anew


def travel(here: KnownPractice) -> tuple[Case, dict[str, Any]]:
    (case, _) = cases_of(yaml.safe_load(CASES))
    answer = ask(here.practice, case)
    assert answer.result["decision"] == "answer" and answer.mode == "hybrid"
    assert answer.windows == (YEAR,) * len(answer.result["citations"])
    return case, answer.result


def test_a_quote_is_found_again_only_where_and_when_it_stands(here: KnownPractice) -> None:
    _, result = travel(here)
    citation = result["citations"][0]

    def found(days: tuple[date, date] = YEAR, **lies: Any) -> tuple[bool, bool]:
        with in_practice(here.practice):
            (one,) = check_quotes([{**result, "citations": [{**citation, **lies}]}], [(days,)])
        return one.stands, one.was_in_force

    assert found() == (True, True)
    assert found(quote=citation["quote"].replace(" ", "\u00a0\n")) == (True, True)  # white space is normalised
    assert found(quote=citation["quote"].upper()) == (False, False)
    assert found(quote=citation["quote"] + " or not") == (False, False)
    assert found(quote="") == (False, False)
    assert found(section="1-1") == (False, False)
    assert found(schedule="1") == (False, False)
    assert found(compilation_date="1901-01-01") == (False, False)
    assert found(days=(date(1950, 7, 1), date(1951, 6, 30))) == (True, False)


def test_integrity_says_what_is_missing_and_what_no_search_could_reach(here: KnownPractice) -> None:
    case, _ = travel(here)
    trap = Authority("HDFA99", "77-77")
    missing = Authority("NOACT", "1")
    late = Case("late", "q", 1950, "answer", (), case.acceptable, (trap,), case.gold)
    odd = Case("odd", "q", 2020, "answer", (), (missing,), (), (missing,))
    refused = Case("refused", "q", 2020, "abstain_out_of_corpus", (), (Authority("NOACT", "2"),), ())
    with in_practice(here.practice):
        found = integrity([case, late, odd, refused])
    assert (found.is_measured, found.named, found.resolved, found.share) == (True, 2, 1, 0.5)
    assert found.missing == (("odd", missing),) and found.missing_traps == (("late", trap),)
    assert found.unreachable == ("late", "odd")


# Controls


def test_controls_are_found_by_any_name_and_only_numbers_are_printed(here: KnownPractice, tmp_path: Path) -> None:
    with in_practice(here.practice):
        held = VersionDates.objects.filter(recorded__upper_inf=True, provision__instrument_id="HDFA99")
        title = held.values_list("provision__instrument__title", flat=True)[0]
        heading = Reading.objects.filter(provision__instrument_id="HDFA99", provision__section="5-10")[0].words.heading
    entries = [
        {"id": "secret-1", "query": heading, "language": "en", "relevant": [{"act": "HDFA99", "controlId": "s 5-10"}]},
        {"id": "secret-2", "query": heading, "language": "de", "framework": title, "relevant": ["5-10"]},
        {
            "query": heading,
            "relevant": [{"framework": "hdfa99", "section": "5-10"}, {"act": "HDFA99", "section": "secret"}],
        },
    ]
    path = tmp_path / "queries.json"
    path.write_text(json.dumps(entries))
    code, printed = run(here, "evaluate-retrieval", str(path), "--json")
    found = json.loads(printed)
    assert code == 0
    assert (found["queries"], found["relevant_controls"], found["controls_not_held"], found["failed"]) == (3, 4, 1, 0)
    assert set(found["by_language"]) == {"same language", "other language", "language not stated"}
    assert set(found["by_pair"]) == {"en → en", "de → en", "? → en"}
    assert found["by_language"]["same language"]["hit@10"]["value"] == 1.0
    assert found["by_language"]["language not stated"]["recall@50"]["value"] == 0.5
    text = run(here, "evaluate-retrieval", str(path), "--everywhere")[1]
    for said in (printed, text):
        assert "secret" not in said and heading not in said and "5-10" not in said
    with in_practice(here.practice):
        assert not AuditRow.objects.exists()


CONTROLS = (("HS-1", "Gates", "Every gate of the harbour must be shut at night and its lock tried by the watch."),)
CONTROLS += (("HS-2", "Lamps", "A lamp must burn at the head of every pier from dusk until the morning watch."),)
MEMO = """---
number: KB-9
tenant: us
title: Wombatosaurus files
effective: 2020-07-01
scope: House rules
---
# Wombatosaurus files

The wombatosaurus files are kept for nine years in the strong room of the practice.
"""


@pytest.fixture
def frameworks(here: KnownPractice, tmp_path: Path) -> Iterator[str]:
    """A framework of two controls for everybody, and a private document of `here`; loaded, embedded, taken away."""
    path, memo = tmp_path / "controls.jsonl", tmp_path / "memo.md"
    rows = [
        {
            "schemaVersion": 1,
            "corpusVersion": "2022-10-25",
            "documentId": f"harbour-security/{name}",
            "framework": "Harbour Security Controls",
            "frameworkVersion": "2022",
            "controlId": name,
            "language": "en-AU",
            "title": title,
            "text": text,
            "metadata": {"licence": "CC BY 4.0"},
        }
        for name, title, text in CONTROLS
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    memo.write_text(MEMO)
    own = Own(here.id, frozenset({"us"}))
    Loader(count_tokens).import_file(path)
    Loader(count_tokens, own=own).import_file(memo)
    embedder = composition.embedder()
    assert embedder is not None
    embed_pending(embedder)
    with in_practice(here.practice):
        embed_pending(embedder)
    yield "Harbour Security Controls"
    forget(own_code("KB-9", own.name), practice=here.id)
    forget("harbour-security")


def test_controls_of_a_framework_and_of_a_private_document_are_found_by_those_who_may_read_them(
    here: KnownPractice, practice: KnownPractice, frameworks: str, tmp_path: Path
) -> None:
    path = tmp_path / "queries.json"
    entries = [
        {"query": "When must a gate be shut?", "language": "en", "framework": frameworks, "relevant": ["hs-1"]},
        {
            "query": "Wann brennt die Lamp am Pier?",
            "language": "de",
            "relevant": [{"act": frameworks, "controlId": "HS-2"}],
        },
        {
            "query": "How long are wombatosaurus files kept?",
            "language": "en",
            "relevant": [{"framework": "KB-9", "controlId": "Wombatosaurus files"}],
        },
    ]
    path.write_text(json.dumps(entries))
    for who, not_held, hits in ((here, 0, 1.0), (practice, 1, 2 / 3)):
        code, printed = run(who, "evaluate-retrieval", str(path), "--json")
        found = json.loads(printed)
        assert code == 0 and (found["controls_not_held"], found["failed"]) == (not_held, 0)
        assert found["all"]["hit@5"]["value"] == pytest.approx(hits, abs=1e-4)
        assert found["by_pair"]["de → en"]["queries"] == 1
        assert "wombatosaurus" not in printed.lower() and "KB-9" not in printed


def test_controls_of_nothing_that_is_loaded_measure_nothing(here: KnownPractice, tmp_path: Path) -> None:
    path = tmp_path / "queries.json"
    path.write_text(json.dumps([{"query": "Who?", "relevant": [{"framework": "No Such Code", "controlId": "A-1"}]}]))
    assert run(here, "evaluate-retrieval", str(path))[0] == 1
    path.write_text("{not JSON secret")
    code, said = run(here, "evaluate-retrieval", str(path))
    assert code == 2 and "secret" not in said
