"""Which version was in force on a day, as known on a day; and whether the newest published text is behind the law.

Pure. Done here from the whole list of versions because the Register's own answer hides two things: that the version in
force has no text, and that a later Act changed the past.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from research.corpus.ingest.fetch.answers import DocumentRow, DocumentType, Format, VersionRow
from research.corpus.ingest.fetch.outcomes import Absent

FIRST_DAY = date(1901, 1, 1)  # the Commonwealth's; nothing on the Register is older


@dataclass(frozen=True, slots=True)
class Chosen:
    """row: the version whose text to take; it has a register id. in_force: the version in force on the day.

    They differ where the text of the latter is not published; then, and where the Register says that amendments are
    not in the text, text_not_current_from is the first day on which the text may be behind the law. unpublished: the
    versions after `row`, up to the one in force, none of which has a text.
    """

    row: VersionRow
    in_force: VersionRow
    text_not_current_from: date | None = None
    unpublished: tuple[VersionRow, ...] = ()

    @property
    def register_id(self) -> str:
        return self.row.register_id or ""

    @property
    def amended_by(self) -> tuple[str, ...]:
        """Names of what made the versions that have no text."""
        return tuple(dict.fromkeys(name for row in self.unpublished for name in row.amended_by))


@dataclass(frozen=True, slots=True)
class NoText:
    """A version was in force, and neither its text nor that of any before it is published."""

    in_force: VersionRow


@dataclass(frozen=True, slots=True)
class Unapplied:
    """An amendment has commenced and is in no published text.

    since: from which day the newest text may be behind the law. is_exact: whether an amendment is known to have
    commenced on that very day; else the Register only says that there is one, and `since` is the text's own first day.
    by: the names of what amended, where known.
    """

    since: date
    is_exact: bool
    by: tuple[str, ...] = ()


def day_asked(text: str) -> date:
    """The day that a person wrote as 2020-06-30. Raises ValueError for one that the calendar does not have.

    Checked before asking: the Register answers the same for 31 February as for a law that did not exist then.
    """
    try:
        day = datetime.strptime(text.strip(), "%Y-%m-%d").date()  # noqa: DTZ007  (a day has no zone)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a day; give one as 2020-06-30.") from error
    if day < FIRST_DAY:
        raise ValueError(f"{text!r} lies before the first law of the Commonwealth; give a day from 1901 on.")
    return day


def choose(rows: Iterable[VersionRow], day: date, known_on: date) -> Chosen | NoText | Absent:
    """The version in force on `day` by what was known on `known_on`, and the text to read it from.

    Of several that cover the day, the account that was made last and no later than `known_on` counts. One without a
    text is replaced by the last text before it, and says so.
    """
    known = in_order(rows, known_on)
    in_force = [row for row in known if row.covers(day)]
    if not in_force:
        return _none_on(known, day)
    chosen = max(in_force, key=lambda row: (row.retrospective_start, row.start))
    if chosen.register_id:
        return Chosen(chosen, chosen, chosen.start if chosen.has_unincorporated_amendments else None)
    upto = known[: known.index(chosen) + 1]
    text = next((row for row in reversed(upto) if row.register_id), None)
    if text is None:
        return NoText(chosen)
    unpublished = tuple(row for row in upto if row.key > text.key)
    return Chosen(text, chosen, text_not_current_from(text, known), unpublished)


def in_order(rows: Iterable[VersionRow], known_on: date) -> list[VersionRow]:
    """The versions known on a day, by start, and for one start by when they became the account of it.

    The first account of a window counts as known whatever `known_on`: only one that came afterwards, with a later
    retrospective start, can have been unknown.
    """
    known = (row for row in rows if row.retrospective_start <= max(row.start, known_on))
    return sorted(known, key=lambda row: row.key)


def text_not_current_from(text: VersionRow, known: Sequence[VersionRow]) -> date | None:
    """From which day on an amendment to this text had commenced whose own text is not published; None for none.

    known: as `in_order` gives them. A fact about the text, the same whatever day was asked for.
    """
    if text.has_unincorporated_amendments:
        return text.start
    following = next((row for row in known if row.key > text.key), None)
    return following.start if following and not following.register_id else None


def unapplied(rows: Iterable[VersionRow], today: date) -> Unapplied | None:
    """Whether an amendment has commenced for which no compilation is published; None if not, or nothing is in force."""
    choice = choose(rows, today, today)
    if isinstance(choice, Absent):
        return None
    if isinstance(choice, NoText):
        return Unapplied(choice.in_force.start, True, choice.in_force.amended_by)
    if choice.text_not_current_from is None:
        return None
    is_exact = not choice.row.has_unincorporated_amendments
    return Unapplied(choice.text_not_current_from, is_exact, choice.amended_by if is_exact else ())


def newest_text(rows: Iterable[VersionRow], today: date) -> VersionRow | None:
    """The last version with a text, one that is registered ahead of its first day included."""
    return next((row for row in reversed(in_order(rows, today)) if row.register_id), None)


def whole_epub(documents: Iterable[DocumentRow], version: VersionRow) -> DocumentRow | Absent:
    """The listed EPUB of the whole of a version's text (volume 0), the highest rectification of it."""
    own = [d for d in documents if (d.start, d.retrospective_start) == version.key and d.type is DocumentType.PRIMARY]
    whole = [d for d in own if d.format is Format.EPUB and d.volume == 0 and d.unique_type_number == 0]
    if whole:
        return max(whole, key=lambda d: d.rectification)
    others = sorted({d.format.value for d in own if d.format in (Format.WORD, Format.PDF)})
    if any(d.format is Format.EPUB for d in own):
        reason = "its EPUB is listed in single volumes only, and a single volume is not the Act"
    elif others:
        reason = f"no EPUB is published of it; {' and '.join(others)} is, which AsAt does not read"
    else:
        reason = "no file of its text is listed"
    return Absent(f"{version.register_id}: {reason}.")


def _none_on(known: Sequence[VersionRow], day: date) -> Absent:
    if not known:
        return Absent("The Register lists no version.")
    earlier = [row for row in known if row.start <= day]
    if not earlier:
        first = known[0]
        named = f" ({first.register_id})" if first.register_id else ", without a text"
        return Absent(f"No version on {day}; the earliest that the Register holds starts on {first.start}{named}.")
    last = max(earlier, key=lambda row: row.end or date.max)
    return Absent(f"No version was in force on {day}; the last before it, from {last.start}, ended on {last.end}.")
