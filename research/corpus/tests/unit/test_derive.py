"""Versions from readings: dated, with the fullest words, whatever the order in which they came."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

import pytest

from research.corpus.ingest.derive import CompilationFacts, Instrument, Place, Version, Words, versions_of
from research.corpus.ingest.history import Effect, Event, Stated
from research.corpus.ingest.words import wording_sha256
from research.law.identity import stable_id
from research.terms import Dating

Y10, Y12, Y14 = date(2010, 7, 1), date(2012, 7, 1), date(2014, 7, 1)
RINGING, ROPES = ("Part 1—Bells", "Division 1—Ringing"), ("Part 1—Bells", "Division 2—Ropes")


def place(section: str, day: date, wording: str, path: tuple[str, ...] = RINGING) -> Place:
    return Place(f"bell01/{section}", "", section, day, wording, stable_id(wording), path)


def words(text: str) -> Words:
    return Words("Ringing", "operative", text, ())


def facts(places: Iterable[Place], **known: dict[date, object]) -> dict[date, CompilationFacts]:
    """What is known of each compilation that the places name; known: a field's values by day."""
    return {
        day: CompilationFacts(**{name: by_day[day] for name, by_day in known.items() if day in by_day})  # type: ignore[arg-type]
        for day in {place.day for place in places}
    }


def versions(places: Sequence[Place], **known: dict[date, object]) -> list[Version]:
    texts = {p.words_id: words(p.wording) for p in places}
    return versions_of(Instrument("bell01", facts(places, **known), tuple(places)), texts)


def ranges(places: list[Place]) -> dict[str, list[tuple[str, date | None, date | None]]]:
    said = {p.words_id: p.wording for p in places}
    found: dict[str, list[tuple[str, date | None, date | None]]] = {}
    for version in versions(places):
        dated = version.dated
        found.setdefault(version.document_id, []).append(
            (said[version.words_id], dated.possible_from, dated.possible_to)
        )
    return found


def test_a_section_left_out_of_a_division_that_is_held_had_gone_by_then() -> None:
    places = [place("1-1", Y10, "A"), place("1-2", Y10, "B"), place("1-1", Y12, "A")]
    assert ranges(places)["bell01/1-2"] == [("B", None, Y12)]


def test_a_section_of_a_division_that_a_source_lacks_is_not_thereby_repealed() -> None:
    places = [place("1-1", Y10, "A"), place("2-1", Y10, "B", ROPES), place("1-1", Y12, "A")]
    assert ranges(places)["bell01/2-1"] == [("B", None, None)]


def test_a_section_new_in_a_division_that_was_held_was_not_there_before() -> None:
    places = [place("1-1", Y10, "A"), place("1-1", Y12, "A"), place("1-2", Y12, "B")]
    found = ranges(places)["bell01/1-2"]
    assert found == [("B", date(2010, 7, 2), None)]


def test_a_placeholder_is_no_evidence_against_words_but_holds_the_division() -> None:
    places = [
        place("1-1", Y10, "omitted-x"),
        place("1-2", Y10, "A"),
        place("1-1", Y12, "A"),
        place("1-3", Y12, "B"),
    ]
    found = ranges(places)
    assert found["bell01/1-1"][1] == ("A", None, None)
    assert found["bell01/1-2"] == [("A", None, Y12)]


@pytest.mark.parametrize(("later", "wanted"), [(8, Dating.REGISTER), (9, Dating.INFERRED)])
def test_compilations_that_follow_each_other_in_the_register_are_named_so(later: int, wanted: Dating) -> None:
    places = (place("1-1", Y10, "A"), place("1-1", Y12, "A"))
    assert [v.dated.dating for v in versions(places, number={Y10: 7, Y12: later})] == [wanted]


def test_an_amendment_that_the_endnotes_date_narrows_the_gap() -> None:
    places = [place("1-1", Y10, "A"), place("1-1", Y12, "B")]
    amended = Event(Effect.AMENDED, "No 5, 2011", (date(2011, 7, 1),))
    first, second = versions(places, events={Y12: {("", "1-1"): (amended,)}})
    assert (first.dated.certain_to, second.dated.certain_from) == (date(2011, 7, 1), date(2011, 7, 1))


def test_events_go_to_the_provision_of_their_address_alone() -> None:
    places = [place(section, day, wording) for section in ("1-1", "1-2") for day, wording in ((Y10, "A"), (Y12, "B"))]
    amended = Event(Effect.AMENDED, "No 5, 2011", (date(2011, 7, 1),))
    found = {v.document_id: v for v in versions(places, events={Y12: {("", "1-1"): (amended,)}}) if v.dated.certain_to}
    assert found["bell01/1-1"].dated.certain_from == date(2011, 7, 1)
    assert found["bell01/1-2"].dated.certain_from == Y12


def test_the_days_that_a_publisher_states_are_certain() -> None:
    [version] = versions([place("1-1", Y10, "A")], stated={Y10: Stated(Y10, Y14, "the Register's own dates")})
    assert (version.dated.certain_from, version.dated.certain_to) == (Y10, Y14)


def test_ids_do_not_depend_on_the_order_of_readings() -> None:
    places = [place("1-1", Y10, "A"), place("1-1", Y12, "B"), place("1-1", Y14, "A")]
    one, two = versions(places), versions(list(reversed(places)))
    assert one == two
    assert len({version.id for version in one}) == 3


def in_two_readings(first: Words, second: Words) -> Words:
    """The words shown of one wording that two compilations give in these words."""
    texts = {text.id_of("bell01/1-1"): text for text in (first, second)}
    one, two = (
        Place("bell01/1-1", "", "1-1", day, "A", text.id_of("bell01/1-1"), RINGING)
        for day, text in ((Y10, first), (Y12, second))
    )
    [version] = versions_of(Instrument("bell01", facts([one, two]), (one, two)), texts)
    return texts[version.words_id]


def test_the_fuller_reading_of_one_wording_is_shown() -> None:
    lossy, full = words("see section 40515"), words("see section 405-15")
    assert wording_sha256("", "", lossy.text) == wording_sha256("", "", full.text)
    assert in_two_readings(lossy, full) == in_two_readings(full, lossy) == full


def test_of_two_readings_with_the_same_words_the_one_that_marks_the_longer_term_is_shown() -> None:
    text = "a bell keeper rings"
    first_word, whole = Words("Ringing", "operative", text, ((2, 6),)), Words("Ringing", "operative", text, ((2, 13),))
    assert in_two_readings(first_word, whole) == in_two_readings(whole, first_word) == whole


def test_other_words_for_one_wording_are_another_version_because_answers_cite_offsets() -> None:
    lossy, full = words("see section 40515"), words("see section 405-15")
    assert lossy.id_of("bell01/1-1") != full.id_of("bell01/1-1")
