"""What a person types: read, refused in words, and looked for on the pages."""

from __future__ import annotations

import pytest

from clients.extraction.terms import Box, Source
from clients.extraction.typed import MOST_CENTS, NotRead, cents_of, find_value, is_normal, read_typed
from clients.tests.unit.papers import page

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("total", "1200", "1200.00"),
        ("total", " $1,200 ", "1200.00"),
        ("total", "1,234.50", "1234.50"),
        ("total", "-1,200", "-1200.00"),
        ("gst", "(45.50)", "-45.50"),
        ("gst", "45.50-", "-45.50"),
        ("gst", "−0.00", "0.00"),
        ("amount", "AUD 45.00", "45.00"),
        ("balance", "0", "0.00"),
        ("date", "3/2/26", "2026-02-03"),
        ("date", "Tue 3 Feb 2026", "2026-02-03"),
        ("due_date", "2026-02-03", "2026-02-03"),
        ("supplier_abn", "ABN 51 824 753 556", "51824753556"),
        ("supplier_abn", "51-824-753-556", "51824753556"),
        ("currency", "aud", "AUD"),
        ("supplier", "  Ockley\x00 Timber\u202e\n Pty ", "Ockley Timber Pty"),
        ("invoice_number", "SI-10441", "SI-10441"),
        ("description", "Card purchase", "Card purchase"),
        ("kind", "receipt", "receipt"),
    ],
)
def test_it_is_read_by_the_rules_of_a_page(field: str, text: str, value: str) -> None:
    assert read_typed(field, text) == value
    assert is_normal(field, value)


@pytest.mark.parametrize(
    ("field", "text", "why"),
    [
        ("total", "12.5", "no amount"),
        ("total", "1.234,50", "no amount"),
        ("total", "45.00 CR", "no amount"),
        ("amount", "45.00DR", "no amount"),
        ("total", "twelve", "no amount"),
        ("total", "(45.00", "no amount"),
        ("gst", "45)", "no amount"),
        ("total", str(MOST_CENTS // 100), "too large"),
        ("date", "31/2/2026", "no date"),
        ("date", "02/25/2026", "no such day"),
        ("date", "soon", "no date"),
        ("supplier_abn", "51 824 753 557", "no ABN"),
        ("supplier_abn", "O1 824 753 556", "no ABN"),
        ("currency", "AUS", "no currency"),
        ("currency", "$", "no currency"),
        ("kind", "unknown", "Choose"),
        ("supplier", "x" * 301, "longer than the 300"),
        ("supplier", " \x00 ", "Nothing is written"),
        ("poem", "x", "no such field"),
    ],
)
def test_what_is_no_value_is_refused_in_words(field: str, text: str, why: str) -> None:
    with pytest.raises(NotRead, match=why):
        read_typed(field, text)
    assert not is_normal(field, text)


@pytest.mark.parametrize(
    ("text", "currency", "why"),
    [
        ("US$5.00", "AUD", "in USD, and the document is in AUD"),
        ("NZD 5.00", "AUD", "in NZD, and the document is in AUD"),
        ("€5", "AUD", "in EUR"),
        ("HK$5.00", "AUD", "in HKD"),
        ("A$5.00", "NZD", "in AUD, and the document is in NZD"),
        ("US$5.00", "", "in USD, and the currency of the document is not known"),
    ],
)
def test_an_amount_in_another_currency_is_refused_in_words(text: str, currency: str, why: str) -> None:
    with pytest.raises(NotRead, match=why.replace("$", r"\$")):
        read_typed("total", text, currency)


def test_an_amount_in_the_currency_that_stands_is_read() -> None:
    assert [read_typed("total", text, "USD") for text in ("US$5.00", "USD 5.00", "$5.00")] == ["5.00"] * 3


@pytest.mark.parametrize(
    ("value", "cents"),
    [
        ("", None),
        ("0.07", 7),
        ("-1234.50", -123450),
        (f"{MOST_CENTS // 100}.00", None),
        ("9999999999999.99", 999999999999999),
    ],
)
def test_cents_are_exact_or_none(value: str, cents: int | None) -> None:
    assert cents_of(value) == cents


PAPER = page(
    """
Ockley Timber Pty Ltd          ABN 51 824 753 556
Invoice  SI-10441              Dated 03/02/2026
Withdrawn       50.00
Total AUD       $1,100.00
"""
)


@pytest.mark.parametrize(
    ("field", "value", "raw"),
    [
        ("total", "1100.00", "$1,100.00"),
        ("total", "-50.00", "50.00"),
        ("date", "2026-02-03", "03/02/2026"),
        ("date", "2026-03-02", "03/02/2026"),
        ("supplier_abn", "51824753556", "51 824 753 556"),
        ("currency", "AUD", "AUD"),
        ("supplier", "Ockley Timber Pty Ltd", "Ockley Timber Pty Ltd"),
        ("invoice_number", "SI-10441", "SI-10441"),
    ],
)
def test_a_value_is_found_by_the_words_that_say_it(field: str, value: str, raw: str) -> None:
    place = find_value(field, value, [page("Nothing"), PAPER.__class__(2, 595, 842, PAPER.words)])
    assert place is not None
    assert (place.page, place.raw) == (2, raw)
    first, last = raw.split()[0], raw.split()[-1]
    left = next(word.box.left for word in PAPER.words if word.text == first)
    right = max(word.box.right for word in PAPER.words if word.text == last)
    assert (place.region.left, place.region.right) == (left, right)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("total", "100.00"),
        ("date", "2026-02-04"),
        ("invoice_number", "SI-1044"),
        ("currency", "NZD"),
    ],
)
def test_what_stands_nowhere_is_not_found(field: str, value: str) -> None:
    assert find_value(field, value, [PAPER]) is None


def test_hidden_words_say_nothing() -> None:
    hidden = PAPER.__class__(
        1, 595, 842, tuple(word.__class__(word.text, word.box, is_hidden=True) for word in PAPER.words)
    )
    assert find_value("total", "1100.00", [hidden]) is None


def test_what_ocr_read_is_found_with_how_sure_it_was() -> None:
    place = find_value("total", "1100.00", [page("Total   $1,100.00", source=Source.OCR)])
    assert place is not None
    assert place.confidence == 0.95
    assert isinstance(place.region, Box)
