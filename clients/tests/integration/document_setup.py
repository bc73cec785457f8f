"""What tests of documents share: files of our own making, clients with documents, and a scanner that says as told."""

from __future__ import annotations

import io
import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pymupdf
from django.test import override_settings
from PIL import Image

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients import services
from clients.documents import reading, taking
from clients.models import Client, Document

INVOICE = (
    "Harbour Pilots Pty Ltd",
    "ABN 51 824 753 556",
    "TAX INVOICE",
    "Invoice number: HP-1041",
    "Invoice date: 3 March 2026",
    "Due date: 17 March 2026",
    "Subtotal  $100.00",
    "GST  $10.00",
    "Total  $110.00",
)


def pdf(*lines: str, pages: int = 1, password: str = "") -> bytes:
    """A PDF with these lines on each page."""
    document = pymupdf.open()
    for _ in range(pages):
        page = document.new_page()
        for at, line in enumerate(lines or INVOICE):
            page.insert_text((60, 60 + 20 * at), line)
    locked = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": password} if password else {}
    return bytes(document.tobytes(**locked))


def with_hidden(words: str) -> bytes:
    """The invoice, with words that nobody who looks at it can see."""
    document = pymupdf.open(stream=pdf(), filetype="pdf")
    document[0].insert_text((60, 400), words, render_mode=3)
    return bytes(document.tobytes())


def png() -> bytes:
    kept = io.BytesIO()
    Image.new("L", (60, 40), 255).save(kept, "PNG")
    return kept.getvalue()


def made_client(known: KnownPractice, name: str = "Quiet Holdings Pty Ltd", *, is_restricted: bool = False) -> Client:
    """A client; restricted: to `staff` alone."""
    with in_practice(known.practice, known.users["staff"].pk):
        client = services.keep(known.users["staff"], Client(name=name))
    if is_restricted:
        with in_practice(known.practice, known.users["owner"].pk):
            services.assign(known.users["owner"], [client], known.users["staff"])
            services.restrict(known.users["owner"], client)
    return client


def sent(known: KnownPractice, client: Client, content: bytes | None = None, name: str = "invoice.pdf") -> Document:
    """A document that waits to be read."""
    with in_practice(known.practice, known.users["staff"].pk):
        taken = taking.take(known.users["staff"], client, name, pdf() if content is None else content, "upload")
        assert taken.document is not None, taken.why
        return taken.document


def read(known: KnownPractice, document: Document, places: int = 64) -> Document:
    """The document after a worker had it, as it stands then. places: more than a worker of the run's could hold."""
    with in_practice(known.practice), as_keeper(), override_settings(ASAT_DOCUMENT_READERS=places):
        reading.read(document.pk)
        return Document.objects.get(pk=document.pk)


class _Daemon(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    answer: bytes = b"stream: OK\0"
    seen: list[bytes]


class _Session(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server = self.server
        assert isinstance(server, _Daemon)
        if self.rfile.read(10) != b"zINSTREAM\0":
            return
        content = b""
        while length := struct.unpack("!L", self.rfile.read(4))[0]:
            content += self.rfile.read(length)
        server.seen.append(content)
        self.wfile.write(server.answer)


@contextmanager
def clamd(answer: bytes = b"stream: OK\0") -> Iterator[tuple[str, list[bytes]]]:
    """A daemon that answers so; (its address as ASAT_VIRUS_SCANNER has it, what it was shown)."""
    with _Daemon(("127.0.0.1", 0), _Session) as server:
        server.answer, server.seen = answer, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"clamd://127.0.0.1:{server.server_address[1]}", server.seen
        finally:
            server.shutdown()
