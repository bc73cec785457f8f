"""ABN, ACN and TFN: read in any spacing, refused for one wrong digit, shown as registers write them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clients.rules import identifiers

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("read", "typed", "digits"),
    [
        (identifiers.read_abn, "51 824 753 556", "51824753556"),
        (identifiers.read_abn, "51-824-753-556", "51824753556"),
        (identifiers.read_abn, " 51\u00a0824\u2009753 556\n", "51824753556"),
        (identifiers.read_abn, "51824753557", None),
        (identifiers.read_abn, "5182475355", None),
        (identifiers.read_abn, "ABN 51 824 753 556", None),
        (identifiers.read_abn, "", None),
        (identifiers.read_acn, "004 085 616", "004085616"),
        (identifiers.read_acn, "004 085 617", None),
        (identifiers.read_tfn, "123 456 782", "123456782"),
        (identifiers.read_tfn, "123.456.782", "123456782"),
        (identifiers.read_tfn, "123456783", None),
        (identifiers.read_tfn, "12345678", None),
        (identifiers.read_tfn, "١٢٣ ٤٥٦ ٧٨٢", None),
    ],
)
def test_digits_are_kept_only_where_the_check_digits_are_right(
    read: Callable[[str], str | None], typed: str, digits: str | None
) -> None:
    assert read(typed) == digits


@pytest.mark.parametrize("place", range(9))
def test_no_single_wrong_digit_passes_for_a_tfn(place: int) -> None:
    right = "123456782"
    wrong = [right[:place] + str(digit) + right[place + 1 :] for digit in range(10) if str(digit) != right[place]]
    passed = [digits for digits in wrong if identifiers.read_tfn(digits)]
    assert passed == []


def test_they_are_shown_as_registers_write_them_and_a_tfn_hides() -> None:
    assert identifiers.show_abn("51824753556") == "51 824 753 556"
    assert identifiers.show_acn("004085616") == "004 085 616"
    assert identifiers.mask_tfn("123456782") == "••• ••• 782"
    assert (identifiers.show_abn(""), identifiers.show_acn(""), identifiers.mask_tfn("")) == ("", "", "")
