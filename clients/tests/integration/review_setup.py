"""What tests of the review share: documents that were read, without a worker, and what was entered of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any
from uuid import uuid4

from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients.extraction import as_json
from clients.extraction.listed import listed
from clients.extraction.revised import revised
from clients.extraction.rules import RulesExtractor
from clients.models import Client, Document, DocumentPage, Transaction
from clients.review import services
from clients.tests.integration.document_setup import made_client, pdf, sent
from clients.tests.unit.papers import page

TODAY = date(2026, 11, 30)
INVOICE = """
Ockley Timber Pty Ltd                                 TAX INVOICE
ABN 51 824 753 556

Bill to:                           Invoice No:     SI-10441
Brindle Catering                   Date:           23/02/2026
ABN 33 051 775 556                 Due Date:       25/03/2026

Description              Qty       Price          Amount
Hardwood decking         10        95.00          950.00
Freight to site          1         50.00          50.00

                                   Subtotal       $1,000.00
                                   GST            $100.00
                                   Total          $1,100.00
"""
STATEMENT = """
Velmont Mutual Bank
Statement period 28 December 2025 to 10 January 2026

Date       Transaction                 Debit        Credit       Balance
28 Dec     Opening balance                                      $500.00
30 Dec     Card purchase 11           50.00                     $450.00
02 Jan     Deposit customer                         200.00      $650.00
10 Jan     Closing balance                                      $650.00
"""
__all__ = ["INVOICE", "STATEMENT", "entered", "made_client", "read_document", "speaking", "stands", "with_status"]


@contextmanager
def speaking(known: KnownPractice, role: str = "staff") -> Iterator[Any]:
    """In the practice, as its user of that role."""
    with in_practice(known.practice, known.users[role].pk):
        yield known.users[role]


def read_document(known: KnownPractice, client: Client, text: str = INVOICE, name: str = "invoice.pdf") -> Document:
    """A document under review, whose page says this."""
    document = sent(known, client, pdf(uuid4().hex), name)
    pages = [page(text)]
    found = RulesExtractor().extract(pages, TODAY)
    with in_practice(known.practice), as_keeper():
        DocumentPage.objects.create(
            document=document, client_id=client.pk, number=1, page=as_json.page_as_json(pages[0])
        )
        Document.objects.filter(pk=document.pk).update(
            status="review",
            reading=as_json.extraction_as_json(found),
            page_count=1,
            read_at=timezone.now(),
            **listed(revised(found, pages, (), TODAY)),
        )
        return Document.objects.get(pk=document.pk)


def with_status(known: KnownPractice, document: Document, status: str, **changes: object) -> Document:
    """The document, put where a worker or a person would have put it."""
    with in_practice(known.practice), as_keeper():
        Document.objects.filter(pk=document.pk).update(status=status, **changes)
        return Document.objects.get(pk=document.pk)


def entered(known: KnownPractice, document: Document) -> list[Transaction]:
    """Its entries, in the order they were made."""
    with in_practice(known.practice), as_keeper():
        return list(Transaction.objects.filter(document=document).order_by("at", "position"))


def stands(known: KnownPractice, document: Document) -> services.Stand:
    """The document as it stands."""
    with in_practice(known.practice), as_keeper():
        return services.stand_of(Document.objects.get(pk=document.pk))
