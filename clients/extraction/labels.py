"""The words that documents call their fields by.

Spaces may be missing: OCR reads "InvoiceNo.:" as often as not.
"""

from __future__ import annotations

import re


def _labels(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s?"), re.IGNORECASE)


INVOICE_NUMBER = _labels(
    r"(?<![\w])(?:(?:tax )?[il1]nvoice|inv|receipt|credit note|adjustment note|bill|docket) ?"
    r"(?:no\b\.?|number|num\b\.?|#|id\b|ref\b\.?)"
)
BARE_NUMBER = re.compile(r"(?:^|(?<=\s{3}))(?:number|document\s?no\b\.?|doc\s?no\b\.?)", re.IGNORECASE)
INVOICE_ALONE = re.compile(r"(?:^|(?<=\s{3}))(?:tax\s?)?(?:invoice|credit\s?note)(?=\s?[:#]?\s)", re.IGNORECASE)
NO_ITEM = _labels(
    r"^(?:previous balance|opening balance|closing balance|balance (?:brought|carried) forward|brought forward"
    r"|carried forward|payments? received|(?:amount |less )?paid|total paid|account balance)"
)
DATE = _labels(
    r"(?<![\w])(?:(?:tax )?(?:invoice|receipt|credit note|bill) date|date of issue|date of invoice|issue date"
    r"|date issued|issued(?: on)?|dated|transaction date|date)(?![a-z])"
)
NOT_THE_DATE = _labels(
    r"(?:due|delivery|order|expiry|expires|print(?:ed)?|ship(?:ped)?|service|from|to|next|period) ?$"
)
DUE_DATE = _labels(
    r"(?<![\w])(?:due date|date due|payment due(?: date| by| on)?|due by|due on|pay by|payable by|due)(?![a-z])"
)
TERMS = _labels(r"(?<![\w])(?:payment terms|terms of payment|terms|credit terms)(?! (?:and|&))")
TERMS_VALUE = re.compile(
    r"(?:strictly\s?|net\s?|payment\s?(?:is\s?)?due\s?(?:with)?in\s?|payable\s?(?:with)?in\s?)?\d{1,3}\s?days"
    r"(?:\s?(?:net|from\s?(?:the\s?)?(?:date\s?of\s?)?invoice(?:\s?date)?|from\s?end\s?of\s?month|eom))?"
    r"|c\.?o\.?d\.?\b|cash\s?on\s?delivery|due\s?on\s?receipt|payment\s?on\s?receipt|EOM\b",
    re.IGNORECASE,
)
ABN = re.compile(r"(?<![A-Za-z])A\.?\s?B\.?\s?N\.?(?![a-z])", re.IGNORECASE)
RECIPIENT = _labels(
    r"^(?:bill(?:ed)? to|invoice(?:d)? to|sold to|ship to|deliver to|delivery address|to(?= ?:|$)"
    r"|customer(?= ?:|$)|client(?= ?:|$)|attention|attn|account of|prepared for)"
)
TITLE = _labels(
    r"^(?:tax invoice|invoice|credit note|adjustment note|receipt|tax receipt|account statement|statement|customer copy"
    r"|merchant copy|bank statement|page \d+.*|original|copy|duplicate|eftpos)$"
)

NO_NAME = _labels(  # labels that stand over or beside a value, and are nobody's name; "Total Plumbing" is one
    r"^(?:tax invoice|invoice|date|due|issue|terms|payment|reference|ref|your order|order|po|purchase order|account"
    r"|quote|job|page|number|total|amount|abn|customer|shipping|delivery|description|qty|quantity|bill)"
    r"(?: (?:no\.?|number|num\.?|date|id|due|terms|total|amount|address|details|issued))*(?:$|[:#.]| ?\d)"
)

# What stands beside an amount, in the order in which it is asked.
SUBTOTAL = _labels(r"sub-? ?total|total ?\(?ex|net amount|amount ex|total excl|before gst|excl?\.? gst|net total")
NOT_A_SUM = _labels(
    r"previous|opening|closing|brought|payment received|paid|received|change|cash|tender|rounding|discount|deposit"
    r"|eftpos|card|visa|mastercard|debit|credit card|purchase|interest|saved|savings|limit|deduct|gst free|taxable"
)
GST = _labels(r"(?<![a-z])g\.?s\.?t(?![a-z ]*free)")
TAX_ALONE = _labels(r"^(?:total )?tax(?: amount| total)?(?: ?\(?10 ?%\)?)?:?$")
INCLUDES_GST = _labels(r"includes? gst|gst inclu|gst in total|including gst of")
TOTAL_WITH_GST = _labels(r"(?:total|amount|due|payable|balance).*(?:inc\b\.?|incl\b\.?|including|inclusive|\(inc).*gst")
BALANCE_DUE = _labels(r"balance (?:due|owing|payable)|balance outstanding|outstanding balance")
TOTAL = _labels(r"total|amount (?:now )?(?:due|payable|owing)|(?:due|payable) amount|to pay|grand total|credit amount")

# Headings of columns, each by what stands under it.
COLUMNS: dict[str, re.Pattern[str]] = {
    "description": _labels(
        r"^(?:description(?: of \w+)?|item(?: description)?|details?|particulars|products?|services?"
        r"|transaction(?:s| details)?)$"
    ),
    "code": _labels(r"^(?:code|item code|sku|product code|part no\.?|item no\.?|tax|gst code|tax code)$"),
    "quantity": _labels(r"^(?:qty|quantity|hours|hrs|units|no\.?)$"),
    "price": _labels(r"^(?:unit price|price|rate|unit cost|each|price ex gst|unit)$"),
    "gst": _labels(r"^(?:gst|gst amount|gst \(10%\)|gst \$|tax amount)$"),
    "amount": _labels(
        r"^(?:amount|total|line total|amount \(\$\)|total \(\$\)|amount aud|ext(?:ended)? price|net|value"
        r"|amount (?:ex|inc)\.? gst)$"
    ),
    "date": _labels(r"^(?:date|transaction date|posting date)$"),
    "out": _labels(r"^(?:debits?|withdrawals?|money out|paid out|debit \(\$\)|withdrawal \(\$\))$"),
    "in": _labels(r"^(?:credits?|deposits?|money in|paid in|credit \(\$\)|deposit \(\$\))$"),
    "balance": _labels(r"^(?:balance|balance \(\$\)|running balance)$"),
}
OPENING = _labels(r"opening balance|balance brought forward|brought forward|starting balance")
CLOSING = _labels(r"closing balance|balance carried forward|carried forward|ending balance")


def column_of(text: str) -> str:
    """What a heading's column holds; "" if it is no heading."""
    heading = text.strip(" :").strip()
    return next((name for name, pattern in COLUMNS.items() if pattern.search(heading)), "")
