"""Masking by example: what goes, what stays, and that it all comes back."""

from __future__ import annotations

import time

import pytest

from research.privacy.masking import mask, restore
from research.privacy.register import ClientEntry, Register

pytestmark = pytest.mark.unit

REGISTER = Register(
    (
        ClientEntry(
            "Kowalczyk Plumbing Services Pty Ltd",
            ("KPS Plumbers",),
            abn="51824753556",
            acn="004085616",
            tfn="123456782",
            addresses=("12 Smith Street, Parramatta NSW 2150",),
            emails=("jo@kps.com.au",),
            phones=("0412 345 678", "(02) 9555 1234"),
            account_numbers=("062-000 12345678",),
        ),
        ClientEntry("John Andrew O'Brien"),
        ClientEntry("The Nguyen Family Trust"),
        ClientEntry("Trust"),
        ClientEntry("Smith"),
        ClientEntry("Capital Gains Pty Ltd"),
        ClientEntry("Zalewski, Anna Maria"),
        ClientEntry("Ravi Pillai and Asha Pillai"),
        ClientEntry("Quokka Nominees Pty Ltd ATF Wombat Unit Trust"),
        ClientEntry("Estate of the late Margaret Fotheringham"),
        ClientEntry("Dr Sarah-Jane Brightwell-McAllister"),
        ClientEntry("ACME (AUST) PTY. LIMITED"),
        ClientEntry("D'Angelo & Sons"),
    )
)


def masked(text: str, *, is_law: bool = False) -> str:
    """The masked text; fails unless it comes back as it was."""
    found = mask([text], REGISTER, law={0} if is_law else ())
    assert restore(found.texts[0], found.table) == text
    return found.texts[0]


@pytest.mark.parametrize(
    "written",
    [
        "Kowalczyk Plumbing Services Pty Ltd",
        "KOWALCZYK PLUMBING SERVICES PTY. LTD.",
        "kowalczyk plumbing services P/L",
        "Kowalczyk Plumbing Services Proprietary Limited",
        "Kowalczyk\u00a0Plumbing\nServices",
        "Kowal\u200bczyk Plumbing Services",
        "Kowalczyk Plumbing",
        "Kowalczyk",
        "KPS Plumbers",
        "kps-plumbers",
        "John Andrew O'Brien",
        "JOHN OBRIEN",
        "O’Brien, John",
        "O'Brien J A",
        "J.A. O'Brien",
        "J O'Brien",
        "Mr O'Brien",
        "the Nguyen family trust",
        "Anna Zalewski",
        "A. M. Zalewski",
        "Ravi Pillai",
        "Ms Pillai",
        "Ravi & Asha Pillai",
        "Quokka Nominees P/L",
        "wombat unit trust",
        "Capital Gains P/L",
        "Mrs Fotheringham",
        "Sarah Jane Mc Allister",
        "S.J. Brightwell",
        "Dr McAllister",
        "Acme Aust",
        "ACME",
        "D’ANGELO AND SONS",
    ],
)
def test_a_name_is_masked_however_it_is_written(written: str) -> None:
    left = masked(f"Does {written} pay tax, and what of {written}'s car?")
    assert written not in left
    assert left.count("[CLIENT-1") == 2


def test_a_title_before_the_commonest_surname_hides_nobody_that_is_not_a_client() -> None:
    register = Register((ClientEntry("Peter Smith"),))
    assert mask(["Does Mr Smith pay, or smith?"], register).texts == ("Does [CLIENT-1] pay, or smith?",)
    assert mask(["Does Mr Jones pay?"], register).texts == ("Does Mr Jones pay?",)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ABN 51 824 753 556", "ABN [ABN-1]"),
        ("A.B.N. 51-824-753-556.", "A.B.N. [ABN-1]."),
        ("ABN51824753556", "ABN[ABN-1]"),
        ("51824753556123456782", "[ABN-1][TFN-1]"),
        ("51 824\u00a0753\u2009556", "[ABN-1]"),
        ("the company 53 004 085 616", "the company [ABN-1]"),  # of nobody in the register
        ("ACN 004 085 616", "ACN [ACN-1]"),
        ("TFN: 123.456.782", "TFN: [TFN-1]"),
        ("my tax file number is 876 543 210", "my tax file number is [TFN-1]"),
        ("TFN 111 111 111", "TFN [TFN-1]"),  # its check digit is wrong, and it was meant for one
        ("of 12 Smith St, Parramatta", "of [ADDRESS-1]"),
        ("at 3/45 Old Beach Road, Bondi NSW 2026?", "at [ADDRESS-1]?"),
        ("at unit 4, 17 high street", "at [ADDRESS-1]"),
        ("PO Box 123, Broome WA 6725", "[ADDRESS-1]"),
        ("write to JO@KPS.com.au or a.b@c.org", "write to [EMAIL-1] or [EMAIL-2]"),
        ("+61 412 345 678, 0412345678, (02) 9555 1234", "[PHONE-1], [PHONE-2], [PHONE-3]"),
        ("9555 1234 or 1300 123 456", "[PHONE-1] or [PHONE-2]"),
        ("BSB 062-000, account 1234 5678", "BSB [ACCOUNT-1], account [ACCOUNT-2]"),
        ("082-123 4567 8901", "[ACCOUNT-1]"),
        ("0061 3 9555 1234 and Medicare 2123 45670 1", "[PHONE-1] and Medicare [ACCOUNT-1]"),
        ("12/34-36 O'Connell Street, North Adelaide, South Australia 5006", "[ADDRESS-1]"),
    ],
)
def test_numbers_addresses_and_ways_to_reach_somebody_are_masked(text: str, left: str) -> None:
    assert masked(text) == left


UNTOUCHED = [
    "Is a loss deductible under s 8-1(2)(b) of ITAA97 or Division 165 166 167?",
    "TR 2023/1, TD 2004/13, [2012] FCAFC 84 and (1990) 170 CLR 124 on 30 June 2015 for 2019-20",
    "Does the trust distribute capital gains? The threshold is $75,000, the rate 32.5% and 1,000 kilometres.",
    "Can a smith deduct a forge? Section 8 of the Court and 5 places on the road.",
    "sections 104 105 106 and s 995-1, 12 of the streets, item 4 Court",
    "What is taken into account (2019-20) on account of 2018-19?",
    "PCG 2017/13 and ATO ID 2010/123; Subdivision 328-D; 28 days; the 45 day rule; 5,000 members",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_the_law_and_questions_about_nobody_stay_as_they_are(text: str) -> None:
    assert masked(text) == text
    assert masked(text, is_law=True) == text


def test_in_the_laws_own_text_only_whole_names_and_identifiers_are_looked_for() -> None:
    text = "O'Brien J held in Smith v Zalewski [1999] that Anna Zalewski and Kowalczyk owed $75,000; ABN {}; 9555 1234"
    left = text.replace("Anna Zalewski", "[CLIENT-1]").format("[ABN-1]")
    assert masked(text.format("51 824 753 556"), is_law=True) == left
    assert masked("The Trust, capital gains, and Capital Gains Pty Ltd", is_law=True) == (
        "The Trust, capital gains, and [CLIENT-1]"
    )


def test_words_of_the_law_that_run_together_to_a_short_name_are_not_that_name() -> None:
    register = Register((ClientEntry("Al Li"), ClientEntry("Ha Le")))
    assert mask(["all i hale, Al Li"], register, law={0}).texts == ("all i hale, [CLIENT-1]",)


def test_a_name_that_is_an_ordinary_word_counts_where_it_is_written_as_a_name() -> None:
    assert masked("Must Trust lodge for the trust?") == "Must [CLIENT-1] lodge for the trust?"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "KPS Plumbers earned $75,000, 75k and 1.2 million",
            "[CLIENT-1] earned [AMOUNT-1], [AMOUNT-1B] and [AMOUNT-2]",
        ),
        ("KPS Plumbers paid 75 000 dollars", "[CLIENT-1] paid [AMOUNT-1]"),
        ("KPS Plumbers paid 75 000 in 2019", "[CLIENT-1] paid [AMOUNT-1] in 2019"),
        ("KPS Plumbers paid 8400 in 2019", "[CLIENT-1] paid [AMOUNT-1] in 2019"),
        ("KPS Plumbers paid 8400.50 of 1.2m", "[CLIENT-1] paid [AMOUNT-1] of [AMOUNT-2]"),
        ("KPS Plumbers paid 84000-90000", "[CLIENT-1] paid [AMOUNT-1]"),
        ("KPS Plumbers paid USD 8400 or €7200", "[CLIENT-1] paid [AMOUNT-1] or [AMOUNT-2]"),
        (
            "KPS Plumbers by IT 2650, TR 2019/1 and s 6-5 in 2019-20",
            "[CLIENT-1] by IT 2650, TR 2019/1 and s 6-5 in 2019-20",
        ),
        ("Somebody earned $75,000", "Somebody earned $75,000"),
        ("TFN 123 456 782 earned A$ 75,000.50 in 2019", "TFN [TFN-1] earned [AMOUNT-1] in 2019"),
    ],
)
def test_amounts_are_masked_where_somebody_is_named(text: str, left: str) -> None:
    assert masked(text) == left


def test_amounts_are_masked_where_a_client_was_chosen_and_never_in_the_laws_text() -> None:
    texts = ["It earned $80,000 and $75,000", "a turnover of $75,000"]
    found = mask(texts, REGISTER, law={1}, is_about_a_client=True)
    assert found.texts == ("It earned [AMOUNT-1] and [AMOUNT-2]", "a turnover of $75,000")


def test_the_same_thing_has_the_same_number_in_every_text_and_each_way_of_writing_comes_back() -> None:
    texts = ["KPS Plumbers and John O'Brien", "Mr O'Brien for kps plumbers", "KPS Plumbers"]
    found = mask(texts, REGISTER)
    assert found.texts == ("[CLIENT-1] and [CLIENT-2]", "[CLIENT-2B] for [CLIENT-1B]", "[CLIENT-1]")
    assert [restore(text, found.table) for text in found.texts] == texts
    assert found.named == {0, 1}


def test_who_is_named_counts_whole_names_in_the_practices_own_words() -> None:
    assert mask(["Does Zalewski pay?"], REGISTER).named == frozenset()
    assert mask(["Does she pay?", "Anna Zalewski"], REGISTER, law={1}).named == frozenset()
    assert mask(["Does Anna Zalewski pay?"], REGISTER).named == {6}


def test_what_looks_like_a_placeholder_is_masked_like_anything_else() -> None:
    text = "[CLIENT-1] is not KPS Plumbers, nor is [ABN-2B] or [TEXT-1]"
    found = mask([text], REGISTER)
    assert found.texts == ("[TEXT-1] is not [CLIENT-1], nor is [TEXT-2] or [TEXT-3]",)
    assert restore(found.texts[0], found.table) == text


def test_a_placeholder_of_nobodys_stays_as_it_is() -> None:
    assert restore("[CLIENT-7] and [CLIENT-1]", {"[CLIENT-1]": "Acme"}) == "[CLIENT-7] and Acme"


def test_a_large_register_and_a_long_text_take_little_time() -> None:
    names = [f"{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676 % 26)}ovic" for i in range(5000)]
    clients = [
        ClientEntry(
            f"{name.title()} Haulage Pty Ltd" if i % 2 else f"Mary {name.title()}", abn=f"{i:011}", tfn=f"{i:09}"
        )
        for i, name in enumerate(names)
    ]
    register = Register(tuple(clients))
    text = (
        "The owner of a rental property in section 8-1 deducts what was paid in 2019-20, at 32.5% of $75,000. " * 400
    )[:40_000]
    assert len(register.index.keys) > 50_000
    taken = []
    for _ in range(5):
        start = time.process_time()
        found = mask([text], register)
        taken.append(time.process_time() - start)
    assert found.texts == (text,)
    assert min(taken) < 0.1, "seconds of the processor"
