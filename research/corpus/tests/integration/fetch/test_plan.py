"""Fetching from a fake Register over HTTP: each text once, whole, and a line for each that says how it is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from asat_site.testing.register import FakeRegister
from asat_site.testing.register_catalogue import Title, Trouble, Version, small_epub
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.partial import Partial
from research.corpus.ingest.fetch.plan import FetchReport, Outcome, fetch_all, fetch_as_at
from research.corpus.ingest.fetch.shelf import Shelf
from research.corpus.ingest.origin import Fetched
from research.corpus.tests.integration.fetch.conftest import FERRIES, FIRST, LIGHTS, MADE, SECOND, TODAY, now
from research.law.instruments import KnownAct

Make = Callable[..., RegisterClient]


def as_at(client: RegisterClient, folder: Path, *days: str, title_id: str = FERRIES) -> list[FetchReport]:
    return fetch_as_at(client, title_id, [date.fromisoformat(day) for day in days], folder, TODAY, now=now)


def kept(folder: Path) -> list[str]:
    """What lies in the folder that could be read as an answer."""
    return sorted(path.name for path in folder.iterdir() if path.name != ".partial")


def test_the_text_of_a_day_is_kept_with_what_it_is(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    (line,) = as_at(client, tmp_path, "2015-03-31")
    assert (line.outcome, line.register_id, line.day) == (Outcome.FETCHED, FIRST, date(2015, 3, 31))
    assert line.path is not None and line.fetched is not None
    assert line.path.read_bytes() == register.titles[0].versions[1].epub[0]
    assert kept(tmp_path) == [f"{line.fetched.sha256}.epub", f"{line.fetched.sha256}.json"]
    side = Fetched.from_json(line.path.with_suffix(".json").read_text())
    assert side == line.fetched
    assert replace(side, sha256="", size_bytes=0) == Fetched(
        sha256="",
        size_bytes=0,
        file_name="C2015C00001.epub",
        title_id=FERRIES,
        title="Harbour Dues and Ferries Act 1999",
        register_id=FIRST,
        compilation_number="1",
        starts=date(2015, 1, 1),
        ends=date(2015, 7, 1),
        checked_on=TODAY,
        source_uri=f"{register.site}{FERRIES}/2015-01-01/2015-01-01/text/original/epub",
        fetched_at=now(),
        more={"fetched_from": line.fetched.more["fetched_from"]},
    )
    assert str(line) == f"fetched: {FERRIES} as at 2015-03-31 {FIRST} in force from 2015-01-01"


def test_every_parameter_of_the_file_is_given(client: RegisterClient, register: FakeRegister, tmp_path: Path) -> None:
    as_at(client, tmp_path, "2015-03-31")
    assert register.paths("find(") == [
        f"/v1/documents/find(titleid='{FERRIES}',asat=2015-01-01,type='Primary',format='Epub',"
        "uniqueTypeNumber=0,volumeNumber=0,rectificationVersionNumber=0)"
    ]


def test_days_of_one_version_download_it_once(client: RegisterClient, register: FakeRegister, tmp_path: Path) -> None:
    told: list[FetchReport] = []
    days = [date(2015, 2, 1), date(2016, 1, 1), date(2015, 6, 30), date(2015, 2, 1)]
    lines = fetch_as_at(client, FERRIES, days, tmp_path, TODAY, now=now, tell=told.append)
    assert [(line.day, line.outcome, line.register_id) for line in lines] == [
        (date(2015, 2, 1), Outcome.FETCHED, FIRST),
        (date(2016, 1, 1), Outcome.FETCHED, SECOND),
        (date(2015, 6, 30), Outcome.HELD, FIRST),
    ]
    assert told == lines
    assert len(register.paths("find(")) == 2


def test_what_is_held_is_not_downloaded_again_but_its_end_is_brought_up_to_date(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    (before,) = as_at(client, tmp_path, "2001-06-30", title_id=LIGHTS)
    lights = register.titles[1]
    lights.versions = [*lights.versions, Version(date(2024, 2, 1), "C2024C00009", "1")]
    (after,) = as_at(client, tmp_path, "2001-06-30", title_id=LIGHTS)
    assert (before.outcome, after.outcome) == (Outcome.FETCHED, Outcome.HELD)
    assert len(register.paths("find(")) == 1
    assert before.fetched is not None and after.fetched is not None and after.path is not None
    assert after.fetched == replace(before.fetched, ends=date(2024, 2, 1))
    assert Fetched.from_json(after.path.with_suffix(".json").read_text()) == after.fetched


def test_an_envelope_is_opened(client: RegisterClient, register: FakeRegister, tmp_path: Path) -> None:
    (line,) = as_at(client, tmp_path, "2001-06-30", title_id=LIGHTS)
    assert line.path is not None
    assert line.path.read_bytes() == register.titles[1].versions[0].epub[0]


def test_asking_for_today_while_an_amendment_has_no_text_says_so(client: RegisterClient, tmp_path: Path) -> None:
    (line,) = as_at(client, tmp_path, "2024-03-01")
    assert (line.outcome, line.register_id) == (Outcome.FETCHED, SECOND)
    assert line.text_not_current_from == date(2020, 1, 1)
    assert line.reason == (
        "The version in force on that day has no text published yet. This is the last one before it, "
        "not current from 2020-01-01 on (amended since by Ferries Amendment Act 2019)."
    )
    assert line.fetched is not None
    assert (line.fetched.ends, line.fetched.text_not_current_from) == (date(2020, 1, 1), date(2020, 1, 1))


def test_a_text_says_the_same_of_itself_whatever_day_it_was_fetched_for(client: RegisterClient, tmp_path: Path) -> None:
    current, later = as_at(client, tmp_path, "2019-12-31", "2024-03-01")
    assert (current.text_not_current_from, current.reason) == (None, "")
    assert current.fetched == later.fetched


def test_amendments_that_the_register_flags_and_does_not_date_count_from_the_texts_first_day(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    register.titles[1].versions[0].has_unincorporated_amendments = True
    (line,) = as_at(client, tmp_path, "2024-03-01", title_id=LIGHTS)
    assert line.text_not_current_from == date(2001, 3, 1)
    assert "and not from which day" in line.reason


def test_a_day_before_the_first_version_is_absent_and_the_earliest_is_named(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    (line,) = as_at(client, tmp_path, "1999-11-30")
    assert line.outcome is Outcome.ABSENT
    assert "the earliest that the Register holds starts on 1999-12-01 (C1999A00123)" in line.reason
    assert (kept(tmp_path), register.paths("find(")) == ([], [])


def test_a_day_to_come_is_not_checked(client: RegisterClient, tmp_path: Path) -> None:
    (line,) = as_at(client, tmp_path, "2024-03-02")
    assert (line.outcome, line.reason) == (Outcome.NOT_CHECKED, "The law of a day after 2024-03-01 is not known yet.")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (("Word", "Pdf"), "no EPUB is published of it; Pdf and Word is, which AsAt does not read"),
        ((), "no file of its text"),
    ],
)
def test_a_version_without_an_epub_has_no_text_and_no_other_takes_its_place(
    client: RegisterClient, register: FakeRegister, tmp_path: Path, others: tuple[str, ...], said: str
) -> None:
    version = register.titles[0].versions[1]
    version.epub, version.others = {}, others
    (line,) = as_at(client, tmp_path, "2015-03-31")
    assert line.outcome is Outcome.NO_TEXT
    assert said in line.reason
    assert kept(tmp_path) == []


def test_a_file_that_is_listed_and_not_rendered_yet_is_not_checked(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    register.titles[0].versions[1].epub = {0: None}
    (line,) = as_at(client, tmp_path, "2015-03-31")
    assert line.outcome is Outcome.NOT_CHECKED
    assert "it lists the file but does not have it yet; ask again tomorrow" in line.reason


def test_the_highest_rectification_is_fetched(client: RegisterClient, register: FakeRegister, tmp_path: Path) -> None:
    as_at(client, tmp_path, "2015-03-31")
    version = register.titles[0].versions[1]
    version.epub = {**version.epub, 1: small_epub("First compilation, corrected.")}
    (line,) = as_at(client, tmp_path, "2015-03-31")
    assert line.outcome is Outcome.FETCHED
    assert line.fetched is not None and line.path is not None
    assert (line.fetched.rectification, line.path.read_bytes()) == (1, version.epub[1])
    assert line.fetched.source_uri.endswith("/text/1/epub")


def retrospective() -> Title:
    start = date(2010, 7, 1)
    return Title(
        "C2010A00031",
        "Moorings Act 2010",
        [
            Version(start, "C2010C00500", "1", epub={0: small_epub("As it was then.")}),
            Version(start, "C2013C00040", "2", retrospective_start=date(2013, 5, 1), epub={0: small_epub("As since.")}),
        ],
    )


@pytest.mark.parametrize(
    ("known_on", "register_id", "viewed"),
    [(date(2013, 4, 30), "C2010C00500", None), (TODAY, "C2013C00040", date(2013, 5, 1))],
)
def test_of_two_accounts_of_one_day_the_one_known_then_is_fetched_by_its_whole_key(
    client: RegisterClient,
    register: FakeRegister,
    tmp_path: Path,
    known_on: date,
    register_id: str,
    viewed: date | None,
) -> None:
    register.titles.append(retrospective())
    (line,) = fetch_as_at(client, "C2010A00031", [date(2011, 1, 1)], tmp_path, known_on, now=now)
    assert (line.outcome, line.register_id) == (Outcome.FETCHED, register_id)
    assert line.fetched is not None
    assert line.fetched.retrospective_start == viewed
    (path,) = register.paths("Documents(")
    assert f"retrospectiveStart={viewed or '2010-07-01'}T00:00:00," in path


def test_both_accounts_are_kept_side_by_side(client: RegisterClient, register: FakeRegister, tmp_path: Path) -> None:
    register.titles.append(retrospective())
    lines = fetch_all(client, "C2010A00031", date(2010, 1, 1), tmp_path, now=now)
    assert [line.register_id for line in lines] == ["C2010C00500", "C2013C00040"]
    assert len(list(Shelf(tmp_path).everything())) == 2


def test_all_compilations_since_a_day_include_the_one_in_force_on_it(client: RegisterClient, tmp_path: Path) -> None:
    lines = fetch_all(client, FERRIES, date(2015, 6, 30), tmp_path, now=now)
    assert [(line.outcome, line.register_id, line.starts) for line in lines] == [
        (Outcome.FETCHED, FIRST, date(2015, 1, 1)),
        (Outcome.FETCHED, SECOND, date(2015, 7, 1)),
        (Outcome.NO_TEXT, "", date(2020, 1, 1)),
    ]
    assert lines[2].reason == (
        "An amendment by Ferries Amendment Act 2019 commenced on 2020-01-01, and no text with it is published yet."
    )
    again = fetch_all(client, FERRIES, date(1990, 1, 1), tmp_path, now=now)
    assert [line.outcome for line in again] == [Outcome.FETCHED, Outcome.HELD, Outcome.HELD, Outcome.NO_TEXT]


def test_nothing_since_a_day_is_absent(client: RegisterClient, register: FakeRegister, tmp_path: Path) -> None:
    register.titles[1].versions[0].end = date(2010, 1, 1)
    (line,) = fetch_all(client, LIGHTS, date(2010, 1, 1), tmp_path, now=now)
    assert (line.outcome, line.reason) == (Outcome.ABSENT, "The last version of it ended before 2010-01-01.")


def test_an_act_is_fetched_by_its_code_even_if_its_title_id_is_not_known(
    client: RegisterClient, tmp_path: Path
) -> None:
    act = KnownAct("HDF99", "Harbour Dues Act 1999", "", "hdf99")
    (line,) = fetch_as_at(client, act, [date(2015, 3, 31)], tmp_path, TODAY, now=now)
    assert (line.outcome, line.title_id, line.register_id) == (Outcome.FETCHED, FERRIES, FIRST)


@pytest.mark.parametrize(
    ("on", "trouble", "more", "outcome"),
    [
        ("Titles", Trouble.STATUS, {"status": 503}, Outcome.NOT_CHECKED),
        ("Versions", Trouble.STATUS, {"status": 500}, Outcome.NOT_CHECKED),
        ("Versions", Trouble.OTHER_TITLE, {}, Outcome.NOT_CHECKED),
        ("Documents?", Trouble.STATUS, {"status": 404}, Outcome.NOT_CHECKED),
        ("Documents?", Trouble.UNAVAILABLE, {}, Outcome.NOT_CHECKED),
        ("find(", Trouble.SHELL, {}, Outcome.NOT_CHECKED),
        ("find(", Trouble.UNAVAILABLE, {}, Outcome.NOT_CHECKED),
        ("find(", Trouble.CUT_SHORT, {}, Outcome.NOT_CHECKED),
        ("find(", Trouble.OTHER_FILE, {}, Outcome.NOT_CHECKED),
        ("find(", Trouble.OVERSIZE, {}, Outcome.NOT_CHECKED),
        ("find(", Trouble.OVERSIZE_UNTOLD, {}, Outcome.NOT_CHECKED),
        ("find(", Trouble.REDIRECT, {"location": "https://example.com/x.epub"}, Outcome.NOT_CHECKED),
        ("find(", Trouble.STATUS, {"status": 429}, Outcome.NOT_CHECKED),
        ("find(", Trouble.STATUS, {"status": 403}, Outcome.NOT_CHECKED),
    ],
)
def test_trouble_at_any_step_is_not_checked_and_leaves_nothing(
    client_of: Make,
    register: FakeRegister,
    tmp_path: Path,
    on: str,
    trouble: Trouble,
    more: dict[str, Any],
    outcome: Outcome,
) -> None:
    client = client_of(max_file_bytes=1_000_000)
    register.misbehave(trouble, on, times=3, **more)
    (line,) = as_at(client, tmp_path, "2015-03-31")
    assert (line.outcome, line.path) == (outcome, None), line.reason
    assert line.reason
    assert kept(tmp_path) == []
    assert [path.name for path in (tmp_path / ".partial").iterdir()] == ["lock"]


@pytest.mark.parametrize("trouble", [Trouble.NO_BYTES, Trouble.NOT_BASE64, Trouble.WRONG_SIZE])
def test_a_false_envelope_is_not_kept(
    client: RegisterClient, register: FakeRegister, tmp_path: Path, trouble: Trouble
) -> None:
    register.misbehave(trouble, "find(")
    (line,) = as_at(client, tmp_path, "2001-06-30", title_id=LIGHTS)
    assert line.outcome is Outcome.NOT_CHECKED
    assert line.reason.endswith("Nothing of it was kept.")
    assert kept(tmp_path) == []


def test_a_page_in_place_of_a_file_leaves_the_old_file_as_it_is(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    (old,) = as_at(client, tmp_path, "2015-03-31")
    before = {name: (tmp_path / name).read_bytes() for name in kept(tmp_path)}
    version = register.titles[0].versions[1]
    version.epub = {**version.epub, 1: small_epub("First compilation, corrected.")}
    register.misbehave(Trouble.SHELL, "find(")
    (line,) = as_at(client, tmp_path, "2015-03-31")
    assert line.outcome is Outcome.NOT_CHECKED
    assert {name: (tmp_path / name).read_bytes() for name in kept(tmp_path)} == before
    assert old.path is not None


def test_the_file_of_another_compilation_is_never_kept_as_this_one(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    """Bare bytes without a name, of the listed size: only that the very bytes are kept already gives them away."""
    as_at(client, tmp_path, "2015-03-31")
    first, second = register.titles[0].versions[1:3]
    second.epub = first.epub
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert line.outcome is Outcome.NOT_CHECKED
    assert f"is, byte for byte, that of {FIRST}" in line.reason
    assert len(kept(tmp_path)) == 2


def test_a_download_that_broke_off_goes_on_where_it_was(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    plain = small_epub("Second compilation. " * 40)
    register.misbehave(Trouble.RESET, "find(")
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert line.outcome is Outcome.FETCHED
    assert line.path is not None
    assert line.path.read_bytes() == plain
    first, second = (asked for asked in register.asked if "find(" in asked.path)
    assert "Range" not in first.headers
    assert second.headers["Range"] == f"bytes={len(plain) // 2}-"
    assert second.headers["If-Range"].startswith('"')


def test_a_download_goes_on_in_the_next_fetch_too(client_of: Make, register: FakeRegister, tmp_path: Path) -> None:
    client = client_of(tries=1)
    register.misbehave(Trouble.RESET, "find(")
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert (line.outcome, kept(tmp_path)) == (Outcome.NOT_CHECKED, [])
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert line.outcome is Outcome.FETCHED
    assert [asked for asked in register.asked if "find(" in asked.path][-1].headers["Range"].startswith("bytes=")


def test_a_file_that_changed_meanwhile_is_started_anew(client_of: Make, register: FakeRegister, tmp_path: Path) -> None:
    client = client_of(tries=1)
    register.misbehave(Trouble.RESET, "find(")
    as_at(client, tmp_path, "2016-01-01")
    register.titles[0].versions[2].epub = {0: small_epub("Second compilation, rendered anew. " * 40)}
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert line.path is not None
    assert line.path.read_bytes() == small_epub("Second compilation, rendered anew. " * 40)


def test_a_file_that_had_arrived_whole_and_was_not_kept_is_started_anew(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    """As when the machine went off between the last byte and the check; the server answers 416 to go on from there."""
    as_at(client, tmp_path, "2015-03-31")
    version, address = register.titles[0].versions[2], register.paths("find(")[0].replace("2015-01-01", "2015-07-01")
    assert version.epub[0]
    left = Partial(Shelf(tmp_path).partials, register.address + address)
    left.start(f'"{hash(version.epub[0]) & 0xFFFFFFFF:x}"')
    left.append([version.epub[0]])
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert (line.outcome, len(register.paths("find("))) == (Outcome.FETCHED, 3)
    assert line.path is not None
    assert line.path.read_bytes() == version.epub[0]


def test_a_part_that_begins_elsewhere_is_not_put_behind_what_is_there(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    register.misbehave(Trouble.RESET, "find(")
    register.misbehave(Trouble.OTHER_RANGE, "find(")
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert (line.outcome, len(register.paths("find("))) == (Outcome.FETCHED, 3)
    assert line.path is not None
    assert line.path.read_bytes() == small_epub("Second compilation. " * 40)


def test_a_file_listed_under_another_register_id_is_not_fetched(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    register.titles[0].versions[1].listed_as = "C2015C00999"
    (line,) = as_at(client, tmp_path, "2015-03-31")
    assert line.outcome is Outcome.NOT_CHECKED
    assert line.reason == "The file listed for C2015C00001 is named C2015C00999; one of them is wrong."
    assert register.paths("find(") == []


@pytest.mark.parametrize(("etag", "accept_ranges"), [("", "bytes"), ('W/"{}"', "bytes"), ('"{}"', "none")])
def test_a_server_that_cannot_go_on_for_certain_is_asked_from_the_beginning(
    client: RegisterClient, register: FakeRegister, tmp_path: Path, etag: str, accept_ranges: str
) -> None:
    register.etag, register.accept_ranges = etag, accept_ranges
    register.misbehave(Trouble.RESET, "find(")
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert line.outcome is Outcome.FETCHED
    assert not any("Range" in asked.headers for asked in register.asked)


def test_a_file_that_drips_is_cut_off(client_of: Make, register: FakeRegister, tmp_path: Path) -> None:
    client = client_of(file_total_s=0.3, tries=1)
    register.misbehave(Trouble.DRIP, "find(")
    (line,) = as_at(client, tmp_path, "2016-01-01")
    assert "the answer took more than 0.3 seconds" in line.reason
    assert kept(tmp_path) == []


def test_when_the_register_is_down_the_rest_is_not_tried(
    client_of: Make, register: FakeRegister, tmp_path: Path
) -> None:
    first = date(2001, 1, 1)
    rows = [Version(first.replace(year=2001 + n), f"C{2001 + n}C00001", str(n), epub={0: None}) for n in range(6)]
    register.titles.append(Title("C2001A00007", "Buoys Act 2001", rows))
    lines = fetch_all(client_of(), "C2001A00007", first, tmp_path, now=now)
    assert {line.outcome for line in lines} == {Outcome.NOT_CHECKED}
    assert len(register.paths("find(")) == 3
    assert [line.reason.startswith("Not tried: 3 files in a row") for line in lines] == [False] * 3 + [True] * 3


def test_a_folder_that_another_fetch_writes_to_is_left_alone(
    client: RegisterClient, register: FakeRegister, tmp_path: Path
) -> None:
    with Shelf(tmp_path).alone():
        (line,) = as_at(client, tmp_path, "2015-03-31")
    assert line.outcome is Outcome.NOT_CHECKED
    assert "another fetch is writing to" in line.reason
    assert register.asked == []


def test_every_text_made_is_the_one_of_its_day(client: RegisterClient, tmp_path: Path) -> None:
    lines = as_at(client, tmp_path, "2014-06-30", "2015-06-30", "2015-07-01")
    assert [line.register_id for line in lines] == [MADE, FIRST, SECOND]
