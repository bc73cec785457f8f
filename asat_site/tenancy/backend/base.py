"""The one place that sets and clears search path, practice and user on a database connection.

Built on django-tenants' wrapper, which knows when a path must be set again; here the three settings travel in one
statement, with bound values, so that none can be present without the others. What was sent is remembered, and sent
again only when it changed or when the server may have dropped it: a rollback, a rollback to a savepoint, a COMMIT
of a failed transaction and a new connection all undo session settings. A new thread has a wrapper of its own, which
starts in `public` with neither practice nor user, and then no policy lets a tenant row through.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import Error
from django_tenants.postgresql_backend.base import DatabaseWrapper as TenantsWrapper
from django_tenants.utils import quote_schema_name
from psycopg.pq import TransactionStatus

_SET = (
    "SELECT set_config('search_path', %s, false),"
    " set_config('asat.practice_id', %s, false),"
    " set_config('asat.user_id', %s, false)"
)


class DatabaseWrapper(TenantsWrapper):
    """A connection that always speaks as exactly one practice and user, or as none."""

    search_path_set_schemas: Any  # what the server was last told, or None; the base forgets it where it must
    _setting_search_path: bool
    practice_id: uuid.UUID | None = None
    user_id: uuid.UUID | None = None

    def set_tenant(self, tenant: Any, include_public: bool = True) -> None:
        """Choose the practice, and no user; takes effect with the next cursor.

        A bare schema name (django-tenants' `set_schema`) chooses a path and no practice: no tenant row is visible.
        """
        self.practice_id = _uuid_or_none(getattr(tenant, "id", None))
        self.user_id = None
        super().set_tenant(tenant, include_public)

    def set_user(self, user_id: uuid.UUID | None) -> None:
        """Name the signed-in user, within the practice already chosen."""
        if user_id is not None and self.practice_id is None:
            raise ImproperlyConfigured(
                "A user was set on a connection that is in no practice; enter the practice first."
            )
        self.user_id = _uuid_or_none(user_id)

    def clear_practice(self) -> None:
        """Leave the practice: public path, no practice, no user, also on the server.

        A transaction that somebody opened by hand and left is given up with its connection, so that the next user
        of this thread does not inherit it. Inside `atomic` the cleared settings go out with the next cursor.
        """
        self.set_schema_to_public()
        if self.connection is None or self.in_atomic_block:
            return
        if not self.get_autocommit() or self._transaction_status() != TransactionStatus.IDLE:
            self.close()
            return
        try:
            self._handle_search_path()
        except Error:  # the server has gone; there is nothing left to clear
            self.close()

    def rollback(self) -> None:
        # The base forgets before it rolls back; forgetting after as well costs nothing and cannot be interrupted.
        try:
            super().rollback()
        finally:
            self.search_path_set_schemas = None

    def _handle_search_path(self, cursor: Any = None) -> None:
        """Send the three settings if they differ from what this connection was last told."""
        if self._setting_search_path:
            return
        wanted = self._wanted_settings()
        if self.search_path_set_schemas == wanted:
            return
        self.search_path_set_schemas = None
        if self._transaction_status() == TransactionStatus.INERROR:
            return  # nothing but a rollback can run now, and that makes us send them again
        self._setting_search_path = True
        try:
            with self.wrap_database_errors, self.connection.cursor() as raw:
                raw.execute(_SET, wanted)
        finally:
            self._setting_search_path = False
        self.search_path_set_schemas = wanted

    def _wanted_settings(self) -> tuple[str, str, str]:
        if not self.schema_name:
            raise ImproperlyConfigured("The connection has no schema; enter a practice or public first.")
        # pg_temp is named so that it comes last: unnamed, it would come first, and a temporary table could stand
        # in for one of ours.
        names = [quote_schema_name(name) for name in self._get_cursor_search_paths()] + ["pg_temp"]
        return ", ".join(names), str(self.practice_id or ""), str(self.user_id or "")

    def _transaction_status(self) -> TransactionStatus:
        return TransactionStatus(self.connection.info.transaction_status)

    def _commit(self) -> None:
        # COMMIT of a failed transaction is a rollback that raises nothing.
        failed = self.connection is not None and self._transaction_status() == TransactionStatus.INERROR
        try:
            super()._commit()
        except BaseException:
            failed = True
            raise
        finally:
            if failed:
                self.search_path_set_schemas = None

    def _close(self) -> None:
        self.search_path_set_schemas = None
        if self.connection is not None and self.pool:
            self._clear_before_return(self.connection)
        super()._close()

    @staticmethod
    def _clear_before_return(connection: Any) -> None:
        """Take the settings off a pooled connection; one that cannot be cleaned is closed, not returned."""
        try:
            connection.rollback()
            connection.execute(_SET, ("public, pg_temp", "", ""))
            connection.commit()
        except Exception:  # whatever went wrong, the connection must not be used again
            connection.close()


def _uuid_or_none(value: Any) -> uuid.UUID | None:
    return value if value is None or isinstance(value, uuid.UUID) else uuid.UUID(str(value))
