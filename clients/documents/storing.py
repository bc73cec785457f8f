"""The bytes of documents: kept in the database, sealed unless a site says otherwise, and given back unaltered.

Each document has a data key of its own. It seals the bytes, bound to practice and document, and is itself sealed as
every secret is (`asat_site.secrets`): what rotates is 32 bytes, and the bytes that came stay as they were written.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from asat_site import secrets
from asat_site.tenancy.context import current_practice_id
from clients.models import Document, DocumentFile
from clients.models.base import NotInAPractice

TABLE, COLUMN = "clients_documentfile", "sealed_key"
NONCE_BYTES = 12
KEY_BYTES = 32


class CannotOpenFile(Exception):
    """The bytes of a document are not to be had as they came, and why, in a sentence; never what they are."""


def keep(document: Document, content: bytes) -> DocumentFile:
    """The bytes of a document whose row is there already. Raises NotInAPractice."""
    practice = current_practice_id()
    if practice is None:
        raise NotInAPractice("Enter the practice before a document is kept.")
    sealed_key = ""
    if settings.ASAT_SEAL_DOCUMENTS:
        key = AESGCM.generate_key(8 * KEY_BYTES)
        nonce = os.urandom(NONCE_BYTES)
        content = nonce + AESGCM(key).encrypt(nonce, content, _place(practice, document.pk))
        sealed_key = secrets.seal(
            base64.b64encode(key).decode(), practice=practice, table=TABLE, column=COLUMN, row=document.pk
        )
    return DocumentFile.objects.create(
        document_id=document.pk, client_id=document.client_id, content=content, sealed_key=sealed_key
    )


def content_of(document: Document) -> bytes:
    """The file as it came, byte for byte. Raises CannotOpenFile."""
    kept = DocumentFile.objects.filter(pk=document.pk).first()
    if kept is None:
        raise CannotOpenFile("The file of this document is not there.")
    content = bytes(kept.content)
    if kept.sealed_key:
        content = _opened(kept, content)
    if hashlib.sha256(content).hexdigest() != document.sha256:
        raise CannotOpenFile("The file of this document is not as it came: its checksum differs. It is not used.")
    return content


@contextmanager
def as_path(content: bytes) -> Iterator[Path]:
    """Where a reader's process finds the bytes until this ends: in memory, on no disk, where the system has that."""
    if not hasattr(os, "memfd_create"):
        with tempfile.NamedTemporaryFile(prefix="asat-") as kept:  # readable by its owner alone
            kept.write(content)
            kept.flush()
            yield Path(kept.name)
        return
    with os.fdopen(os.memfd_create("document"), "wb") as file:
        file.write(content)
        file.flush()
        yield Path(f"/proc/{os.getpid()}/fd/{file.fileno()}")


def _opened(kept: DocumentFile, content: bytes) -> bytes:
    try:
        key = secrets.open_sealed(
            kept.sealed_key, practice=kept.practice_id, table=TABLE, column=COLUMN, row=kept.document_id
        )
        cipher = AESGCM(base64.b64decode(key, validate=True))
        place = _place(kept.practice_id, kept.document_id)
        return cipher.decrypt(content[:NONCE_BYTES], content[NONCE_BYTES:], place)
    except secrets.UnknownKey:
        raise CannotOpenFile(
            "The file of this document is sealed under a key that is not among those set. Whoever runs this site can "
            "put that key back."
        ) from None
    except (secrets.CannotOpen, InvalidTag, ValueError, binascii.Error):
        raise CannotOpenFile("The file of this document does not open: it was altered, or sealed elsewhere.") from None


def _place(practice: UUID, document: UUID) -> bytes:
    """The associated data: bytes copied to another document or practice do not open there."""
    return json.dumps(["1", str(practice), TABLE, "content", str(document)]).encode()
