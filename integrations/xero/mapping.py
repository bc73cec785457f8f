"""Our values to Xero's JSON and back. Pure: a bill that was approved here in, a draft bill for Xero out.

What goes out is of one kind: a purchase bill (ACCPAY) as a DRAFT, amounts with GST in them, no account codes, plain
calendar days, and the contact by its id alone: other fields of a contact would change it in Xero.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from clients.rules import gst as gst_rules
from clients.rules.gst import Supplies

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOST_DESCRIPTION_CHARS = 4000
MOST_NAME_CHARS = 255
NOT_DETAILED = "As per the attached document"


class Treatment(StrEnum):
    """How a line stands with GST, by the code that Xero's Australian books have for purchases."""

    TAXABLE = "INPUT"
    GST_FREE = "EXEMPTEXPENSES"


@dataclass(frozen=True, slots=True)
class BillLine:
    """One line. amount_cents: with GST, below nil for a discount. treatment: None where nobody said."""

    description: str
    amount_cents: int
    treatment: Treatment | None = None


@dataclass(frozen=True, slots=True)
class Original:
    """The document that a bill came from. media_type: by content. source: what `originals` reads its bytes by."""

    name: str
    media_type: str
    source: str


@dataclass(frozen=True, slots=True)
class ApprovedBill:
    """A bill as it was approved here, whatever it came from.

    source_kind and source_id name that for good ("transaction", its id): the same two are one bill in Xero. supplier:
    as it was read; abn: digits or "". number: the supplier's own, "" for none. currency: ISO code. total_cents: with
    GST; gst_cents: None where the document does not say. lines: () where only the total is known. supplies: how many
    the document lists, each of which may have been rounded; at least 1.
    """

    source_kind: str
    source_id: str
    supplier: str
    dated: date
    total_cents: int
    abn: str = ""
    due: date | None = None
    number: str = ""
    currency: str = "AUD"
    gst_cents: int | None = None
    lines: tuple[BillLine, ...] = ()
    original: Original | None = None
    supplies: int = 1


def why_not(bill: ApprovedBill) -> tuple[str, ...]:
    """What keeps this bill from being sent, in words; () for nothing."""
    wrong = []
    name = contact_name(bill.supplier)
    if not name or len(name) > MOST_NAME_CHARS:
        wrong.append("The supplier’s name is missing, or longer than the 255 letters that Xero takes.")
    if bill.total_cents < 0:
        wrong.append("This is a credit note. It is not sent as a bill; enter it in Xero yourself.")
    if bill.total_cents == 0:
        wrong.append("The total is nil.")
    if bill.lines and sum(line.amount_cents for line in bill.lines) != bill.total_cents:
        wrong.append("The lines do not come to the total. Correct one of them.")
    if bill.total_cents > 0 and _judged(bill) is Supplies.IMPOSSIBLE:
        wrong.append("There is more GST than the total can hold, or less than none.")
    if not re.fullmatch(r"[A-Z]{3}", bill.currency):
        wrong.append("The currency is no code of three letters.")
    if len(bill.number) > MOST_NAME_CHARS:
        wrong.append("The invoice number is longer than the 255 letters that Xero takes.")
    return tuple(wrong)


def invoice(bill: ApprovedBill, contact_id: str, url: str = "") -> dict[str, Any]:
    """The whole of what is sent to make this bill. url: where a person finds it here, "" to leave that out."""
    made: dict[str, Any] = {
        "Type": "ACCPAY",
        "Status": "DRAFT",
        "Contact": {"ContactID": contact_id},
        "Date": bill.dated.isoformat(),
        "CurrencyCode": bill.currency,
        "LineAmountTypes": "Inclusive",
        "LineItems": [_line_item(line) for line in lines_of(bill)],
    }
    if bill.due is not None:
        made["DueDate"] = bill.due.isoformat()
    if number := _one_line(bill.number):
        made["InvoiceNumber"] = number
    if url and "xero" not in url.lower():
        made["Url"] = url
    return {"Invoices": [made]}


def lines_of(bill: ApprovedBill) -> tuple[BillLine, ...]:
    """The bill's lines, or those that its total and GST come to: taxable, GST-free, or a part of each.

    A total that is partly taxable holds eleven times its GST; Xero works GST out per line, and so gets it back.
    """
    if bill.lines:
        return bill.lines
    total, gst = bill.total_cents, bill.gst_cents
    if gst is None:
        return (BillLine(NOT_DETAILED, total),)
    if gst == 0:
        return (BillLine(NOT_DETAILED, total, Treatment.GST_FREE),)
    if _judged(bill) is Supplies.WHOLLY_TAXABLE:
        return (BillLine(NOT_DETAILED, total, Treatment.TAXABLE),)
    return (
        BillLine(f"{NOT_DETAILED}: taxable part", gst * 11, Treatment.TAXABLE),
        BillLine(f"{NOT_DETAILED}: GST-free part", total - gst * 11, Treatment.GST_FREE),
    )


def _judged(bill: ApprovedBill) -> Supplies | None:
    """What total and GST say together, as they were judged when the bill was approved; None where GST is not said."""
    if bill.gst_cents is None:
        return None
    return gst_rules.judge(Decimal(bill.total_cents) / 100, Decimal(bill.gst_cents) / 100, bill.supplies)


def _line_item(line: BillLine) -> dict[str, Any]:
    made: dict[str, Any] = {
        "Description": (_printable(line.description).strip() or NOT_DETAILED)[:MOST_DESCRIPTION_CHARS],
        "Quantity": 1,
        "UnitAmount": line.amount_cents / 100,  # the nearest double, which is written with two places
    }
    if line.treatment is not None:
        made["TaxType"] = line.treatment.value
    return made


def encoded(body: Mapping[str, Any]) -> str:
    """The very text that is sent, and kept to be sent again as it is."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def is_draft_bill(text: str) -> bool:
    """Whether this text makes new draft bills and nothing else: no id, no other status, no account, nothing null."""
    try:
        invoices = json.loads(text)["Invoices"]
        return bool(invoices) and all(_is_draft(each) for each in invoices)
    except (ValueError, KeyError, TypeError):
        return False


def _is_draft(made: Mapping[str, Any]) -> bool:
    return (
        (made["Type"], made["Status"], made["LineAmountTypes"]) == ("ACCPAY", "DRAFT", "Inclusive")
        and "InvoiceID" not in made
        and set(made["Contact"]) == {"ContactID"}
        and None not in made.values()
        and not any("AccountCode" in line or None in line.values() for line in made["LineItems"])
    )


# ── Contacts ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FoundContact:
    """A contact of Xero's. merged_to: the contact that this one was merged into, "" for none."""

    contact_id: str
    name: str
    is_archived: bool = False
    merged_to: str = ""


def contact_name(supplier: str) -> str:
    """The supplier's name as Xero takes it for a contact: one line, single spaces, no angle brackets."""
    return _one_line(supplier.replace("<", " ").replace(">", " "))


def name_key(name: str) -> str:
    """What two spellings of one contact share: case, accents and spaces are as nothing, as they are to Xero."""
    plain = unicodedata.normalize("NFKD", contact_name(name).casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def name_filter(name: str) -> str | None:
    """The filter that finds contacts of this name; None where no filter can hold it: a quote has no escape there."""
    return None if '"' in name or "\\" in name else f'Name=="{name}"'


def search_term(name: str) -> str:
    """The longest part of the name without a quote or backslash, to search by where no filter can hold it all."""
    return max((part.strip() for part in re.split(r'["\\]', name)), key=len)


def read_contacts(body: Any) -> list[FoundContact]:
    """The contacts of an answer; those without an id or name are left out."""
    return [
        FoundContact(
            _text(each, "ContactID"),
            _text(each, "Name"),
            _text(each, "ContactStatus").upper() not in ("", "ACTIVE"),
            _text(each, "MergedToContactID"),
        )
        for each in _rows(body, "Contacts")
        if _text(each, "ContactID") and _text(each, "Name")
    ]


# ── Bills ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FoundBill:
    """A bill as Xero tells it. dated and total_cents: None where they cannot be read. errors: () for one it took."""

    invoice_id: str
    status: str
    total_cents: int | None = None
    dated: date | None = None
    number: str = ""
    contact_id: str = ""
    url: str = ""
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read_bills(body: Any) -> list[FoundBill]:
    """The purchase bills of an answer, each with what Xero says of it, also where the answer as a whole is a 200."""
    return [_read_bill(each) for each in _rows(body, "Invoices") if _text(each, "Type") in ("", "ACCPAY")]


def _read_bill(each: Mapping[str, Any]) -> FoundBill:
    errors = messages_in(each.get("ValidationErrors"))
    failed = each.get("HasErrors") in (True, "true") or _text(each, "StatusAttributeString").upper() == "ERROR"
    if failed and not errors:
        errors = ("Xero did not say what is wrong.",)
    contact = each.get("Contact")
    return FoundBill(
        invoice_id=_text(each, "InvoiceID"),
        status=_text(each, "Status").upper(),
        total_cents=cents(each.get("Total")),
        dated=read_date(_text(each, "Date") or _text(each, "DateString")),
        number=_text(each, "InvoiceNumber"),
        contact_id=_text(contact, "ContactID") if isinstance(contact, Mapping) else "",
        url=_text(each, "Url"),
        errors=errors if failed or errors else (),
        warnings=messages_in(each.get("Warnings")),
    )


def same_bill(found: Sequence[FoundBill], bill: ApprovedBill, contact_id: str, url: str) -> list[FoundBill]:
    """Those that are this bill: by its mark where Xero kept one, else by contact, number, day and total alike."""
    marked = [each for each in found if url and each.url == url]
    if marked:
        return marked
    number = _one_line(bill.number)
    return [
        each
        for each in found
        if not each.url
        and each.contact_id == contact_id
        and (each.number, each.dated, each.total_cents) == (number, bill.dated, bill.total_cents)
    ]


def read_date(text: str) -> date | None:
    """The calendar day of "/Date(1791072000000+0000)/" or "2026-10-04T00:00:00"; it is nobody's local time."""
    if made := re.fullmatch(r"/Date\((-?\d{1,15})(?:[+-]\d{4})?\)/", text):
        return (EPOCH + timedelta(milliseconds=int(made[1]))).date()
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def cents(amount: Any) -> int | None:
    """Whole cents of an amount in JSON; None for what is no amount."""
    if isinstance(amount, bool) or not isinstance(amount, int | float | str):
        return None
    try:
        return int((Decimal(str(amount)) * 100).to_integral_value(ROUND_HALF_UP))
    except (InvalidOperation, ValueError, OverflowError):
        return None


def messages_in(found: Any) -> tuple[str, ...]:
    """What Xero says in a list of errors or warnings, under whichever name it has there."""
    if not isinstance(found, list):
        return ()
    said = [_text(each, "Message") or _text(each, "Description") for each in found if isinstance(each, Mapping)]
    return tuple(filter(None, said))


# ── The outbox's own record ──────────────────────────────────────────────────────────────────────────────────────


def as_record(bill: ApprovedBill) -> dict[str, Any]:
    """The bill as JSON keeps it, for `from_record`."""
    kept = asdict(bill)
    kept["dated"], kept["due"] = bill.dated.isoformat(), bill.due.isoformat() if bill.due else None
    return kept


def from_record(kept: Mapping[str, Any]) -> ApprovedBill:
    """The bill that `as_record` kept."""
    return ApprovedBill(
        **{
            **kept,
            "dated": date.fromisoformat(kept["dated"]),
            "due": date.fromisoformat(kept["due"]) if kept["due"] else None,
            "lines": tuple(
                BillLine(each["description"], each["amount_cents"], each["treatment"] and Treatment(each["treatment"]))
                for each in kept["lines"]
            ),
            "original": Original(**kept["original"]) if kept["original"] else None,
        }
    )


def _rows(body: Any, name: str) -> list[Mapping[str, Any]]:
    rows = body.get(name) if isinstance(body, Mapping) else None
    return [each for each in rows if isinstance(each, Mapping)] if isinstance(rows, list) else []


def _text(row: Mapping[str, Any], name: str) -> str:
    found = row.get(name)
    return found if isinstance(found, str) else ""


def _one_line(text: str) -> str:
    return " ".join(_printable(text).split())


def _printable(text: str) -> str:
    return "".join(
        letter if letter in "\n\t" or unicodedata.category(letter)[0] != "C" else " "
        for letter in unicodedata.normalize("NFC", text)
    )
