"""Our bills to Xero's JSON and back: drafts and nothing else, plain days, whole cents, names that are found again."""

from __future__ import annotations

import json
import string
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.xero import mapping
from integrations.xero.mapping import ApprovedBill, BillLine, FoundBill, Original, Treatment

BILL = ApprovedBill("transaction", "t1", "Example Parts Co", date(2026, 10, 4), 11000, gst_cents=1000, number="EP-1")


def sent(bill: ApprovedBill, url: str = "") -> dict[str, Any]:
    return mapping.invoice(bill, "c1", url)["Invoices"][0]


def test_a_bill_is_sent_as_a_draft_with_the_contact_by_its_id_alone() -> None:
    assert sent(replace(BILL, due=date(2026, 11, 3)), "https://smith.example/bills/1/") == {
        "Type": "ACCPAY",
        "Status": "DRAFT",
        "Contact": {"ContactID": "c1"},
        "Date": "2026-10-04",
        "DueDate": "2026-11-03",
        "InvoiceNumber": "EP-1",
        "CurrencyCode": "AUD",
        "LineAmountTypes": "Inclusive",
        "Url": "https://smith.example/bills/1/",
        "LineItems": [
            {"Description": "As per the attached document", "Quantity": 1, "UnitAmount": 110.0, "TaxType": "INPUT"}
        ],
    }


def test_what_is_not_known_is_left_out_and_never_null() -> None:
    made = sent(replace(BILL, number="", gst_cents=None))
    assert {"DueDate", "InvoiceNumber", "Url"} & set(made) == set()
    assert set(made["LineItems"][0]) == {"Description", "Quantity", "UnitAmount"}


def test_an_address_with_the_vendors_name_in_it_is_not_sent() -> None:
    assert "Url" not in sent(BILL, "https://my-Xero.example/bills/1/")


@pytest.mark.parametrize(
    ("total", "gst", "parts"),
    [
        (11000, 1000, [(11000, Treatment.TAXABLE)]),
        (10005, 910, [(10005, Treatment.TAXABLE)]),  # 100.05 / 11 = 9.095…
        (10005, 909, [(10005, Treatment.TAXABLE)]),  # rounded line by line
        (12500, 0, [(12500, Treatment.GST_FREE)]),
        (12500, 1000, [(11000, Treatment.TAXABLE), (1500, Treatment.GST_FREE)]),
        (12500, None, [(12500, None)]),
    ],
)
def test_a_total_alone_becomes_lines_by_its_gst(total: int, gst: int | None, parts: list[Any]) -> None:
    lines = mapping.lines_of(replace(BILL, total_cents=total, gst_cents=gst))
    assert [(line.amount_cents, line.treatment) for line in lines] == parts


def test_gst_that_was_rounded_for_each_supply_is_judged_as_when_it_was_approved() -> None:
    rounded = replace(BILL, total_cents=11000, lines=(), supplies=6)
    for gst in (1003, 997):
        assert mapping.why_not(replace(rounded, gst_cents=gst)) == ()
        assert [(each.amount_cents, each.treatment) for each in mapping.lines_of(replace(rounded, gst_cents=gst))] == [
            (11000, Treatment.TAXABLE)
        ]
    assert mapping.why_not(replace(rounded, gst_cents=1004)) != ()
    assert mapping.why_not(replace(rounded, gst_cents=1003, supplies=1)) != ()


def test_lines_go_out_as_they_are_discounts_and_nil_too() -> None:
    lines = (
        BillLine("Pipe", 11010, Treatment.TAXABLE),
        BillLine("Discount", -10, Treatment.TAXABLE),
        BillLine("  ", 0),
    )
    made = sent(replace(BILL, total_cents=11000, lines=lines))["LineItems"]
    assert [(each["Description"], each["UnitAmount"]) for each in made] == [
        ("Pipe", 110.1),
        ("Discount", -0.1),
        ("As per the attached document", 0.0),
    ]
    assert "110.1," in mapping.encoded({"a": made}) and "110.10000" not in mapping.encoded({"a": made})


@given(st.integers(-(10**9), 10**9))
def test_cents_go_out_with_two_places_and_come_back(amount: int) -> None:
    line = sent(replace(BILL, lines=(BillLine("x", amount),), total_cents=amount))["LineItems"][0]
    said = json.loads(mapping.encoded(line), parse_float=str)["UnitAmount"]
    assert Decimal(said) * 100 == amount
    assert mapping.cents(line["UnitAmount"]) == amount


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"supplier": "  "}, "supplier’s name is missing"),
        ({"supplier": "x" * 256}, "255 letters"),
        ({"total_cents": -11000, "gst_cents": None}, "credit note"),
        ({"total_cents": 0, "gst_cents": None}, "total is nil"),
        ({"lines": (BillLine("x", 10999),)}, "do not come to the total"),
        ({"gst_cents": 1200}, "more GST"),
        ({"gst_cents": -1}, "more GST"),
        ({"currency": "$"}, "currency"),
        ({"number": "9" * 256}, "invoice number"),
    ],
)
def test_what_cannot_be_sent_says_why(change: dict[str, Any], says: str) -> None:
    (why,) = mapping.why_not(replace(BILL, **change))
    assert says in why
    assert mapping.why_not(BILL) == ()


def broken(**change: Any) -> str:
    (made,) = json.loads(mapping.encoded(mapping.invoice(BILL, "c1")))["Invoices"]
    return mapping.encoded({"Invoices": [{**made, **change}]})


@pytest.mark.parametrize(
    "text",
    [
        broken(Status="AUTHORISED"), broken(Status="SUBMITTED"), broken(Status="draft"), broken(Type="ACCREC"),
        broken(LineAmountTypes="Exclusive"), broken(InvoiceID="i1"), broken(Contact={"ContactID": "c", "Name": "N"}),
        broken(DueDate=None), broken(LineItems=[{"AccountCode": "400"}]), broken(LineItems=[{"TaxType": None}]),
        '{"Invoices": []}', "{}", "[]", "no JSON",
    ],
)  # fmt: skip
def test_only_new_drafts_may_leave(text: str) -> None:
    assert mapping.is_draft_bill(broken())
    assert not mapping.is_draft_bill(text)


def test_a_word_in_a_description_is_no_status() -> None:
    bill = replace(BILL, lines=(BillLine("AUTHORISED dealer, DELETE me", 11000),))
    assert mapping.is_draft_bill(mapping.encoded(mapping.invoice(bill, "c1")))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("/Date(1791072000000+0000)/", date(2026, 10, 4)),  # the first Sunday of October: clocks go forward
        ("/Date(1775347200000+0000)/", date(2026, 4, 5)),  # the first Sunday of April: clocks go back
        ("/Date(1709164800000+0000)/", date(2024, 2, 29)),
        ("/Date(1791072000000)/", date(2026, 10, 4)),
        ("/Date(1791158399999+1100)/", date(2026, 10, 4)),
        ("/Date(-86400000+0000)/", date(1969, 12, 31)),
        ("2026-10-04T00:00:00", date(2026, 10, 4)),
        ("2026-10-04", date(2026, 10, 4)),
        ("4 October", None),
        ("", None),
    ],
)
def test_a_day_is_read_as_the_day_it_names(text: str, day: date | None) -> None:
    assert mapping.read_date(text) == day


@pytest.mark.parametrize("day", [date(2026, 4, 5), date(2026, 10, 4), date(2024, 2, 29), date(2026, 6, 30)])
def test_a_day_is_sent_as_the_day_it_is(day: date) -> None:
    assert sent(replace(BILL, dated=day, due=day))["Date"] == day.isoformat()
    assert sent(replace(BILL, dated=day, due=day))["DueDate"] == day.isoformat()


@pytest.mark.parametrize(
    ("supplier", "name"),
    [
        ("  Example   Parts\tCo ", "Example Parts Co"),
        ("<b>Bold</b> Pty Ltd", "b Bold /b Pty Ltd"),
        ("Zoë’s\u0000Café", "Zoë’s Café"),
        ("Zoe\u0308", "Zoë"),
    ],
)
def test_a_name_is_made_such_as_xero_takes(supplier: str, name: str) -> None:
    assert mapping.contact_name(supplier) == name


def test_names_are_alike_as_xero_finds_them_alike() -> None:
    assert mapping.name_key("  CAFÉ  Zoë ") == mapping.name_key("Cafe Zoe") == "cafe zoe"
    assert mapping.name_key("O'Brien & Co") != mapping.name_key("O'Brien and Co")


@pytest.mark.parametrize(
    ("name", "where", "term"),
    [
        ("O'Brien & Sons + Co", 'Name=="O\'Brien & Sons + Co"', "O'Brien & Sons + Co"),
        ('The "Best" Plumbing Supplies', None, "Plumbing Supplies"),
        ("Back\\slash Trading", None, "slash Trading"),
    ],
)
def test_a_name_that_no_filter_can_hold_is_searched_for(name: str, where: str | None, term: str) -> None:
    assert mapping.name_filter(name) == where
    assert mapping.search_term(name) == term


@given(st.text(string.printable, max_size=80))
def test_a_filter_never_ends_before_the_name_does(name: str) -> None:
    where = mapping.name_filter(name)
    assert where is None or (where[7:-1] == name and where.count('"') == 2 and "\\" not in where)


def test_contacts_are_read_with_what_became_of_them() -> None:
    body = {
        "Contacts": [
            {"ContactID": "a", "Name": "A", "ContactStatus": "ACTIVE"},
            {"ContactID": "b", "Name": "B", "ContactStatus": "ARCHIVED", "MergedToContactID": "a"},
            {"ContactID": "c", "Name": "C", "ContactStatus": "GDPRREQUEST"},
            {"Name": "no id"},
            None,
        ]
    }
    found = [(each.contact_id, each.is_archived, each.merged_to) for each in mapping.read_contacts(body)]
    assert found == [("a", False, ""), ("b", True, "a"), ("c", True, "")]
    assert mapping.read_contacts({"Contacts": None}) == mapping.read_contacts([]) == []


def test_each_row_of_an_answer_says_whether_it_was_taken() -> None:
    body = {
        "Invoices": [
            {"Type": "ACCPAY", "InvoiceID": "i", "Status": "DRAFT", "Total": 110.10, "Warnings": [{"Message": "w"}]},
            {"Type": "ACCPAY", "HasErrors": True, "ValidationErrors": [{"Description": "d"}, {"Message": "m"}]},
            {"Type": "ACCPAY", "StatusAttributeString": "ERROR", "InvoiceID": "j"},
            {"Type": "ACCREC", "InvoiceID": "sale"},
        ]
    }
    taken, refused, unsaid = mapping.read_bills(body)
    assert (taken.total_cents, taken.errors, taken.warnings) == (11010, (), ("w",))
    assert (refused.invoice_id, refused.errors) == ("", ("d", "m"))
    assert unsaid.errors == ("Xero did not say what is wrong.",)


@pytest.mark.parametrize(
    ("amount", "whole"),
    [
        (110.1, 11010),
        (0.1 + 0.2, 30),
        (110, 11000),
        ("9.09", 909),
        (True, None),
        (None, None),
        ("x", None),
        ("NaN", None),
    ],
)
def test_an_amount_is_read_to_the_cent(amount: Any, whole: int | None) -> None:
    assert mapping.cents(amount) == whole


def found(invoice_id: str, **change: Any) -> FoundBill:
    same = {"status": "DRAFT", "total_cents": 11000, "dated": BILL.dated, "number": "EP-1", "contact_id": "c1"}
    return FoundBill(invoice_id, **{**same, **change})  # type: ignore[arg-type]


def test_a_bill_is_known_again_by_its_mark_or_by_all_that_it_says() -> None:
    mark = "https://smith.example/bills/1/"
    marked, other = found("a", url=mark, total_cents=1), found("b", url="https://smith.example/bills/2/")
    plain = found("c")
    assert mapping.same_bill([other, marked, plain], BILL, "c1", mark) == [marked]
    assert mapping.same_bill([other, plain], BILL, "c1", mark) == [plain]
    for change in ({"total_cents": 11001}, {"dated": date(2026, 10, 5)}, {"number": "EP-2"}, {"contact_id": "c2"}):
        assert mapping.same_bill([replace(plain, **change)], BILL, "c1", "") == []


def test_a_bill_is_kept_and_read_back_whole() -> None:
    whole = replace(
        BILL,
        due=date(2026, 11, 3),
        lines=(BillLine("Pipe", 11000, Treatment.TAXABLE), BillLine("Free", 0)),
        original=Original("a.pdf", "application/pdf", "document:1"),
    )
    for bill in (BILL, whole):
        assert mapping.from_record(json.loads(json.dumps(mapping.as_record(bill)))) == bill
