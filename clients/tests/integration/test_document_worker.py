"""A document's whole way in: sent by a browser, asked for through the broker, read by a worker that runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients.models import Document
from clients.tests.integration.document_setup import made_client, pdf


def test_a_real_worker_reads_what_a_browser_sent(throwaway: Callable[[], KnownPractice], worker: Path) -> None:
    known = throwaway()
    client, content = made_client(known, "Quiet Worker Pty Ltd", is_restricted=True), pdf()
    given = {"file": SimpleUploadedFile("Quiet invoice.pdf", content)}
    answer = known.client().post(
        f"/clients/{client.pk}/documents/upload/", given, headers={"accept": "application/json"}
    )
    assert answer.json()["files"][0]["outcome"] == "new"
    deadline = time.monotonic() + 60
    with in_practice(known.practice, known.users["staff"].pk):
        while Document.objects.get(client=client).status != "review" and time.monotonic() < deadline:
            time.sleep(0.1)
        document = Document.objects.get(client=client)
        assert (document.status, document.total_cents, document.attempts) == ("review", 11000, 1)
    log = worker.read_text(errors="replace")
    assert "Quiet" not in log and "Harbour" not in log
