"""A practice's own documents: read to the letter, kept in their days, and never another practice's."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.corpus.ingest.history import Stated
from research.corpus.ingest.origin import Kind
from research.corpus.ingest.own import read as own
from research.corpus.ingest.own.body import units_of
from research.corpus.ingest.own.read import effective_days, read_own
from research.corpus.ingest.read import CorpusRejected
from research.corpus.ingest.record import _DOCUMENT_ID

PRACTICE = "0f3a9c21d4e5"
NAMES = ("Harbour Partners", "harbour_partners")
FRONT = {"number": "KB-12", "title": "Ferry fees", "effective": "2020-07-01", "tenant": "Harbour Partners"}


def document(
    tmp_path: Path, body: str = "A ferry pays the fee at the gate.\n", name: str = "a.md", **front: str
) -> Path:
    """A document as a file. front: keys, with "_" for "-", added to the least there can be; "" leaves one out."""
    keys = FRONT | {key.replace("_", "-"): value for key, value in front.items()}
    lines = "".join(f"{key}: {value}\n" for key, value in keys.items() if value)
    path = tmp_path / name
    path.write_text(f"---\n{lines}---\n{body}", encoding="utf-8")
    return path


BODY = r"""Fees are set by the *Harbour Master* each [year](https://example.org/fees).

# Fees

## 2.1 Rates

Before the table,
on two lines.

| Berth | Fee |
| --- | ---: |
| outer | $10 |
| inner | $1 000 |

1. first
2. second
   - with a point
     and its rest

## Notes

> Quoted words &amp; more.

```
keep  this   as it stands
```

<!-- not for readers -->
<p>Written <b>in</b> HTML.</p>

## Notes

Again, with `code`, a hard\
break, and ![a plan](plan.png).
"""


def test_each_heading_makes_a_unit_with_its_text_to_the_letter(tmp_path: Path) -> None:
    found = read_own(document(tmp_path, BODY), PRACTICE, NAMES)
    assert [(r.document_id, r.section, r.path, r.heading, r.text) for r in found.records] == [
        (
            "kb-12@0f3a9c21d4e5/introduction",
            "Introduction",
            (),
            "Ferry fees",
            "Fees are set by the Harbour Master each year.",
        ),
        (
            "kb-12@0f3a9c21d4e5/2.1",
            "2.1",
            ("Fees",),
            "Rates",
            "Before the table, on two lines.\nBerth: outer; Fee: $10\nBerth: inner; Fee: $1\u00a0000\n1. first\n"
            "2. second\n- with a point and its rest",
        ),
        (
            "kb-12@0f3a9c21d4e5/notes",
            "Notes",
            ("Fees",),
            "Notes",
            "Quoted words & more.\nkeep  this   as it stands\nWritten in HTML.",
        ),
        (
            "kb-12@0f3a9c21d4e5/notes~2",
            "Notes",
            ("Fees",),
            "Notes",
            "Again, with code, a hard\nbreak, and [Image: a plan].",
        ),
    ]
    assert all(_DOCUMENT_ID.fullmatch(r.document_id) for r in found.records)


def test_the_account_of_characters_closes(tmp_path: Path) -> None:
    origin = read_own(document(tmp_path, BODY), PRACTICE, NAMES).origin
    assert origin is not None and origin.ledger is not None
    assert origin.ledger.unexplained == 0
    assert dict(origin.ledger.added) == {"images": 13, "list marks": 5, "table heads": 14}


def test_what_is_true_of_the_whole_document_is_in_its_origin(tmp_path: Path) -> None:
    path = document(tmp_path, number="KB 12/3", language="en-AU", scope="Harbour manual")
    found = read_own(path, PRACTICE, NAMES)
    assert (found.instrument, found.dated) == ("KB 12/3@0f3a9c21d4e5", date(2020, 7, 1))
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    origin = found.origin
    assert origin is not None
    assert (origin.kind, origin.licence, origin.framework) == (Kind.OWN, "own", "Harbour manual")
    assert (origin.practice, origin.language, origin.notice) == (PRACTICE, "en-AU", "")
    assert origin.stated == Stated(date(2020, 7, 1), None, "its own front matter", is_exhaustive=True)
    assert found.records[0].document_id == "kb-12-3@0f3a9c21d4e5/introduction"


SUPERSEDED = [
    (
        {"superseded_by": "KB-14", "superseded_on": "1 July 2024"},
        {},
        (date(2024, 7, 1), "Superseded by KB-14 on 1 July 2024.", 0),
    ),
    ({"superseded_on": "2024-07-01"}, {}, (date(2024, 7, 1), "Superseded on 1 July 2024.", 0)),
    (
        {"superseded_by": "KB-14"},
        {"KB-14": date(2023, 1, 1)},
        (date(2023, 1, 1), "Superseded by KB-14 on 1 January 2023.", 0),
    ),
    ({"superseded_by": "KB-14"}, {}, (date(2020, 7, 2), "Superseded by KB-14; the day is not stated.", 1)),
    (
        {"superseded_by": "KB-14"},
        {"KB-14": date(2019, 1, 1)},
        (date(2020, 7, 2), "Superseded by KB-14; the day is not stated.", 1),
    ),
]


@pytest.mark.parametrize(("front", "effective", "wanted"), SUPERSEDED)
def test_a_superseded_document_keeps_its_days_and_says_what_took_its_place(
    tmp_path: Path, front: dict[str, str], effective: dict[str, date], wanted: tuple[date, str, int]
) -> None:
    origin = read_own(document(tmp_path, **front), PRACTICE, NAMES, effective).origin
    assert origin is not None and origin.stated is not None
    assert (origin.stated.starts, origin.stated.ends) == (date(2020, 7, 1), wanted[0])
    assert (origin.notice, len(origin.warnings)) == wanted[1:]
    assert origin.superseded_by == ("KB-14@0f3a9c21d4e5" if "superseded_by" in front else "")
    assert origin.stated.is_exhaustive == (not origin.warnings)


def test_the_days_of_a_folder_tell_when_each_was_superseded(tmp_path: Path) -> None:
    old = document(tmp_path, name="old.md", superseded_by="KB-14")
    new = document(tmp_path, name="new.md", number="KB-14", effective="2022-07-01")
    days = effective_days([old, new], PRACTICE, NAMES)
    assert days == {"KB-12": date(2020, 7, 1), "KB-14": date(2022, 7, 1)}
    origin = read_own(old, PRACTICE, NAMES, days).origin
    assert origin is not None and origin.notice == "Superseded by KB-14 on 1 July 2022."


BAD = [
    ({"number": ""}, 1, "number is missing"),
    ({"number": "KB@12"}, 2, "number is 'KB@12'; give up to 40 letters"),
    ({"title": ""}, 1, "title is missing"),
    ({"title": "x" * 401}, 3, "title is 401 characters; give at most 400"),
    ({"effective": ""}, 1, "effective is missing"),
    ({"effective": "31 February 2025"}, 4, "effective is '31 February 2025'; give a day that exists"),
    ({"effective": "01/07/2024"}, 4, "effective is '01/07/2024'"),
    ({"superseded_on": "2020-07-01"}, 6, "superseded-on is 2020-07-01; give a day after effective"),
    ({"superseded_by": "KB-12"}, 6, "superseded-by is KB-12 itself"),
    ({"superceded_by": "KB-14"}, 6, "did you mean superseded-by?"),
    ({"scope": "commonwealth acts"}, 6, "scope is commonwealth acts, which is public law"),
    ({"language": "Strine"}, 6, "language is 'Strine'"),
    ({"licence": "CC BY-NC 4.0"}, 6, "forbids commercial use"),
    ({"title": "[a, b]"}, 3, "title is a list or a mapping; give one value"),
    ({"title": "a: b: c"}, 3, "the front matter is not YAML"),
    ({"tenant": ""}, 1, "tenant is missing"),
]


@pytest.mark.parametrize(("front", "line", "problem"), BAD, ids=[problem for *_, problem in BAD])
def test_a_bad_key_is_named_with_its_line(tmp_path: Path, front: dict[str, str], line: int, problem: str) -> None:
    path = document(tmp_path, **front)
    with pytest.raises(CorpusRejected) as refusal:
        read_own(path, PRACTICE, NAMES)
    assert problem in str(refusal.value)
    assert str(refusal.value).startswith(f"{path}, line {line}: ")
    assert "Nothing of this file was loaded" in str(refusal.value)


@pytest.mark.parametrize("tenant", ["Pilot & Co", "ffffffffffff", "Harbour"])
def test_another_practices_document_is_refused_before_anything_in_it_is_said(tmp_path: Path, tenant: str) -> None:
    path = document(
        tmp_path, "Secret fees.", tenant=tenant, title="Secret title", number="SECRET/@", effective="secret"
    )
    with pytest.raises(CorpusRejected, match="tenant names another practice") as refusal:
        read_own(path, PRACTICE, NAMES)
    assert not {"secret", tenant.lower()} & set(str(refusal.value).lower().replace("'", " ").split())
    assert refusal.value.__cause__ is None and refusal.value.__suppress_context__


@pytest.mark.parametrize("tenant", [PRACTICE, "harbour  PARTNERS", "harbour_partners"])
def test_a_practice_may_be_called_by_any_of_its_names(tmp_path: Path, tenant: str) -> None:
    assert read_own(document(tmp_path, tenant=tenant), PRACTICE, NAMES).records


WRONG_BYTES = [
    (b"", None, "the file is empty"),
    (b"# No front matter\n", 1, "there is no front matter"),
    (b"---\nnumber: KB-1\n", 1, "the front matter has no end"),
    (b"---\nnumber: KB-1\ntitle: Fees\n" + b"x" * 30_000 + b"\n---\n", 1, "the front matter has no end"),
    (b"---\n- a\n- b\n---\nx", 2, "the front matter is no list of keys"),
    (b"---\n" + b"[" * 5_000 + b"\n---\nx", None, "the front matter is not YAML"),
    (b"---\nnumber: KB-1\nnumber: KB-2\n---\nx", 3, "number stands twice, first on line 2"),
    (b"---\ntitle: caf\xe9\n---\nx", 2, "byte 15 is not UTF-8"),
    ("---\ntitle: x\n---\n".encode("utf-16"), 1, "is not UTF-8"),
    (b"---\ntitle: x\n---\na\x00b", 4, "control character '\\x00'"),
    (b"PK\x03\x04" + bytes(range(128)), 1, "control character"),
]


@pytest.mark.parametrize(("content", "line", "problem"), WRONG_BYTES, ids=[row[2] for row in WRONG_BYTES])
def test_what_is_no_such_document_is_refused(tmp_path: Path, content: bytes, line: int | None, problem: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(content)
    with pytest.raises(CorpusRejected) as refusal:
        read_own(path, PRACTICE, NAMES)
    assert problem in str(refusal.value)
    assert line is None or refusal.value.line == line


@pytest.mark.parametrize("body", ["", "\n\n", "# Only\n\n## Headings\n", "<!-- nothing -->\n"])
def test_a_document_without_text_is_refused(tmp_path: Path, body: str) -> None:
    with pytest.raises(CorpusRejected, match="no text under its front matter"):
        read_own(document(tmp_path, body), PRACTICE, NAMES)


def test_a_huge_file_is_refused_by_the_bytes_that_fit(tmp_path: Path) -> None:
    path = tmp_path / "huge.md"
    with path.open("wb") as file:
        file.truncate(500_000_000)  # sparse: it takes no room, and reading it would
    with pytest.raises(CorpusRejected, match="longer than 2,000,000 bytes"):
        read_own(path, PRACTICE, NAMES)


def test_text_that_the_reader_does_not_understand_stops_the_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = units_of

    def losing(body: str):  # type: ignore[no-untyped-def]
        units, ledger = whole(body)
        return units[1:], type(ledger)(ledger.read, ledger.kept - 30)

    monkeypatch.setattr(own, "units_of", losing)
    with pytest.raises(CorpusRejected, match=r"30 of 2\d\d characters of the text were not understood"):
        read_own(document(tmp_path, BODY), PRACTICE, NAMES)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusRejected, match="cannot be read"):
        read_own(tmp_path / "nowhere.md", PRACTICE, NAMES)


def test_a_key_that_is_not_known_is_reported(tmp_path: Path) -> None:
    origin = read_own(document(tmp_path, author="Ann"), PRACTICE, NAMES).origin
    assert origin is not None and origin.warnings == ("line 6: the key 'author' is not read",)


MARKDOWN_LINES = r"""# Head
## 1.2 Head
para *of* words
- item
1. one
   - deep
| a | b |
|---|---|
| 1 | |
> quoted
```
    code

<b>x</b>
<div>y</div>
![p](q)
a\
***
&amp; &lt;
[l](m)
=="""
MARKDOWN = st.lists(st.sampled_from(MARKDOWN_LINES.split("\n")), max_size=25).map("\n".join)


@given(MARKDOWN)
def test_no_markdown_loses_a_character(body: str) -> None:
    _, ledger = units_of(body)
    assert ledger.unexplained == 0


@pytest.mark.parametrize("number", ["ITAA97", "itaa97", "TR 2008/1", "TR2008/1", "PS LA 2001/8", "IT 2650"])
def test_a_document_does_not_bear_the_number_of_public_law(tmp_path: Path, number: str) -> None:
    with pytest.raises(CorpusRejected, match="which names public law; give one of the practice's own"):
        read_own(document(tmp_path, number=number), PRACTICE, NAMES)


@pytest.mark.parametrize("title", ["Ferry \u202eseef", "Ferry\u2067fees"])
def test_a_title_holds_nothing_that_cannot_be_seen(tmp_path: Path, title: str) -> None:
    with pytest.raises(CorpusRejected, match="title holds characters that cannot be seen"):
        read_own(document(tmp_path, title=f'"{title}"'), PRACTICE, NAMES)


def test_a_day_out_of_all_bounds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusRejected, match="effective is '9999-12-31'; give a day that exists"):
        read_own(document(tmp_path, effective="9999-12-31"), PRACTICE, NAMES)
