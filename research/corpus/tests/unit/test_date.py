"""Dating: what the compilations held prove about the days of a wording, and what they do not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.corpus.ingest.date import DatedWording, Sighting, date_wordings, place_of, says_absent
from research.terms import Dating

D = date
DAY = timedelta(days=1)


def days(*wordings: str | None) -> list[Sighting]:
    """Sightings on 1 July 2010, 2012, 2014…; "?…" is a placeholder, None an absence that counts."""
    return [Sighting(D(2010 + 2 * at, 7, 1), w, omitted=bool(w and w.startswith("?"))) for at, w in enumerate(wordings)]


def numbered(*wordings: str) -> list[Sighting]:
    """The same, each wording followed by the number of its compilation."""
    return [
        replace(sighting, number=int(w[1:]), wording=w[0])
        for sighting, w in zip(days(*wordings), wordings, strict=True)
    ]


def ranges(found: list[DatedWording]) -> list[tuple[str, int, date, date | None, date | None, date | None, str]]:
    return [
        (w.wording, w.occurrence, w.certain_from, w.certain_to, w.possible_from, w.possible_to, w.dating.value)
        for w in found
    ]


Y10, Y12, Y14, Y16 = (D(year, 7, 1) for year in (2010, 2012, 2014, 2016))

TABLE = [
    ("one compilation makes its own day certain and no other", days("A"),
     [("A", 0, Y10, Y10 + DAY, None, None, "unknown")]),
    ("the same words in two make the days between certain", days("A", "A"),
     [("A", 0, Y10, Y12 + DAY, None, None, "inferred")]),
    ("other words later leave a gap that is possible for both", days("A", "B"),
     [("A", 0, Y10, Y10 + DAY, None, Y12, "unknown"), ("B", 0, Y12, Y12 + DAY, Y10 + DAY, None, "unknown")]),
    ("words that come back are a second occurrence", days("A", "B", "A"),
     [("A", 0, Y10, Y10 + DAY, None, Y12, "unknown"), ("B", 0, Y12, Y12 + DAY, Y10 + DAY, Y14, "unknown"),
      ("A", 1, Y14, Y14 + DAY, Y12 + DAY, None, "unknown")]),
    ("an absence that counts ends what is possible", days("A", None),
     [("A", 0, Y10, Y10 + DAY, None, Y12, "unknown")]),
    ("an absence before the first words begins what is possible", days(None, "A", "A"),
     [("A", 0, Y12, Y14 + DAY, Y10 + DAY, None, "inferred")]),
    ("repeal and re-enactment are not one unbroken range", days("A", None, "A"),
     [("A", 0, Y10, Y10 + DAY, None, Y12, "unknown"), ("A", 1, Y14, Y14 + DAY, Y12 + DAY, None, "unknown")]),
    ("a placeholder between the same words says nothing", days("A", "?t", "A"),
     [("A", 0, Y10, Y14 + DAY, None, None, "inferred")]),
    ("a placeholder before the words leaves them unbounded", days("?t", "A"),
     [("?t", 0, Y10, Y10 + DAY, Y10, Y10 + DAY, "unknown"), ("A", 0, Y12, Y12 + DAY, None, None, "unknown")]),
    ("placeholders in one gap are one row", days("?t", "?t"),
     [("?t", 0, Y10, Y12 + DAY, Y10, Y12 + DAY, "unknown")]),
    ("placeholders either side of words are two", days("?t", "A", "?t"),
     [("?t", 0, Y10, Y10 + DAY, Y10, Y10 + DAY, "unknown"), ("A", 0, Y12, Y12 + DAY, None, None, "unknown"),
      ("?t", 1, Y14, Y14 + DAY, Y14, Y14 + DAY, "unknown")]),
    ("placeholders either side of an absence are two", days("?t", None, "?t"),
     [("?t", 0, Y10, Y10 + DAY, Y10, Y10 + DAY, "unknown"), ("?t", 1, Y14, Y14 + DAY, Y14, Y14 + DAY, "unknown")]),
    ("a provision never seen has no wording", days(None, None), []),
    ("the same words in compilations that follow each other are known from the Register", numbered("A4", "A5", "A6"),
     [("A", 0, Y10, Y14 + DAY, None, None, "register")]),
    ("a compilation not held in between leaves it inferred", numbered("A4", "A5", "A7"),
     [("A", 0, Y10, Y14 + DAY, None, None, "inferred")]),
    ("a placeholder in between does too", numbered("A4", "?5", "A6"),
     [("A", 0, Y10, Y14 + DAY, None, None, "inferred")]),
    ("numbers that follow each other do not narrow a change", numbered("A4", "B5"),
     [("A", 0, Y10, Y10 + DAY, None, Y12, "unknown"), ("B", 0, Y12, Y12 + DAY, Y10 + DAY, None, "unknown")]),
]  # fmt: skip


@pytest.mark.parametrize(("sightings", "wanted"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_the_days_of_a_wording(sightings: list[Sighting], wanted: list[object]) -> None:
    assert ranges(date_wordings(sightings)) == wanted


def test_two_sightings_on_one_day_are_refused() -> None:
    with pytest.raises(ValueError, match="two sightings on one day"):
        date_wordings([Sighting(Y10, "A"), Sighting(Y10, "B")])


moments = st.tuples(st.integers(0, 4000), st.sampled_from(["A", "B", "C", "?t", "?u", None]))
histories = st.lists(moments, max_size=12, unique_by=lambda moment: moment[0]).map(
    lambda found: [Sighting(D(2000, 1, 1) + timedelta(days=day), w, bool(w and w[0] == "?")) for day, w in found]
)


@given(histories)
def test_certain_ranges_never_overlap_and_lie_within_what_is_possible(history: list[Sighting]) -> None:
    found = date_wordings(history)
    for earlier, later in pairwise(found):
        assert earlier.certain_to is not None
        assert earlier.certain_to <= later.certain_from
    for wording in found:
        assert wording.certain_to is not None
        assert wording.certain_from < wording.certain_to
        assert wording.possible_from is None or wording.possible_from <= wording.certain_from
        assert wording.possible_to is None or wording.certain_to <= wording.possible_to


@given(histories, st.randoms())
def test_the_order_of_loading_does_not_matter(history: list[Sighting], random: object) -> None:
    shuffled = list(history)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert date_wordings(shuffled) == date_wordings(history)


@given(histories)
def test_every_sighting_of_words_is_certain_on_its_own_day_and_no_other_words_are_possible_then(
    history: list[Sighting],
) -> None:
    found = [w for w in date_wordings(history) if not w.omitted]
    for sighting in (s for s in history if not s.omitted):
        covering = [w.wording for w in found if w.is_certain_within(sighting.day, sighting.day)]
        assert covering == ([] if sighting.wording is None else [sighting.wording])
        for wording in found:
            starts_after = wording.possible_from is not None and sighting.day < wording.possible_from
            ends_before = wording.possible_to is not None and wording.possible_to <= sighting.day
            assert wording.wording == sighting.wording or starts_after or ends_before


@given(histories)
def test_a_wording_and_its_occurrence_name_one_row(history: list[Sighting]) -> None:
    found = date_wordings(history)
    assert len({(w.wording, w.occurrence) for w in found}) == len(found)


@given(histories)
def test_inferred_is_said_only_of_words_seen_before_and_after_a_day_not_seen(history: list[Sighting]) -> None:
    for wording in date_wordings(history):
        if not wording.omitted:
            seen = sorted(s.day for s in history if wording.is_certain_within(s.day, s.day) and not s.omitted)
            is_inferred = any(later - earlier > DAY for earlier, later in pairwise(seen))
            known = Dating.REGISTER if len(seen) > 1 else Dating.UNKNOWN
            assert wording.dating is (Dating.INFERRED if is_inferred else known)


@pytest.mark.parametrize(
    ("schedule", "path", "wanted"),
    [
        ("", ["Chapter 1—Start", "Division 8—Dues", "Subdivision 8-A—More"], ("x", "", "Chapter 1", "Division 8")),
        ("", ["Part III—Dues", "Division 3—Late dues"], ("x", "", "Part III", "Division 3")),
        ("1", ["Part 2—Dues"], ("x", "1", "Part 2")),
        ("", [], ("x", "")),
    ],
)
def test_the_place_of_a_provision_is_its_nearest_division(
    schedule: str, path: list[str], wanted: tuple[str, ...]
) -> None:
    assert place_of("x", schedule, path) == wanted


def test_a_renamed_division_is_the_same_place() -> None:
    assert place_of("x", "", ["Division 8—Dues"]) == place_of("x", "", ["Division 8—Harbour dues"])


def test_a_compilation_without_the_division_says_nothing_of_its_provisions() -> None:
    held = frozenset({("x", "", "Division 8")})
    assert says_absent([("x", "", "Division 8")], held)
    assert not says_absent([("x", "", "Division 9")], held)
