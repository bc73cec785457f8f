"""The report of what is read: what counts as right, and what falls below its floor."""

from __future__ import annotations

from datetime import date

from asat_site.testing.synthetic_documents.accuracy import Counted, Judged, judge, table
from asat_site.testing.synthetic_documents.facts import Truth, is_open
from asat_site.testing.synthetic_documents.making import HELD_OUT_FROM, LAYOUTS, made
from clients.extraction.terms import Alternative, Box, Extraction, FoundField, Kind, LineItem, Name
from clients.management.commands.documents import below_floors

BOX = Box(0, 0, 1, 1)


def found(name: Name, value: str, *others: str) -> FoundField:
    return FoundField(
        name, value, "raw", 1, BOX, "", alternatives=tuple(Alternative(o, "raw", 1, BOX, "") for o in others)
    )


def outcomes(truth: Truth, read: Extraction) -> dict[str, str]:
    return {each.field: each.outcome for each in judge(1, "classic", "text", truth, read)}


def test_each_field_is_right_open_missed_wrong_or_invented() -> None:
    truth = Truth(
        Kind.INVOICE,
        {
            Name.SUPPLIER: "Ockley Pty Ltd",
            Name.TOTAL: "11.00",
            Name.GST: "",
            Name.CURRENCY: "AUD",
            Name.DATE: "2026-02-03",
        },
        [("Pens", "11.00")],
        date_is_open=True,
    )
    read = Extraction(
        Kind.RECEIPT,
        (
            found(Name.SUPPLIER, "OCKLEY PTYLTD"),
            found(Name.TOTAL, "17.00"),
            found(Name.GST, "1.00"),
            found(Name.DATE, "", "2026-02-03", "2026-03-02"),
        ),
        (LineItem("pens", "", "", "", "11.00", "", 1, BOX),),
    )
    assert outcomes(truth, read) == {
        "kind": "wrong",
        "supplier": "right",
        "total": "wrong",
        "gst": "invented",
        "currency": "missed",
        "date": "open",
        "line items": "right",
    }


def test_an_open_date_is_right_only_where_the_print_is_open_and_the_truth_is_shown() -> None:
    truth = Truth(Kind.INVOICE, {Name.DATE: "2026-02-03"})
    shown = Extraction(Kind.INVOICE, (found(Name.DATE, "", "2026-02-03", "2026-03-02"),))
    assert outcomes(truth, shown)["date"] == "missed"
    truth.date_is_open = True
    other = Extraction(Kind.INVOICE, (found(Name.DATE, "", "2026-02-04", "2026-04-02"),))
    assert outcomes(truth, other)["date"] == "missed"
    assert [is_open(date(2026, 2, 3), form) for form in ("%d/%m/%Y", "%d %b %Y")] == [True, False]
    assert not is_open(date(2026, 2, 13), "%d/%m/%Y") and not is_open(date(2026, 2, 2), "%d/%m/%Y")


def test_floors_are_over_all_fields_and_over_abn_and_gst() -> None:
    def of(field: str, right: int, wrong: int) -> list[Judged]:
        return [Judged(1, "classic", "text", field, outcome) for outcome in ["right"] * right + ["missed"] * wrong]

    assert below_floors([*of("total", 92, 8), *of("gst", 97, 3)]) == []
    assert below_floors([*of("total", 99, 1), *of("gst", 96, 4)]) == ["gst: 96.0%; wanted 97%."]
    assert below_floors(of("total", 91, 9)) == ["All fields: 91.0%; wanted 92%."]


def test_the_table_counts_by_source_with_exact_bounds() -> None:
    judged = [Judged(1, "classic", "text", "total", "right")] * 9 + [Judged(2, "classic", "scan", "total", "wrong")]
    assert list(table(judged))[2:] == [
        "| total | 100.0% (9/9) | 0.0% (0/1) | 90.0% (9/10) | 55.5%–99.7% |",
        "| all fields | 100.0% (9/9) | 0.0% (0/1) | 90.0% (9/10) | 55.5%–99.7% |",
    ]
    assert Counted(0, 5).bounds[0] == 0.0 and Counted(5, 5).bounds[1] == 1.0
    assert round(Counted(5, 5).bounds[0], 4) == 0.4782  # the 5th root of 0.025


def test_documents_follow_from_their_number_alone() -> None:
    assert (made(7).content, made(7).truth) == (made(7).content, made(7).truth)
    assert made(7).content != made(31).content and made(7).layout == made(31).layout
    held_out = {made(number, "text").layout for number in range(HELD_OUT_FROM, HELD_OUT_FROM + 24)}
    assert held_out == {*LAYOUTS} and len(held_out) == 24
