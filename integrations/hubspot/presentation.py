"""An import as its page shows it: how far it is, what it came to, and its companies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clients.rules.identifiers import show_abn
from integrations.hubspot.mapping import Outcome
from integrations.hubspot.reporting import ABN_REASONS, OUTCOMES, why_of
from integrations.models import ImportedCompany, ImportRun

PAGE = 100
ORDER = tuple(OUTCOMES)
TONES = {Outcome.NEW: "answered", Outcome.CAME_IN: "answered"}


@dataclass(frozen=True, slots=True)
class Count:
    """How many companies have an outcome. name: its code; is_chosen: whether the table shows these alone."""

    name: str
    words: str
    count: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. of: None where nobody knows. seen: changes whenever anything of it does."""

    done: int
    of: int | None
    words: str
    seen: str
    is_working: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A company as the table shows it."""

    number: int
    name: str
    vendor_id: str
    domain: str
    abn: str
    abn_note: str
    outcome: str
    tone: str
    why: str
    client: Any


def progress_of(run: ImportRun) -> Progress:
    """What the top of the page says."""
    tally = run.tally
    pages, kept, done = int(tally.get("pages", 0)), int(tally.get("kept", 0)), int(tally.get("done", 0))
    seen = f"{run.status}.{run.attempts}.{pages}.{kept}.{done}.{bool(run.stop_asked_at)}.{len(run.why)}"
    to_come = int(run.report.get("outcomes", {}).get(Outcome.NEW, 0)) if run.confirmed_at else 0
    if run.status == ImportRun.Status.IMPORTING:
        return Progress(done, to_come, f"{done:,} of {to_come:,} brought in", seen, True)
    if run.status == ImportRun.Status.READING:
        total = tally.get("total")
        return Progress(kept, total, f"{kept:,} companies read" if pages else "Waiting for a worker", seen, True)
    return Progress(kept, None, f"{kept:,} companies read", seen, False)


def counts_of(run: ImportRun, chosen: str) -> tuple[Count, ...]:
    """The outcomes that occur, in the order in which they matter. Counts what its reader may not see as well."""
    outcomes = run.report.get("outcomes", {})
    return tuple(Count(name, OUTCOMES[name], outcomes[name], name == chosen) for name in ORDER if outcomes.get(name, 0))


def left_out_of(run: ImportRun) -> tuple[str, ...]:
    """What was left out of companies that come in or came in, in sentences."""
    counted = run.report.get("abns_left_out", {})
    said = [f"{count:,} × {ABN_REASONS[name]}" for name, count in counted.items() if name in ABN_REASONS]
    if run.report.get("shortened"):
        said.append(f"{run.report['shortened']:,} × Name shortened to 300 characters.")
    if run.report.get("repeated"):
        said.append(f"{run.report['repeated']:,} × HubSpot listed a company a second time; it counts once.")
    if run.report.get("archived"):
        said.append(f"{run.report['archived']:,} × Archived at HubSpot, and left out.")
    return tuple(said)


def line_of(company: ImportedCompany) -> Line:
    """A row of the table."""
    return Line(
        number=company.number,
        name=company.name,
        vendor_id=company.vendor_id,
        domain=company.domain,
        abn=show_abn(company.abn),
        abn_note=ABN_REASONS.get(company.abn_note, ""),
        outcome=OUTCOMES.get(company.outcome, company.outcome),
        tone=TONES.get(Outcome(company.outcome), "refused"),
        why=why_of(company),
        client=company.client,
    )
