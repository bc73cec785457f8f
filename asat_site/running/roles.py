"""`python -m asat_site.running.roles`: makes the two roles and the database on a real PostgreSQL server, once.

Needs ASAT_SUPERUSER_URL (a superuser), and the DATABASE_URL and DATABASE_APP_URL that will be used afterwards: their
users and passwords are what is made. Running it again mends rights and changes nothing else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import psycopg

from asat_site.settings.env import BadSetting, Environment
from asat_site.tenancy.bootstrap import APP, OWNER, bootstrap


def make_roles(values: Mapping[str, str]) -> str:
    """Make them; returns the database's name. Raises BadSetting or psycopg.Error."""
    environment = Environment(values, lambda path: Path(path).read_text(encoding="utf-8"))
    superuser_url = environment.secret("ASAT_SUPERUSER_URL")
    owner, app = environment.database("DATABASE_URL"), environment.database("DATABASE_APP_URL")
    assert owner is not None and app is not None  # both are required above
    for name, address, role in (("DATABASE_URL", owner, OWNER), ("DATABASE_APP_URL", app, APP)):
        if address.user != role:
            raise BadSetting(f"{name} connects as {address.user!r}; the role must be {role}.")
        if not address.password:
            raise BadSetting(f"{name} holds no password; put the one that {role} shall have into it.")
    if owner.name != app.name:
        raise BadSetting(f"DATABASE_URL names database {owner.name!r} and DATABASE_APP_URL {app.name!r}; give one.")
    bootstrap(superuser_url, owner_password=owner.password, app_password=app.password, database=owner.name)
    return owner.name


def main() -> int:
    """0 when the roles are there, 1 with a reason otherwise."""
    try:
        database = make_roles(os.environ)
    except BadSetting as wrong:
        print(wrong, file=sys.stderr)
        return 1
    except psycopg.Error as refusal:
        print(f"PostgreSQL refused: {refusal}", file=sys.stderr)
        return 1
    print(f"Roles {OWNER} and {APP} and database {database} are ready.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
