"""The second wall around Django's own tables: users, sessions, permissions, types, the admin log, the migrations.

Django knows nothing of the column; the database fills it in from the session and the policy checks it. It is the
last migration of the apps it touches, and needs the practice to be set while it runs (`manage.py upgrade` does that).
"""

from django.db import migrations

ALREADY_CARRYING = ("accounts_user",)
THIRD_PARTY = (
    "accounts_user_groups",
    "accounts_user_user_permissions",
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_admin_log",
    "django_content_type",
    "django_migrations",
    "django_session",
)

COLUMN = "ALTER TABLE {table} ADD COLUMN practice_id uuid NOT NULL DEFAULT asat.practice_id();"
WALL = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY practice_rows ON {table}
    USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
"""
NO_COLUMN = "ALTER TABLE {table} DROP COLUMN practice_id;"
NO_WALL = """
DROP POLICY practice_rows ON {table};
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
"""

FORWARD = "\n".join(
    [COLUMN.format(table=table) for table in THIRD_PARTY]
    + [WALL.format(table=table) for table in ALREADY_CARRYING + THIRD_PARTY]
    + ["REVOKE INSERT, UPDATE, DELETE ON django_migrations, django_content_type, auth_permission FROM asat_app;"]
)
REVERSE = "\n".join(
    [NO_WALL.format(table=table) for table in ALREADY_CARRYING + THIRD_PARTY]
    + [NO_COLUMN.format(table=table) for table in THIRD_PARTY]
)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
    ]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
