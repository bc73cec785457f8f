"""Practices, hosts, upgrades, failed tasks; the functions that policies ask; the two extensions.

Only these functions read the settings. They are inlinable SQL: a policy function in PL/pgSQL cost 70 % of a search.
"""

import uuid

import django.db.models.deletion
import django_tenants.postgresql_backend.base
from django.db import migrations, models

FUNCTIONS = """
CREATE SCHEMA IF NOT EXISTS asat;
CREATE FUNCTION asat.practice_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT NULLIF(current_setting('asat.practice_id', true), '')::uuid $$;
CREATE FUNCTION asat.user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT NULLIF(current_setting('asat.user_id', true), '')::uuid $$;
CREATE FUNCTION asat.is_platform() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT NULLIF(current_setting('asat.practice_id', true), '')::uuid
        IS NOT DISTINCT FROM '00000000-0000-4000-8000-000000000001'::uuid $$;
GRANT USAGE ON SCHEMA asat TO asat_app;
"""

NO_FUNCTIONS = """
DROP FUNCTION asat.is_platform();
DROP FUNCTION asat.user_id();
DROP FUNCTION asat.practice_id();
"""

# Made once, in public: made in a practice's schema, an extension would be missing from every other.
EXTENSIONS = """
CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;
"""

# Routing must find a practice before it is in one, so these three carry no policy; the app may only read them.
# A failed task is seen by its own practice and by the platform; one that belongs to no practice, by the platform.
WALLS = """
INSERT INTO tenancy_practice (id, schema_name, name, created_at)
    VALUES ('00000000-0000-4000-8000-000000000001', 'public', 'Platform', now());
REVOKE ALL ON tenancy_practice, tenancy_domain, tenancy_upgrade, tenancy_taskfailure FROM asat_app;
GRANT SELECT ON tenancy_practice, tenancy_domain, tenancy_upgrade TO asat_app;
GRANT SELECT, INSERT ON tenancy_taskfailure TO asat_app;
ALTER TABLE tenancy_practice ADD CONSTRAINT practice_schema_plain
    CHECK (schema_name = 'public' OR schema_name ~ '^p_[a-z0-9_]{1,60}$');
ALTER TABLE tenancy_domain ADD CONSTRAINT domain_plain CHECK (domain ~ '^[a-z0-9.-]{1,253}$');
ALTER TABLE tenancy_taskfailure ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenancy_taskfailure FORCE ROW LEVEL SECURITY;
CREATE POLICY failure_read ON tenancy_taskfailure FOR SELECT
    USING (practice_id = asat.practice_id() OR asat.is_platform());
CREATE POLICY failure_write ON tenancy_taskfailure FOR INSERT
    WITH CHECK (practice_id = asat.practice_id() OR asat.is_platform());
"""

NO_WALLS = """
DROP POLICY failure_write ON tenancy_taskfailure;
DROP POLICY failure_read ON tenancy_taskfailure;
ALTER TABLE tenancy_taskfailure NO FORCE ROW LEVEL SECURITY;
ALTER TABLE tenancy_taskfailure DISABLE ROW LEVEL SECURITY;
ALTER TABLE tenancy_domain DROP CONSTRAINT domain_plain;
ALTER TABLE tenancy_practice DROP CONSTRAINT practice_schema_plain;
DELETE FROM tenancy_practice WHERE schema_name = 'public';
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        migrations.RunSQL(EXTENSIONS, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="Practice",
            fields=[
                (
                    "schema_name",
                    models.CharField(
                        db_index=True,
                        max_length=63,
                        unique=True,
                        validators=[django_tenants.postgresql_backend.base._check_schema_name],
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["name"]},
        ),
        migrations.CreateModel(
            name="TaskFailure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("practice_id", models.UUIDField(editable=False, null=True)),
                ("task", models.CharField(max_length=120)),
                ("task_id", models.CharField(max_length=60)),
                ("error", models.CharField(max_length=200)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["-at", "-id"]},
        ),
        migrations.CreateModel(
            name="Upgrade",
            fields=[
                (
                    "practice",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="upgrade",
                        serialize=False,
                        to="tenancy.practice",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done"), ("failed", "Failed")], max_length=10
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=300)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="Domain",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("domain", models.CharField(db_index=True, max_length=253, unique=True)),
                ("is_primary", models.BooleanField(db_index=True, default=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="domains", to="tenancy.practice"
                    ),
                ),
            ],
            options={"verbose_name": "host", "ordering": ["domain"]},
        ),
        migrations.RunSQL(WALLS, NO_WALLS),
    ]
