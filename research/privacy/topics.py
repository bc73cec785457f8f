"""A retrieval query for a finding or a document, out of fixed public words and of nothing else.

What is known of a client must not shape what is sent. So a label or rule id is only ever looked up: what is sent are
this table's words, and what the table does not hold is not sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

TOPICS: Mapping[str, str] = MappingProxyType(
    {
        "capital gains": "capital gains tax CGT event cost base",
        "car": "car expenses logbook cents per kilometre",
        "company loan": "Division 7A loan by a private company to a shareholder",
        "depreciation": "decline in value of a depreciating asset",
        "dividend": "dividend franking credit",
        "entertainment": "meal entertainment deduction",
        "fringe benefits": "fringe benefits tax taxable value",
        "gifts": "deductible gift recipient",
        "gst": "goods and services tax taxable supply",
        "gst-free": "GST-free supply",
        "home office": "deduction for working from home",
        "input tax credit": "input tax credit creditable acquisition",
        "input taxed": "input taxed supply",
        "insurance": "deduction for insurance premiums",
        "interest": "deduction for interest on borrowed money",
        "legal expenses": "deductibility of legal expenses",
        "motor vehicle": "deduction for motor vehicle expenses",
        "private use": "apportionment of private or domestic expenses",
        "record keeping": "obligation to keep records",
        "rent": "rental property income and deductions",
        "repairs": "deduction for repairs",
        "small business": "small business entity concessions",
        "superannuation": "deduction for superannuation contributions",
        "superannuation guarantee": "superannuation guarantee charge",
        "tax invoice": "requirements of a tax invoice",
        "travel": "travel expenses substantiation",
        "trust": "trust income present entitlement of a beneficiary",
        "wages": "withholding from salary and wages",
    }
)
RULES: Mapping[str, str] = MappingProxyType(
    {
        "abn-missing": "withholding where no ABN is quoted",
        "bas-late": "business activity statement due date",
        "div7a-balance": "Division 7A minimum yearly repayment",
        "gst-one-eleventh": "GST one eleventh of the price of a taxable supply",
        "gst-registration": "GST registration turnover threshold",
        "instant-asset": "small business simplified depreciation low cost asset",
        "invoice-incomplete": "requirements of a tax invoice",
        "sg-late": "superannuation guarantee charge late contribution",
    }
)


def topic_query(labels: Sequence[str], rule_ids: Sequence[str]) -> str | None:
    """The words to search by: those of each label and rule, once, in the order given.

    None if nothing was given or anything given is in neither table: then nothing is sent.
    """
    words = [TOPICS.get(label) for label in labels] + [RULES.get(rule_id) for rule_id in rule_ids]
    known = list(dict.fromkeys(word for word in words if word is not None))
    return "; ".join(known) if known and None not in words else None
