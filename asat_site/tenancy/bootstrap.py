"""Makes the two roles, the database and their rights, given a superuser. Running it again changes nothing.

asat_owner owns the database and everything in it, and migrates. asat_app runs the web and the workers, owns
nothing, and gets its rights to what the owner makes later by default privileges. Neither may pass row-level
security. Uses psycopg alone, so that it runs before Django has a database to talk to.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql

OWNER = "asat_owner"
APP = "asat_app"
EXTENSIONS = ("vector", "btree_gist")


@dataclass(frozen=True, slots=True)
class Addresses:
    """The URLs to connect with: DATABASE_URL and DATABASE_APP_URL."""

    owner: str
    app: str


def bootstrap(superuser_dsn: str, *, owner_password: str, app_password: str, database: str = "asat") -> Addresses:
    """Make or mend roles, database, extensions and rights; returns the two URLs. Raises psycopg.Error."""
    with psycopg.connect(superuser_dsn, autocommit=True) as cluster:
        for role, password in ((OWNER, owner_password), (APP, app_password)):
            _make_role(cluster, role, password)
        found = cluster.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
        if found is None:
            # template0, so that nothing local to the machine comes along.
            cluster.execute(
                sql.SQL("CREATE DATABASE {} OWNER {} ENCODING 'UTF8' TEMPLATE template0").format(
                    sql.Identifier(database), sql.Identifier(OWNER)
                )
            )
        host, port = cluster.info.host, cluster.info.port
    with psycopg.connect(superuser_dsn, dbname=database, autocommit=True) as connection:
        _give_rights(connection, database)
        for extension in EXTENSIONS:
            connection.execute(
                sql.SQL("CREATE EXTENSION IF NOT EXISTS {} WITH SCHEMA public").format(sql.Identifier(extension))
            )
    return Addresses(
        owner=address(OWNER, owner_password, host, port, database),
        app=address(APP, app_password, host, port, database),
    )


def address(user: str, password: str, host: str, port: int, database: str) -> str:
    """A postgresql:// URL; a host that is a folder (a Unix socket) goes into the parameters."""
    who = f"{quote(user, safe='')}:{quote(password, safe='')}"
    if host.startswith("/"):
        return f"postgresql://{who}@/{quote(database, safe='')}?{urlencode({'host': host, 'port': port})}"
    return f"postgresql://{who}@{host}:{port}/{quote(database, safe='')}"


def _make_role(connection: psycopg.Connection, role: str, password: str) -> None:
    name = sql.Identifier(role)
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone() is None:
        connection.execute(sql.SQL("CREATE ROLE {}").format(name))
    connection.execute(
        sql.SQL(
            "ALTER ROLE {} WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD {}"
        ).format(name, sql.Literal(password))
    )


def _give_rights(connection: psycopg.Connection, database: str) -> None:
    owner, app = sql.Identifier(OWNER), sql.Identifier(APP)
    names = {"owner": owner, "app": app, "database": sql.Identifier(database)}
    for statement in (
        "ALTER DATABASE {database} OWNER TO {owner}",
        "REVOKE ALL ON DATABASE {database} FROM PUBLIC",
        "GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {app}",
        "ALTER SCHEMA public OWNER TO {owner}",
        "REVOKE ALL ON SCHEMA public FROM PUBLIC",
        "GRANT USAGE ON SCHEMA public TO {app}",
        "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT USAGE ON SCHEMAS TO {app}",
        "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {app}",
        "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT USAGE, SELECT ON SEQUENCES TO {app}",
    ):
        connection.execute(sql.SQL(statement).format(**names))
    # A member of the owning role could SET ROLE to it and step round every policy.
    if connection.execute("SELECT pg_has_role(%s, %s, 'MEMBER')", [APP, OWNER]).fetchone() == (True,):
        connection.execute(sql.SQL("REVOKE {owner} FROM {app}").format(**names))
