"""The right column of Endnote 4: codes, the laws cited after them, and what qualifies them."""

from __future__ import annotations

import pytest

from research.corpus.ingest.endnotes.effects import read_effects
from research.corpus.ingest.history import Effect

TABLE = [
    ("am No 17, 1986; No 88, 1995", ["am No 17, 1986", "am No 88, 1995"]),  # 50
    ("am. Nos. 83 and 172, 1999", ["am No 83, 1999", "am No 172, 1999"]),  # 51
    ("am. Nos. 17 and 65, 1940", ["am No 17, 1940", "am No 65, 1940"]),
    ("am Nos 17, 65 and 80, 1940", ["am No 17, 1940", "am No 65, 1940", "am No 80, 1940"]),
    ("am Nos 17, 1986 and 88, 1995", ["am No 17, 1986", "am No 88, 1995"]),
    ("am No\u00a066, 2003\nrs No 12, 2012\nrep No 23, 2018", ["am No 66, 2003", "rs No 12, 2012", "rep No 23, 2018"]),
    ("ad. No. 1, 1960; am. No. 17, 1986", ["ad No 1, 1960", "am No 17, 1986"]),
    (
        "am No 5, 2001 (as am by No 20, 1974); No 6, 2002",
        ["am No 5, 2001", "am No 6, 2002"],
    ),  # the qualifier is no cite
    ("am No 5, 2001 (amdt never applied (Sch 1 item 4)); No 6, 2002", ["-am No 5, 2001", "am No 6, 2002"]),  # 54
    ("am No 5, 2001 (md not incorp)", ["-am No 5, 2001"]),  # 54
    ("am No 5, 2001 (md)", ["am No 5, 2001"]),
    ("ed C95", ["ed C95"]),
    ("am F2016L00669; SLI No 78, 2015", ["am F2016L00669", "am SLI No 78, 2015"]),
    ("am 1999 No. 245; SR 2001 Nos. 12 and 15", ["am No 245, 1999", "am SR No 12, 2001", "am SR No 15, 2001"]),
    ("renum No 5, 2001", ["renum No 5, 2001"]),
    ("rep No 1, 1990\nad No 5, 2001", ["rep No 1, 1990", "ad No 5, 2001"]),
    ("am Gazette 1990, No S21; No 5, 1991", ["am ?Gazette 1990, No S21", "am No 5, 1991"]),
    ("rep", ["rep ?rep"]),
    ("am No 5, 2001 (as am by No 20, 1974\nrs No 12, 2012", ["am No 5, 2001", "rs No 12, 2012"]),  # never closed
]


@pytest.mark.parametrize(("text", "wanted"), TABLE)
def test_what_was_done_and_by_which_law(text: str, wanted: list[str]) -> None:
    done, unread = read_effects(text)
    assert [
        f"{'' if one.is_applied else '-'}{one.effect} "
        + (str(one.cite) if one.cite else one.words if one.effect is Effect.EDITORIAL else f"?{one.words}")
        for one in done
    ] == wanted
    assert unread == []


def test_words_without_a_code_are_told_and_not_guessed_at() -> None:
    assert read_effects("see Note 2") == ([], ["see Note 2"])
    assert read_effects("No 5, 2001") == ([], ["No 5, 2001"])


def test_a_row_that_begins_with_a_cite_carries_the_code_of_the_row_above() -> None:
    done, unread = read_effects("No 5, 2001", Effect.AMENDED)
    assert [(one.effect, str(one.cite)) for one in done] == [(Effect.AMENDED, "No 5, 2001")]
    assert unread == []
