"""in_practice(): the one way into a practice for tasks, commands and streams. Requests go through the middleware."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from django.db import DEFAULT_DB_ALIAS, connections

from asat_site.tenancy.backend.base import DatabaseWrapper
from asat_site.tenancy.models import Practice


class NoSuchPractice(Exception):
    """There is no practice with the id, schema or host given."""


class PracticeLingers(Exception):
    """A connection that should have been clean still speaks for a practice."""


@contextmanager
def in_practice(
    practice: Practice | uuid.UUID | str, user_id: uuid.UUID | None = None, *, using: str = DEFAULT_DB_ALIAS
) -> Iterator[Practice]:
    """Speak as the practice (and user) on this thread's connection; leaves as it found it, also after an error.

    practice: the row, its id (UUID or text), or its schema name. Raises NoSuchPractice.
    May be nested; the inner practice holds inside, the outer again afterwards.
    """
    found = practice if isinstance(practice, Practice) else find_practice(practice, using=using)
    connection = practice_connection(using)
    before, user_before = connection.tenant, connection.user_id
    connection.set_tenant(found)
    connection.set_user(user_id)
    try:
        yield found
    finally:
        if getattr(before, "id", None) is None:
            connection.clear_practice()
            connection.set_tenant(before)
        else:
            connection.set_tenant(before)
            connection.set_user(user_before)


def find_practice(key: uuid.UUID | str, *, using: str = DEFAULT_DB_ALIAS) -> Practice:
    """The practice with this id (UUID or its text) or schema name; raises NoSuchPractice."""
    rows = Practice.objects.using(using)
    try:
        return rows.get(id=key if isinstance(key, uuid.UUID) else uuid.UUID(key))
    except Practice.DoesNotExist:
        raise NoSuchPractice(f"There is no practice {key}.") from None
    except ValueError:
        pass
    try:
        return rows.get(schema_name=key)
    except Practice.DoesNotExist:
        raise NoSuchPractice(f"There is no practice with the schema {key!r}.") from None


def find_practice_by_host(host: str, *, using: str = DEFAULT_DB_ALIAS) -> Practice:
    """The practice that a host name (without port) leads to; raises NoSuchPractice."""
    try:
        return Practice.objects.using(using).get(domains__domain=host.lower().rstrip("."))
    except Practice.DoesNotExist:
        raise NoSuchPractice(f"There is no practice at {host!r}.") from None


def practice_connection(using: str = DEFAULT_DB_ALIAS) -> DatabaseWrapper:
    """This thread's connection, typed as the wrapper that knows practices."""
    return cast(DatabaseWrapper, connections[using])


def current_practice_id(using: str = DEFAULT_DB_ALIAS) -> uuid.UUID | None:
    """The practice this thread's connection speaks for, or None."""
    return practice_connection(using).practice_id
