"""Versions from readings: dated, with the fullest words, whatever the order in which they came."""

from __future__ import annotations

from datetime import date

import pytest

from research.corpus.ingest.derive import Instrument, Place, Words, fullest, versions_of
from research.terms import Dating

Y10, Y12, Y14 = date(2010, 7, 1), date(2012, 7, 1), date(2014, 7, 1)
RINGING, ROPES = ("Part 1—Bells", "Division 1—Ringing"), ("Part 1—Bells", "Division 2—Ropes")


def place(section: str, day: date, wording: str, path: tuple[str, ...] = RINGING) -> Place:
    return Place(f"bell01/{section}", "", day, wording, path)


def words(text: str) -> Words:
    return Words("Ringing", "operative", text, ())


def ranges(places: list[Place]) -> dict[str, list[tuple[str, date | None, date | None]]]:
    texts = {(p.document_id, p.wording): words(p.wording) for p in places}
    days = tuple(sorted({p.day for p in places}))
    found: dict[str, list[tuple[str, date | None, date | None]]] = {}
    for version in versions_of(Instrument("bell01", days, tuple(places)), texts):
        dated = version.dated
        found.setdefault(version.document_id, []).append((version.words.text, dated.possible_from, dated.possible_to))
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


def test_compilations_that_follow_each_other_in_the_register_are_named_so() -> None:
    places, texts = (place("1-1", Y10, "A"), place("1-1", Y12, "A")), {("bell01/1-1", "A"): words("A")}
    for later, wanted in ((8, Dating.REGISTER), (9, Dating.INFERRED)):
        instrument = Instrument("bell01", (Y10, Y12), places, {Y10: 7, Y12: later})
        assert [version.dated.dating for version in versions_of(instrument, texts)] == [wanted]


def test_ids_do_not_depend_on_the_order_of_readings() -> None:
    places = [place("1-1", Y10, "A"), place("1-1", Y12, "B"), place("1-1", Y14, "A")]
    texts = {("bell01/1-1", "A"): words("A"), ("bell01/1-1", "B"): words("B")}
    one = versions_of(Instrument("bell01", (Y10, Y12, Y14), tuple(places)), texts)
    two = versions_of(Instrument("bell01", (Y10, Y12, Y14), tuple(reversed(places))), texts)
    assert one == two
    assert len({version.id for version in one}) == 3


def test_the_fuller_reading_of_one_wording_is_shown() -> None:
    key = ("bell01/1-1", "A")
    lossy, full = words("see section 40515"), words("see section 405-15")
    assert fullest([(key, lossy), (key, full)])[key] == fullest([(key, full), (key, lossy)])[key] == full


def test_of_two_readings_with_the_same_words_the_one_that_marks_the_longer_term_is_shown() -> None:
    key, text = ("bell01/1-1", "A"), "a bell keeper rings"
    first_word, whole = Words("Ringing", "operative", text, ((2, 6),)), Words("Ringing", "operative", text, ((2, 13),))
    assert fullest([(key, first_word), (key, whole)])[key] == whole
    assert fullest([(key, whole), (key, first_word)])[key] == whole


def test_words_that_are_lost_are_an_error_and_a_lost_placeholder_is_none() -> None:
    with pytest.raises(LookupError, match="no text is held of bell01/1-1 as read on 2010-07-01"):
        versions_of(Instrument("bell01", (Y10,), (place("1-1", Y10, "A"),)), {})
    assert versions_of(Instrument("bell01", (Y10,), (place("1-1", Y10, "omitted-x"),)), {}) == []
