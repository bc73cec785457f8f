"""A practice's tables made again, from what the migrations told the server when they made them the first time.

Migrating takes well over a second, nearly all of it Django working out how models stood between two migrations; what
reaches the server takes a quarter of a second, in one go. A test compares the two, table by table and row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connections
from psycopg import ClientCursor

from asat_site.tenancy.context import practice_connection
from asat_site.tenancy.upgrades import migrate_here

# What only asks, what begins or ends a part of a transaction, and what leads the connection to its schema.
_LEAVES_NOTHING = ("SELECT", "SHOW", "SAVEPOINT", "RELEASE SAVEPOINT", "SET search_path")


class Tables:
    """Makes the tables of the practice that a connection is in: migrates for the first, repeats that for the others."""

    def __init__(self) -> None:
        self._script = ""

    def make(self, alias: str) -> None:
        """The tables, with what migrations leave in them, in the practice that the alias's connection is in.

        Raises ValueError when a migration told the server which practice it was in, and so cannot be repeated.
        """
        if not self._script:
            self._script = _told_while_migrating(alias)
            return
        with connections[alias].cursor() as cursor:
            cursor.execute(self._script)
        ContentType.objects.clear_cache()  # as migrating does


def _told_while_migrating(alias: str) -> str:
    connection = practice_connection(alias)
    told: list[str] = []

    def listen(execute: Callable[..., Any], query: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if not query.lstrip().startswith(_LEAVES_NOTHING):
            rows = params if many else [params]
            told.extend(ClientCursor(connection.connection).mogrify(query, row) for row in rows)
        return execute(query, params, many, context)

    with connection.execute_wrapper(listen):
        migrate_here(alias)
    for name in (connection.schema_name, str(connection.practice_id)):
        if naming := [statement for statement in told if name in statement]:
            raise ValueError(f"A migration names its practice ({name}) and cannot be repeated in another: {naming[0]}")
    return ";\n".join(told)
