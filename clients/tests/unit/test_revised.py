"""A document as it stands after decisions: where each value comes from, what blocks, and what settles it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asat_site.testing.synthetic_documents.making import made
from clients.adapters.readers.files import FileReader
from clients.extraction.entries import entries_of
from clients.extraction.listed import listed
from clients.extraction.revised import revised
from clients.extraction.revised_terms import Quote, Revised
from clients.extraction.rules import RulesExtractor
from clients.extraction.standing import Act, Decision
from clients.extraction.terms import Extraction, Kind, Page, State
from clients.tests.unit.papers import page, with_word
from clients.tests.unit.test_extraction_rules import CREDIT, INVOICE, STATEMENT, TODAY

pytestmark = pytest.mark.unit


def stands(text: str | Page, *decisions: Decision, today: date = TODAY) -> Revised:
    on = text if isinstance(text, Page) else page(text)
    return revised(RulesExtractor().extract([on], today), [on], decisions, today)


def typed(field: str, value: str) -> Decision:
    return Decision(field, Act.CORRECTED, value)


def accepted(field: str, value: str = "") -> Decision:
    return Decision(field, Act.ACCEPTED, value)


def emptied(field: str) -> Decision:
    return Decision(field, Act.EMPTIED)


def reset(field: str) -> Decision:
    return Decision(field, Act.RESET)


def blocked_in(found: Revised) -> list[str]:
    return [str(problem.field) for problem in found.problems]


# ------------------------------------------------------------------------------------------------ as read


def test_an_invoice_that_is_read_whole_is_blocked_by_nothing() -> None:
    found = stands(INVOICE)
    assert found.blocking == ()
    assert {each.quote for each in found.fields} == {Quote.MATCHED}
    assert {each.said for each in found.fields} == {"Quote matched on page 1."}
    total = found.field("total")
    assert (total.value, total.raw, total.page, total.as_read) == ("1100.00", "$1,100.00", 1, "1100.00")
    assert found.subtotal is not None and found.subtotal.value == "1000.00"
    assert listed(found) == {
        "kind": "invoice", "supplier": "Ockley Timber Pty Ltd", "dated": date(2026, 2, 23), "total_cents": 110000,
        "failing": 0,
    }  # fmt: skip


@pytest.mark.parametrize("number", range(12))
def test_without_decisions_its_checks_are_those_of_the_reading(number: int, tmp_path: Path) -> None:
    paper = made(number, "text")
    path = tmp_path / f"paper{paper.suffix}"
    path.write_bytes(paper.content)
    pages = FileReader(lambda picture: pytest.fail("it has text")).read(path).pages
    read = RulesExtractor().extract(pages, TODAY)
    found = revised(read, pages, (), TODAY)
    assert sorted(map(str, found.checks)) == sorted(map(str, read.checks))
    assert {each.name: each.value for each in found.fields if each.value} == {
        each.name: each.value for each in read.fields if each.value
    }


def test_what_was_not_found_is_blank_and_what_is_needed_blocks() -> None:
    found = stands("TAX INVOICE\nThank you")
    assert [each.value for each in found.fields if each.name not in ("supplier",)] == [""] * 8
    assert {"date", "currency", "total"} <= set(blocked_in(found))
    assert found.field("gst").said == "Not found."


def test_a_kind_that_is_not_known_blocks_until_it_is_said() -> None:
    read = replace(RulesExtractor().extract([page(INVOICE)], TODAY), kind=Kind.UNKNOWN)
    assert blocked_in(revised(read, [page(INVOICE)], (), TODAY)) == ["kind"]
    found = revised(read, [page(INVOICE)], [typed("kind", "receipt")], TODAY)
    assert (found.kind, found.read_kind, found.blocking) == (Kind.RECEIPT, Kind.UNKNOWN, ())
    assert blocked_in(revised(read, [page(INVOICE)], [typed("kind", "poem")], TODAY)) == ["kind"]


# ------------------------------------------------------------------------------------------------ values


def test_a_typed_value_is_found_on_its_page_or_called_typed() -> None:
    found = stands(INVOICE, typed("total", "1000.00"), typed("supplier", "Ockley Timber and Sons"))
    total, supplier = found.field("total"), found.field("supplier")
    assert (total.value, total.quote, total.raw, total.said) == (
        "1000.00", Quote.FOUND, "$1,000.00", "Typed, and found on page 1.",
    )  # fmt: skip
    assert total.region == next(word.box for word in page(INVOICE).words if word.text == "$1,000.00")
    assert (supplier.quote, supplier.page, supplier.said) == (
        Quote.TYPED, None, "Typed. It was not found on the pages.",
    )  # fmt: skip
    assert (total.as_read, supplier.as_read) == ("1100.00", "Ockley Timber Pty Ltd")


def test_typing_what_was_read_quotes_the_words_that_were_read() -> None:
    total = stands(INVOICE, typed("total", "1100.00")).field("total")
    assert (total.quote, total.raw) == (Quote.FOUND, "$1,100.00")


def test_a_value_that_nobody_typed_and_no_page_has_does_not_come_in() -> None:
    for decision in (accepted("total", "9.99"), accepted("total"), typed("total", "9.9"), typed("total", "nine")):
        found = stands(INVOICE, decision)
        assert (found.value("total"), found.field("total").decision) == ("1100.00", None)


def test_the_newest_decision_counts_and_taking_back_leaves_what_was_read() -> None:
    assert stands(INVOICE, typed("total", "5.00"), typed("total", "6.00")).value("total") == "6.00"
    assert stands(INVOICE, typed("total", "5.00"), emptied("total")).value("total") == ""
    assert stands(INVOICE, typed("total", "5.00"), reset("total")).field("total") == stands(INVOICE).field("total")
    back = stands(INVOICE, typed("total", "5.00"), accepted("total", "1100.00")).field("total")
    assert (back.value, back.quote) == ("1100.00", Quote.MATCHED)
    kept = stands(INVOICE, typed("total", "5.00"), accepted("total", "5.00")).field("total")
    assert (kept.value, kept.quote) == ("5.00", Quote.TYPED)


# ------------------------------------------------------------------------------------------------ what blocks


def test_a_corrected_amount_is_checked_anew() -> None:
    found = stands(INVOICE, typed("gst", "200.00"))
    assert found.field("gst").failed == ("GST of 200.00 is more than one eleventh of 1100.00, 100.00.",)
    assert found.failed_of("subtotal") == ("Subtotal 1000.00 and GST 200.00 do not add up to the total, 1100.00.",)
    assert stands(INVOICE, typed("gst", "200.00"), typed("gst", "100.00")).blocking == ()


def test_arithmetic_is_not_settled_by_saying_so() -> None:
    wrong = with_word(page(INVOICE), "$1,100.00", "$1,111.00")
    assert blocked_in(stands(wrong)) == ["subtotal", "lines"]
    said = [accepted(each.name, each.value) for each in stands(wrong).fields]
    also = [accepted(field) for field in ("lines", "subtotal", "check-date", "check-pages", "check-due-date")]
    assert blocked_in(stands(wrong, *said, *also)) == ["subtotal", "lines"]


def test_lines_and_subtotal_may_be_left_out() -> None:
    wrong = with_word(page(INVOICE), "$1,100.00", "$1,111.00")
    found = stands(wrong, emptied("lines"))
    assert (blocked_in(found), found.lines, len(found.read_lines)) == (["subtotal"], (), 2)
    assert stands(wrong, emptied("lines"), emptied("subtotal")).blocking == ()
    assert blocked_in(stands(wrong, emptied("lines"), emptied("subtotal"), reset("lines"))) == ["lines"]


def test_open_readings_block_until_one_is_chosen() -> None:
    either = with_word(with_word(page(INVOICE), "23/02/2026", "03/02/2026"), "25/03/2026", "05/03/2026")
    found = stands(either)
    found = found if found.field("date").alternatives else stands(with_word(either, "30", "thirty"))
    on = with_word(either, "30", "thirty")
    assert "Choose one." in found.field("date").failed[0]
    chosen = stands(on, accepted("date", "2026-02-03"))
    assert (chosen.value("date"), chosen.field("date").quote, chosen.field("date").failed) == (
        "2026-02-03", Quote.MATCHED, (),
    )  # fmt: skip
    assert stands(on, accepted("date", "2026-02-04")).value("date") == ""
    assert "Choose one." in stands(on, accepted("check-date")).field("date").failed[0]


def test_an_unlikely_date_is_settled_by_saying_so_until_it_changes() -> None:
    old = stands(INVOICE, today=date(2037, 1, 1))
    assert old.field("date").failed == ("It is dated more than ten years ago.",)
    assert old.field("date").although == "check-date"
    assert stands(INVOICE, accepted("date", "2026-02-23"), today=date(2037, 1, 1)).blocking != ()
    said = stands(INVOICE, accepted("check-date"), today=date(2037, 1, 1))
    assert said.blocking == ()
    assert (said.field("date").although, said.field("date").settled) == ("", "It is dated more than ten years ago.")
    changed = (accepted("check-date"), typed("date", "2026-02-22"))
    assert stands(INVOICE, *changed, today=date(2037, 1, 1)).field("date").failed != ()
    assert stands(INVOICE, accepted("check-date"), reset("check-date"), today=date(2037, 1, 1)).blocking != ()


def test_a_due_date_before_the_date_blocks_again_when_the_date_changes() -> None:
    before = typed("date", "2026-04-01")
    assert stands(INVOICE, before).field("due_date").failed == ("It is due before its date.",)
    assert stands(INVOICE, before, accepted("check-due-date")).blocking == ()
    moved = (before, accepted("check-due-date"), typed("date", "2026-04-02"))
    assert stands(INVOICE, *moved).field("due_date").failed == ("It is due before its date.",)


def test_a_quote_that_does_not_match_is_settled_by_whoever_looked() -> None:
    on = page(INVOICE)
    read = RulesExtractor().extract([on], TODAY)
    fields = tuple(replace(each, raw="$9,100.00") if each.name == "total" else each for each in read.fields)
    wrong = replace(read, fields=fields)
    found = revised(wrong, [on], (), TODAY)
    assert (blocked_in(found), found.field("total").quote) == (["total"], Quote.UNMATCHED)
    assert revised(wrong, [on], [accepted("total", "1100.00")], TODAY).blocking == ()
    assert revised(wrong, [on], [typed("total", "1100.00")], TODAY).blocking == ()


def test_a_wrong_abn_is_put_right_or_emptied() -> None:
    wrong = page(INVOICE.replace("51 824 753 556", "51 824 753 557"))
    found = stands(wrong)
    assert found.field("supplier_abn").failed == ("An ABN is printed whose check digits are wrong, or it was misread.",)
    aud = typed("currency", "AUD")  # without an ABN a dollar sign is no country's
    assert blocked_in(stands(wrong, aud)) == ["supplier_abn"]
    assert stands(wrong, aud, typed("supplier_abn", "51824753556")).blocking == ()
    assert stands(wrong, aud, emptied("supplier_abn")).blocking == ()
    assert blocked_in(stands(wrong, aud, typed("supplier_abn", "51824753557"))) == ["supplier_abn"]


def test_a_page_that_was_not_read_blocks_until_somebody_looked_at_it() -> None:
    pages = [page(INVOICE), Page(2, 595, 842, problem="It is torn.")]
    read = RulesExtractor().extract(pages, TODAY)
    found = revised(read, pages, (), TODAY)
    assert found.blocking == ("Not read: page 2. What stands there is not known.",)
    assert found.unread == found.blocking[0]
    assert revised(read, pages, [accepted("check-pages")], TODAY).blocking == ()


def test_what_no_column_holds_blocks() -> None:
    large = page("TAX INVOICE\nTotal   $99,999,999,999,999,999.00")
    assert "This amount is too large. Correct it." in stands(large).blocking
    long = page(INVOICE.replace("SI-10441", "SI-" + "1" * 120))
    assert "It is longer than 100 characters. Correct it." in stands(long).blocking


# ------------------------------------------------------------------------------------------------ statements


AUD = typed("currency", "AUD")


def test_a_statement_is_entered_row_by_row() -> None:
    assert blocked_in(stands(STATEMENT)) == ["currency"]
    found = stands(STATEMENT, AUD)
    assert found.blocking == ()
    assert [(row.number, row.now.date, row.now.amount) for row in found.rows] == [
        (1, "2025-12-30", "-50.00"), (2, "2026-01-02", "200.00"),
    ]  # fmt: skip


def test_a_row_left_out_is_not_entered_and_still_counts_in_the_balances() -> None:
    found = stands(STATEMENT, AUD, emptied("row-1"))
    assert found.blocking == ()
    assert [row.is_entered for row in found.rows] == [False, True]
    assert len(entries_of(found)) == 1
    none = stands(STATEMENT, AUD, emptied("row-1"), emptied("row-2"))
    assert none.blocking == ("No row is left to enter. Keep it as a file instead.",)
    assert stands(STATEMENT, AUD, emptied("row-1"), reset("row-1")).rows == stands(STATEMENT, AUD).rows


def test_a_row_is_corrected_in_a_part_and_checked_anew() -> None:
    wrong = stands(STATEMENT, AUD, typed("row-1-amount", "-60.00"))
    assert wrong.rows[0].failed == ("Its balance does not follow from the row before.",)
    assert set(blocked_in(wrong)) == {"rows", "closing_balance"}
    assert wrong.rows[0].typed == {"amount"}
    undated = stands(STATEMENT, AUD, emptied("row-1-date"))
    assert undated.rows[0].failed == ("Its day is not certain. Write it.",)
    assert stands(STATEMENT, AUD, emptied("row-1-date"), emptied("row-1")).blocking == ()
    assert stands(STATEMENT, AUD, typed("row-1-amount", "-50.0"), typed("row-9-amount", "1.00")).blocking == ()


def test_a_row_that_is_none_of_the_account_has_its_amount_emptied() -> None:
    found = stands(STATEMENT, AUD, emptied("row-1-amount"), typed("row-1-balance", "500.00"), emptied("row-2"))
    assert [row.is_entered for row in found.rows] == [False, False]
    assert "rows" in blocked_in(found)


SETTLED_DAY = "The day of row 1 cannot be right: It is dated outside the period of the statement."


@pytest.mark.parametrize(
    ("day", "why"),
    [
        ("2027-12-31", "It is dated after today."),
        ("2015-12-31", "It is dated more than ten years ago."),
        ("2025-12-27", "It is dated outside the period of the statement."),
        ("2026-01-11", "It is dated outside the period of the statement."),
    ],
)
def test_a_row_of_a_day_that_it_can_hardly_be_of_blocks(day: str, why: str) -> None:
    found = stands(STATEMENT, AUD, typed("row-1-date", day))
    assert [row.failed for row in found.rows] == [(why,), ()]
    assert found.blocking == (f"The day of row 1 cannot be right: {why}",)
    assert stands(STATEMENT, AUD, typed("row-1-date", day), emptied("row-1")).blocking == ()


def test_a_row_of_the_first_or_last_day_of_the_period_is_fine() -> None:
    assert stands(STATEMENT, AUD, typed("row-1-date", "2025-12-28"), typed("row-2-date", "2026-01-10")).blocking == ()


def test_the_day_of_a_row_is_settled_by_saying_so_until_a_row_changes() -> None:
    wrong = typed("row-1-date", "2025-12-27")
    said = stands(STATEMENT, AUD, wrong, accepted("check-row-days"))
    assert (said.blocking, said.rows[0].failed) == ((), ())
    assert stands(STATEMENT, AUD, accepted("check-row-days"), wrong).blocking == (SETTLED_DAY,)
    undated = stands(STATEMENT, AUD, emptied("row-1-date"), accepted("check-row-days"))
    assert undated.blocking == ("1 rows have no day that is certain.",)


NO_BALANCES = """
Velmont Mutual Bank
Statement period 28 December 2025 to 10 January 2026

Date       Transaction                 Debit        Credit       Balance
30 Dec     Card purchase 11           50.00
02 Jan     Deposit customer                         200.00
"""


def test_amounts_that_no_balance_was_compared_with_need_somebodys_word() -> None:
    found = stands(NO_BALANCES, AUD)
    running = next(check for check in found.checks if check.name == "running balance")
    assert (running.state, found.blocking) == (
        State.NOT_CHECKED, ("No balance was compared: nothing holds the amounts of rows.",),
    )  # fmt: skip
    assert len(entries_of(stands(NO_BALANCES, AUD, accepted("check-balances")))) == 2
    assert stands(NO_BALANCES, AUD, accepted("check-balances"), typed("row-1-amount", "-51.00")).blocking != ()
    assert stands(NO_BALANCES, AUD, accepted("check-balances"), reset("check-balances")).blocking != ()


def test_emptying_balances_makes_no_wrong_amount_right() -> None:
    wrong = (AUD, typed("row-2-amount", "900.00"), emptied("row-2-balance"))
    assert "closing_balance" in blocked_in(stands(STATEMENT, *wrong))
    found = stands(STATEMENT, *wrong, emptied("closing_balance"))
    assert found.blocking == (
        "The amount of row 2 is held by no balance.", "It was not checked: there is no closing balance.",
    )  # fmt: skip
    said = stands(STATEMENT, *wrong, emptied("closing_balance"), accepted("check-balances"))
    assert said.blocking == ()
    assert next(each.state for each in said.checks if each.name == "closing balance") is State.NOT_CHECKED
    assert stands(STATEMENT, *wrong, accepted("check-balances"), emptied("closing_balance")).blocking != ()


def test_a_balance_that_was_read_is_not_emptied_without_a_word() -> None:
    for field, missing in (("opening_balance", "opening"), ("closing_balance", "closing")):
        found = stands(STATEMENT, AUD, emptied(field))
        assert f"It was not checked: there is no {missing} balance." in found.blocking
        assert stands(STATEMENT, AUD, emptied(field), accepted("check-balances")).blocking == ()


def test_saying_so_settles_no_balance_that_is_wrong() -> None:
    wrong = (AUD, typed("row-1-amount", "-60.00"), accepted("check-balances"), accepted("check-row-days"))
    assert set(blocked_in(stands(STATEMENT, *wrong))) == {"rows", "closing_balance"}


def test_a_statement_that_prints_no_closing_balance_needs_no_word_for_it() -> None:
    found = stands(
        STATEMENT.replace("10 Jan     Closing balance                                      $650.00", ""), AUD
    )
    assert (found.field("closing_balance").read, found.blocking) == (None, ())


CARD = """
Velmont Mutual Bank
Statement period 28 December 2025 to 10 January 2026
Credit limit  5,000.00

Date       Transaction              Amount           Balance
28 Dec     Opening balance                           900.00
30 Dec     Fuel                     100.00           1,000.00
02 Jan     Payment received         -500.00          500.00
04 Jan     Cashback                 20.00 CR         480.00
10 Jan     Closing balance                           480.00
"""


def test_a_statement_that_may_run_either_way_is_blocked_until_it_is_said() -> None:
    on = page(CARD.replace("04 Jan     Cashback                 20.00 CR         480.00", "").replace("480", "500"))
    open_, printed, turned_ = (
        stands(on, AUD, *more) for more in ((), (typed("direction", "as printed"),), (typed("direction", "turned"),))
    )
    assert open_.blocking == ("Nothing says which of its amounts are money in. Say which way they run.",)
    assert open_.turn is not None and (open_.turn.field, open_.turn.said) == ("direction", "")
    assert [row.now.amount for row in printed.rows] == ["100.00", "-500.00"]
    assert [(row.now.amount, row.now.balance) for row in turned_.rows] == [
        ("-100.00", "-1000.00"), ("500.00", "-500.00"),
    ]  # fmt: skip
    assert (turned_.value("opening_balance"), turned_.value("closing_balance")) == ("-900.00", "-500.00")
    assert (printed.blocking, turned_.blocking) == ((), ())
    assert [entry.total_cents for entry in entries_of(turned_)] == [-10000, 50000]
    again = stands(on, AUD, typed("direction", "turned"), reset("direction"))
    assert again.blocking == open_.blocking
    assert stands(on, AUD, typed("direction", "sideways")).blocking == open_.blocking


def test_an_amount_that_says_cr_itself_is_not_turned_round() -> None:
    found = stands(CARD, AUD, typed("direction", "turned"))
    assert [row.now.amount for row in found.rows] == ["-100.00", "500.00", "20.00"]
    assert found.blocking == ()
    assert "rows" in blocked_in(stands(CARD, AUD, typed("direction", "as printed")))


def test_what_was_typed_stays_when_the_rest_is_turned_round() -> None:
    found = stands(CARD, AUD, typed("row-1-amount", "-100.00"), typed("direction", "turned"))
    assert [row.now.amount for row in found.rows] == ["-100.00", "500.00", "20.00"]


def test_a_row_whose_amount_was_not_read_is_not_lost() -> None:
    half = NO_BALANCES.replace(" 50.00", "(50.00")
    found = stands(half, AUD, accepted("check-balances"))
    assert [(row.now.amount, row.failed) for row in found.rows] == [
        ("", ("Its amount was not read. Write it, or leave the row out.",)), ("200.00", ()),
    ]  # fmt: skip
    assert found.blocking == ("The amount of a row was not read. Write it, or leave the row out.",)
    for settled in (typed("row-1-amount", "-50.00"), emptied("row-1"), emptied("row-1-amount")):
        assert stands(half, AUD, settled, accepted("check-balances")).blocking == ()


def test_a_credit_above_nil_is_turned_round_as_a_whole() -> None:
    open_ = stands(CREDIT)
    assert open_.blocking == ("It calls itself a credit or a refund, and its total is above nil. Say which it is.",)
    assert open_.turn is not None and open_.turn.failed == open_.blocking
    found = stands(CREDIT, typed("sign", "turned"))
    assert found.blocking == ()
    assert (found.value("total"), found.value("gst")) == ("-110.00", "-10.00")
    assert found.subtotal is not None and found.subtotal.value == "-100.00"
    assert found.field("total").said == "Quote matched on page 1. Turned round."
    assert found.field("total").as_read == "110.00"
    (entry,) = entries_of(found)
    assert (entry.total_cents, entry.gst_cents, [each.amount_cents for each in entry.lines]) == (
        -11000,
        -1000,
        [-11000],
    )
    assert stands(CREDIT, typed("sign", "turned"), reset("sign")).blocking == open_.blocking


def test_what_is_said_to_be_no_credit_is_entered_as_printed() -> None:
    found = stands(CREDIT, typed("sign", "as printed"))
    assert (found.blocking, found.turn is not None and found.turn.said) == ((), "as printed")
    assert entries_of(found)[0].total_cents == 11000


def test_a_total_typed_above_nil_on_a_credit_that_was_turned_blocks() -> None:
    found = stands(CREDIT, typed("sign", "turned"), typed("total", "110.00"), typed("gst", "10.00"))
    assert "sign" in blocked_in(found)
    assert "sign" not in blocked_in(stands(CREDIT, typed("total", "-110.00")))


def test_turning_round_counts_only_where_it_is_asked() -> None:
    assert stands(INVOICE, typed("sign", "turned")) == stands(INVOICE)
    assert stands(STATEMENT, AUD, typed("direction", "turned")).rows == stands(STATEMENT, AUD).rows


def test_a_statement_called_an_invoice_brings_no_rows_and_invents_nothing() -> None:
    found = stands(STATEMENT, typed("kind", "invoice"))
    assert (found.rows, found.value("total"), found.value("date")) == ((), "", "")
    assert {"date", "total"} <= set(blocked_in(found))


# ------------------------------------------------------------------------------------------------ whatever is decided

FIELDS = st.sampled_from(
    [
        "supplier", "supplier_abn", "invoice_number", "date", "due_date", "currency", "total", "gst", "payment_terms",
        "kind", "lines", "subtotal", "check-date", "check-due-date", "check-pages", "check-row-days", "check-balances",
        "sign", "direction", "row-1", "row-1-amount",
        "row-2-date", "row-2-balance", "opening_balance", "closing_balance", "nonsense",
    ]
)  # fmt: skip
VALUES = st.sampled_from(
    [
        "", "1100.00", "1000.00", "100.00", "9.99", "2026-02-23", "2026-02-03", "2026-03-02", "AUD", "NZD", "invoice",
        "receipt", "statement", "51824753556", "33051775556", "Somebody Else", "turned", "-50.00", "650.00",
    ]
)  # fmt: skip
DECISIONS = st.lists(st.builds(Decision, FIELDS, st.sampled_from(Act), VALUES), max_size=12)
ON = {name: page(text) for name, text in (("invoice", INVOICE), ("statement", STATEMENT))}
READ: dict[str, Extraction] = {name: RulesExtractor().extract([on], TODAY) for name, on in ON.items()}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(ON)), DECISIONS)
def test_no_value_stands_that_neither_page_nor_person_gave(which: str, decisions: list[Decision]) -> None:
    read = READ[which]
    found = revised(read, [ON[which]], decisions, TODAY)
    for each in found.fields:
        own = read.field(each.name)
        said = {decision.value for decision in decisions if decision == typed(str(each.name), decision.value)}
        of_page = {own.value, *(other.value for other in own.alternatives)} if own else set()
        assert each.value in {"", *said, *of_page}
        assert each.quote is not Quote.MATCHED or each.value in of_page
    for row, as_read in zip(found.rows, read.rows, strict=False):
        for part in ("date", "description", "amount", "balance"):
            said = {each.value for each in decisions if each == typed(f"row-{row.number}-{part}", each.value)}
            assert getattr(row.now, part) in {"", *said, getattr(as_read, part)}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(ON)), DECISIONS)
def test_nothing_is_entered_while_anything_blocks(which: str, decisions: list[Decision]) -> None:
    found = revised(READ[which], [ON[which]], decisions, TODAY)
    failed = [check for check in found.checks if check.state is State.FAILED]
    if found.problems:
        with pytest.raises(ValueError, match=r"\w"):
            entries_of(found)
    else:
        assert entries_of(found)
        unsettled = [check.name for check in failed if check.name not in found.settled]
        assert all(name.startswith("quote of ") for name in unsettled)


@settings(max_examples=60, deadline=None)
@given(DECISIONS)
def test_taking_everything_back_leaves_what_was_read(decisions: list[Decision]) -> None:
    back = [reset(field) for field in {each.field for each in decisions}]
    found = revised(READ["invoice"], [ON["invoice"]], [*decisions, *back], TODAY)
    assert found == revised(READ["invoice"], [ON["invoice"]], (), TODAY)
