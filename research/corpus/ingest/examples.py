"""The questions offered on the empty page: each is asked first, and one that would not be answered is never shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import yaml
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from research.corpus import models

MOST_SHOWN = 8

Ask = Callable[[str, int], bool]  # (question, income year): whether it is answered


@dataclass(frozen=True, slots=True)
class Example:
    """needs: code of the Act without which the question makes no sense."""

    question: str
    year: int
    needs: str


def examples() -> list[Example]:
    """The candidates, those of real Acts first."""
    listed = yaml.safe_load(files("research.corpus").joinpath("examples.yaml").read_text(encoding="utf-8"))
    return [Example(entry["question"], entry["year"], entry["needs"]) for entry in listed]


def verify_examples(ask: Ask, snapshot_id: str, using: str = DEFAULT_DB_ALIAS) -> tuple[int, int]:
    """Ask the candidates whose Act is loaded and keep the first that are answered: (kept, asked)."""
    held = set(models.Instrument.objects.using(using).values_list("code", flat=True))
    candidates = [example for example in examples() if example.needs in held]
    answered: list[Example] = []
    asked = 0
    for example in candidates:
        if len(answered) == MOST_SHOWN:
            break
        asked += 1
        if ask(example.question, example.year):
            answered.append(example)
    rows = [models.VerifiedExample(question=e.question, year=e.year, snapshot_id=snapshot_id) for e in answered]
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        # The command and the worker may come at once; without this the second would not see the first's rows to delete.
        cursor.execute("LOCK TABLE corpus_verifiedexample IN SHARE ROW EXCLUSIVE MODE")
        models.VerifiedExample.objects.using(using).all().delete()
        models.VerifiedExample.objects.using(using).bulk_create(rows)
    return len(answered), asked
