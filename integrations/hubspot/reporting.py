"""What an import came to: counts that add up, the words beside them, and the report as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from django.db.models import Count

from clients.models import ClientEvent
from clients.rules.identifiers import show_abn
from integrations.hubspot.mapping import AbnNote, NameNote, Outcome
from integrations.models import ImportedCompany, ImportRun

OUTCOMES: dict[str, str] = {
    Outcome.NEW: "New",
    Outcome.CAME_IN: "Came in",
    Outcome.EXISTS: "Client already",
    Outcome.ARCHIVED: "Archived client",
    Outcome.CAME_EARLIER: "Came in earlier",
    Outcome.REPEATED_NAME: "Name repeated",
    Outcome.NAMELESS: "No name",
}
REASONS: dict[str, str] = {
    Outcome.NEW: "",
    Outcome.CAME_IN: "",
    Outcome.EXISTS: "A client of this name is in the register. It was left as it is.",
    Outcome.ARCHIVED: "A client of this name is archived. It was left as it is; take it back from the archive instead.",
    Outcome.CAME_EARLIER: "An earlier import brought this company in. Its client was left as it is.",
    Outcome.REPEATED_NAME: "Another company of this name stands before it in the list.",
    Outcome.NAMELESS: "HubSpot holds no name for this company.",
}
ABN_REASONS: dict[str, str] = {
    AbnNote.NOT_DIGITS: "ABN left out: there is more in the field than one number.",
    AbnNote.WRONG_LENGTH: "ABN left out: it has not 11 digits.",
    AbnNote.WRONG_CHECK: "ABN left out: its check digits are wrong.",
    AbnNote.HELD: "ABN left out: another client has it.",
}
NAME_REASONS: dict[str, str] = {
    NameNote.SHORTENED: "Name shortened to 300 characters.",
    NameNote.ABN_DIFFERS: "Its ABN is not that of the first.",
}
HEAD = ("HubSpot id", "Name", "Domain", "Outcome", "Why", "ABN", "Note on the ABN", "Client")
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def report_of(run: ImportRun) -> dict[str, Any]:
    """Counts by outcome and by what was left out, and whether all that was listed is accounted for. As the keeper."""
    companies = run.companies.all()
    outcomes = _counted(companies, "outcome")
    left_out = companies.filter(outcome__in=[Outcome.NEW, Outcome.CAME_IN]).exclude(abn_note="")
    listed, repeated = int(run.tally.get("listed", 0)), int(run.tally.get("repeated", 0))
    return {
        "listed": listed,
        "repeated": repeated,
        "archived": int(run.tally.get("archived", 0)),
        "pages": int(run.tally.get("pages", 0)),
        "outcomes": outcomes,
        "abns": companies.filter(outcome__in=[Outcome.NEW, Outcome.CAME_IN]).exclude(abn="").count(),
        "abns_left_out": _counted(left_out, "abn_note"),
        "shortened": companies.filter(name_note=NameNote.SHORTENED).count(),
        "adds_up": listed - repeated == sum(outcomes.values()),
    }


def note_event(run: ImportRun) -> None:
    """Account for the clients that came in, once, on behalf of whoever confirmed it."""
    came_in = run.companies.filter(outcome=Outcome.CAME_IN).count()
    if came_in and run.confirmed_by_id:
        ClientEvent.objects.create(kind=ClientEvent.Kind.IMPORTED, by_id=run.confirmed_by_id, count=came_in)


def note_export(user: Any, run: ImportRun) -> None:
    """Account for a report that left as a file."""
    ClientEvent.objects.create(kind=ClientEvent.Kind.EXPORTED, by=user, count=run.companies.count())


def why_of(company: ImportedCompany) -> str:
    """Why the company did not come in, or what was done to its name; "" for nothing to say."""
    return " ".join(filter(None, (REASONS.get(company.outcome, ""), NAME_REASONS.get(company.name_note, ""))))


def csv_of(companies: Iterable[ImportedCompany]) -> bytes:
    """The report as CSV: UTF-8 with its mark, CRLF, no cell that a spreadsheet program would work out."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(HEAD)
    for each in companies:
        cells = (
            each.vendor_id, each.name, each.domain, OUTCOMES.get(each.outcome, each.outcome), why_of(each),
            show_abn(each.abn), ABN_REASONS.get(each.abn_note, ""), each.client.name if each.client else "",
        )  # fmt: skip
        writer.writerow([guarded(cell) for cell in cells])
    return b"\xef\xbb\xbf" + written.getvalue().encode()


def guarded(cell: str) -> str:
    """The cell as text, whatever it begins with."""
    return f"'{cell}" if cell.startswith(FORMULAS) else cell


def _counted(companies: Any, field: str) -> dict[str, int]:
    rows = companies.order_by().values_list(field).annotate(count=Count("pk"))
    return dict(sorted(rows))
