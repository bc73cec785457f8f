"""The books of one organisation: contacts, purchase bills and their attachments, by the rules that Xero tells of."""

from __future__ import annotations

import re
import unicodedata
import uuid
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from urllib.parse import unquote

from asat_site.testing.xero_server.faults import Answer, Received, validation

RATES = {"INPUT": Decimal(11), "EXEMPTEXPENSES": None, "BASEXCLUDED": None}
CENT = Decimal("0.01")
MOST_BYTES = 10_000_000
TAKEN = (
    "The contact name {} is already assigned to another contact. The contact name must be unique across all active "
    "contacts."
)
ARCHIVED = "The contact with the specified contact details has been archived. The contact must be un-archived before."


@dataclass(slots=True)
class Organisation:
    """One organisation. breaks: what came that must never come. locked: the period lock date."""

    name: str
    tenant_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    contacts: dict[str, dict[str, Any]] = field(default_factory=dict)
    bills: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, dict[str, tuple[str, bytes]]] = field(default_factory=dict)
    currencies: tuple[str, ...] = ("AUD",)
    locked: date | None = None
    loses_files: bool = False
    refuses_urls: bool = False
    adds_cent: bool = False
    breaks: list[str] = field(default_factory=list)

    def contact(self, name: str, *, archived: bool = False, merged_to: str = "") -> str:
        """A contact that was there before; its id."""
        made: dict[str, Any] = {"ContactID": str(uuid.uuid4()), "Name": name}
        made["ContactStatus"] = "ARCHIVED" if archived or merged_to else "ACTIVE"
        if merged_to:
            made["MergedToContactID"] = merged_to
        self.contacts[made["ContactID"]] = made
        return str(made["ContactID"])

    def answer(self, received: Received) -> Answer:
        """What the books say to a request that was let in."""
        parts = received.name.split(" ", 1)[1].strip("/").split("/")
        match received.method, parts:
            case "GET", ["Contacts"]:
                return self._find_contacts(received)
            case "GET", ["Contacts", contact_id]:
                found = self.contacts.get(contact_id)
                return Answer(200, {"Contacts": [found]}) if found else Answer(404, b"")
            case "PUT", ["Contacts"]:
                return self._make_contact(received.json()["Contacts"])
            case "GET", ["Invoices"]:
                return self._find_bills(received)
            case "GET", ["Invoices", bill_id]:
                bill = self.bills.get(bill_id)
                return Answer(200, {"Invoices": [bill]}) if bill else Answer(404, b"")
            case "PUT", ["Invoices"]:
                return self._make_bills(received)
            case "PUT", ["Invoices", bill_id, "Attachments", name]:
                return self._attach(bill_id, unquote(name), received)
            case "GET", ["Invoices", bill_id, "Attachments"]:
                return Answer(200, {"Attachments": self._listed(bill_id)})
        self.breaks.append(f"{received.name} is nothing that is ever sent")
        return Answer(405, b"")

    def _find_contacts(self, received: Received) -> Answer:
        if (where := received.query.get("where")) is not None:
            named = re.fullmatch(r'Name=="([^"\\]*)"', where)
            if named is None:
                said = "Unterminated string literal"
                return Answer(400, {"ErrorNumber": 16, "Type": "QueryParseException", "Message": said})
            found = [each for each in self.contacts.values() if _folded(each["Name"]) == _folded(named[1])]
        else:
            term = _folded(received.query["searchTerm"])
            found = [each for each in self.contacts.values() if term in _folded(each["Name"])]
        if received.query.get("includeArchived") != "true":
            found = [each for each in found if each["ContactStatus"] == "ACTIVE"]
        return Answer(200, {"Contacts": found})

    def _make_contact(self, asked: list[dict[str, Any]]) -> Answer:
        (new,) = asked
        name = new["Name"]
        if not name or len(name) > 255 or re.search(r"[<>]|^\s|\s$|\s\s", name):
            return validation("The contact name is not valid.")
        if any(each["Name"].lower() == name.lower() for each in self.contacts.values()):
            return validation(TAKEN.format(name))
        made = self.contacts[self.contact(name)]
        made |= {key: value for key, value in new.items() if key != "Name"}
        return Answer(200, {"Contacts": [made]})

    def _find_bills(self, received: Received) -> Answer:
        found = list(self.bills.values())
        if ids := received.query.get("ContactIDs"):
            found = [each for each in found if each["Contact"]["ContactID"] in ids.split(",")]
        if numbers := received.query.get("InvoiceNumbers"):
            found = [each for each in found if each.get("InvoiceNumber") in numbers.split(",")]
        return Answer(200, {"Invoices": found})

    def _make_bills(self, received: Received) -> Answer:
        (asked,) = received.json()["Invoices"]
        if received.query.get("summarizeErrors") != "false":
            self.breaks.append("summarizeErrors was not said to be false")
        self.breaks += _beyond_drafts(asked)
        errors = self._errors_of(asked)
        if errors:
            told = {**asked, "HasErrors": True, "StatusAttributeString": "ERROR"}
            told["ValidationErrors"] = [{"Message": each} for each in errors]
            return Answer(200, {"Invoices": [told]})
        made = _bill(asked, self.contacts[asked["Contact"]["ContactID"]])
        if self.adds_cent:
            made["Total"] = round(made["Total"] + 0.01, 2)
        self.bills[made["InvoiceID"]] = made
        return Answer(200, {"Id": str(uuid.uuid4()), "Status": "OK", "Invoices": [made]})

    def _errors_of(self, asked: dict[str, Any]) -> list[str]:
        errors = []
        contact = self.contacts.get(asked["Contact"]["ContactID"])
        if contact is None or contact["ContactStatus"] != "ACTIVE":
            errors.append(ARCHIVED)
        if asked.get("CurrencyCode", "AUD") not in self.currencies:
            errors.append(f"Organisation is not subscribed to currency {asked['CurrencyCode']}")
        if self.locked and date.fromisoformat(asked["Date"]) <= self.locked:
            errors.append(f"The document date cannot be before the period lock date {self.locked:%d %B %Y}")
        if self.refuses_urls and "Url" in asked:
            errors.append("The Url is not a valid absolute Url.")
        for line in asked["LineItems"]:
            if line.get("TaxType", "INPUT") not in RATES:
                errors.append("The TaxType code is not valid.")
        return errors

    def _attach(self, bill_id: str, name: str, received: Received) -> Answer:
        if bill_id not in self.bills:
            return Answer(404, b"")
        if re.search(r'[<>:"/\\|?*+\0# &]', name) or "." not in name:
            return validation("The file name isn't a supported file type.")
        if len(received.body) > MOST_BYTES:
            return Answer(413, b"", kind="text/html")
        if received.headers.get("content-type") not in ("application/pdf", "image/png", "image/jpeg"):
            return validation("This isn't a supported file type.")
        held = self.files.setdefault(bill_id, {})
        before = dict(held)
        held[name] = (received.headers["content-type"], received.body)
        listed = [each for each in self._listed(bill_id) if each["FileName"] == name]
        if self.loses_files:
            self.files[bill_id] = before
        return Answer(200, {"Attachments": listed})

    def _listed(self, bill_id: str) -> list[dict[str, Any]]:
        return [
            {"AttachmentID": str(uuid.uuid4()), "FileName": name, "MimeType": kind, "ContentLength": len(content)}
            for name, (kind, content) in self.files.get(bill_id, {}).items()
        ]


def _beyond_drafts(asked: dict[str, Any]) -> list[str]:
    """What of a bill must never be sent, whatever the interface would take."""
    wrong = []
    if (asked.get("Type"), asked.get("Status")) != ("ACCPAY", "DRAFT"):
        wrong.append(f"a {asked.get('Type')} that is {asked.get('Status')} was sent")
    if set(asked.get("Contact", {})) != {"ContactID"}:
        wrong.append(f"a contact was sent with {sorted(asked.get('Contact', {}))}")
    if asked.get("LineAmountTypes") != "Inclusive":
        wrong.append(f"amounts were sent as {asked.get('LineAmountTypes')}")
    if {"InvoiceID", "Total", "SubTotal", "TotalTax", "Reference"} & set(asked):
        wrong.append(f"a bill was sent with {sorted(asked)}")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", str(asked.get("Date"))):
        wrong.append(f"the date was sent as {asked.get('Date')}")
    for line in asked.get("LineItems", []):
        if set(line) - {"Description", "Quantity", "UnitAmount", "TaxType"} or None in line.values():
            wrong.append(f"a line was sent with {sorted(line)}")
        if Decimal(str(line["UnitAmount"])) != Decimal(str(line["UnitAmount"])).quantize(CENT):
            wrong.append(f"an amount was sent as {line['UnitAmount']}")
    return wrong


def _bill(asked: dict[str, Any], contact: dict[str, Any]) -> dict[str, Any]:
    amounts = [Decimal(str(line["UnitAmount"])) * line["Quantity"] for line in asked["LineItems"]]
    taxes = [
        (amount / RATES[line["TaxType"]]).quantize(CENT, ROUND_HALF_UP)
        if RATES.get(line.get("TaxType"))
        else Decimal(0)
        for amount, line in zip(amounts, asked["LineItems"], strict=True)
    ]
    total, tax = sum(amounts), sum(taxes)
    return {
        **asked,
        "InvoiceID": str(uuid.uuid4()),
        "Contact": {"ContactID": contact["ContactID"], "Name": contact["Name"]},
        "Date": _xero_date(asked["Date"]),
        "DateString": f"{asked['Date']}T00:00:00",
        **({"DueDate": _xero_date(asked["DueDate"])} if "DueDate" in asked else {}),
        "SubTotal": float(total - tax),
        "TotalTax": float(tax),
        "Total": float(total),
        "HasAttachments": False,
    }


def _xero_date(day: str) -> str:
    at = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)
    return f"/Date({int(at.timestamp() * 1000)}+0000)/"


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
