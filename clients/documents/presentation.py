"""Documents in words for their lists: rows, chips, and what became of what was sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse

from clients.documents import queries
from clients.documents.queries import IN_WORK, PAGE, Filter
from clients.documents.taking import MOST_BYTES, Outcome, Taken
from clients.extraction.terms import Kind
from clients.models import Client, Document
from clients.presentation import Choice, is_restricted

Status = Document.Status
SHOWN = {
    "open": "Open",
    "review": "To review",
    "reading": "Waiting or being read",
    "unread": "Not read",
    "approved": "Approved",
    "kept": "Kept as files",
    "all": "All",
}
KINDS = {Kind.INVOICE: "Invoice", Kind.RECEIPT: "Receipt", Kind.STATEMENT: "Statement", Kind.UNKNOWN: "Not known"}
ACCEPTED = "application/pdf,image/*,.pdf,.heic,.heif,.tif,.tiff"
_TONES = {
    Status.APPROVED: "answered", Status.UNREADABLE: "unknown", Status.UNSAFE: "fault", Status.KEPT: "quiet",
    Status.WAITING: "quiet", Status.READING: "quiet",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A document in a list. state: in words; why: more of them, "" where there is no more to say."""

    document: Document
    address: str
    came: datetime
    kind: str
    total: str
    state: str
    why: str
    tone: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of one file, in words. address: of its document, "" where it was refused."""

    name: str
    outcome: str
    words: str
    address: str

    def as_json(self) -> dict[str, str]:
        """For the script that sends one file at a time."""
        return {"name": self.name, "outcome": self.outcome, "words": self.words, "address": self.address}


def list_context(wanted: Filter, user: Any, client: Client | None = None) -> dict[str, Any]:
    """What a list of documents shows: the queue, or with a client the list on that client's own pages."""
    rows = queries.page_of(wanted)
    counts = queries.counts(wanted)
    count, pages = counts[wanted.show], max(1, -(-counts[wanted.show] // PAGE))
    to = _ways(wanted, client)
    is_working = any(row.status in IN_WORK for row in rows)
    return {
        "wanted": wanted,
        "rows": [row_of(row) for row in rows],
        "count": count,
        "first": (wanted.page - 1) * PAGE + 1,
        "last": (wanted.page - 1) * PAGE + len(rows),
        "previous": to(page=wanted.page - 1) if wanted.page > 1 else None,
        "next": to(page=wanted.page + 1) if wanted.page < pages else None,
        "here": to(page=wanted.page if wanted.page > 1 else ""),
        "to_all": to(show="all", kind=""),
        "chips": [
            (Choice(words, to(show=show), show == wanted.show), counts[show])
            for show, words in SHOWN.items()
            if counts[show] or show in ("open", "review", "all", wanted.show)
        ],
        "kinds": [
            Choice(words, to(kind="" if kind == wanted.kind else kind), kind == wanted.kind)
            for kind, words in KINDS.items()
        ],
        "sorts": {name: _sort(wanted, name, to) for name in queries.SORTS},
        "is_working": is_working,
        "seen": seen(rows, counts) if is_working else "",
        "has_any": bool(counts["all"] or wanted.kind),
        "may_write": user.may_write,
    }


def row_of(document: Document) -> Row:
    state, why = state_of(document)
    is_failing = document.status == Status.REVIEW and document.failing
    return Row(
        document=document,
        address=address_of(document),
        came=document.at,
        kind=KINDS.get(Kind(document.kind), "") if document.kind else "",
        total=money(document.total_cents),
        state=state,
        why=why,
        tone="unknown" if is_failing else _TONES.get(Status(document.status), "answered"),
    )


def address_of(document: Document) -> str:
    """Where a document is looked at and reviewed."""
    return reverse("document", args=[document.pk])


def state_of(document: Document) -> tuple[str, str]:
    """(how far the document is, more about it)."""
    if document.status == Status.REVIEW:
        if document.failing:
            return f"{document.failing} to settle", ""
        return "Ready to review", ""
    if document.status == Status.READING and document.page_count:
        return f"Being read, page {min(document.pages_done + 1, document.page_count)} of {document.page_count}", ""
    return document.get_status_display(), document.problem


def money(cents: int | None) -> str:
    """1,234.50, and −1,234.50 below nil; "" for none."""
    if cents is None:
        return ""
    return f"{'−' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def sent_of(taken: Taken) -> Sent:
    """What the sender is told."""
    words = {
        Outcome.NEW: "Taken. It will be read.",
        Outcome.THERE: "Already there: this client has this very file.",
        Outcome.REFUSED: taken.why,
    }[taken.outcome]
    address = address_of(taken.document) if taken.document else ""
    return Sent(taken.name, str(taken.outcome), words, address)


def upload_context(client: Client, host: str, user: Any) -> dict[str, Any]:
    """What the place to send files to shows. folder: where files for this client may be put instead, "" for nowhere."""
    folder = f"{settings.ASAT_DROP_DIRECTORY.rstrip('/')}/{host}/{client.pk}/" if settings.ASAT_DROP_DIRECTORY else ""
    return {
        "upload_to": client if user.may_write and client.archived_at is None else None,
        "accepted": ACCEPTED,
        "most_bytes": MOST_BYTES,
        "most_mb": MOST_BYTES // 1024**2,
        "folder": folder if user.may_write else "",
    }


def client_context(client: Client) -> dict[str, Any]:
    """What the head of a client's page shows."""
    return {"client": client, "is_restricted": is_restricted(client)}


def seen(rows: list[Document], counts: dict[str, int]) -> str:
    """What a page that is refreshed has shown already; the same while nothing has changed."""
    far = [row.pages_done for row in rows if row.status in IN_WORK]
    return "-".join(map(str, [*(counts[show] for show in queries.SHOWN), len(far), sum(far)]))


def _ways(wanted: Filter, client: Client | None) -> Callable[..., str]:
    """Where a changed filter leads: the whole path, for the list also stands on the page that tells of an upload."""
    page = reverse("documents")
    if client is not None:
        page = reverse("client_files" if wanted.otherwise == "kept" else "client_documents", args=[client.pk])
    return lambda **changed: page + wanted.address(is_of_client=client is not None, **changed)


def _sort(wanted: Filter, name: str, to: Callable[..., str]) -> dict[str, str]:
    """Where a column's head leads, and how it is sorted now, as aria-sort has it."""
    is_up, is_down = wanted.sort == name, wanted.sort == f"-{name}"
    leads_to = f"-{name}" if is_up or (name == "came" and not is_down) else name
    now = "ascending" if is_up else "descending" if is_down else "none"
    return {"address": to(sort="" if leads_to == queries.LATEST_FIRST else leads_to), "now": now}
