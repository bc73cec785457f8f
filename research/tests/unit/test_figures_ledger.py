"""The ledger's files: read whole, refused by file, row and field, and in agreement with the Acts of the test corpus."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from research.adapters.figure_ledger import LedgerRejected, ledger, ledger_of
from research.figures.ledger import Figure, Row, gaps_in
from research.figures.quoting import words_with
from research.law.income_year import IncomeYear
from research.terms import Dating, Passage, Role, Window

pytestmark = pytest.mark.unit
CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus"
ROLES = {"operative": Role.OPERATIVE, "definition": Role.DEFINITION, "guide": Role.GUIDE}
GOOD = """
sources: {act: The Act}
figures:
  - key: levy
    name: Lantern levy
    unit: percent
    names: [lantern levy rate]
    set_by: {act: GSTA99, section: "9-70"}
    rows:
      - {value: "10", from: 2000-07-01, to: 2010-06-30, source: act, confidence: high}
      - {value: "12.5", from: 2010-07-01, source: act, confidence: medium}
"""


def test_a_ledger_is_read_with_its_rows_and_a_digest_of_its_text() -> None:
    read = ledger_of({"levy.yaml": GOOD})
    (figure,) = read.figures
    assert [(row.shown, row.starts, row.ends) for row in figure.rows] == [
        ("10%", date(2000, 7, 1), date(2010, 6, 30)),
        ("12.5%", date(2010, 7, 1), None),
    ]
    assert figure.rows[0].set_by.shown == "GSTA99 s 9-70"
    assert read.digest != ledger_of({"levy.yaml": GOOD.replace("12.5", "12.6")}).digest


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('"12.5"', "12.5", "levy.yaml: levy, row from 2010-07-01: value is 12.5; give a number in quotation marks"),
        ("unit: percent", "unit: per cent", "levy.yaml: levy: unit is 'per cent'"),
        ("source: act, confidence: medium", "source: ato, confidence: medium", "source is 'ato', which sources.yaml"),
        ("confidence: medium", "confidence: low", "confidence is 'low'; give high or medium"),
        ("act: GSTA99, ", "act: GST99, ", "set_by names the Act 'GST99', which has no code"),
        (', section: "9-70"', "", "give act and section, or text alone"),
        ("to: 2010-06-30", "to: 1999-06-30", "row from 2000-07-01: to is 1999-06-30, which is before from"),
        ("from: 2010-07-01", "from: 1990-07-01", "the row from 1990-07-01 stands after the one from 2000-07-01"),
        ("from: 2010-07-01", "from: soon", "from is 'soon'"),
        (", to: 2010-06-30", "", "the row from 2000-07-01 has no end, and one from 2010-07-01 follows"),
        ("names: [lantern levy rate]", "names: [the]", "the name 'the' holds no word that could identify it"),
        ("names: [lantern levy rate]", "name_s: [x]", "name_s is no field"),
        ("    rows:", "    row:", "row is no field"),
        ("figures:", "figure:", "levy.yaml: figure is unknown"),
        ("sources: {act: The Act}", "sources: [", "levy.yaml: this is no YAML"),
    ],
)
def test_a_mistake_is_named_by_file_row_and_field(before: str, after: str, says: str) -> None:
    assert before in GOOD
    with pytest.raises(LedgerRejected) as refused:
        ledger_of({"levy.yaml": GOOD.replace(before, after)})
    assert says in str(refused.value)


def test_one_key_cannot_stand_twice() -> None:
    with pytest.raises(LedgerRejected, match="levy: this key stands twice"):
        ledger_of({"a.yaml": GOOD, "b.yaml": GOOD})


def test_the_bands_of_every_scale_cover_every_income_once() -> None:
    assert [gaps_in(row.bands) for scale in ledger().scales for row in scale.rows if gaps_in(row.bands)] == []
    assert [scale.key for scale in ledger().scales] == ["resident", "foreign_resident", "working_holiday", "minor"]


@pytest.mark.parametrize("year", range(2009, 2028))
def test_the_thresholds_that_have_names_agree_with_the_bands(year: int) -> None:
    """The same value stands in two places of the ledger; a change of one alone is a fault."""
    window = Window.of_year(IncomeYear(year))
    (bands,) = (row.bands for row in ledger().scale("resident").rows_in(window))
    (free,) = {row.number for row in ledger().figure("tax_free_threshold").rows_in(window)}
    (top,) = {row.number for row in ledger().figure("top_bracket").rows_in(window)}
    (rate,) = {row.number for row in ledger().figure("top_marginal_rate").rows_in(window)}
    assert (bands[0].rate, bands[0].to, bands[-1].over, bands[-1].rate) == (0, free, top, rate)


def test_every_figure_has_rows_without_a_hole_or_is_known_to_have_one() -> None:
    holes = {
        figure.key
        for figure in ledger().figures
        for one, other in zip(figure.rows, figure.rows[1:], strict=False)
        if one.ends is not None and (other.starts - one.ends).days > 1
    }
    # Years of which the ledger knows nothing, or in which the law had no such figure (the cap of 2012–13).
    assert holes == {"cc_cap_older", "medicare_low_family", "medicare_low_child"}


# The Acts of the test corpus


def _provisions() -> Iterator[tuple[tuple[str, str, str], date, Passage]]:
    for path in sorted(CORPUS.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                meta = record["metadata"]
                day = date.fromisoformat(meta["compilationDate"])
                schedule = str(meta["schedule"] or "").removeprefix("Schedule ")
                place = (str(meta["actShort"]), str(meta["section"]), schedule)
                role = ROLES.get(str(meta["kind"]), Role.OMITTED)
                yield (
                    place,
                    day,
                    Passage(
                        1, 1, 1, place[0], "", place[1], schedule, "", (), role, "", 0, 0, record["text"], day, None,
                        Dating.UNKNOWN, day, "",
                    ),
                )  # fmt: skip


@pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the Acts are not beside this repository: NO MARK OF THE LEDGER WAS CHECKED"
)
def test_every_mark_says_whether_the_value_stands_in_the_acts() -> None:
    """Both ways: what is marked stands there, and what stands there is marked."""
    by_place: dict[tuple[str, str, str], list[tuple[Figure, Row]]] = {}
    for figure in ledger().figures:
        for row in figure.rows:
            by_place.setdefault((row.set_by.act, row.set_by.section, row.set_by.schedule), []).append((figure, row))
    standing = {
        (figure.key, row.starts)
        for place, day, passage in _provisions()
        for figure, row in by_place.get(place, ())
        if row.meets(Window(day, day)) and words_with(row, figure.beside, [passage])
    }
    marked = {(figure.key, row.starts) for figure in ledger().figures for row in figure.rows if row.in_text}
    assert marked == standing and len(marked) >= 50
