"""A slice of the gold set on the real Acts, with the gates of `manage.py evaluate`: what every change must still hold.

Two databases of their own, beside the tests': all Acts searched by words alone, for about sixty cases of every kind;
and two small Acts embedded and searched both ways. Cases of the split `tune` only, so that a number looked at every
day is not the one that is reported. The ceilings stand in gold_set/ceilings.yaml under the names of the slices.

Skipped, loudly, where the Acts are not there; in CI that fails.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from asat_site.tenancy.bootstrap import bootstrap
from asat_site.testing.phrases import give_phrase_vectors
from asat_site.testing.processes import child_environment
from asat_site.testing.servers import Services

pytestmark = pytest.mark.integration

CORPUS = Path(settings.BASE_DIR).parent / "shared" / "corpus"
GOLD = Path(settings.BASE_DIR) / "gold_set" / "pit_suite.yaml"
CEILINGS = Path(settings.BASE_DIR) / "gold_set" / "ceilings.yaml"
SLICE = 60
SMALL_ACTS = {"TASA09": "tasa09-2015-05-01.jsonl.gz", "SGAA92": "sga92-2015-04-14.jsonl.gz"}
NEED_NO_ACT = ("abstain_out_of_scope",)

if not CORPUS.is_dir() and not os.environ.get("CI"):
    pytest.skip(f"THE GOLD SET WAS NOT TESTED: there is no corpus at {CORPUS}", allow_module_level=True)

Plain = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """A database with law in it, and how its commands are run."""

    environment: dict[str, str]

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=settings.BASE_DIR,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def must(self, *words: str) -> None:
        done = self.manage(*words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}"


def a_place(services: Services, name: str, embedder: str, law: Sequence[Path]) -> Place:
    """A new database on this run's server, with a practice and with the law, embedded unless searched by words."""
    assert CORPUS.is_dir(), f"There is no corpus at {CORPUS}, and in CI the gold set must be measured."
    addresses = bootstrap(services.superuser_url, owner_password="owner", app_password="app", database=name)
    environment = child_environment(
        DATABASE_URL=addresses.owner, DATABASE_APP_URL=addresses.app, ASAT_EMBEDDER=embedder, ASAT_THREADS="2"
    )
    place = Place(environment)
    place.must("upgrade")
    place.must("practice", "create", "Gold", "--host", "gold.localhost")
    place.must("corpus", "import", "--no-embed", *map(str, law))
    if embedder != "none":
        give_phrase_vectors(addresses.app)
        place.must("corpus", "embed")
    return place


def gold() -> list[Plain]:
    cases: list[Plain] = yaml.safe_load(GOLD.read_text(encoding="utf-8"))
    return [case for case in cases if case["tags"]["split"] == "tune"]


def spread(cases: Sequence[Plain], most: int) -> list[Plain]:
    """Up to `most` cases, of each kind in turn; which ones depends on their ids alone, not on their order."""
    by_kind: dict[str, list[Plain]] = defaultdict(list)
    for case in sorted(cases, key=lambda one: hashlib.sha256(one["id"].encode()).digest()):
        by_kind[case["tags"]["kind"]].append(case)
    rounds = max(map(len, by_kind.values()))
    in_turn = [by_kind[kind][at] for at in range(rounds) for kind in sorted(by_kind) if at < len(by_kind[kind])]
    return in_turn[:most]


def measured(place: Place, cases: Sequence[Plain], ceiling: str, folder: Path) -> Plain:
    """What `evaluate --json` prints, having checked that every gate held."""
    recorded = yaml.safe_load(CEILINGS.read_text(encoding="utf-8"))
    (folder / "cases.yaml").write_text(yaml.safe_dump(list(cases), allow_unicode=True), encoding="utf-8")
    (folder / "ceilings.yaml").write_text(yaml.safe_dump({"all": recorded[ceiling]}), encoding="utf-8")
    paths = (str(folder / "cases.yaml"), "--out", str(folder / "results.jsonl"))
    done = place.manage("evaluate", *paths, "--ceiling", str(folder / "ceilings.yaml"), "--workers", "2", "--json")
    assert done.returncode in (0, 1), done.stderr[-3000:]
    found: Plain = json.loads(done.stdout)
    assert [gate["says"] for gate in found["gates"] if not gate["passed"]] == []
    assert len(found["gates"]) == 4 and found["integrity"] == 1.0
    assert found["error"] == 0
    assert done.returncode == 0
    return found


def test_a_slice_of_every_kind_holds_its_gates_on_all_acts_by_words_alone(services: Services, tmp_path: Path) -> None:
    cases = spread(gold(), SLICE)
    assert len(cases) == SLICE and len({case["tags"]["kind"] for case in cases}) == 12
    place = a_place(services, "asat_gold_words", "none", [CORPUS])
    found = measured(place, cases, "slice", tmp_path)
    assert found["run"]["search"] == "lexical" and found["cases"] == SLICE
    assert found["answered"] >= 3  # a system that says nothing holds every gate


def test_a_slice_on_two_small_acts_holds_its_gates_searched_both_ways(services: Services, tmp_path: Path) -> None:
    cases = [case for case in gold() if is_of_the_small_acts(case)]
    assert len(cases) >= 8
    place = a_place(services, "asat_gold_both", "minilm-int8", [CORPUS / name for name in SMALL_ACTS.values()])
    found = measured(place, cases, "small_acts", tmp_path)
    assert found["run"]["search"] == "hybrid"
    assert found["answered"] >= 3


def is_of_the_small_acts(case: Plain) -> bool:
    """Whether the case can be measured where only the small Acts are held."""
    expected = case["expected"]
    named = [one["act"] for one in (expected.get("gold") or []) + (expected.get("also_acceptable") or [])]
    if expected["behaviour"] in NEED_NO_ACT:
        return not named
    return expected["behaviour"] == "answer" and bool(named) and all(act in SMALL_ACTS for act in named)
