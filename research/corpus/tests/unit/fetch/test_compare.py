"""What the Register's answers say beside what is held: whether a law is in force, by the strongest word there is."""

from __future__ import annotations

from datetime import date

import pytest

from research.corpus.ingest.fetch.answers import Status, TitleRow, VersionRow
from research.corpus.ingest.fetch.check import Checked, compare

TODAY = date(2024, 3, 1)
NAME = "Channel Lights Act 2001"
OPEN = VersionRow("C2001A00044", date(2001, 3, 1), date(2001, 3, 1), None, "C2001A00044")
ENDED = VersionRow("C2001A00044", date(2001, 3, 1), date(2001, 3, 1), date(2011, 4, 1), "C2001A00044")


@pytest.mark.parametrize(
    ("said", "status", "row", "in_force"),
    [
        (True, Status.IN_FORCE, OPEN, True),
        (False, Status.CEASED, ENDED, False),
        (False, None, OPEN, False),
        (None, Status.REPEALED, OPEN, False),
        (None, Status.NEVER_EFFECTIVE, OPEN, False),
        (None, None, ENDED, False),
        (None, None, OPEN, True),
    ],
)
def test_whether_it_is_in_force(said: bool | None, status: Status | None, row: VersionRow, in_force: bool) -> None:
    check = compare(TitleRow("C2001A00044", NAME, None, status, said), [row], ["C2001A00044"], TODAY)
    assert (check.outcome, check.in_force) == (Checked.FOUND, in_force)
    assert ("no longer in force" in check.message) is not in_force


def test_a_law_without_any_text_says_so() -> None:
    marker = VersionRow("C2001A00044", date(2001, 3, 1), date(2001, 3, 1))
    check = compare(TitleRow("C2001A00044", NAME, None, None, True), [marker], [], TODAY)
    assert (check.newest_register_id, check.newer_than_held) == ("", False)
    assert check.text_not_current_from == date(2001, 3, 1)
    assert check.message.startswith("The Register holds no text of it.")
