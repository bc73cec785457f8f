"""People at their browsers: each asks for a page, reads it for a while, and asks for the next. Times are the browser's.

A page's time is from sending the request to the last byte of the answer; what a browser fetches once and keeps is not
asked for. Everybody has a session of their own and a chance of their own, which goes the same way each time.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

THINKS_S = (4.0, 12.0)
SORTS = ("supplier", "-total", "client")
Page = tuple[str, Callable[[random.Random], str]]
"""What a page is called in the report, and its address."""


class NotServed(Exception):
    """A page came with another status than 200; the message says which."""


@dataclass(slots=True)
class Seen:
    """Milliseconds by page."""

    took: dict[str, list[float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, page: str, ms: float) -> None:
        with self.lock:
            self.took.setdefault(page, []).append(ms)


def pages(clients: Sequence[UUID], supplier_key: str, has_documents: bool) -> list[Page]:
    """What is looked at, each as often as it stands here."""

    def one(chance: random.Random) -> UUID:
        return clients[int(len(clients) * chance.random() ** 2)]

    found: list[Page] = [
        ("clients", lambda chance: f"/clients/?page={chance.randrange(1, 90)}"),
        ("clients, searched", lambda chance: f"/clients/?q={chance.choice(('quokka', 'timber+1', 'trade+99', '42'))}"),
        ("clients, filtered and sorted", lambda chance: "/clients/?type=company&tag=big&sort=-added"),
        ("a client", lambda chance: f"/clients/{one(chance)}/"),
        ("a client", lambda chance: f"/clients/{one(chance)}/"),
        ("a client’s transactions", lambda chance: f"/clients/{one(chance)}/transactions/"),
        ("a client’s transactions", lambda chance: f"/clients/{one(chance)}/transactions/?kind=bank"),
        ("transactions", lambda chance: f"/transactions/?page={chance.choice((1, 1, 2, 3, 550))}"),
        ("transactions of a year", lambda chance: f"/transactions/?year={chance.choice((2024, 2025, 2026))}"),
        (
            "transactions, sorted",
            lambda chance: f"/transactions/?sort={chance.choice(SORTS)}",
        ),
        ("transactions, searched", lambda chance: f"/transactions/?q={chance.choice(('wattle', 'INV-000', '12.50'))}"),
        ("transactions of a supplier", lambda chance: f"/transactions/?supplier={supplier_key}"),
        ("transactions, duplicates", lambda chance: "/transactions/?alike=1"),
        ("bank lines", lambda chance: "/transactions/?kind=bank"),
    ]
    if has_documents:
        found += [
            ("documents", lambda chance: f"/documents/?page={chance.choice((1, 2, 9))}"),
            ("a client’s documents", lambda chance: f"/clients/{one(chance)}/documents/"),
        ]
    return found


def click(address: tuple[str, int], host: str, cookies: Sequence[str], what: Sequence[Page], seconds: float) -> Seen:
    """Everybody of these sessions clicks for so long. Raises NotServed for what one of them met."""
    seen, ends = Seen(), time.monotonic() + seconds
    wrong: list[str] = []

    def person(number: int, cookie: str) -> None:
        chance = random.Random(number)
        time.sleep(chance.uniform(0, THINKS_S[1]))
        while time.monotonic() < ends and not wrong:
            name, path = chance.choice(what)
            began = time.perf_counter()
            try:
                status = _fetch(address, path(chance), {"Host": host, "Cookie": cookie})
            except (http.client.HTTPException, OSError) as error:
                wrong.append(f"{name} did not come: {type(error).__name__}.")
                return
            seen.add(name, (time.perf_counter() - began) * 1000)
            if status != 200:
                wrong.append(f"{name} came with status {status}.")
            time.sleep(chance.uniform(*THINKS_S))

    people = [threading.Thread(target=person, args=each, daemon=True) for each in enumerate(cookies)]
    for each in people:
        each.start()
    for each in people:
        each.join()
    if wrong:
        raise NotServed(wrong[0])
    return seen


def _fetch(address: tuple[str, int], path: str, headers: dict[str, str]) -> int:
    """The status of a whole answer. By a connection of its own: the last was closed while the page was read."""
    browser = http.client.HTTPConnection(*address, timeout=60)
    try:
        browser.request("GET", path, headers=headers)
        answer = browser.getresponse()
        answer.read()
        return answer.status
    finally:
        browser.close()
