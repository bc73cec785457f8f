"""Dating with endnotes and stated days: what narrows a gap, what blocks it, and how each bound is said to be known."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.corpus.ingest.date import DatedWording, Sighting, date_wordings
from research.corpus.ingest.history import Effect, Event, Stated

D = date
DAY = timedelta(days=1)
Y98, Y10, Y12, Y14, Y16 = (D(year, 7, 1) for year in (1998, 2010, 2012, 2014, 2016))
D11, D13 = D(2011, 3, 1), D(2013, 3, 1)
REGISTER = "the Register's own dates"

BEGAN = Event(Effect.BEGAN, "No 7, 1998", (Y98,), assent=D(1998, 4, 17))


def am(*days: date, act: str = "No 66, 2011", assent: date | None = None, unresolved: str = "") -> Event:
    return Event(Effect.AMENDED, act, days, unresolved, assent)


def ad(*days: date, act: str = "No 81, 2011") -> Event:
    return Event(Effect.ADDED, act, days)


def rep(*days: date, act: str = "No 23, 2013") -> Event:
    return Event(Effect.REPEALED, act, days)


def see(day: date, wording: str | None, *events: Event, number: int | None = None) -> Sighting:
    return Sighting(day, wording, number=number, events=events or None)


def stated(day: date, wording: str | None, starts: date, ends: date | None, is_exhaustive: bool = False) -> Sighting:
    return Sighting(day, wording, stated=Stated(starts, ends, REGISTER, is_exhaustive))


def ranges(found: list[DatedWording]) -> list[tuple[str, date, date | None, date | None, date | None, str]]:
    return [(w.wording, w.certain_from, w.certain_to, w.possible_from, w.possible_to, w.dating.value) for w in found]


LATE = am(D11, assent=D(2013, 6, 1))  # commenced in 2011, law since 2013

TABLE = [
    ("a provision never amended goes back to the commencement of its Act", [see(Y10, "A", BEGAN)],
     [("A", Y98, Y10 + DAY, Y98, None, "commencement")]),
    ("so it does with the same words later, the endnotes listing nothing", [see(Y10, "A", BEGAN), see(Y14, "A", BEGAN)],
     [("A", Y98, Y14 + DAY, Y98, None, "commencement")]),
    ("an amendment is as far back as words go", [see(Y14, "B", BEGAN, am(D11))],
     [("B", D11, Y14 + DAY, Y98, None, "endnote")]),
    ("a provision added is not possible before that", [see(Y14, "A", ad(D11))],
     [("A", D11, Y14 + DAY, D11, None, "commencement")]),
    ("an addition on one of two days is certain from the later and possible from the earlier",
     [see(Y14, "A", ad(D11, D13))], [("A", D13, Y14 + DAY, D11, None, "commencement")]),
    ("a compilation on the very day of commencement is dated by it", [see(Y10, "A", ad(Y10))],
     [("A", Y10, Y10 + DAY, Y10, None, "commencement")]),
    ("one exact change in between ends the earlier words and begins the later",
     [see(Y10, "A"), see(Y14, "B", BEGAN, am(D11))],
     [("A", Y98, D11, Y98, D11, "endnote"), ("B", D11, Y14 + DAY, D11, None, "endnote")]),
    ("between the first and the last of several the words are not known",
     [see(Y10, "A"), see(Y14, "B", BEGAN, am(D11), am(D13, act="No 2, 2013"))],
     [("A", Y98, D11, Y98, D13, "endnote"), ("B", D13, Y14 + DAY, D11, None, "endnote")]),
    ("nor between the days of an ambiguous set", [see(Y10, "A"), see(Y14, "B", BEGAN, am(D11, D13))],
     [("A", Y98, D11, Y98, D13, "endnote"), ("B", D13, Y14 + DAY, D11, None, "endnote")]),
    ("of an ambiguous set the compilations decide", [see(Y10, "A", BEGAN), see(Y12, "A", BEGAN),
                                                    see(Y14, "B", BEGAN, am(D11, D13, act="No 9, 2009"))],
     [("A", Y98, D13, Y98, D13, "endnote"), ("B", D13, Y14 + DAY, D13, None, "endnote")]),
    ("a change without a day leaves both as they were read",
     [see(Y10, "A"), see(Y14, "B", BEGAN, am(D11), am(act="No 2, 2013", unresolved="immediately after Sch 2"))],
     [("A", Y10, Y10 + DAY, Y98, Y14, "unknown"), ("B", Y14, Y14 + DAY, Y10 + DAY, None, "unknown")]),
    ("one that an earlier compilation lists already does not touch the gap",
     [see(Y10, "A", BEGAN, am(act="No 2, 2009", unresolved="proclaimed")),
      see(Y14, "B", BEGAN, am(act="No 2, 2009", unresolved="proclaimed"), am(D11))],
     [("A", Y10, D11, Y98, D11, "endnote"), ("B", D11, Y14 + DAY, D11, None, "endnote")]),
    ("what had no effect is not a change",
     [see(Y10, "A", BEGAN), see(Y14, "A", BEGAN, replace(am(D11), is_applied=False))],
     [("A", Y98, Y14 + DAY, Y98, None, "commencement")]),
    ("a modification leaves the words", [see(Y14, "A", BEGAN, Event(Effect.MODIFIED, "No 5, 2011", (D11,)))],
     [("A", Y98, Y14 + DAY, Y98, None, "commencement")]),
    ("an editorial change has no day, and words before it were others",
     [see(Y14, "A", BEGAN, Event(Effect.EDITORIAL, "C95"), number=137)],
     [("A", Y14, Y14 + DAY, Y98, None, "unknown")]),
    ("it was made in the compilation that it names",
     [see(Y12, "A", BEGAN, Event(Effect.EDITORIAL, "C95"), number=95), see(Y14, "B", BEGAN, am(D13), number=99)],
     [("A", Y12, D13, Y98, D13, "endnote"), ("B", D13, Y14 + DAY, D13, None, "endnote")]),
    ("words that differ although nothing is listed leave the gap open",
     [see(Y10, "A", BEGAN), see(Y14, "B", BEGAN)],
     [("A", Y98, Y10 + DAY, Y98, Y14, "commencement"), ("B", Y14, Y14 + DAY, Y10 + DAY, None, "unknown")]),
    ("the same words although a change is listed are inferred", [see(Y10, "A"), see(Y14, "A", BEGAN, am(D11))],
     [("A", Y98, Y14 + DAY, Y98, None, "inferred")]),
    ("the same words and nothing listed in between are known by the endnotes",
     [see(Y12, "A"), see(Y14, "A", BEGAN, am(D11))], [("A", D11, Y14 + DAY, Y98, None, "endnote")]),
    ("a repeal ends the last words", [see(Y12, "A", BEGAN), see(Y14, None, BEGAN, rep(D13))],
     [("A", Y98, D13, Y98, D13, "endnote")]),
    ("an absence that no endnote dates leaves the gap open", [see(Y12, "A", BEGAN), see(Y14, None)],
     [("A", Y98, Y12 + DAY, Y98, Y14, "commencement")]),
    ("60: a number that is repealed and added again has two lives",
     [see(Y10, "A", BEGAN), see(Y16, "B", BEGAN, rep(D11), ad(D13, act="No 5, 2013"))],
     [("A", Y98, D11, Y98, D11, "endnote"), ("B", D13, Y16 + DAY, D13, None, "commencement")]),
    ("60: so it has with the same words",
     [see(Y10, "A", BEGAN), see(Y16, "A", BEGAN, rep(D11), ad(D13, act="No 5, 2013"))],
     [("A", Y98, D11, Y98, D11, "endnote"), ("A", D13, Y16 + DAY, D13, None, "commencement")]),
    ("a repeal of a provision that is still there tells nothing",
     [see(Y10, "A", BEGAN), see(Y14, "A", BEGAN, rep(D11))],
     [("A", Y98, Y14 + DAY, Y98, None, "inferred")]),
    ("58: a retrospective change takes the days of a compilation that could not know it",
     [see(Y10, "A", BEGAN), see(Y12, "A", BEGAN), see(Y14, "B", BEGAN, LATE)],
     [("A", Y98, D11, Y98, D11, "endnote"), ("B", D11, Y14 + DAY, D11, None, "endnote")]),
    ("58: words only read on such a day were those of the day before",
     [see(Y12, "A", BEGAN), see(Y14, "B", BEGAN, LATE)],
     [("A", Y98, D11, Y98, D11, "endnote"), ("B", D11, Y14 + DAY, D11, None, "endnote")]),
    ("58: unless another Act changed them in the meantime: then they were never the law",
     [see(Y12, "A", BEGAN, am(D(2011, 9, 1), act="No 70, 2011")),
      see(Y14, "B", BEGAN, am(D(2011, 9, 1), act="No 70, 2011"), LATE)],
     [("B", D(2011, 9, 1), Y14 + DAY, Y98, None, "endnote")]),
    ("58: a change that may be retrospective leaves such a compilation its own day",
     [see(Y12, "A", BEGAN), see(Y14, "B", BEGAN, am(D11, D(2013, 6, 1), assent=D(2013, 6, 1)))],
     [("A", Y12, Y12 + DAY, Y98, D(2013, 6, 1), "unknown"),
      ("B", D(2013, 6, 1), Y14 + DAY, Y12 + DAY, None, "endnote")]),
    ("58: a retrospective change that ends words ends them, whatever may have come after it",
     [see(Y12, "A", BEGAN), see(Y14, "B", BEGAN, LATE, am(act="No 2, 2013", unresolved="proclaimed"))],
     [("A", Y98, D11, Y98, D11, "endnote"), ("B", Y14, Y14 + DAY, D11, None, "unknown")]),
    ("58: a compilation that lists a change has it, whatever the day of its assent", [see(Y12, "A", BEGAN, LATE)],
     [("A", D11, Y12 + DAY, Y98, None, "endnote")]),
    ("a change without a day that an earlier compilation did not list leaves what was before that alone",
     [see(Y10, "A", BEGAN), see(Y12, "B", BEGAN, am(D11)),
      see(Y14, "C", BEGAN, am(D11), am(act="No 2, 2013", unresolved="proclaimed"))],
     [("A", Y98, D11, Y98, D11, "endnote"), ("B", D11, Y12 + DAY, D11, Y14, "endnote"),
      ("C", Y14, Y14 + DAY, Y12 + DAY, None, "unknown")]),
    ("a repeal alone does not begin the words that are there after it",
     [see(Y10, "A", BEGAN), see(Y14, "B", BEGAN, rep(D11))],
     [("A", Y98, D11, Y98, D11, "endnote"), ("B", Y14, Y14 + DAY, D11, None, "unknown")]),
    ("an addition that may be that of a later life bounds nothing", [see(Y12, "A"), see(Y14, "A", ad(D11, D13))],
     [("A", D11, Y14 + DAY, None, None, "inferred")]),
    ("endnotes that list nothing of a provision say nothing", [Sighting(Y10, "A", events=())],
     [("A", Y10, Y10 + DAY, None, None, "unknown")]),
    ("days that the Register states are certain", [stated(Y10, "A", Y10, Y12)],
     [("A", Y10, Y12, None, None, "register")]),
    ("stated days without an end have none", [stated(Y10, "A", Y10, None)], [("A", Y10, None, None, None, "register")]),
    ("windows that meet make one range", [stated(Y10, "A", Y10, Y12), stated(Y12, "A", Y12, Y14)],
     [("A", Y10, Y14, None, None, "register")]),
    ("windows that do not meet leave it inferred", [stated(Y10, "A", Y10, Y12), stated(Y14, "A", Y14, Y16)],
     [("A", Y10, Y16, None, None, "inferred")]),
    ("a later text takes the days that both claim", [stated(Y10, "A", Y10, None), stated(Y12, "B", Y12, None)],
     [("A", Y10, Y12, None, Y12, "register"), ("B", Y12, None, Y12, None, "register")]),
    ("all of them, if it claims all", [stated(Y10, "A", Y10, None), stated(Y12, "B", Y10, None)],
     [("B", Y10, None, None, None, "register")]),
    ("a text stated to begin later is not certain on the day it was made", [stated(Y10, "A", Y12, None)],
     [("A", Y12, None, None, None, "register")]),
    ("nor one stated to have ended", [stated(Y14, "A", Y10, Y12)], [("A", Y10, Y12, None, None, "register")]),
    ("a period that is the whole of it leaves nothing else possible", [stated(Y14, "A", Y10, Y12, is_exhaustive=True)],
     [("A", Y10, Y12, Y10, Y12, "register")]),
    ("endnotes reach further back than the Register's window",
     [replace(stated(Y14, "B", Y14, Y16), events=(BEGAN, am(D13)))], [("B", D13, Y16, Y98, None, "endnote")]),
    ("57: three commencement dates leave words certain before the first and after the last",
     [see(Y98 + DAY, "A"), see(Y14, "B", BEGAN, am(D(2003, 7, 1), D(2004, 7, 1), D(2005, 1, 1), act="No 66, 2003"))],
     [("A", Y98, D(2003, 7, 1), Y98, D(2005, 1, 1), "endnote"),
      ("B", D(2005, 1, 1), Y14 + DAY, D(2003, 7, 1), None, "endnote")]),
]  # fmt: skip


@pytest.mark.parametrize(("sightings", "wanted"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_the_days_of_a_wording(sightings: list[Sighting], wanted: list[object]) -> None:
    assert ranges(date_wordings(sightings)) == wanted


def test_a_division_added_in_2016_is_not_possible_in_1998() -> None:
    found = date_wordings([see(D(2024, 1, 1), "A", ad(D(2017, 1, 1), act="No 81, 2016"))])
    assert [(w.possible_from, w.certain_from) for w in found] == [(D(2017, 1, 1), D(2017, 1, 1))]


BASES = [
    ([see(Y10, "A", BEGAN)], "The Act commenced on 1 July 1998 (endnote 3)",
     "Read from the compilation of 1 July 2010"),
    ([see(Y10, "A", replace(BEGAN, act="SLI No 7, 1998"))], "The instrument commenced on 1 July 1998 (endnote 3)",
     "Read from the compilation of 1 July 2010"),
    ([see(Y10, "A")], "Read from the compilation of 1 July 2010", "Read from the compilation of 1 July 2010"),
    ([see(Y12, "A", am(D11, act="No 66, 2003")), see(Y14, None, am(D11, act="No 66, 2003"), rep(D13))],
     "Amended by No 66, 2003, which commenced on 1 March 2011 (endnote 4)",
     "Repealed by No 23, 2013, which commenced on 1 March 2013 (endnote 4)"),
    ([see(Y14, "A", ad(D11, D13))],
     "Added by No 81, 2011, which commenced at the latest on 1 March 2013 (endnote 4)",
     "Read from the compilation of 1 July 2014"),
    ([see(Y14, "A", LATE)],
     "Amended by No 66, 2011, which commenced on 1 March 2011, before its assent on 1 June 2013 (endnote 4)",
     "Read from the compilation of 1 July 2014"),
    ([stated(Y10, "A", Y10, Y12)], "In force from 1 July 2010 by the Register's own dates",
     "In force until 30 June 2012 by the Register's own dates"),
    ([stated(Y10, "A", Y10, None)], "In force from 1 July 2010 by the Register's own dates",
     "No end is known by the Register's own dates"),
]  # fmt: skip


@pytest.mark.parametrize(("sightings", "starts", "ends"), BASES)
def test_each_bound_says_how_it_is_known(sightings: list[Sighting], starts: str, ends: str) -> None:
    [found] = date_wordings(sightings)
    assert (found.basis_from, found.basis_to) == (starts, ends)


def test_words_that_commenced_before_assent_are_marked_and_those_before_them_are_not() -> None:
    found = date_wordings([see(Y10, "A", BEGAN), see(Y14, "B", BEGAN, LATE)])
    assert [(w.wording, w.is_retrospective) for w in found] == [("A", False), ("B", True)]


def test_the_first_and_the_last_compilation_of_words_are_named_whatever_the_days_that_are_certain() -> None:
    found = date_wordings([see(Y10, "A", BEGAN), see(Y12, "A", BEGAN), see(Y14, "B", BEGAN, LATE)])
    assert [(w.first_day, w.last_day) for w in found] == [(Y10, Y12), (Y14, Y14)]


# -- whatever is given, even what cannot be true

some_days = st.integers(0, 3000).map(lambda day: D(2000, 1, 1) + timedelta(days=day))
day_sets = st.lists(some_days, max_size=3, unique=True).map(lambda found: tuple(sorted(found)))
acts = st.sampled_from(["No 1, 2001", "No 2, 2002", "No 3, 2003"])


def events(assents: st.SearchStrategy[date | None]) -> st.SearchStrategy[Event]:
    return st.builds(Event, st.sampled_from(Effect), acts, day_sets, st.sampled_from(["", "?"]), assents, st.booleans())


def histories(
    assents: st.SearchStrategy[date | None], states: st.SearchStrategy[Stated | None]
) -> st.SearchStrategy[list[Sighting]]:
    words = st.sampled_from(["A", "B", "C", "?t", None])
    listed = st.none() | st.lists(events(assents), max_size=4).map(tuple)
    sightings = st.builds(Sighting, some_days, words, st.just(False), st.none() | st.integers(1, 9), listed, states)
    marked = sightings.map(lambda s: replace(s, omitted=s.wording == "?t"))
    return st.lists(marked, max_size=8, unique_by=lambda sighting: sighting.day)


statements = st.none() | st.builds(Stated, some_days, st.none() | some_days, st.just(""), st.booleans())
anything = histories(st.none() | some_days, statements)


@given(anything)
@settings(deadline=None)
def test_no_two_wordings_are_certain_on_one_day_and_all_certain_days_are_possible(history: list[Sighting]) -> None:
    found = date_wordings(history)
    for earlier, later in pairwise(found):
        assert earlier.certain_to is not None
        assert earlier.certain_to <= later.certain_from
    for wording in found:
        assert wording.certain_to is None or wording.certain_from < wording.certain_to
        assert wording.possible_from is None or wording.possible_from <= wording.certain_from
        assert wording.possible_to is None or (wording.certain_to or date.max) <= wording.possible_to


@given(anything, st.randoms())
@settings(deadline=None)
def test_the_order_of_loading_does_not_matter(history: list[Sighting], chance: random.Random) -> None:
    shuffled = list(history)
    chance.shuffle(shuffled)
    assert date_wordings(shuffled) == date_wordings(history)


@given(histories(st.none(), st.none()))
@settings(deadline=None)
def test_no_endnote_makes_a_day_certain_for_words_other_than_those_read_on_it(history: list[Sighting]) -> None:
    found = [w for w in date_wordings(history) if not w.omitted]
    for sighting in (s for s in history if not s.omitted):
        certain = [w.wording for w in found if w.is_certain_within(sighting.day, sighting.day)]
        assert certain == ([] if sighting.wording is None else [sighting.wording])


@given(anything)
@settings(deadline=None)
def test_a_wording_and_its_occurrence_name_one_row(history: list[Sighting]) -> None:
    found = date_wordings(history)
    assert len({(w.wording, w.occurrence) for w in found}) == len(found)


@given(anything)
@settings(deadline=None)
def test_every_row_names_compilations_that_have_its_words(history: list[Sighting]) -> None:
    read = {sighting.day: sighting.wording for sighting in history}
    for wording in date_wordings(history):
        assert read[wording.first_day] == read[wording.last_day] == wording.wording


def test_the_time_it_takes_grows_with_the_number_of_compilations_and_not_with_its_square() -> None:
    listed = (BEGAN, *(am(D(2000 + at, 1, 1), act=f"No {at}, 2000") for at in range(5)))

    def seconds(count: int) -> float:
        history = [see(D(2006, 1, 1) + at * DAY, f"A{at // 20}", *listed) for at in range(count)]
        started = time.process_time()
        for _ in range(5):
            date_wordings(history)
        return time.process_time() - started

    seconds(50)
    assert seconds(800) < 8 * 4 * seconds(100)  # eight times as many; four for an unquiet machine


def test_the_registers_days_end_where_the_endnotes_place_a_change_inside_them() -> None:
    began = Event(Effect.BEGAN, "No 1, 2000", (date(2000, 7, 1),), assent=date(2000, 1, 1))
    amended = Event(Effect.AMENDED, "No 5, 2014", (date(2015, 1, 1),), assent=date(2014, 12, 1))
    window = Stated(date(2014, 7, 1), date(2016, 7, 1), "the Register's own dates")
    first, second = date_wordings(
        [
            Sighting(date(2014, 7, 1), "a", number=5, events=(began,), stated=window),
            Sighting(date(2018, 7, 1), "b", number=9, events=(began, amended)),
        ]
    )
    assert (first.certain_from, first.certain_to) == (date(2000, 7, 1), date(2015, 1, 1))
    assert second.certain_from >= date(2015, 1, 1)
