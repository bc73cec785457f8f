"""Sealing of secrets that are stored: AES-256-GCM, each bound to the one place that it is stored in.

A sealed secret opens only for the practice, table, column and row that it was sealed for: copied elsewhere it is
noise. Every practice has keys of its own, derived from those of ASAT_ENCRYPTION_KEYS. The first of these seals and all
open, so a key is replaced by putting a new one in front, running `manage.py secrets rotate`, and taking the old one
out. Nothing here writes a secret into a message.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

VERSION = "1"
NONCE_BYTES = 12
SEALED = re.compile(rf"{VERSION}\.([A-Za-z0-9_-]{{1,32}})\.([A-Za-z0-9_-]+={{0,2}})")


class CannotOpen(Exception):
    """A stored secret does not open; the message says why and what to do, and never what it is."""


class UnknownKey(CannotOpen):
    """It was sealed under a key that is not among ASAT_ENCRYPTION_KEYS any more."""


def seal(text: str, *, practice: UUID, table: str, column: str, row: UUID) -> str:
    """The secret as it may be stored: version, key id and ciphertext, in letters that any column takes.

    row: what names the row for good. The same secret sealed twice reads differently.
    """
    key_id, key = settings.ENCRYPTION_KEYS[0]
    nonce = os.urandom(NONCE_BYTES)
    bound = _place(key_id, practice, table, column, row)
    sealed = nonce + _cipher(key, practice).encrypt(nonce, text.encode(), bound)
    return f"{VERSION}.{key_id}.{base64.urlsafe_b64encode(sealed).decode()}"


def open_sealed(sealed: str, *, practice: UUID, table: str, column: str, row: UUID) -> str:
    """The secret that was sealed for this very place. Raises CannotOpen, or UnknownKey."""
    written = SEALED.fullmatch(sealed)
    if written is None:
        raise CannotOpen(f"What {table}.{column} holds was not sealed by AsAt; enter the secret again.")
    key_id = written[1]
    key = dict(settings.ENCRYPTION_KEYS).get(key_id)
    if key is None:
        raise UnknownKey(
            f"{table}.{column} was sealed under the key {key_id!r}, which ASAT_ENCRYPTION_KEYS does not name; "
            "put that key back behind the first, or enter the secret again."
        )
    bound = _place(key_id, practice, table, column, row)
    try:
        whole = base64.b64decode(written[2], altchars=b"-_", validate=True)
        return _cipher(key, practice).decrypt(whole[:NONCE_BYTES], whole[NONCE_BYTES:], bound).decode()
    except (InvalidTag, ValueError, binascii.Error):
        raise CannotOpen(
            f"{table}.{column} does not open here: it was sealed for another place or under another key of the name "
            f"{key_id!r}, or was altered; enter the secret again."
        ) from None


def is_under_first_key(sealed: str) -> bool:
    """Whether this was sealed under the key that seals now."""
    return sealed.startswith(f"{VERSION}.{settings.ENCRYPTION_KEYS[0][0]}.")


def _place(key_id: str, practice: UUID, table: str, column: str, row: UUID) -> bytes:
    """The associated data: JSON, since no two places have the same."""
    return json.dumps([VERSION, key_id, str(practice), table, column, str(row)]).encode()


def _cipher(key: bytes, practice: UUID) -> AESGCM:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"asat stored secrets " + practice.bytes)
    return AESGCM(derived.derive(key))
