"""A practice's client register as the masker needs it: who is in it, and every way to write what identifies them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from research.privacy.folding import key_of
from research.privacy.names import Form, forms_of

LAW_DIGITS = 8  # a shorter number in the law's text is its own
_STATE = re.compile(r"[\s,]+(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)?[\s,]*\d{4}\s*$", re.IGNORECASE)
LEAST_DIGITS = 5  # of an account's number; a shorter one is any number


class Kind(StrEnum):
    """What a placeholder stands for. TEXT: for words that looked like a placeholder before anything was masked."""

    CLIENT = "CLIENT"
    ABN = "ABN"
    ACN = "ACN"
    TFN = "TFN"
    ADDRESS = "ADDRESS"
    EMAIL = "EMAIL"
    PHONE = "PHONE"
    ACCOUNT = "ACCOUNT"
    AMOUNT = "AMOUNT"
    TEXT = "TEXT"


@dataclass(frozen=True, slots=True)
class ClientEntry:
    """One client. abn, acn and tfn: digits, "" for none. allows_remote: whether a remote model may hear of them."""

    name: str
    trading_names: tuple[str, ...] = ()
    abn: str = ""
    acn: str = ""
    tfn: str = ""
    addresses: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    account_numbers: tuple[str, ...] = ()
    allows_remote: bool = True


@dataclass(frozen=True, slots=True)
class Known:
    """What a key stands for: a kind of thing, of the client at `who`. The two flags are those of `Form`."""

    kind: Kind
    who: int
    is_whole: bool
    in_capitals: bool


@dataclass(frozen=True, slots=True)
class Index:
    """Every key of a register. heads: the first three letters of each; longest: letters of the longest."""

    keys: dict[str, Known]
    heads: frozenset[str]
    longest: int


@dataclass(frozen=True)
class Register:
    """The clients of one practice, and of no other. Indexed when first asked, once."""

    clients: tuple[ClientEntry, ...] = ()

    @cached_property
    def index(self) -> Index:
        """Each key once: whole forms come before loose ones, and where two clients share one, it is that one's of whom
        no remote model may hear, else the first's.
        """
        keys: dict[str, Known] = {}
        loose: list[tuple[str, Known]] = []
        for who, client in sorted(enumerate(self.clients), key=lambda each: each[1].allows_remote):
            for kind, form in _forms(client):
                known = Known(kind, who, form.is_whole, form.in_capitals)
                if form.is_whole:
                    keys.setdefault(form.key, known)
                else:
                    loose.append((form.key, known))
        for key, known in loose:
            keys.setdefault(key, known)
        return Index(keys, frozenset(key[:3] for key in keys), max(map(len, keys), default=0))


def _forms(client: ClientEntry) -> Iterator[tuple[Kind, Form]]:
    for name in (client.name, *client.trading_names):
        yield from ((Kind.CLIENT, form) for form in forms_of(name))
    for kind, digits in ((Kind.ABN, client.abn), (Kind.ACN, client.acn), (Kind.TFN, client.tfn)):
        if digits:
            yield kind, Form(key_of(digits))
    yield from ((Kind.EMAIL, Form(key_of(email))) for email in client.emails if len(key_of(email)) > 2)
    for address in client.addresses:
        yield from ((Kind.ADDRESS, form) for form in _address_forms(address))
    for phone in client.phones:
        yield from ((Kind.PHONE, form) for form in _phone_forms(re.sub(r"\D", "", phone)))
    for account in client.account_numbers:
        yield from ((Kind.ACCOUNT, form) for form in _account_forms(account))


def _address_forms(address: str) -> Iterator[Form]:
    """The address, the same without state and postcode, and its first line: number and street."""
    for part in {address, _STATE.sub("", address), address.split(",")[0]}:
        key = key_of(part)
        if len(key) > 4:
            yield Form(key, is_whole=any(map(str.isdigit, key)) and any(map(str.isalpha, key)))


def _phone_forms(digits: str) -> Iterator[Form]:
    """With 0, with 61 in its forms; and a landline without its area."""
    national = digits.removeprefix("00").removeprefix("61").removeprefix("0") if len(digits) > 8 else ""
    if len(national) == 9:
        yield from (Form(prefix + national) for prefix in ("0", "61", "610", "0061"))
        if national[0] in "2378":
            yield Form(national[1:], is_whole=False)
    elif len(digits) >= LEAST_DIGITS:
        yield Form(digits, is_whole=len(digits) >= LAW_DIGITS)


def _account_forms(account: str) -> Iterator[Form]:
    """The whole, and the number behind a BSB."""
    digits = re.sub(r"\D", "", account)
    behind = re.match(r"\s*(?:BSB\D*)?\d{3}[\s-]?\d{3}\b\D*(\d[\d\s-]*)$", account, re.IGNORECASE)
    for number in {digits, re.sub(r"\D", "", behind[1]) if behind else ""}:
        if len(number) >= LEAST_DIGITS:
            yield Form(number, is_whole=len(number) >= LAW_DIGITS)
