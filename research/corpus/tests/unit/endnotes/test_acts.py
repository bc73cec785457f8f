"""Endnote 3: which row a cite names, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from research.corpus.ingest.endnotes.acts import Act, Acts, read_acts
from research.corpus.ingest.endnotes.cites import Cite
from research.corpus.ingest.published import Cell, EndnoteTable

HEADS = ("Act", "Number and year", "Assent", "Commencement", "Application, saving and transitional provisions")


def rows(*given: Sequence[str], heads: tuple[str, ...] = HEADS) -> list[Act]:
    return read_acts([EndnoteTable("3", "Legislation history", heads, tuple(tuple(map(Cell, row)) for row in given))])


MIXED = rows(
    ("Ferries Act 1999", "245, 1999", "1 May 1999", "1 July 1999", ""),
    ("Ferry Rules 1999", "SR No 245, 1999", "2 May 1999", "3 May 1999", ""),
    ("Ferry Tolls Regulation", "78, 2015", "10 June 2015 (F2015L00803)", "1 July 2015", ""),
    ("Ferries Act 2004", "50, 2004", "1 May 2004", "1 July 2004", ""),
    ("Toll Rules 2000", "SR No 9, 2000", "1 May 2000", "1 July 2000", ""),
)

CITES = [
    (Cite(245, 1999), "Ferries Act 1999"),
    (Cite(245, 1999, "SR"), "Ferry Rules 1999"),
    (Cite(245, 1999, "SLI"), "not in Endnote 3"),
    (Cite(78, 2015, "SLI"), "Ferry Tolls Regulation"),  # a row that tells no series
    (Cite(50, 2004, "SLI"), "not in Endnote 3"),  # the row is an Act's
    (Cite(9, 2000), "Toll Rules 2000"),
    (Cite(register_id="F2015L00803"), "Ferry Tolls Regulation"),
    (Cite(register_id="F2015L00804"), "not in Endnote 3"),
]


@pytest.mark.parametrize(("cite", "wanted"), CITES)
def test_a_cite_names_a_row_of_its_series(cite: Cite, wanted: str) -> None:
    found = Acts(MIXED).named(cite)
    assert (found if isinstance(found, str) else found.name) == wanted


def test_a_cite_that_may_be_of_two_rows_names_none() -> None:
    two = rows(("Rules A", "SR No 9, 2000", "", "", ""), ("Rules B", "SLI No 9, 2000", "", "", ""))
    assert Acts(two).named(Cite(9, 2000)) == "No 9, 2000 is more than one row of Endnote 3"


def test_rows_that_go_on_with_an_act_are_one_with_it() -> None:
    [act] = rows(
        ("Ferries Act 2003", "66, 2003", "30 June 2003", "Sch 1: 1 July 2003", "Sch 1 (item 9)"),
        ("", "", "", "Sch 2: 1 Jan 2004", "s 4"),
        ("Ferries Act 2003", "66, 2003", "30 June 2003", "Sch 3: 1 July 2030", "—"),
    )
    assert act.commenced_by(date(2010, 1, 1)) == (date(2003, 7, 1), date(2004, 1, 1))
    assert act.refers_to == "Sch 1 (item 9); s 4"


def test_an_act_named_in_the_row_as_amended_by_is_left_out_too() -> None:
    found = rows(
        ("Ferries Act 1999", "7, 1999", "1 May 1999", "1 July 1999", ""),
        ("as amended by", "", "", "", ""),
        ("Dues Act 2002", "9, 2002", "1 Jan 2002", "1 July 1999", ""),
        ("(as amended by Dues Act 2003)", "10, 2003", "1 Jan 2003", "1 July 1999", ""),
        ("Ferries Act 2004", "50, 2004", "1 May 2004", "1 July 2004", ""),
    )
    assert [act.name for act in found] == ["Ferries Act 1999", "Ferries Act 2004"]


def test_without_heads_the_number_of_columns_tells_the_layout() -> None:
    [act] = rows(("Ferry Rules 2016", "4 May 2016 (F2016L00669)", "1 July 2016", "—"), heads=())
    assert (act.cites, act.assent) == ((Cite(register_id="F2016L00669"),), date(2016, 5, 4))
    assert act.commenced_by(date(2020, 1, 1)) == (date(2016, 7, 1),)
