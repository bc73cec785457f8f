"""A fictional Act through its life: fetched from a Register, read, dated by its endnotes, and asked about then."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from asat_site.tenancy.context import in_practice
from asat_site.testing import epubs as e
from asat_site.testing.practices import KnownPractice
from asat_site.testing.register import FakeRegister, register_with
from asat_site.testing.register_catalogue import Title, Version
from research import composition, services
from research.corpus import models
from research.corpus.ingest.fetch.transport import Manners
from research.corpus.tests.forget import forget
from research.corpus.tests.records import record, write
from research.law.income_year import IncomeYear
from research.terms import Decision, Outcome, Window

pytestmark = pytest.mark.integration

ACT = "Lantern Keepers (Fictional) Act 1998"
CODE = "lantern-keepers-fictional-act-1998"
TITLE_ID = "C2004A09999"
TODAY = date(2026, 11, 30)
OLD_FEE, NEW_FEE = (
    "The keeper of a lantern must pay a wick fee of $40.",
    "The keeper of a lantern must pay a wick fee of $55.",
)
MADE = ["Lantern Keepers (Fictional) Act 1998", "40, 1998", "22 June 1998", "1 July 1998", ""]
OILS = ["Lantern Amendment (Oils) Act 2003", "66, 2003", "30 June 2003", "1 July 2003", "—"]
FEES = ["Lantern Amendment (Fees) Act 2016", "12, 2016", "1 March 2016", "1 July 2016", "Sch 1 (item 9)"]
BEACONS = ["Lantern Amendment (Beacons) Act 2016", "81, 2016", "29 November 2016", "1 July 2017", "—"]
LATER = ["Lantern Amendment (Glass) Act 2018", "9, 2018", "1 May 2018", e.underlined("1 January 2020"), "—"]


def text_of(
    dated: date, number: str, fee: str, acts: list[list[Any]], amended: list[list[Any]], more: e.Items = ()
) -> bytes:
    body = [
        e.chapter("1", "Lanterns"),
        e.part("1-1", "Keeping"),
        e.division("5", "Keepers"),
        e.section("5-1", "Lighting", [e.subsection("(1)", "A keeper must light the lantern at dusk and trim it.")]),
        e.section("5-5", "Wick fee", [e.subsection("(1)", fee)]),
        e.section("5-10", "Oil", [e.subsection("(1)", "A keeper must keep whale oil and rape oil apart.")]),
        more,
    ]
    endnotes = [
        e.endnote("3", "Legislation history", e.table_of_acts(acts)),
        e.endnote("4", "Amendment history", e.table_of_amendments(amended)),
    ]
    return e.epub(
        title=ACT, number=40, year=1998, compilation=number, dated=dated, volumes=[e.Volume(body, endnotes)]
    )  # fmt: skip


BEACON = [
    e.division("294", "Beacons"),
    e.section(
        "294-1", "Transfer balance of a beacon", [e.subsection("(1)", "A beacon has a transfer balance of light.")]
    ),
]
FIRST = text_of(
    date(2014, 7, 1), "5", OLD_FEE, [MADE, OILS],
    [["s 5‑5", "am No 66, 2003"], ["s 5‑10", "rs No 66, 2003"]],
)  # fmt: skip
SECOND = text_of(
    date(2018, 7, 1), "9", NEW_FEE, [MADE, OILS, FEES, BEACONS, LATER],
    [
        ["s 5‑5", "am No 66, 2003; No 12, 2016"],
        ["s 5‑10", "rs No 66, 2003"],
        ["", e.underlined("am No 9, 2018")],
        ["Division 294", ""],
        ["s 294‑1", "ad No 81, 2016"],
    ],
    BEACON,
)  # fmt: skip


def lanterns() -> Title:
    """Two texts, and an amendment commenced in 2020 whose text is not published."""
    return Title(
        TITLE_ID,
        ACT,
        [
            Version(date(2014, 7, 1), "C2014C00005", "5", epub={0: FIRST}, end=date(2016, 7, 1)),
            Version(date(2018, 7, 1), "C2018C00009", "9", epub={0: SECOND}),
            Version(date(2020, 1, 1), amended_by="Lantern Amendment (Glass) Act 2018"),
        ],
    )


def run(*arguments: str | Path) -> tuple[int, Any]:
    out = io.StringIO()
    try:
        call_command("corpus", *map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
        code = 0
    except SystemExit as ending:
        code = int(ending.code or 0)
    except CommandError as error:
        return error.returncode, str(error)
    return code, json.loads(out.getvalue())


@pytest.fixture
def register(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRegister]:
    with register_with(lanterns()) as running:
        settings.ASAT_REGISTER_URL = running.api
        client = composition.register_client
        monkeypatch.setattr(composition, "register_client", lambda manners=None: client(Manners(gap_s=0.0)))
        yield running


@pytest.fixture
def lantern_act(register: FakeRegister, practice: KnownPractice, law: str, tmp_path: Path) -> Iterator[Path]:
    """The Act, fetched and loaded; the folder that its files are in."""
    code, told = run("fetch", TITLE_ID, "--as-at", "2014-08-01", "--as-at", "2019-01-01", "--folder", tmp_path)
    assert (code, [line["outcome"] for line in told]) == (0, ["fetched", "fetched"])
    code, told = run("import", tmp_path, "--no-embed")
    assert (code, told["refused"]) == (0, [])
    yield tmp_path
    forget(CODE)
    services.verify_examples()


def dates() -> dict[str, list[tuple[str, date, date | None, str]]]:
    """(first words, certain from, certain to, dating) of each section's wordings, by section."""
    rows = models.VersionDates.objects.filter(provision__instrument_id=CODE).extra(where=["upper_inf(recorded)"])
    found: dict[str, list[tuple[str, date, date | None, str]]] = {}
    for row in rows.select_related("provision", "version__words").order_by("provision__sort_key", "certain"):
        line = (row.version.words.text[-4:], row.certain.lower, row.certain.upper, row.dating)
        found.setdefault(row.provision.section, []).append(line)
    return found


def asked(practice: KnownPractice, question: str, year: int) -> Outcome:
    with in_practice(practice.practice):
        return services.try_question(question, year, TODAY)


def test_each_wording_is_dated_by_the_endnotes_and_the_register(lantern_act: Path) -> None:
    begun, oils, fees = date(1998, 7, 1), date(2003, 7, 1), date(2016, 7, 1)
    behind = date(2020, 1, 1)  # the text of what commenced then is not published
    assert dates() == {
        "5-1": [(" it.", begun, behind, "commencement")],
        "5-5": [("$40.", oils, fees, "endnote"), ("$55.", fees, behind, "endnote")],
        "5-10": [("art.", oils, behind, "endnote")],
        "294-1": [("ght.", date(2017, 7, 1), behind, "commencement")],
    }


@pytest.mark.parametrize(("year", "fee"), [(2005, "$40"), (2015, "$40"), (2017, "$55"), (2019, "$55")])
def test_a_year_is_answered_with_the_words_in_force_in_it(
    lantern_act: Path, practice: KnownPractice, year: int, fee: str
) -> None:
    outcome = asked(practice, f"What does s 5-5 of the {ACT} say?", year)
    assert outcome.decision is Decision.ANSWER
    (quote,) = {citation.quote for claim in outcome.claims for citation in claim.citations}
    assert fee in quote


def test_the_year_before_an_amendment_that_is_read_from_no_text_is_refused(
    lantern_act: Path, practice: KnownPractice
) -> None:
    """s 5-5 as it was before 2003 stands in neither compilation, and s 5-1 as made does."""
    assert asked(practice, f"What does s 5-5 of the {ACT} say?", 2002).decision is not Decision.ANSWER
    assert asked(practice, f"What does s 5-1 of the {ACT} say?", 2002).decision is Decision.ANSWER


@pytest.mark.parametrize("year", [1999, 2010, 2016])
def test_a_provision_added_in_2016_does_not_read_as_available_before(
    lantern_act: Path, practice: KnownPractice, year: int
) -> None:
    outcome = asked(practice, f"What does s 294-1 of the {ACT} say?", year)
    assert outcome.decision is Decision.FALSE_PREMISE and not outcome.claims
    with in_practice(practice.practice):
        found = composition.store().search_lexical("transfer balance of a beacon", Window.of_year(IncomeYear(year)), 50)
        texts = composition.store().passages([hit.chunk_id for hit in found], Window.of_year(IncomeYear(year)))
        assert all("beacon" not in passage.text for passage in texts)


def test_after_an_amendment_whose_text_is_not_published_no_words_are_certain_and_the_refusal_says_why(
    lantern_act: Path, practice: KnownPractice
) -> None:
    outcome = asked(practice, f"What does s 5-5 of the {ACT} say?", 2021)
    assert outcome.decision is Decision.WORDING_UNKNOWN
    assert [caution for caution in outcome.cautions if "amended from 1 January 2020" in caution]


def test_in_the_year_of_such_an_amendment_an_answer_carries_a_caution(
    lantern_act: Path, practice: KnownPractice
) -> None:
    outcome = asked(practice, f"What does s 5-5 of the {ACT} say?", 2020)
    assert outcome.decision is Decision.ANSWER
    assert [caution for caution in outcome.cautions if "amended from 1 January 2020" in caution]


def test_a_change_is_shown_for_both_years(lantern_act: Path, practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        outcome = services.try_question(f"What changed in s 5-5 of the {ACT} between FY2015 and FY2019?", None, TODAY)
    assert outcome.decision is Decision.ANSWER
    quotes = [[c.quote for claim in side.claims for c in claim.citations] for side in outcome.sides]
    assert ["$40" in quotes[0][0], "$55" in quotes[1][0]] == [True, True]
    assert "not worded alike" in outcome.message


def test_fetching_and_loading_the_same_again_changes_nothing(lantern_act: Path, register: FakeRegister) -> None:
    before = dates()
    code, told = run("fetch", TITLE_ID, "--as-at", "2014-08-01", "--as-at", "2019-01-01", "--folder", lantern_act)
    assert (code, [line["outcome"] for line in told]) == (0, ["held already", "held already"])
    code, told = run("import", lantern_act, "--no-embed")
    assert {line["state"] for line in told["compilations"]} == {"unchanged"}
    assert dates() == before


def test_where_an_amendment_says_from_when_it_applies_is_noted_and_dates_nothing(lantern_act: Path) -> None:
    noted = models.Amendment.objects.filter(compilation__instrument_id=CODE, section="5-5").order_by("compilation")
    assert [(event.act, event.application) for event in noted.filter(compilation__dated=date(2018, 7, 1))][1:] == [
        ("No 66, 2003", ""),
        ("No 12, 2016", "Sch 1 (item 9)"),
    ]


def test_the_ledger_and_the_run_of_an_import_are_kept(lantern_act: Path) -> None:
    ledgers = models.Compilation.objects.filter(instrument_id=CODE).values_list("ledger", flat=True)
    assert all(ledger["read"] == ledger["kept"] + sum(ledger["dropped"].values()) for ledger in ledgers)
    runs = models.ImportRun.objects.filter(report__0__instrument=CODE)
    assert {run.outcome for run in runs} >= {"loaded"}


def test_a_text_that_was_fetched_as_another_act_is_refused(lantern_act: Path, tmp_path: Path) -> None:
    """The title on the cover is an Act that AsAt knows, and its title id is not the one that was asked for."""
    packed = e.epub(
        title="Income Tax Assessment Act 1997", number=38, year=1997, compilation="1", dated=date(2019, 1, 1),
        volumes=[e.Volume([e.section("1-1", "Short title", [e.subsection("(1)", "Nothing of the kind.")])])],
    )  # fmt: skip
    kept = next(lantern_act.glob("*.json"))
    said = json.loads(kept.read_text()) | {"sha256": hashlib.sha256(packed).hexdigest(), "register_id": ""}
    other = tmp_path / "other"
    other.mkdir()
    (other / f"{said['sha256']}.epub").write_bytes(packed)
    (other / f"{said['sha256']}.json").write_text(json.dumps(said))
    code, told = run("import", other, "--no-embed")
    assert code == 1 and f"but it was fetched as {TITLE_ID}; fetch it again" in told["refused"][0]


def test_an_act_is_not_continued_by_a_framework_of_its_name(lantern_act: Path, tmp_path: Path) -> None:
    line = record(
        "1-1", short="LANTERN", documentId=f"{CODE}/1-1", framework="Lantern controls", act=None, actShort=None
    )
    code, told = run("import", write(tmp_path / "controls.jsonl", line), "--no-embed")
    assert code == 1 and told["refused"]
    assert models.Instrument.objects.get(pk=CODE).kind == "act"
