"""A document under review as its page shows it: fields beside the page, what blocks approval, what approval enters."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from clients.extraction.entries import EntryKind, entries_of
from clients.extraction.revised_terms import Revised
from clients.extraction.terms import Kind
from clients.ledger.words import money
from clients.models import Document
from clients.presentation import is_restricted, name_of
from clients.review import queries, services, words
from clients.review.field_rows import field_row, line_row, statement_line
from clients.review.history import entry_row, history_context
from clients.review.looking import Look, page_links, page_looked_at, row_pages
from clients.review.services import Stand

WAITED_LONG_S = 20
MOST_TICKED = 5  # alike entries, one by one
_ENTERED_AS = {EntryKind.BILL: "One bill", EntryKind.RECEIPT: "One receipt"}


def review_context(stand: Stand, look: Look, user: Any) -> dict[str, Any]:
    """The review page of a document that was read."""
    document, found = stand.document, stand.found
    is_open = document.status == Document.Status.REVIEW and user.may_write
    decisions = queries.decisions_of(document)
    by = {each.field: each for each in decisions}
    page = page_looked_at(stand, look)
    fields = [field_row(each, by, look, is_open, stand) for each in found.fields]
    subtotal = field_row(found.subtotal, by, look, False, stand) if found.subtotal else None
    lines = [line_row(number, line, look, stand) for number, line in enumerate(found.read_lines, start=1)]
    rows = [statement_line(row, look, stand) for row in found.rows if row.read.page == page.number]
    places = [row.place for row in fields] + [row.place for row in lines] + [row.place for row in rows]
    return {
        **document_context(document, user),
        **history_context(document, decisions),
        "found": found,
        "is_open": is_open,
        "page": page,
        "pages": page_links(stand, page.number),
        "places": [each for each in places if each is not None and each.page == page.number],
        "fields": fields,
        "kinds": [(str(kind), label) for kind, label in words.KINDS.items() if kind is not Kind.UNKNOWN],
        "kind_label": words.KINDS[found.kind],
        "kind_was": words.KINDS[found.read_kind] if found.read_kind is not found.kind else "",
        "kind_failed": found.failed_of("kind"),
        "lines": lines,
        "lines_left_out": bool(found.read_lines) and not found.lines,
        "lines_failed": found.failed_of("lines"),
        "subtotal": subtotal,
        "subtotal_left_out": found.subtotal is not None and not found.subtotal.value,
        "subtotal_failed": found.failed_of("subtotal"),
        "rows": rows,
        "rows_failed": found.failed_of("rows"),
        "row_pages": row_pages(found, page.number),
        "entered": sum(row.is_entered for row in found.rows),
        "unread": found.unread,
        "is_unread_settled": "pages" in found.settled,
        "blocking": [(problem.field, words.label_of(problem.field), problem.sentence) for problem in found.problems],
        **_alike(stand, is_open),
        "will_be": will_be(found),
        "seen": stand.last,
    }


def _alike(stand: Stand, is_open: bool) -> dict[str, Any]:
    """What may be entered already; where it is too many to be ticked one by one, the first of them, how many it is,
    and the digest that says which.
    """
    found = services.alike_to(stand) if is_open else []
    first = [entry_row(each) for each in found[:MOST_TICKED]]
    if len(found) <= MOST_TICKED:
        return {"alike": first, "alike_all": 0}
    return {"alike": first, "alike_all": len(found), "alike_digest": services.digest_of(found)}


def not_read_context(document: Document, user: Any) -> dict[str, Any]:
    """The page of a document that was not read: its head, and what was done with it."""
    return document_context(document, user) | history_context(document, queries.decisions_of(document))


def document_context(document: Document, user: Any) -> dict[str, Any]:
    """What the head of every document's page shows, whatever has become of it."""
    of_client, of_all = queries.waiting_counts(document.client_id)
    return {
        "document": document,
        "client": document.client,
        "is_restricted": is_restricted(document.client),
        "came": f"Sent by {name_of(document.by)}" if document.by else "Came by the folder",
        "next": queries.next_after(document),
        "waiting_of_client": of_client,
        "waiting_of_all": of_all,
        "may_write": user.may_write,
    }


def will_be(found: Revised) -> str:
    """What approval enters, in a sentence; "" where something blocks it."""
    if found.problems:
        return ""
    entries = entries_of(found)
    first = entries[0]
    if first.kind is EntryKind.BANK:
        return "One bank line is entered." if len(entries) == 1 else f"{len(entries)} bank lines are entered."
    gst = "no GST said" if first.gst_cents is None else f"GST {money(first.gst_cents, first.currency)}"
    lines = len(first.lines)
    of = f"with its {lines} lines" if lines > 1 else "with its line" if lines else "by its total alone"
    what, dated = _ENTERED_AS[first.kind], words.short_day(first.dated.isoformat())
    return f"{what} of {money(first.total_cents, first.currency)}, {gst}, dated {dated}, is entered {of}."


def progress_words(document: Document) -> str:
    """How far the reading of a document is."""
    if document.status == Document.Status.WAITING:
        waited = (timezone.now() - document.at).total_seconds()
        return "It waits for a reader." if waited > WAITED_LONG_S else "It will be read in a moment."
    if document.page_count:
        return f"Page {min(document.pages_done + 1, document.page_count)} of {document.page_count} is being read."
    return "It is being read."
