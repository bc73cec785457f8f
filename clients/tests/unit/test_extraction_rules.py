"""Fields of documents laid out by hand: what is found, what is left open, what stays blank."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from clients.extraction.layout import rows_of
from clients.extraction.rules import RulesExtractor
from clients.extraction.sums import kind_of_label
from clients.extraction.terms import Box, Extraction, Kind, Name, Page, State, Word
from clients.tests.unit.papers import page, with_word

TODAY = date(2026, 6, 15)
INVOICE = """
Ockley Timber Pty Ltd                                 TAX INVOICE
ABN 51 824 753 556
12 Quarry Lane

Bill to:                           Invoice No:     SI-10441
Brindle Catering                   Date:           23/02/2026
ABN 33 051 775 556                 Due Date:       25/03/2026
9 High Street                      Terms:          30 days

Description              Qty       Price          Amount
Hardwood decking         10        95.00          950.00
Freight to site          1         50.00          50.00

                                   Subtotal       $1,000.00
                                   GST            $100.00
                                   Total          $1,100.00
"""
STATEMENT = """
Velmont Mutual Bank
Statement period 28 December 2025 to 10 January 2026

Date       Transaction                 Debit        Credit       Balance
28 Dec     Opening balance                                      $500.00
30 Dec     Card purchase 11           50.00                     $450.00
02 Jan     Deposit customer                         200.00      $650.00
10 Jan     Closing balance                                      $650.00
"""


def extract(*pages: Page, today: date = TODAY) -> Extraction:
    return RulesExtractor().extract(pages, today)


def values(read: Extraction) -> dict[Name, str]:
    return {found.name: found.value for found in read.fields}


def failed(read: Extraction) -> list[str]:
    return [check.name for check in read.failed]


def test_an_invoice_is_read_with_every_value_quoted() -> None:
    read = extract(page(INVOICE))
    assert read.kind is Kind.INVOICE
    assert values(read) == {
        Name.SUPPLIER: "Ockley Timber Pty Ltd",
        Name.SUPPLIER_ABN: "51824753556",
        Name.INVOICE_NUMBER: "SI-10441",
        Name.DATE: "2026-02-23",
        Name.DUE_DATE: "2026-03-25",
        Name.PAYMENT_TERMS: "30 days",
        Name.TOTAL: "1100.00",
        Name.GST: "100.00",
        Name.CURRENCY: "AUD",
    }
    total = read.field(Name.TOTAL)
    assert total is not None
    assert (total.raw, total.page, total.how) == ("$1,100.00", 1, "beside “Total”")
    assert total.region == next(word.box for word in page(INVOICE).words if word.text == "$1,100.00")
    assert [(line.description, line.quantity, line.unit_price, line.amount) for line in read.lines] == [
        ("Hardwood decking", "10", "95.00", "950.00"),
        ("Freight to site", "1", "50.00", "50.00"),
    ]
    assert {check.state for check in read.checks} == {State.PASSED}


def test_the_recipients_abn_and_name_are_never_the_suppliers() -> None:
    without = INVOICE.replace("ABN 51 824 753 556", "Level 3")
    read = extract(page(without))
    assert read.value(Name.SUPPLIER_ABN) == ""
    assert read.value(Name.SUPPLIER) == "Ockley Timber Pty Ltd"
    first = "Bill to:\nBrindle Catering\nABN 33 051 775 556\n\n\nOckley Timber\nABN 51 824 753 556\nInvoice No 5123"
    read = extract(page(first))
    assert (read.value(Name.SUPPLIER), read.value(Name.SUPPLIER_ABN)) == ("Ockley Timber", "51824753556")


COLUMN_OF_FACTS = """
TAX INVOICE                        Invoice Date            Ockley Timber Pty Ltd
                                   23 Jun 2025             12 Quarry Lane
Brindle Catering                   Invoice Number          Ferndale NSW 2999
9 High Street                      INV-0032
Port Alder VIC 3998                Reference
                                   Fence 44
                                   ABN
                                   51 824 753 556

Description              Quantity      Unit Price      GST       Amount AUD
Hardwood decking         1.00          95.00           10%       950.00

                                       Subtotal                  950.00
                                       TOTAL GST 10%             95.00
                                       TOTAL AUD                 1,045.00

Due Date: 7 Jul 2025
"""


def test_facts_in_a_column_with_their_labels_above_are_read() -> None:
    read = extract(page(COLUMN_OF_FACTS))
    assert values(read) == {
        Name.SUPPLIER: "Ockley Timber Pty Ltd",
        Name.SUPPLIER_ABN: "51824753556",
        Name.INVOICE_NUMBER: "INV-0032",
        Name.DATE: "2025-06-23",
        Name.DUE_DATE: "2025-07-07",
        Name.TOTAL: "1045.00",
        Name.GST: "95.00",
        Name.CURRENCY: "AUD",
    }
    assert [(line.description, line.amount) for line in read.lines] == [("Hardwood decking", "950.00")]
    assert failed(read) == []


@pytest.mark.parametrize("name", ["Total Plumbing Pty Ltd", "Dateline Couriers", "Order of Things", "Page & Sons"])
def test_a_name_may_begin_like_a_label(name: str) -> None:
    assert extract(page(INVOICE.replace("Ockley Timber Pty Ltd", name))).value(Name.SUPPLIER) == name


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Total", "total"),
        ("Total (inc. GST)", "total"),
        ("Total Amount (inc. tax)", "total"),
        ("TotalinclGST", "total"),
        ("Balance Due", "balance"),
        ("TOTAL GST 10%", "gst"),
        ("Tax", "gst"),
        ("Total tax", "gst"),
        ("GST INCLUDED IN THE TOTAL", "gst"),
        ("Total includes GST", "gst"),
        ("Incl. GST", "gst"),
        ("Sub-Total", "subtotal"),
        ("Total excluding GST", "subtotal"),
        ("Total (ex GST)", "subtotal"),
        ("GST free items total", "other"),
        ("Total paid", "other"),
        ("Previous balance", "other"),
        ("Freight", "other"),
    ],
)
def test_what_stands_beside_an_amount_says_what_it_is(label: str, kind: str) -> None:
    assert kind_of_label(label) == kind


def test_nothing_is_invented_where_nothing_is_printed() -> None:
    read = extract(page("A letter about nothing in particular\nwith kind regards"))
    assert (read.kind, read.lines, read.rows, failed(read)) == (Kind.UNKNOWN, (), (), [])
    assert values(read) == {}
    assert extract(Page(1, 595, 842)).fields == ()


def test_an_abn_whose_check_digits_are_wrong_is_blank_and_said() -> None:
    read = extract(page(INVOICE.replace("ABN 51 824 753 556", "ABN 51 824 753 557")))
    assert read.value(Name.SUPPLIER_ABN) == ""
    assert failed(read) == ["ABN"]


def test_a_dollar_sign_without_an_abn_names_no_currency() -> None:
    read = extract(page("Quillan Legal\nInvoice No 5123\nTotal  $100.00"))
    assert read.value(Name.CURRENCY) == ""
    assert extract(page("Quillan Legal\nInvoice No 5123\nTotal  US$100.00")).value(Name.CURRENCY) == "USD"


# ------------------------------------------------------------------------------------------------ dates


def test_a_date_with_two_readings_is_left_open_with_both_shown() -> None:
    text = "Quillan Legal\nInvoice No 5123\nInvoice Date: 03/02/2026\nTotal  $100.00"
    read = extract(page(text))
    dated = read.field(Name.DATE)
    assert dated is not None
    assert (dated.value, dated.raw) == ("", "03/02/2026")
    assert [(each.value, each.why) for each in dated.alternatives] == [
        ("2026-02-03", "day first"),
        ("2026-03-02", "month first"),
    ]
    assert failed(read) == ["date"]


@pytest.mark.parametrize(
    ("more", "today", "value"),
    [
        ("Due Date: 17/02/2026", TODAY, "2026-02-03"),  # 17 can be no month
        ("Due Date: 02/17/2026", TODAY, "2026-03-02"),  # and here no day
        ("Due Date: 5 March 2026\nTerms: 30 days", TODAY, "2026-02-03"),  # the terms fit one reading
        ("", date(2026, 2, 20), "2026-02-03"),  # the other lies ahead
    ],
)
def test_what_else_is_on_the_page_decides_between_two_readings(more: str, today: date, value: str) -> None:
    text = f"Quillan Legal\nInvoice No 5123\nInvoice Date: 03/02/2026\n{more}\nTotal  $100.00"
    assert extract(page(text), today=today).value(Name.DATE) == value


@pytest.mark.parametrize(("written", "state"), [("23/12/2026", "after"), ("23/12/2012", "ten years")])
def test_a_date_ahead_or_long_past_blocks(written: str, state: str) -> None:
    read = extract(page(INVOICE.replace("23/02/2026", written)))
    assert "date" in failed(read)
    assert state in next(check.sentence for check in read.failed if check.name == "date")


def test_values_below_labels_that_stand_close_are_told_apart_by_their_place() -> None:
    text = (
        "Quillan Legal\nInvoice No    Dated            Pay by\n"
        "SI-10441      16 October 2025 5 November 2025\nTotal  $1.00"
    )
    read = extract(page(text))
    assert (read.value(Name.DATE), read.value(Name.DUE_DATE)) == ("2025-10-16", "2025-11-05")


# ------------------------------------------------------------------------------------------------ amounts


def test_gst_may_be_above_the_total_within_it_or_before_it() -> None:
    head = "Quillan Legal\nABN 51 824 753 556\nInvoice No 5123\n"
    for tail in (
        "Total (inc GST)  $110.00\nIncludes GST of  $10.00",
        "GST  $10.00\nTotal inc. GST  $110.00",
        "Sub-total  $100.00\nPlus GST 10%  $10.00\nAmount due  $110.00",
        "TOTAL  $110.00\nTotal includes GST  $10.00",
    ):
        read = extract(page(head + tail))
        assert (read.value(Name.TOTAL), read.value(Name.GST)) == ("110.00", "10.00"), tail


def test_half_a_pair_of_brackets_is_no_total() -> None:
    head = "Quillan Legal\nABN 51 824 753 556\nInvoice No 5123\n"
    assert extract(page(head + "Total  (110.00")).value(Name.TOTAL) == ""
    assert extract(page(head + "Total  (110.00)")).value(Name.TOTAL) == "-110.00"
    assert extract(page(head + "Total  $110.00\n(includes GST  $10.00)")).value(Name.GST) == "10.00"


def test_what_is_owing_from_before_is_not_the_total() -> None:
    text = "Quillan Legal\nInvoice No 5123\nPrevious balance  $900.00\nPayment received  -$900.00\nTotal  $110.00"
    assert extract(page(text)).value(Name.TOTAL) == "110.00"


@pytest.mark.parametrize(
    ("gst", "state"),
    [("10.00", State.PASSED), ("20.00", State.FAILED), ("19.09", State.PASSED), ("3.00", State.FAILED)],
)
def test_gst_below_one_eleventh_must_be_that_of_some_of_its_lines(gst: str, state: State) -> None:
    text = (
        "Quillan Fresh Produce\nABN 51 824 753 556\nTax invoice 77123\nDescription      Amount\n"
        f"Box of pears    110.00\nHire of scales    100.00\nTotal    $210.00\nGST included    ${gst}"
    )
    read = extract(page(text))
    assert next(check.state for check in read.checks if check.name == "GST") is state


def test_marked_lines_decide_what_mixed_gst_is() -> None:
    text = (
        "Quillan Fresh Produce\nABN 51 824 753 556\nTax invoice 77123\nDescription      Tax    Amount\n"
        "Box of pears     FRE    110.00\nHire of scales     GST    55.00\nTotal    $165.00\nGST    ${}"
    )
    assert failed(extract(page(text.format("5.00")))) == []
    assert failed(extract(page(text.format("10.00")))) == ["GST"]


def _with_column(lines: list[tuple[str, str]], total: str, gst: str) -> str:
    rows = "\n".join(f"Line of goods    {tax}    {amount}" for tax, amount in lines)
    head = "Quillan Fresh Produce\nABN 51 824 753 556\nTax invoice 77123\nDescription      GST     Amount\n"
    return f"{head}{rows}\nTotal    ${total}\nGST    ${gst}"


@pytest.mark.parametrize(
    ("lines", "total", "gst", "state"),
    [
        ([("0.50", "5.50")] * 20, "110.00", "1.00", State.FAILED),
        ([("0.50", "5.50")] * 20, "110.00", "10.00", State.PASSED),
        ([("1.00", "11.00"), ("0.00", "50.00")], "61.00", "2.00", State.FAILED),
        ([("1.00", "11.00"), ("0.00", "50.00")], "61.00", "0.00", State.FAILED),
        ([("1.00", "11.00"), ("0.00", "50.00")], "61.00", "1.00", State.PASSED),
        ([("1.01", "11.00"), ("0.00", "50.00")], "61.00", "1.00", State.PASSED),  # rounding by line
        ([("5.00", "110.00"), ("0.00", "55.00")], "165.00", "5.00", State.PASSED),  # a line may be taxable in part
    ],
)
def test_a_column_of_gst_is_held_against_the_gst(
    lines: list[tuple[str, str]], total: str, gst: str, state: State
) -> None:
    read = extract(page(_with_column(lines, total, gst)))
    assert [(line.gst, line.amount) for line in read.lines] == lines
    assert next(check.state for check in read.checks if check.name == "GST") is state


CREDIT = """
Ockley Timber Pty Ltd                                 CREDIT NOTE
ABN 51 824 753 556

Credit to:                         Number:         CN-104
Brindle Catering                   Date:           23/02/2026

Description              Qty       Price          Amount
Hardwood decking         1         100.00         100.00

                                   Subtotal       $100.00
                                   GST            $10.00
                                   Total credit   $110.00
"""


@pytest.mark.parametrize(
    ("old", "new", "is_asked"),
    [
        ("", "", True),
        ("CREDIT NOTE", "ADJUSTMENT NOTE", True),
        ("CREDIT NOTE", "REFUND", True),
        ("CREDIT NOTE", "TaxCreditNote", True),
        ("CREDIT NOTE", "Credit Note No: CN-104", True),
        ("CREDIT NOTE", "TAX INVOICE", True),  # its total still calls itself a credit
        ("Total credit   $110.00", "Total          $110.00", True),
        ("Total credit   $110.00", "Total credit   -$110.00", False),
    ],
)
def test_a_credit_that_prints_its_total_above_nil_is_asked_about(old: str, new: str, is_asked: bool) -> None:
    assert ("sign" in failed(extract(page(CREDIT.replace(old, new) if old else CREDIT)))) is is_asked


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Freight to site", "Credit note"),
        ("Freight to site", "Refund of hire"),
        ("9 High Street", "Refunds within 30 days"),
        ("12 Quarry Lane", "Related credit note: CN-104"),
        ("Subtotal       $1,000.00", "Refund         $1,000.00"),
    ],
)
def test_what_a_line_says_makes_no_document_a_credit(old: str, new: str) -> None:
    assert old in INVOICE
    read = extract(page(INVOICE.replace(old, new)))
    assert "sign" not in [check.name for check in read.checks]


def test_a_till_receipt_has_its_items_and_not_its_tender() -> None:
    text = (
        "Saltmarsh Stationers\nABN 51 824 753 556\nTAX INVOICE\n23/02/2026 14:05\nReceipt No 5512\nPens blue   8.00\n"
        "2 @ 4.00 each\nPaper   3.00\nTOTAL   $11.00\nCASH   $20.00\nCHANGE   $9.00\nGST INCLUDED   $1.00"
    )
    read = extract(page(text))
    assert read.kind is Kind.RECEIPT
    assert (read.value(Name.TOTAL), read.value(Name.GST), read.value(Name.INVOICE_NUMBER)) == ("11.00", "1.00", "5512")
    assert [(line.description, line.amount) for line in read.lines] == [("Pens blue", "8.00"), ("Paper", "3.00")]


# ------------------------------------------------------------------------------------------------ statements


def test_a_statements_rows_have_signs_balances_and_their_years() -> None:
    read = extract(page(STATEMENT))
    assert read.kind is Kind.STATEMENT
    assert [(row.date, row.description, row.amount, row.balance) for row in read.rows] == [
        ("2025-12-30", "Card purchase 11", "-50.00", "450.00"),
        ("2026-01-02", "Deposit customer", "200.00", "650.00"),
    ]
    assert (read.value(Name.OPENING_BALANCE), read.value(Name.CLOSING_BALANCE)) == ("500.00", "650.00")
    assert failed(read) == []


def _account(*rows: str, more: str = "") -> str:
    head = f"Velmont Mutual Bank\nStatement period 28 December 2025 to 10 January 2026\n{more}\n"
    return head + "\n".join(("Date       Transaction              Amount           Balance", *rows))


def test_dr_is_below_nil_and_cr_above_it_in_a_column_of_amounts_or_balances() -> None:
    text = _account(
        "28 Dec     Opening balance                           500.00 CR",
        "30 Dec     Rates notice             600.00 DR        100.00 DR",
        "02 Jan     Deposit customer         250.00 CR        150.00 CR",
    )
    read = extract(page(text))
    assert [(row.amount, row.balance) for row in read.rows] == [("-600.00", "-100.00"), ("250.00", "150.00")]
    assert (read.value(Name.OPENING_BALANCE), failed(read)) == ("500.00", [])


@pytest.mark.parametrize(
    ("rows", "more", "is_asked"),
    [
        (("30 Dec     Rates notice             60.00", "02 Jan     Deposit                  50.00"), "", True),
        (("30 Dec     Rates notice             -60.00", "02 Jan     Deposit                  50.00"), "", False),
        (("30 Dec     Rates notice             60.00", "02 Jan     Deposit                  50.00 CR"), "", True),
        (("30 Dec     Rates notice             60.00 DR", "02 Jan     Deposit                  50.00 CR"), "", False),
        (
            ("30 Dec     Rates notice             60.00", "02 Jan     Payment                  -50.00"),
            "Credit limit",
            True,
        ),
        (("30 Dec     To credit card           -60.00", "02 Jan     Deposit                  50.00"), "", False),
    ],
)
def test_which_way_a_statement_runs_is_asked_where_nothing_says_it(
    rows: tuple[str, ...], more: str, is_asked: bool
) -> None:
    read = extract(page(_account(*rows, more=more)))
    assert len(read.rows) == 2
    assert ("direction" in failed(read)) is is_asked


def test_debit_and_credit_columns_say_which_way_they_run() -> None:
    assert "direction" not in [check.name for check in extract(page(STATEMENT)).checks]


# ------------------------------------------------------------------------------------------------ a lying OCR


@pytest.mark.security
@pytest.mark.parametrize(
    ("old", "new", "caught"),
    [
        ("$1,100.00", "$1,700.00", ["total", "lines"]),
        ("$100.00", "$106.00", ["GST", "total"]),
        ("$100.00", "$10.00", ["total"]),
        ("950.00", "980.00", ["lines"]),
        ("556", "558", ["ABN"]),
        ("23/02/2026", "23/02/2028", ["date", "due date"]),
    ],
)
def test_an_altered_digit_is_caught(old: str, new: str, caught: list[str]) -> None:
    text = INVOICE.replace("ABN 33 051 775 556", "")
    read = extract(with_word(page(text), old, new))
    assert [name for name in failed(read) if name in caught] == caught


@pytest.mark.security
def test_a_statements_altered_digit_breaks_its_running_balance() -> None:
    read = extract(with_word(page(STATEMENT), "$450.00", "$480.00"))
    assert failed(read) == ["running balance"]
    read = extract(with_word(page(STATEMENT), "200.00", "208.00"))
    assert failed(read) == ["running balance", "closing balance"]


@pytest.mark.security
def test_hidden_words_become_no_value() -> None:
    honest = page(INVOICE)
    planted = Word("$9,999.00", Box(320, 320, 380, 330), is_hidden=True)
    assert extract(replace(honest, words=(*honest.words, planted))) == extract(honest)


def test_a_page_that_was_not_read_blocks() -> None:
    read = extract(page(INVOICE), Page(2, 0, 0, problem="The page could not be read by OCR."))
    assert failed(read) == ["pages"]


# ------------------------------------------------------------------------------------------------ layout


def test_rows_follow_a_page_that_lies_askew() -> None:
    words = tuple(Word(text, Box(left, top, left + 40, top + 10)) for text, left, top in (
        ("one", 10, 100), ("two", 300, 110), ("three", 500, 117), ("four", 10, 116), ("five", 500, 133),
    ))  # fmt: skip
    askew = Page(1, 600, 800, words, skew=2.0)
    assert [row.text for row in rows_of(askew)] == ["one   two   three", "four   five"]
