"""What the Register said when it was last asked, and what the last imports brought, as lines of the Status page.

Nothing found is not "there is nothing": an instrument that was never asked about, or that could not be asked about,
says so and keeps what was last found, with its day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from research.corpus.coverage import ImportLine
from research.corpus.ingest.fetch.check import Checked
from research.corpus.register_check import RegisterLine
from research.law.provision import in_words
from research.presentation.words import instrument_name

OUTCOMES = {"loaded": ("ok", "Loaded"), "unchanged": ("ok", "Unchanged"), "refused": ("degraded", "Refused")}


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """state: "ok" (asked, nothing newer), "degraded" (newer, not current, absent), "unknown" (not checked).

    code: the short one, or the title of an instrument that has none.
    """

    code: str
    title: str
    state: str
    says: str
    is_absent: bool = False


@dataclass(frozen=True, slots=True)
class FileLine:
    """One file of an import. state: "ok" or "degraded"; word: what came of it; says: why, where it was refused."""

    at: datetime
    name: str
    state: str
    word: str
    says: str


def register_line(check: RegisterLine) -> CheckedLine:
    """What the Register said, in sentences."""
    name = instrument_name(check.instrument, check.title)
    if check.tried_at is None:
        return CheckedLine(name, check.title, "unknown", "Not checked.")
    found = _found(check)
    if check.outcome is Checked.NOT_CHECKED:
        tried = f"Could not be checked{_at(check.tried_at, ' when tried ')}"
        because = f": {check.message.rstrip('.')}." if check.message else "."
        last = f" Last checked{_at(check.found_at)}: {found}" if check.found_at else ""
        return CheckedLine(name, check.title, "unknown", f"{tried}{because}{last}")
    if check.outcome is Checked.ABSENT:
        says = f"Checked{_at(check.tried_at)}: not in the Register."
        return CheckedLine(name, check.title, "degraded", says, is_absent=True)
    state = "degraded" if check.is_up_to_date is False else "ok"
    return CheckedLine(name, check.title, state, f"Checked{_at(check.found_at or check.tried_at)}: {found}")


def register_lines(checks: Sequence[RegisterLine]) -> tuple[CheckedLine, ...]:
    """A line for each instrument that was asked about, and one for all that never were."""
    never = [check for check in checks if check.tried_at is None]
    lines = [register_line(check) for check in checks if check.tried_at is not None]
    if never and len(never) < len(checks):
        codes = ", ".join(instrument_name(check.instrument, check.title) for check in never)
        lines.append(CheckedLine("The rest", codes, "unknown", f"Not checked: {codes}."))
    elif never:
        lines.append(CheckedLine("All", "", "unknown", "The Register has not been asked about any instrument yet."))
    return tuple(lines)


def file_line(run: ImportLine) -> FileLine:
    """What came of one file."""
    state, word = OUTCOMES.get(run.outcome, ("unknown", run.outcome.capitalize()))
    return FileLine(run.started_at, run.what, state, word, run.message)


def _found(check: RegisterLine) -> str:
    """What was last found, in sentences."""
    said = []
    if check.is_newer:
        since = f" from {in_words(check.newest_start)}" if check.newest_start else ""
        said.append(f"a newer compilation, {_newest(check)}{since}, is published and not loaded.")
    elif check.is_newer is not None:
        said.append("the newest compilation is loaded.")
    if check.text_not_current_from is not None:
        since = in_words(check.text_not_current_from)
        said.append(f"An amendment commenced on {since}, and the text that it makes is not published.")
    told = " ".join(said)
    return told or "found."


def _newest(check: RegisterLine) -> str:
    """ "No 9 (C2018C00009)", or what of it is known."""
    number = f"No {check.newest_number}" if check.newest_number else ""
    return f"{number} ({check.newest_register_id})" if number else check.newest_register_id


def _at(moment: datetime | None, before: str = " ") -> str:
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    hour = f"{local:%I:%M %p}".lstrip("0").replace("AM", "a.m.").replace("PM", "p.m.")
    return f"{before}{in_words(local.date())}, {hour}"
