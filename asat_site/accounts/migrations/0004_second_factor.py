"""The second wall around the tables of the sign-in's library: second factors, and addresses that stay empty.

It is the last migration of the apps it touches. Our own users hold the address that counts, so nothing is written to
the library's two tables of addresses.
"""

from django.db import migrations

TABLES = ("account_emailaddress", "account_emailconfirmation", "mfa_authenticator")

WALL = """
ALTER TABLE {table} ADD COLUMN practice_id uuid NOT NULL DEFAULT asat.practice_id();
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY practice_rows ON {table}
    USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
REVOKE TRUNCATE ON {table} FROM asat_app;
"""
NO_WALL = """
DROP POLICY practice_rows ON {table};
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
ALTER TABLE {table} DROP COLUMN practice_id;
"""
EMPTY = "REVOKE INSERT, UPDATE ON account_emailaddress, account_emailconfirmation FROM asat_app;"

FORWARD = "\n".join([WALL.format(table=table) for table in TABLES] + [EMPTY])
REVERSE = "\n".join(NO_WALL.format(table=table) for table in TABLES)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_api_tokens"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
