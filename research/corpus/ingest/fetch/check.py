"""Whether the Register has newer text of a title than is held, and whether the text is behind the law.

Asks for the title and its versions and downloads nothing. The beat task stores what comes back and Status shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from research.corpus.ingest.fetch.answers import Status, TitleRow, VersionRow
from research.corpus.ingest.fetch.choose import Unapplied, newest_text, unapplied
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.outcomes import Absent, NotChecked


class Checked(StrEnum):
    FOUND = "found"
    ABSENT = "absent"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class TitleCheck:
    """What the Register says of a title, in `message` as a person reads it.

    newest_*: of the last text published, one registered ahead of its first day included. newer_than_held: that text is
    not held. text_not_current_from: the newest text may lack amendments
    that have commenced from that day on. in_force: false for what was repealed, ceased or sunset, which is no failure.
    None and "" of a field: not known, or there is none.
    """

    outcome: Checked
    title_id: str
    message: str
    newest_register_id: str = ""
    newest_number: str = ""
    newest_starts: date | None = None
    newer_than_held: bool = False
    text_not_current_from: date | None = None
    in_force: bool | None = None


def check_title(client: RegisterClient, title_id: str, held_register_ids: Collection[str], today: date) -> TitleCheck:
    """What the Register says of a title today. Raises ValueError for what is not a title id."""
    title = client.title(title_id)
    if isinstance(title, Absent | NotChecked):
        return _none(title_id, title)
    versions = client.versions(title_id)
    if isinstance(versions, Absent | NotChecked):
        return _none(title_id, versions)
    return compare(title.value, versions.value, held_register_ids, today)


def compare(title: TitleRow, rows: Sequence[VersionRow], held_register_ids: Collection[str], today: date) -> TitleCheck:
    """What the answers of the Register say beside what is held. Pure."""
    newest = newest_text(rows, today)
    behind = unapplied(rows, today)
    if behind is None and newest and title.has_commenced_unincorporated_amendments:
        behind = Unapplied(newest.start, is_exact=False)
    in_force = _is_in_force(title, rows, today)
    newer = newest is not None and newest.register_id not in held_register_ids
    return TitleCheck(
        Checked.FOUND,
        title.title_id,
        " ".join(filter(None, (_newest(newest, newer, today), _behind(behind), _standing(in_force, rows)))),
        newest_register_id=(newest.register_id or "") if newest else "",
        newest_number=(newest.compilation_number or "") if newest else "",
        newest_starts=newest.start if newest else None,
        newer_than_held=newer,
        text_not_current_from=behind.since if behind else None,
        in_force=in_force,
    )


def _none(title_id: str, why: Absent | NotChecked) -> TitleCheck:
    outcome = Checked.ABSENT if isinstance(why, Absent) else Checked.NOT_CHECKED
    return TitleCheck(outcome, title_id, why.reason)


def _is_in_force(title: TitleRow, rows: Sequence[VersionRow], today: date) -> bool | None:
    if title.is_in_force is not None:
        return title.is_in_force
    if title.status is not None:
        return title.status is Status.IN_FORCE
    return any(row.covers(today) for row in rows)


def _newest(newest: VersionRow | None, newer: bool, today: date) -> str:
    if newest is None:
        return "The Register holds no text of it."
    number = newest.compilation_number
    what = f"Compilation {number}" if number and number != "0" else "The text"
    when = f"in force from {_day(newest.start)}" if newest.start <= today else f"to be in force on {_day(newest.start)}"
    named = f"{what} ({newest.register_id}), {when},"
    return f"{named} is newer than what is held." if newer else f"{named} is the newest, and is held."


def _behind(behind: Unapplied | None) -> str:
    if behind is None:
        return ""
    if not behind.is_exact:
        return "The Register says that amendments have commenced which are in no published text yet."
    by = f" ({', '.join(behind.by)})" if behind.by else ""
    return f"An amendment{by} commenced on {_day(behind.since)} which is in no published text yet."


def _standing(in_force: bool | None, rows: Sequence[VersionRow]) -> str:
    if in_force is not False:
        return ""
    ends = [row.end for row in rows]
    last = max((end for end in ends if end is not None), default=None)
    return f"It is no longer in force{f', since {_day(last)}' if last and None not in ends else ''}."


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
