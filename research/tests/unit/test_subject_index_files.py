"""The files of the subject index: their form, their size, and that what they name is in the Acts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from research.adapters.subject_index import SubjectIndexRefused, entries_of, subject_index

pytestmark = pytest.mark.unit

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
ACTS = frozenset(
    "ITAA97 ITAA36 ITTPA97 ITRA86 GSTA99 TAA53 FBTAA86 SISA93 SGAA92 SGCA92 TASA09 ABNA99 MLA86 FTA06 AIA01".split()  # noqa: SIM905
)
ENTRY = {"term": "protective covering", "provisions": ["12-5"], "phrases": ["bird netting"]}


def file(**entry: Any) -> dict[str, Any]:
    return {"topic": "orchards", "act": "OLA20", "years": "2000-", "entries": [{**ENTRY, **entry}]}


def test_an_entry_is_read_with_the_act_and_years_of_its_file() -> None:
    (entry,) = entries_of("a.yaml", file(provisions=["12-5", "TAA53 sch1/12-35"], limits=["12-40"]))
    assert entry.provisions == (("OLA20", "12-5"), ("TAA53", "sch1/12-35"))
    assert entry.limits == (("OLA20", "12-40"),)
    assert (entry.first_year, entry.last_year, entry.topic) == (2000, None, "orchards")


def test_years_of_its_own_come_first() -> None:
    (entry,) = entries_of("a.yaml", file(years="2013-2016"))
    assert (entry.first_year, entry.last_year) == (2013, 2016)


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ([], "a.yaml: give topic, act, years and entries"),
        ({"topic": "x"}, "a.yaml: give topic, act, years and entries"),
        (file(term=None), "an entry is"),
        (file(colour="red"), "an entry is"),
        (file(phrases=[]), "at least one, as text"),
        (file(phrases=["ute", 7]), "at least one, as text"),
        (file(provisions=[]), "names no provision"),
        (file(provisions=[12.5]), "names the provision 12.5"),
        (file(years="since 2000"), "'since 2000'"),
    ],
)
def test_a_file_of_another_form_is_refused_by_name(plain: Any, said: str) -> None:
    with pytest.raises(SubjectIndexRefused, match=r"a\.yaml") as refused:
        entries_of("a.yaml", plain)
    assert said in str(refused.value)


def test_the_index_that_ships_is_large_enough_and_says_each_thing_in_several_ways() -> None:
    index = subject_index()
    assert len(index.entries) >= 1_500
    assert len({pin for entry in index.entries for pin in entry.provisions}) >= 700
    assert min(len(entry.phrases) for entry in index.entries) >= 3
    assert {act for entry in index.entries for act, _ in entry.provisions} == ACTS


def test_every_provision_that_it_names_stands_in_the_acts() -> None:
    if not CORPUS.exists():
        pytest.skip("NOT CHECKED: the Acts are not beside this checkout, so the provisions named were not looked up.")
    held: set[tuple[str, str]] = set()
    for path in CORPUS.glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                held.add((record["metadata"]["actShort"], record["documentId"].partition("/")[2]))
    named = {pin for entry in subject_index().entries for pin in (*entry.provisions, *entry.limits)}
    assert sorted(named - held) == []
