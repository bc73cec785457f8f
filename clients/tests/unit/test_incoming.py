"""Files of clients: columns by their headings, lines that come in, lines that stay out and why."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.rules import incoming
from clients.rules.incoming import Unreadable, check, read_file, rows_of
from clients.rules.outgoing import HEADINGS, csv_lines, guarded


def test_columns_are_found_by_their_headings_in_any_order_and_the_rest_left_out() -> None:
    columns, rows = rows_of("Colour,E-mail,CLIENT NAME,ABN,abn\nred,a@b.example,One,51824753556,x\n")
    assert columns == {"Colour": "", "E-mail": "emails", "CLIENT NAME": "name", "ABN": "abn", "abn": ""}
    assert rows == [(2, {"emails": "a@b.example", "name": "One", "abn": "51824753556"})]


def test_a_line_says_what_it_says_and_no_more() -> None:
    report, (only,) = check("Name\tPhones\tGST\n One  Two \t1; 2;1\t\n", (), ())
    assert only.values == {"name": "One Two", "phones": ["1", "2"]}
    assert (report.rows, report.new) == (1, 1)


def test_every_problem_of_a_line_is_named_and_no_tax_file_number_is() -> None:
    report, coming = check("Name,ABN,TFN,GST,BAS\n,1,123456783,perhaps,weekly\n", (), ())
    assert coming == []
    assert report.wrong[0].why == (
        "The name is missing. The ABN is wrong: a digit is wrong, missing or too many. The TFN is wrong: a digit is "
        "wrong, missing or too many. GST registered is neither yes nor no. The BAS cycle is not monthly, quarterly or "
        "annual."
    )


def test_what_is_there_is_skipped_by_abn_and_by_name() -> None:
    text = "Name,ABN\nA,51824753556\nB Pty Ltd,\nC,53004085616\nD,53004085616\nc ltd,\n"
    report, coming = check(text, ["51824753556"], ["b"])
    assert [each.line for each in coming] == [4]
    assert [(each.line, each.why) for each in report.skipped] == [
        (2, "A client with this ABN is in the register."),
        (3, "A client with this name is in the register."),
        (5, "A client with this ABN is in line 4 of this file."),
        (6, "A client with this name is in line 4 of this file."),
    ]


def test_bounds_are_held_and_said() -> None:
    at_most = "Name\n" + "x\n" * incoming.MOST_ROWS
    assert len(rows_of(at_most)[1]) == incoming.MOST_ROWS
    with pytest.raises(Unreadable, match="more than 10,000 lines"):
        rows_of(at_most + "y\n")
    with pytest.raises(Unreadable, match="larger than 5 MB"):
        read_file(b"x" * (incoming.MOST_BYTES + 1))
    report, _ = check("Name\n" + "\n".join(["x"] * 900), (), ())
    assert (report.skipped_count, len(report.skipped)) == (899, incoming.MOST_LISTED)
    with pytest.raises(Unreadable, match="cannot be read as CSV"):
        rows_of("Name\n" + "x" * 200_000)


@pytest.mark.parametrize(
    ("content", "text"),
    [("Name\nZoë".encode(), "Name\nZoë"), (b"\xef\xbb\xbfName", "Name"), (b"Name\nZo\xeb", "Name\nZoë"),
     ("Name\nZoë".encode("utf-16"), "Name\nZoë")],
)  # fmt: skip
def test_files_are_read_in_the_encodings_that_spreadsheets_write(content: bytes, text: str) -> None:
    assert read_file(content) == text


@pytest.mark.parametrize("start", ["=1", "+1", "-1", "@x", "\t=1", " =1", "＝1"])
def test_no_cell_is_a_formula(start: str) -> None:
    assert guarded(start) == f"'{start}"
    assert guarded(f"a{start}") == f"a{start}"


@pytest.mark.parametrize("amount", ["-12.50", "12.50", "-0.01"])
def test_an_amount_below_nil_is_a_number_and_no_formula(amount: str) -> None:
    assert guarded(amount) == amount
    assert guarded(f"{amount}+1") == (f"'{amount}+1" if amount.startswith("-") else f"{amount}+1")


@given(st.lists(st.text(st.characters(exclude_characters="\x00\r", codec="utf-8")), min_size=14, max_size=14))
def test_what_goes_out_reads_back(cells: list[str]) -> None:
    text = "".join(csv_lines([cells])).removeprefix("\ufeff")
    headings, row = csv.reader(io.StringIO(text, newline=""))
    assert tuple(headings) == HEADINGS
    assert row == [guarded(cell) for cell in cells]
