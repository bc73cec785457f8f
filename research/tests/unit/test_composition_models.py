"""Models by name: what is missing or unmeasured is refused with the way out of it, and nothing is loaded meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from tokenizers import Tokenizer, models

from research import composition, worker_start
from research.adapters import thresholds_file
from research.adapters.corpus_store import PostgresCorpusStore
from research.decision import thresholds
from research.decision.thresholds import LEARNED_HYBRID, Grounded
from research.verification.overlap import OverlapScorer

pytestmark = pytest.mark.unit

CACHES = ("embedder", "_cross_encoder", "groundedness_scorer", "_thresholds_measured_here")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing built by other tests, and nothing left for them."""
    monkeypatch.setattr(thresholds, "_MEASURED_HERE", {})
    monkeypatch.setattr(thresholds, "_GROUNDED_HERE", {})
    for name in CACHES:
        getattr(composition, name).cache_clear()
    yield
    for name in CACHES:
        getattr(composition, name).cache_clear()


@pytest.fixture
def directory(tmp_path: Path, settings: Any) -> Path:
    """A folder of three models whose weights nobody reads."""
    for name in ("bge-m3", "bge-reranker-v2-m3", "hhem-2.1-open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps({"hidden_size": 8, "max_position_embeddings": 64}))
        Tokenizer(models.WordLevel({"a": 0}, unk_token="a")).save(str(tmp_path / name / "tokenizer.json"))
        (tmp_path / name / "model.safetensors").write_bytes(name.encode())
    settings.ASAT_MODEL_DIRECTORY = str(tmp_path)
    return tmp_path


def store() -> PostgresCorpusStore:
    return PostgresCorpusStore(composition.embedder())


def test_a_model_that_is_not_there_is_refused_with_the_command_that_fetches_it(tmp_path: Path, settings: Any) -> None:
    settings.ASAT_EMBEDDER, settings.ASAT_MODEL_DIRECTORY = "qwen3-embedding-0.6b", str(tmp_path)
    with pytest.raises(ImproperlyConfigured, match=r"hf download Qwen/Qwen3-Embedding-0\.6B --local-dir"):
        composition.embedder()


def test_a_pin_that_does_not_fit_and_one_that_is_none_are_refused(directory: Path, settings: Any) -> None:
    settings.ASAT_EMBEDDER, settings.ASAT_MODEL_PINS = "bge-m3", ["bge-m3=000000000000"]
    with pytest.raises(ImproperlyConfigured, match="ASAT_MODEL_PINS wants 000000000000"):
        composition.embedder()
    settings.ASAT_MODEL_PINS = ["bge-m3=short"]
    with pytest.raises(ImproperlyConfigured, match="'bge-m3=short' is no pin"):
        composition.embedder()


def test_an_embedder_of_the_folder_is_named_and_measured_without_its_weights(directory: Path, settings: Any) -> None:
    settings.ASAT_EMBEDDER = "bge-m3"
    found = composition.embedder()
    assert found is not None and found.identity.startswith("bge-m3@")
    assert (found.dimensions, found.max_tokens, found.count_tokens("a")) == (8, 64, 1)


@pytest.mark.parametrize(
    ("reranker", "embedder", "prefix"),
    [
        ("bge-reranker-v2-m3", "minilm-int8", "cross-encoder:bge-reranker-v2-m3@"),
        ("cosine", "bge-m3", "cosine:bge-m3@"),
        ("learned", "bge-m3", "learned-hybrid:"),
    ],
)
def test_a_reranker_that_nobody_measured_is_refused_and_the_worker_does_not_start(
    directory: Path, settings: Any, reranker: str, embedder: str, prefix: str
) -> None:
    settings.ASAT_RERANKER, settings.ASAT_EMBEDDER = reranker, embedder
    with pytest.raises(ImproperlyConfigured) as refused:
        composition.rerankers(store())
    assert f"No thresholds were measured for the reranker '{prefix}" in str(refused.value)
    assert str(refused.value).endswith(
        "Measure it: `manage.py calibrate confidence CASES --thresholds FILE`; then name that file by ASAT_THRESHOLDS."
    )
    with pytest.raises(SystemExit, match=r"The worker does not start\. No thresholds were measured"):
        worker_start.read_files()


def test_thresholds_of_the_very_reranker_let_it_decide_and_those_of_another_do_not(
    directory: Path, settings: Any
) -> None:
    settings.ASAT_RERANKER = "bge-reranker-v2-m3"
    identity = composition.rerankers_unmeasured(store())["hybrid"].identity
    path = directory / "thresholds.yaml"
    thresholds_file.write(path, identity, LEARNED_HYBRID)
    settings.ASAT_THRESHOLDS = str(path)
    found = composition.rerankers(store())
    assert found["hybrid"] is found["lexical"] and thresholds.for_reranker(identity) == LEARNED_HYBRID
    composition.refuse_unmeasured()
    composition._cross_encoder.cache_clear()
    (directory / "bge-reranker-v2-m3" / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(ImproperlyConfigured, match="No thresholds were measured for the reranker 'cross-encoder:"):
        composition.rerankers(store())


def test_a_thresholds_file_that_cannot_be_used_is_named(directory: Path, settings: Any) -> None:
    settings.ASAT_THRESHOLDS = str(directory / "absent.yaml")
    with pytest.raises(ImproperlyConfigured, match=r"ASAT_THRESHOLDS cannot be used\. .*absent\.yaml cannot be read"):
        composition.groundedness()


def test_word_overlap_holds_prose_against_quotes_unless_another_is_set() -> None:
    found = composition.groundedness()
    assert (found.scorer.identity, found.bar) == (OverlapScorer.identity, 0.44)


def test_a_scorer_that_nobody_measured_is_refused_until_it_is(directory: Path, settings: Any) -> None:
    settings.ASAT_GROUNDEDNESS = "hhem-2.1-open"
    with pytest.raises(ImproperlyConfigured, match=r"No bar was measured .* `manage\.py calibrate groundedness"):
        composition.groundedness()
    identity = composition.groundedness_scorer().identity
    thresholds_file.write(directory / "t.yaml", identity, Grounded(0.6, "here"))
    settings.ASAT_THRESHOLDS = str(directory / "t.yaml")
    composition._thresholds_measured_here.cache_clear()
    assert (composition.groundedness().scorer.identity, composition.groundedness().bar) == (identity, 0.6)


@pytest.mark.parametrize(
    ("setting", "build"),
    [
        ("ASAT_EMBEDDER", composition.embedder),
        ("ASAT_GROUNDEDNESS", composition.groundedness_scorer),
        ("ASAT_RERANKER", lambda: composition.rerankers(PostgresCorpusStore(None))),
    ],
)
def test_an_unknown_name_is_refused(settings: Any, setting: str, build: Any) -> None:
    setattr(settings, setting, "crystal")
    with pytest.raises(ImproperlyConfigured, match=f"{setting} is 'crystal'; give "):
        build()
