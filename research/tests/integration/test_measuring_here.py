"""A cross-encoder and a scorer that nobody measured: refused, measured by `calibrate`, and then decided by.

The weights are random, so what is measured means nothing; the road from a refusal to an answer is the real one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import composition, services
from research.adapters import thresholds_file
from research.corpus.models import Provision
from research.decision import thresholds
from research.decision.thresholds import Thresholds
from research.terms import Decision
from research.tests.tiny_models import tiny_cross_encoder, tiny_hhem

pytest.importorskip("torch", reason="PyTorch is not installed: pip install .[models]")

pytestmark = pytest.mark.integration

TODAY = date(2024, 3, 1)
QUESTION = "Must the master of a vessel pay dues for cargo?"
WHO = ("a harbour pilot", "the master of a vessel", "a lifeboat crew", "the owner of a ferry", "a port keeper")
WHAT = ("deduct travel", "pay dues", "keep records", "claim an exemption", "lodge a return", "object to a notice")
WHEN = ("for a voyage", "at each port", "for cargo")
CACHES = ("_cross_encoder", "groundedness_scorer", "_thresholds_measured_here", "ports")


def fresh() -> None:
    for name in CACHES:
        getattr(composition, name).cache_clear()


@pytest.fixture
def models(
    practice: KnownPractice, law: str, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The folder of the models, with the cross-encoder set."""
    tiny_cross_encoder(tmp_path / "bge-reranker-v2-m3")
    tiny_hhem(tmp_path / "hhem-2.1-open")
    settings.ASAT_MODEL_DIRECTORY, settings.ASAT_RERANKER = str(tmp_path), "bge-reranker-v2-m3"
    settings.ASAT_RERANK_TOP_K = 5
    monkeypatch.setattr(thresholds, "_MEASURED_HERE", {})
    monkeypatch.setattr(thresholds, "_GROUNDED_HERE", {})
    fresh()
    yield tmp_path
    fresh()


def cases(path: Path, most: int, wrong: int) -> Path:
    """Questions that any provision of the Act answers, and `wrong` of 35 that none does."""
    sections = sorted(set(Provision.objects.filter(instrument_id="HDFA99").values_list("section", flat=True)))
    anything = [{"act": "HDFA99", "section": section} for section in sections if section]
    asked = [f"Can {who} {what} {when}?" for who, what, when in itertools.product(WHO, WHAT, WHEN)]
    tags = {"topic": "dues", "kind": "lay", "words": "lay", "split": "tune"}
    found = [
        {
            "id": f"asked-{number}",
            "question": question,
            "income_year": 2020,
            "expected": {
                "behaviour": "answer",
                "gold": [{"act": "ITAA97", "section": "8-1"}] if number % 35 < wrong else anything[:1],
                "also_acceptable": [] if number % 35 < wrong else anything[1:],
            },
            "tags": tags,
        }
        for number, question in enumerate(asked[:most])
    ]
    path.write_text(yaml.safe_dump(found))
    return path


def test_a_cross_encoder_is_refused_measured_and_then_decides(
    practice: KnownPractice, models: Path, settings: Any
) -> None:
    host, file = practice.practice.schema_name, models / "thresholds.yaml"
    call_command("corpus", "embed", stdout=StringIO(), stderr=StringIO())  # what other tests left
    with in_practice(practice.practice):
        with pytest.raises(ImproperlyConfigured, match="No thresholds were measured for the reranker 'cross-encoder:"):
            composition.ports()
        assert services.try_question(QUESTION, 2020, TODAY).decision is Decision.ERROR
        asked = cases(models / "cases.yaml", most=70, wrong=1)
    out = StringIO()
    call_command("calibrate", "confidence", str(asked), "--practice", host, "--thresholds", str(file), stdout=out)
    ((identity, bars),) = thresholds_file.read(file).items()
    assert isinstance(bars, Thresholds) and identity.startswith("cross-encoder:bge-reranker-v2-m3@")
    assert f"{identity}, " in out.getvalue() and "tune cases of cases.yaml, hybrid search" in bars.measured

    thresholds._MEASURED_HERE.clear()
    settings.ASAT_THRESHOLDS = str(file)
    fresh()
    with in_practice(practice.practice):
        outcome = services.try_question(QUESTION, 2020, TODAY)
    assert outcome.reranker == identity and outcome.confidence is not None
    assert f"sure={bars.sure}" in outcome.settings["thresholds"]


def test_one_that_is_as_often_wrong_as_right_gets_no_thresholds(practice: KnownPractice, models: Path) -> None:
    with in_practice(practice.practice):
        asked = cases(models / "cases.yaml", most=35, wrong=18)
    file, host = models / "thresholds.yaml", practice.practice.schema_name
    with pytest.raises(CommandError, match="gets no thresholds: no confidence has 30 answers or more"):
        call_command("calibrate", "confidence", str(asked), "--practice", host, "--thresholds", str(file))
    assert not file.exists()


def test_a_scorer_that_tells_nothing_apart_gets_no_bar(models: Path, settings: Any) -> None:
    """Random weights; the pairs and the command are the real ones."""
    settings.ASAT_GROUNDEDNESS = "hhem-2.1-open"
    pairs = settings.BASE_DIR / "gold_set" / "groundedness.yaml"
    with pytest.raises(CommandError, match=r"hhem-2\.1-open@[0-9a-f]{12} does not tell fair prose"):
        call_command("calibrate", "groundedness", str(pairs), "--thresholds", str(models / "t.yaml"))
    assert not (models / "t.yaml").exists()
