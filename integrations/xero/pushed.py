"""What became of entries that were sent, as the page after the button shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from clients.ledger.words import counted, money
from clients.models import Transaction
from integrations.models import XeroPush
from integrations.xero import presentation
from integrations.xero.from_transactions import Pushed

TWICE = "A draft of this document from before it was taken back is in Xero still. Delete that one there."


@dataclass(frozen=True, slots=True)
class Line:
    """One entry. push: None for one that was refused. link: the bill at Xero, "" while it has none."""

    supplier: str
    number: str
    dated: date
    total: str
    words: str
    tone: str
    why: str = ""
    push: XeroPush | None = None
    link: str = ""


def context(done: Pushed) -> dict[str, Any]:
    """What the page shows: a sentence, and a line for each; what was refused first."""
    said = [
        ("{} on the way to Xero", len(done.new)),
        ("{} tried again", len(done.again)),
        ("{} sent before", len(done.skipped)),
        ("{} refused", len(done.refused)),
    ]
    lines = [_line(entry, "Refused", "refused", why=why) for entry, why in done.refused]
    for words, found in (("On its way", done.new), ("Tried again", done.again)):
        lines += [_line(entry, words, "running", one, TWICE * (entry.pk in done.twice)) for entry, one in found]
    lines += [_sent_before(entry, one) for entry, one in done.skipped]
    counts = ", ".join(text.format(counted(number)) for text, number in said if number)
    says = f"{counts}." if counts else "None of these is an entry of this client."
    return {"says": says, "lines": lines, "left": done.left}


def _sent_before(entry: Transaction, one: XeroPush) -> Line:
    found = presentation.line_of(one)
    return _line(entry, f"Sent before: {found.words}", found.tone, one, one.why, found.link)


def _line(
    entry: Transaction, words: str, tone: str, push: XeroPush | None = None, why: str = "", link: str = ""
) -> Line:
    total = money(entry.total_cents, entry.currency)
    return Line(entry.supplier, entry.number, entry.dated, total, words, tone, why, push, link)
