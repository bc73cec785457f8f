"""Measures questions through a worker: how many a second, how soon the first sign comes, and who waits for whom.

A question ends when its progress says "done", which is when a page fetches the recorded answer. The worker is the
caller's to start, and so is what puts a question in line: both stand above this layer.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from research import composition, services
from research.adapters.progress_store import stream_key
from research.evaluation.bench import Timing
from research.models import Question

Asked = Sequence[tuple[str, int | None]]
Enqueue = Callable[[Question], bool]
PATIENCE_MS = 60_000
BESIDE = 6  # questions of a second practice, asked one after another while the first one's wait
MOST_QUOTES = 3
WHOLE = re.compile(r"^(?:\(\d+\) )?([A-Z][^.:;\n]{30,300}\.)$", re.MULTILINE)


class NoAnswer(Exception):
    """A question did not end in a minute."""


@dataclass(frozen=True, slots=True)
class OneByOne:
    """Questions asked one at a time, each when the last had ended. Milliseconds from asking."""

    first_sign: Timing
    whole: Timing


@dataclass(frozen=True, slots=True)
class Fairness:
    """One question of a practice, in an empty line and behind another practice's. Milliseconds from asking."""

    alone: Timing
    behind: Timing
    waiting: int  # of the other practice when the last was answered

    @property
    def ratio(self) -> float:
        return self.behind.p50 / self.alone.p50


def one_by_one(practice: Practice, asked: Asked, enqueue: Enqueue) -> OneByOne:
    """Each question through the empty line, from asking to the first event of its progress, and to the last."""
    told = [_asked_alone(practice, text, year, enqueue) for text, year in asked]
    return OneByOne(
        Timing("first sign", 1, tuple(first for first, _ in told)),
        Timing("whole", 1, tuple(whole for _, whole in told)),
    )


def all_waiting(practice: Practice, asked: Asked, send_tickets: Callable[[], int]) -> float:
    """Questions answered a second where all of `asked` stand in line before the worker hears of the first."""
    line = services.waiting_line()
    with in_practice(practice):
        questions = [services.ask(user=None, text=text, year=year) for text, year in asked]
    for question in questions:
        line.join(str(practice.pk), str(question.pk))
    began = time.perf_counter()
    send_tickets()
    for question in questions:
        _ended(practice, question)
    return len(questions) / (time.perf_counter() - began)


def fairness(first: Practice, second: Practice, asked: Asked, enqueue: Enqueue, waiting: int) -> Fairness:
    """How long single questions of `second` take in an empty line, and with `waiting` of `first` in it."""
    own = list(asked[:BESIDE])
    alone = [_asked_alone(second, text, year, enqueue)[1] for text, year in own]
    with in_practice(first):
        for number in range(waiting):
            text, year = asked[number % len(asked)]
            enqueue(services.ask(user=None, text=text, year=year))
    behind = [_asked_alone(second, text, year, enqueue)[1] for text, year in own]
    left = services.waiting_line().length()
    return Fairness(Timing("alone", 1, tuple(alone)), Timing("behind", 1, tuple(behind)), left)


def stop_what_waits(practice: Practice) -> int:
    """End every question that waits, as their askers would; how many there were."""
    with in_practice(practice):
        waiting = list(Question.objects.filter(status=Question.Status.QUEUED))
        for question in waiting:
            services.stop(question, timezone.now())
    return len(waiting)


def _asked_alone(practice: Practice, text: str, year: int | None, enqueue: Enqueue) -> tuple[float, float]:
    """Milliseconds from asking to the first event, and to the last."""
    began = time.perf_counter()
    with in_practice(practice):
        question = services.ask(user=None, text=text, year=year)
        enqueue(question)
    events = _events(practice, question)
    next(events)
    first = time.perf_counter()
    for _ in events:
        pass
    return (first - began) * 1000, (time.perf_counter() - began) * 1000


def _ended(practice: Practice, question: Question) -> None:
    for _ in _events(practice, question):
        pass


def _events(practice: Practice, question: Question) -> Iterator[str]:
    """The names of the events of a question's progress, to the last, as a page's stream is told them."""
    key, after = stream_key(str(practice.pk), str(question.pk)), "0-0"
    waited_until = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < waited_until:
        found: Any = composition.redis_client().xread({key: after}, block=1000)
        for entry_id, entry in found[0][1] if found else ():
            after = entry_id.decode()
            yield entry[b"event"].decode()
            if entry[b"event"] == b"done":
                return
    raise NoAnswer(f"Question {question.pk} did not end in {PATIENCE_MS / 1000:.0f} s; is a worker running?")


def honest(body: dict[str, Any]) -> dict[str, Any]:
    """What the fake provider says at once: whole sentences of what it is shown, then each as a sentence of its own."""
    text = next(message["content"] for message in body["messages"] if message["role"] == "user")
    shown = [json.loads(line) for line in str(text).split("\n")][1:]
    if shown and "source" in shown[0]:
        whole = [(each["source"], found[1]) for each in shown if (found := WHOLE.search(each["text"]))]
        return {"quotes": [{"source": at, "quote": words, "kind": "rule"} for at, words in whole[:MOST_QUOTES]]}
    return {"sentences": [{"text": each["words"], "quotes": [each["quote"]], "kind": "rule"} for each in shown]}
