"""Whether the Register has newer text than is held, asked now and then and written down; what Status reads of it.

Works as the app role, outside any practice. How the Register is asked and what its answers mean is `ingest.fetch`'s;
here is when, in which order, and what is kept: a look that failed keeps what was last found, with its date.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from research.corpus.ingest.fetch.check import Checked, TitleCheck, check_title
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.transport import Manners
from research.corpus.models import Compilation, Instrument, RegisterCheck

CHECK_LOCK = 0x41734174_03  # "AsAt", 3: one check of the Register at a time
# A look asks for two small lists. It gives up sooner than a fetch: it comes again by itself.
MANNERS = Manners(tries=2, longest_wait_s=20, read_s=20, listing_total_s=30)
SECONDS = 600  # no look begins later
SLICE_S = 20  # of a worker at a time, about five looks: a question that came meanwhile is not kept waiting for long
FOUND_LASTS = timedelta(hours=20)  # so that an hourly beat looks once a day, at whatever hour it started
TROUBLE_LASTS = timedelta(hours=3)
MOST_TROUBLE = 3  # in a row; then the Register is left alone, and the rest waits for the next time


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """What is known of an instrument's newest text in the Register.

    outcome and message: of the last look, at tried_at (None: it was never asked). The rest is what was last found, at
    found_at. is_newer: a text later than those held was there then, and has not been loaded since.
    """

    instrument: str
    title: str
    title_id: str
    outcome: Checked
    message: str
    tried_at: datetime | None = None
    found_at: datetime | None = None
    newest_register_id: str = ""
    newest_number: str = ""
    newest_start: date | None = None
    is_newer: bool | None = None
    text_not_current_from: date | None = None
    in_force: bool | None = None

    @property
    def is_up_to_date(self) -> bool | None:
        """Whether what is held is all that there is; None where the last look could not tell."""
        if self.outcome is not Checked.FOUND or self.is_newer is None:
            return None
        return not self.is_newer and self.text_not_current_from is None


def register_lines() -> list[RegisterLine]:
    """A line for every instrument that the Register has a title of, in the order of their codes."""
    held = _held()
    return [
        _line(instrument, held.get(instrument.code, set()))
        for instrument in _instruments().select_related("check_row").order_by("code")
    ]


def check_register(
    client: RegisterClient,
    today: date,
    *,
    only_due: bool = False,
    seconds: float = SECONDS,
    report: Callable[[TitleCheck], None] = lambda check: None,
) -> int | None:
    """Ask about each instrument, longest unasked first, and write down what came; how many, None if it is being done.

    only_due: leave out those that were asked lately and of which nothing was loaded since. seconds: after which no
    other is asked about. Stops as well when the Register is in trouble several times in a row: what was not reached is
    as it was.
    """
    started, trouble, asked = time.monotonic(), 0, 0
    with _alone() as mine:
        if not mine:
            return None
        held = _held()
        for instrument in _to_ask(only_due):
            if trouble >= MOST_TROUBLE or time.monotonic() - started >= seconds:
                break
            check = _look(client, instrument, held.get(instrument.code, set()), today)
            _keep(instrument, check, timezone.now())
            asked += 1
            trouble = trouble + 1 if check.outcome is Checked.NOT_CHECKED else 0
            report(check)
    return asked


def _look(client: RegisterClient, instrument: Instrument, held: set[str], today: date) -> TitleCheck:
    try:
        return check_title(client, instrument.title_id, sorted(held), today)
    except ValueError as error:  # what an import wrote is no title id
        return TitleCheck(Checked.NOT_CHECKED, instrument.title_id, str(error))


def _keep(instrument: Instrument, check: TitleCheck, now: datetime) -> None:
    kept: dict[str, object] = {"tried_at": now, "outcome": check.outcome.value, "message": check.message}
    if check.outcome is Checked.FOUND:
        kept |= {
            "found_at": now,
            "newest_register_id": check.newest_register_id,
            "newest_number": check.newest_number,
            "newest_start": check.newest_starts,
            "is_newer": check.newer_than_held,
            "text_not_current_from": check.text_not_current_from,
            "in_force": check.in_force,
        }
    RegisterCheck.objects.update_or_create(instrument=instrument, defaults=kept)


def _instruments() -> QuerySet[Instrument]:
    return Instrument.objects.filter(practice_id=None, kind__in=("act", "regulation")).exclude(title_id="")


def _to_ask(only_due: bool) -> Sequence[Instrument]:
    """Never asked first, then by when they were."""
    rows = _instruments()
    if only_due:
        now = timezone.now()
        lately = Q(check_row__tried_at__gt=now - TROUBLE_LASTS) | Q(
            check_row__tried_at__gt=now - FOUND_LASTS, check_row__outcome__in=(Checked.FOUND, Checked.ABSENT)
        )
        loaded_since = Compilation.objects.filter(
            instrument=OuterRef("pk"), imported_at__gt=OuterRef("check_row__tried_at")
        )
        rows = rows.exclude(pk__in=Instrument.objects.filter(lately).exclude(Exists(loaded_since)).values("pk"))
    return list(rows.order_by(F("check_row__tried_at").asc(nulls_first=True), "code"))


def _held() -> dict[str, set[str]]:
    """The register ids of the compilations held, by instrument."""
    found: dict[str, set[str]] = {}
    for code, register_id in Compilation.objects.filter(practice_id=None).values_list("instrument_id", "register_id"):
        found.setdefault(code, set()).add(register_id)
    return found


def _line(instrument: Instrument, held: set[str]) -> RegisterLine:
    row = getattr(instrument, "check_row", None)
    if row is None:
        return RegisterLine(
            instrument.code, instrument.title, instrument.title_id, Checked.NOT_CHECKED, "Not asked about yet."
        )
    return RegisterLine(
        instrument=instrument.code,
        title=instrument.title,
        title_id=instrument.title_id,
        outcome=Checked(row.outcome),
        message=row.message,
        tried_at=row.tried_at,
        found_at=row.found_at,
        newest_register_id=row.newest_register_id,
        newest_number=row.newest_number,
        newest_start=row.newest_start,
        is_newer=None if row.is_newer is None else row.is_newer and row.newest_register_id not in held,
        text_not_current_from=row.text_not_current_from,
        in_force=row.in_force,
    )


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether this process has the lock, which the server frees by itself when the process dies."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [CHECK_LOCK])
        mine = bool(cursor.fetchone()[0])
        try:
            yield mine
        finally:
            if mine:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [CHECK_LOCK])
