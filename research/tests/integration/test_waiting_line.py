"""The line that questions wait in: fair between practices, behind whom and for how long, and nothing lost with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis
from django.conf import settings
from django.test import override_settings

from research.adapters.waiting_line import Place, Turn, WaitingLine, about, queue_of_questions
from research.presentation.line import place_words

pytestmark = pytest.mark.integration

OPENAI = {"ASAT_GENERATION_PROVIDER": "openai_compatible"}


@pytest.fixture
def client(services: object) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.REDIS_URL) as found:
        yield found


@pytest.fixture
def line(client: redis.Redis) -> WaitingLine:
    return WaitingLine(client, f"test-{uuid4().hex}")


def taken(line: WaitingLine, most: int = 10_000) -> list[str]:
    """The questions in the order of their turns."""
    found = []
    while len(found) < most and (turn := line.take("hand", 1000.0)) is not None:
        found.append(turn.question_id)
    return found


def test_one_practices_thousand_questions_are_taken_turn_about_with_anothers_one(line: WaitingLine) -> None:
    for number in range(1000):
        assert line.join("a", f"a{number}")
    assert taken(line, 3) == ["a0", "a1", "a2"]
    line.join("b", "b0")
    line.join("c", "c0")
    line.join("c", "c1")
    assert taken(line, 6) == ["a3", "b0", "c0", "a4", "c1", "a5"]
    assert taken(line) == [f"a{number}" for number in range(6, 1000)]
    assert line.take("hand", 1000.0) is None


def test_questions_of_a_spreadsheet_wait_until_nobody_else_does(line: WaitingLine) -> None:
    for number in range(3):
        line.join("a", f"sheet{number}", of_batch=True)
    line.join("b", "sheet-b", of_batch=True)
    line.join("a", "mine")
    assert taken(line, 2) == ["mine", "sheet0"]
    line.join("b", "late")
    assert taken(line) == ["late", "sheet-b", "sheet1", "sheet2"]


def test_a_question_stands_in_line_once_however_often_it_is_put_there(line: WaitingLine) -> None:
    assert [line.join("a", "one") for _ in range(3)] == [True, False, False]
    assert line.length() == 1
    assert taken(line) == ["one"]
    assert line.join("a", "one")  # out of line it may come again: whether it is run is for the table to say


def test_one_that_leaves_is_passed_over_and_its_practice_has_no_turn_for_it(line: WaitingLine) -> None:
    line.join("a", "a0")
    line.join("b", "b0")
    line.join("b", "sheet", of_batch=True)
    line.leave("a", "a0")
    line.leave("a", "never there")
    line.leave("b", "sheet")
    line.join("b", "b1")
    line.join("a", "a1")
    assert line.length() == 3
    assert taken(line) == ["b0", "a1", "b1"]


def test_every_question_is_given_to_one_of_many_hands(line: WaitingLine, client: redis.Redis) -> None:
    wanted = {f"{practice}{number}" for practice in "abcd" for number in range(100)}
    for question in sorted(wanted):
        line.join(question[0], question)
    found: list[str] = []

    def work(hand: str) -> None:
        while (turn := line.take(hand, 1000.0)) is not None:
            found.append(turn.question_id)

    threads = [threading.Thread(target=work, args=[f"hand{number}"]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(found) == sorted(wanted)
    assert line.length() == 0


def test_the_place_that_is_told_is_the_place_that_is_had(line: WaitingLine) -> None:
    for practice, questions in (("a", 7), ("b", 2), ("c", 4)):
        for number in range(questions):
            line.join(practice, f"{practice}{number}")
    for number in range(3):
        line.join("c", f"sheet{number}", of_batch=True)
    line.join("a", "sheet-a", of_batch=True)
    taken(line, 2)  # the ring stands in mid-round
    told = {}
    for practice in "abc":
        for number in range(10):
            for name in (f"{practice}{number}", f"sheet{number}", "sheet-a"):
                if (place := line.place(practice, name)) is not None:
                    told[name] = place.ahead
    order = taken(line)
    assert told == {question: number for number, question in enumerate(order)}
    assert line.place("a", "a0") is None


def test_the_wait_is_reckoned_from_how_long_the_last_ones_took_and_how_many_work(line: WaitingLine) -> None:
    line.join("a", "a0")
    line.join("a", "a1")
    assert line.place("a", "a1") == Place(ahead=1, wait_s=None)
    line.took(4.0)
    assert line.place("a", "a1") == Place(ahead=1, wait_s=8.0)
    line.took(14.0)
    assert line.wait_s(2) == pytest.approx(10.0)  # a tenth of the way from 4 to 14
    line.take("one hand", 5000.0)
    line.take("another", 5001.0)
    assert line.wait_s(2) == pytest.approx(5.0)
    line.take("another", 5700.0)  # the first has taken nothing for ten minutes
    assert line.wait_s(2) == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (None, ""),
        (Place(0, 3.0), ""),
        (Place(1, None), "1 question comes first."),
        (Place(12, 40.0), "12 questions come first; answered in less than a minute."),
        (Place(1200, 61.0), "1,200 questions come first; answered in about 1 minute."),
    ],
)
def test_a_place_in_words(place: Place | None, words: str) -> None:
    assert place_words(place) == words


def test_times_are_told_as_roughly_as_they_are_known() -> None:
    told = ["less than a minute", "about 12 minutes", "about 89 minutes", "about 2 hours", "about 3 hours"]
    assert [about(seconds) for seconds in (59.9, 720, 5340, 5399, 10_800)] == told


def test_a_line_whose_ring_was_lost_is_whole_again_when_somebody_joins(line: WaitingLine, client: redis.Redis) -> None:
    line.join("a", "a0")
    client.delete(f"asat:line:{line.name}:now:ring")
    assert line.take("hand", 1000.0) is None
    assert line.join("a", "a0") is False
    assert line.take("hand", 1000.0) == Turn("a", "a0")


@pytest.mark.parametrize(
    ("changed", "queue"),
    [
        ({}, "interactive"),
        ({"ASAT_GENERATION_PROVIDER": "anthropic"}, "interactive"),
        ({"ASAT_GENERATION_PROVIDER": "aggregator"}, "interactive"),
        (OPENAI | {"ASAT_GENERATION_ADDRESS": "https://api.example.com/v1"}, "interactive"),
        (OPENAI | {"ASAT_GENERATION_ADDRESS": "http://127.0.0.1:8080/v1"}, "gpu"),
        ({"ASAT_SCORES_BY_MODELS": True}, "gpu"),
        ({"ASAT_GENERATION_PROVIDER": "ollama"}, "gpu"),
    ],
)
def test_questions_go_where_the_models_are_that_they_need(changed: dict[str, str | bool], queue: str) -> None:
    with override_settings(**changed):
        assert queue_of_questions() == queue
