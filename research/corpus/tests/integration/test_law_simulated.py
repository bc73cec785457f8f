"""Acts whose whole life is known, as EPUBs with what the Register says of them: read, loaded in any order, dated."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import transaction

from asat_site.testing import epubs as e
from research.adapters.embedders.wordpiece import count_tokens
from research.corpus import models
from research.corpus.ingest.origin import Fetched
from research.corpus.ingest.published import EndnoteTable
from research.corpus.ingest.store import OWNER, Loader
from research.corpus.tests.simulated_act import BODY, CLAUSES, LAST, MADE, NAME, Law, Where, on, simulated

pytestmark = pytest.mark.integration

CODE = "harbour-dues-simulated-act-2000"
CHECKED = on(LAST * 2)


def rows_of(table: EndnoteTable) -> list[list[str]]:
    return [
        [e.underlined(c.text) if c.is_pending and "\n" not in c.text else _lines(c.text) for c in row]
        for row in table.rows
    ]


def _lines(text: str) -> str:
    return e.Html("".join(e.block("ENoteTableText", line) for line in text.split("\n"))) if "\n" in text else text


def epub_of(law: Law, day: int, number: int) -> bytes:
    def section(where: Where) -> e.Items:
        words = law.words(where, day, day)
        return [] if words is None else e.section(where[1], "Dues", [e.subsection("", words)])

    body: list[e.Items | e.Heading] = []
    for division, sections in BODY.items():
        body += [e.division(division.removeprefix("Division "), "Dues"), *(section(("", s)) for s in sections)]
    body.append(e.schedule("1", "Tolls"))
    for part, clauses in CLAUSES.items():
        body += [e.part(part.removeprefix("Part "), "Tolls"), *(section(("1", c)) for c in clauses)]
    endnotes = [
        e.endnote("3", "Legislation history", e.table_of_acts(rows_of(law.legislation(day)))),
        e.endnote("4", "Amendment history", e.table_of_amendments(rows_of(law.amendments(day)))),
    ]
    return e.epub(title=NAME, number=MADE[0], year=MADE[1], compilation=str(number), dated=on(day),
                  volumes=[e.Volume(body, endnotes)])  # fmt: skip


def kept(folder: Path, law: Law, day: int, with_window: bool) -> Path:
    """The EPUB of one compilation, with what is kept beside a file that was fetched."""
    turns = law.turns(LAST * 2)
    number = turns.index(day) + 1
    content = epub_of(law, day, number)
    sha = hashlib.sha256(content).hexdigest()
    path = folder / f"{sha}.epub"
    path.write_bytes(content)
    if with_window:
        after = [turn for turn in turns if turn > day]
        fetched = Fetched(
            sha256=sha, file_name=path.name, title_id="C2004A08888", title=NAME, register_id="",
            compilation_number=str(number), starts=on(day), ends=on(after[0]) if after else None, checked_on=CHECKED,
            size_bytes=len(content), source_uri="", fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        )  # fmt: skip
        (folder / f"{sha}.json").write_text(fetched.as_json())
    return path


@pytest.fixture
def loader(services: object) -> Iterator[Loader]:
    with transaction.atomic(using=OWNER):
        yield Loader(count_tokens)
        transaction.set_rollback(True, using=OWNER)


def known() -> list[tuple[Where, str, int, int]]:
    """(place, words, first day, day after the last) of what is certain."""
    rows = (
        models.VersionDates.objects.using(OWNER).filter(provision__instrument=CODE).extra(where=["upper_inf(recorded)"])
    )
    found = []
    for row in rows.select_related("provision", "version__words"):
        until = row.certain.upper or on(LAST)
        found.append(
            ((row.provision.schedule, row.provision.section), row.version.words.text, (row.certain.lower - on(0)).days,
             (until - on(0)).days)
        )  # fmt: skip
    return sorted(found)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_certain_in_the_database_was_the_law(seed: int, loader: Loader, tmp_path: Path) -> None:
    law, dice = simulated(seed, returns=0.0), random.Random(seed)
    files = [kept(tmp_path, law, day, dice.random() < 0.5) for day in law.seen]
    dice.shuffle(files)
    for path in files:
        loader.import_file(path)
        for where, words, first, until in known():
            wrong = [day for day in range(first, until) if law.words(where, day, max(law.seen[-1], day)) != words]
            assert not wrong, (where, words, first, until, wrong[0])
    assert len(known()) > 5
    told = known()
    again = Loader(count_tokens)
    assert {report.state for path in files for report in again.import_file(path)} == {"unchanged"}
    assert known() == told
