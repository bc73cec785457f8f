"""The keeper: what a practice's own machinery is called on a connection where no person may be meant.

A restricted client is hidden from everybody who is not assigned to it, and so from a worker that speaks for nobody.
Six things must see it all the same: what takes names out of a question before a model elsewhere reads it, what renews
sealed secrets, what continues the audit chain, what finds the questions that a worker lost, what looks whether a
company that is brought in is a client already, and what takes documents from their folder and reads them. Each enters
here, for as long as it reads. No person has this id and no page uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS

from asat_site.tenancy.context import practice_connection

KEEPER_ID = UUID("00000000-0000-4000-8000-0000000000ff")  # as the policies of the clients app write it


@contextmanager
def as_user(user_id: UUID | None, *, using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Speak as this user within the practice that is spoken for; leaves as it found it, also after an error."""
    connection = practice_connection(using)
    before = connection.user_id
    connection.set_user(user_id)
    try:
        yield
    finally:
        connection.set_user(before)


@contextmanager
def as_keeper(*, using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Speak as the keeper within the practice that is spoken for; leaves as it found it, also after an error."""
    with as_user(KEEPER_ID, using=using):
        yield
