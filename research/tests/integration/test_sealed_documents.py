"""`manage.py secrets` goes through the keys of documents, and never touches what they seal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from asat_site import secrets
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients.documents import storing
from clients.models import DocumentFile
from clients.tests.integration.document_setup import made_client, pdf, sent
from research.management.commands.secrets import look_through


def test_keys_of_documents_are_sealed_anew_and_the_bytes_stay(
    throwaway: Callable[[], KnownPractice], settings: Any
) -> None:
    known, content = throwaway(), pdf()
    document = sent(known, made_client(known, is_restricted=True), content)
    old = settings.ENCRYPTION_KEYS
    settings.ENCRYPTION_KEYS = [("newer", b"n" * 32), *old]
    with in_practice(known.practice), as_keeper():
        before = bytes(DocumentFile.objects.get().content)
    checked, renewed = look_through(known.practice, renews=False), look_through(known.practice, renews=True)
    assert (checked.renewed, renewed.current, renewed.renewed, renewed.broken) == (1, 0, 1, [])
    settings.ENCRYPTION_KEYS = [("newer", b"n" * 32)]
    with in_practice(known.practice), as_keeper():
        kept = DocumentFile.objects.get()
        assert bytes(kept.content) == before and secrets.is_under_first_key(kept.sealed_key)
        assert storing.content_of(document) == content
        settings.ENCRYPTION_KEYS = old
        with pytest.raises(storing.CannotOpenFile, match="not among those set"):
            storing.content_of(document)
    assert look_through(known.practice, renews=False).broken[0].startswith(f"row {document.pk}: ")
