"""Records of other frameworks than Acts: what they may leave out, what they may add, and what is refused."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from research.corpus.ingest.history import Stated
from research.corpus.ingest.json_origin import check_names, origin_of
from research.corpus.ingest.origin import Kind, Origin
from research.corpus.ingest.read import read_compilations
from research.corpus.ingest.record import BadField, Record, record_of
from research.corpus.tests import records


def control(**changes: Any) -> dict[str, Any]:
    """The least that a control of another framework may say; changes replace, `meta_x` those of its metadata."""
    meta = {"licence": "CC BY 4.0"} | {name[5:]: value for name, value in changes.items() if name.startswith("meta_")}
    made = {
        "schemaVersion": 1,
        "corpusVersion": "2022-10-25",
        "documentId": "harbour-controls/A.5.1",
        "framework": "Harbour Security Controls",
        "frameworkVersion": "2022",
        "controlId": "A.5.1",
        "language": "en-AU",
        "title": "Gates",
        "text": "Every gate of the harbour must be shut at night.",
        "metadata": meta,
    }
    return made | {name: value for name, value in changes.items() if not name.startswith("meta_")}


def test_a_control_needs_nothing_that_only_an_act_has() -> None:
    assert record_of(control()) == Record(
        document_id="harbour-controls/A.5.1",
        dated=date(2022, 10, 25),
        instrument="harbour-controls",
        instrument_title="Harbour Security Controls",
        compilation_number="",
        register_id="",
        source_uri="",
        licence="CC BY 4.0",
        section="A.5.1",
        schedule="",
        path=(),
        heading="Gates",
        kind="operative",
        text="Every gate of the harbour must be shut at night.",
        is_act=False,
        version="2022",
        language="en-AU",
    )


DATED = [
    ({"corpusVersion": "2022"}, {"effectiveDate": "2023-01-01"}, date(2023, 1, 1)),
    ({"corpusVersion": "2022"}, {"compilationDate": "2022-11-01"}, date(2022, 11, 1)),
    ({}, {"compilationDate": "2022-11-01"}, date(2022, 11, 1)),
    ({}, {"effectiveDate": "2023-01-01"}, date(2022, 10, 25)),
]


@pytest.mark.parametrize(("changes", "meta", "dated"), DATED)
def test_a_control_says_its_day_in_one_of_three_places(
    changes: dict[str, Any], meta: dict[str, Any], dated: date
) -> None:
    assert record_of(control(**changes, **{f"meta_{k}": v for k, v in meta.items()})).dated == dated


STATED = [
    ({}, None, None),
    ({"effectiveDate": "2023-01-01"}, date(2023, 1, 1), None),
    ({"effectiveDate": "2023-01-01", "effectiveTo": "2023-12-31"}, date(2023, 1, 1), date(2024, 1, 1)),
    ({"effectiveTo": "2023-12-31"}, date(2022, 10, 25), date(2024, 1, 1)),
]


@pytest.mark.parametrize(("meta", "starts", "ends"), STATED)
def test_the_day_named_as_the_last_is_the_last(meta: dict[str, Any], starts: date | None, ends: date | None) -> None:
    found = record_of(control(**{f"meta_{name}": value for name, value in meta.items()}))
    assert (found.stated_from, found.stated_to) == (starts, ends)


def test_a_practices_own_controls_carry_the_practice_in_code_and_id() -> None:
    found = record_of(control(meta_practice="0f3a9c21d4e5", meta_licence="own"))
    assert (found.instrument, found.document_id) == (
        "harbour-controls@0f3a9c21d4e5",
        "harbour-controls@0f3a9c21d4e5/A.5.1",
    )
    assert origin_of(found).practice == "0f3a9c21d4e5"
    assert origin_of(found).kind is Kind.OWN


def test_the_code_of_a_ruling_is_a_short_code() -> None:
    assert record_of(records.record(actShort="TR 2008/1", documentId="tr2008-1/12")).instrument == "TR 2008/1"


BAD = [
    ({"corpusVersion": "2022"}, "corpusVersion is '2022'; give a day as YYYY-MM-DD, here or in metadata.effectiveDate"),
    ({"corpusVersion": "2022", "meta_effectiveDate": "31/12/2022"}, "metadata.effectiveDate is '31/12/2022'"),
    ({"meta_compilationDate": "2022-02-30"}, "metadata.compilationDate is '2022-02-30'"),
    (
        {"meta_effectiveDate": "2023-01-01", "meta_effectiveTo": "2022-01-01"},
        "effectiveTo is 2022-01-01; give a day",
    ),
    ({"language": "English (Australia)"}, "language is 'English (Australia)'; give a language tag"),
    ({"controlId": None}, "controlId is missing or null"),
    ({"documentId": "kb@0f3a9c21d4e5/1"}, "documentId is"),
    ({"meta_practice": "Another Practice"}, "metadata.practice is"),
    ({"meta_licence": None}, "metadata.licence is missing or null"),
    ({"meta_licence": "CC BY-NC 4.0"}, "metadata.licence is 'CC BY-NC 4.0' (Creative Commons, non-commercial), and it"),
    ({"meta_licence": "own"}, "metadata.licence is 'own' without a practice; give metadata.practice too"),
    ({"sourceUri": "https://www.austlii.edu.au/x"}, "metadata.licence is 'CC BY 4.0' on text of AustLII"),
    ({"text": "Words. [CCH Note: more words.]"}, "text is a commercial publisher's"),
    ({"frameworkVersion": 2022}, "frameworkVersion is 2022"),
]


@pytest.mark.parametrize(("changes", "problem"), BAD, ids=[problem for _, problem in BAD])
def test_a_bad_field_of_a_control_is_named(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadField) as refusal:
        record_of(control(**changes))
    assert problem in str(refusal.value)


@pytest.mark.parametrize("field", ["section", "path", "kind", "compilationDate"])
def test_an_act_must_still_say_all_that_the_register_says(field: str) -> None:
    with pytest.raises(BadField, match=f"metadata.{field} is missing or null"):
        record_of(records.record(**{field: None}))


ORIGINS = [
    (
        records.record(licence="CC BY 4.0", sourceUri="https://www.legislation.gov.au/X"),
        Origin(Kind.ACT, "FRL", "Commonwealth Acts", "Compilation No. 1"),
    ),
    (
        records.record(licence="CC BY 4.0", framework="Harbour Dues Regulations 2001"),
        Origin(Kind.REGULATION, "CC BY 4.0", "Commonwealth regulations", "Compilation No. 1"),
    ),
    (
        records.record(licence="CC BY 4.0", framework="Harbour Regulation Act 2001"),
        Origin(Kind.ACT, "CC BY 4.0", "Commonwealth Acts", "Compilation No. 1"),
    ),
    (records.record(), Origin(Kind.ACT, "fictional", "Fictional Acts", "Compilation No. 1")),
    (records.record(licence="ATO"), Origin(Kind.RULING, "ATO", "ATO public rulings", "Compilation No. 1")),
    (control(), Origin(Kind.FRAMEWORK, "CC BY 4.0", "Harbour Security Controls", "2022", "en-AU")),
    (
        control(meta_effectiveDate="2023-01-01"),
        Origin(
            Kind.FRAMEWORK,
            "CC BY 4.0",
            "Harbour Security Controls",
            "2022",
            "en-AU",
            stated=Stated(date(2023, 1, 1), None, "its publisher's dates"),
        ),
    ),
]


@pytest.mark.parametrize(("parsed", "origin"), ORIGINS)
def test_the_first_record_says_what_its_file_is(parsed: dict[str, Any], origin: Origin) -> None:
    assert origin_of(record_of(parsed)) == origin


def test_a_file_of_controls_is_read_like_one_of_an_act(tmp_path: Path) -> None:
    path = tmp_path / "controls.jsonl"
    second = control(documentId="harbour-controls/A.5.2", controlId="A.5.2")
    path.write_text("".join(json.dumps(each) + "\n" for each in (control(), second)))
    (found,) = read_compilations(path)
    assert (found.instrument, [record.section for record in found.records]) == ("harbour-controls", ["A.5.1", "A.5.2"])


NAMES_OF_LAW = [
    (control(documentId="itaa97/8-1"), "documentId is itaa97/…, which is Income Tax Assessment Act 1997"),
    (control(framework="Income Tax  Assessment Act 1997"), "which is ITAA97"),
    (control(framework="commonwealth acts"), "which is public law"),
    (control(documentId="tr2008-1/3"), "a ruling of the ATO"),
    (control(documentId="psla2001-8/3"), "a ruling of the ATO"),
    (records.record(short="ITAA97"), "metadata.actShort is ITAA97; give 'Income Tax Assessment Act 1997' as framework"),
    (records.record(short="TR 2008/1") | {"documentId": "tr2008-1/3"}, "a ruling of the ATO"),
]


@pytest.mark.parametrize(("parsed", "problem"), NAMES_OF_LAW)
def test_nothing_takes_the_name_of_law_that_it_is_not(parsed: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadField, match=re.escape(problem)):
        check_names(record_of(parsed))


def test_an_act_bears_its_own_name() -> None:
    act = records.record(short="ITAA97") | {"framework": "Income Tax Assessment Act 1997"}
    check_names(record_of(act))
    check_names(record_of(control(documentId="items-27/1")))


OUT_OF_BOUNDS = [
    (control(framework="F" * 201), "framework is 201 characters; give at most 200"),
    (control(language="en-" + "-".join(["abcdefgh"] * 3)), "language is"),
    (
        control(framework="Harbour \u202elortnoC"),
        r"framework is 'Harbour \u202elortnoC'; give words without characters",
    ),
    (control(title="Gates\x9b31m"), "give words without characters that cannot be seen"),
    (control(corpusVersion="9999-12-31"), "corpusVersion is '9999-12-31'"),
    (control(meta_effectiveTo="9999-12-31"), "metadata.effectiveTo is '9999-12-31'"),
]


@pytest.mark.parametrize(("parsed", "problem"), OUT_OF_BOUNDS)
def test_what_cannot_be_kept_or_shown_is_refused(parsed: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadField, match=re.escape(problem)):
        record_of(parsed)
