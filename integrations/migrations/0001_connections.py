"""Connections to other products and what came in through them, behind the practice's walls.

What points at a restricted client is seen by those assigned to it alone, as in clients/migrations/0002. The app
deletes nothing but the companies of a list that is read anew. Where a client came from is fixed, but for the client:
two that are found to be one are merged.
"""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLES = (
    "integrations_connection",
    "integrations_importrun",
    "integrations_importedcompany",
    "integrations_clientorigin",
)
OF_CLIENTS = ("integrations_connection", "integrations_importedcompany", "integrations_clientorigin")
SEEN = "(client_id IS NULL OR client_id NOT IN (SELECT h.client_id FROM clients_hidden h))"

FORWARD = (
    "\n".join(
        f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY practice_rows ON {table}
            USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
        """
        for table in TABLES
    )
    + "".join(
        f"CREATE POLICY unhidden_client_id ON {table} AS RESTRICTIVE USING {SEEN} WITH CHECK {SEEN};\n"
        for table in OF_CLIENTS
    )
    + """
    REVOKE DELETE, TRUNCATE ON integrations_connection, integrations_importrun FROM asat_app;
    REVOKE UPDATE, DELETE, TRUNCATE ON integrations_clientorigin FROM asat_app;
    GRANT UPDATE (client_id) ON integrations_clientorigin TO asat_app;
    REVOKE TRUNCATE ON integrations_importedcompany FROM asat_app;
    """
)

REVERSE = "".join(f"DROP POLICY unhidden_client_id ON {table};\n" for table in OF_CLIENTS) + "\n".join(
    f"""
        DROP POLICY practice_rows ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """
    for table in TABLES
)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("clients", "0002_register"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Connection",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("kind", models.CharField(choices=[("hubspot", "HubSpot"), ("xero", "Xero")], max_length=10)),
                ("sealed_secrets", models.TextField(blank=True)),
                ("ends_with", models.CharField(blank=True, max_length=4)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("connected", "Connected"),
                            ("reconnect_required", "Reconnect required"),
                            ("disconnected", "Not connected"),
                        ],
                        default="disconnected",
                        max_length=20,
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=400)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120), blank=True, default=list, size=None
                    ),
                ),
                ("account_id", models.CharField(blank=True, max_length=100)),
                ("account_name", models.CharField(blank=True, max_length=300)),
                ("connected_at", models.DateTimeField(null=True)),
                ("checked_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                (
                    "client",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="connections",
                        to="clients.client",
                    ),
                ),
                (
                    "connected_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["kind", "id"],
            },
        ),
        migrations.CreateModel(
            name="ImportRun",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("reading", "Reading"),
                            ("previewed", "Ready to import"),
                            ("importing", "Importing"),
                            ("paused", "Paused"),
                            ("done", "Complete"),
                            ("stopped", "Stopped"),
                            ("failed", "Failed"),
                        ],
                        default="reading",
                        max_length=10,
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=400)),
                ("options", models.JSONField(default=dict)),
                ("cursor", models.CharField(blank=True, max_length=1000)),
                ("tally", models.JSONField(default=dict)),
                ("report", models.JSONField(default=dict)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                ("stop_asked_at", models.DateTimeField(null=True)),
                ("read_at", models.DateTimeField(null=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "connection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imports",
                        to="integrations.connection",
                    ),
                ),
                (
                    "started_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="ImportedCompany",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("vendor_id", models.CharField(max_length=64)),
                ("name", models.CharField(blank=True, max_length=300)),
                ("match_key", models.CharField(blank=True, max_length=300)),
                ("domain", models.CharField(blank=True, max_length=255)),
                ("abn", models.CharField(blank=True, max_length=11)),
                ("abn_note", models.CharField(blank=True, max_length=20)),
                ("name_note", models.CharField(blank=True, max_length=20)),
                ("outcome", models.CharField(max_length=20)),
                (
                    "client",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clients.client"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="companies",
                        to="integrations.importrun",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "imported companies",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="ClientOrigin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("kind", models.CharField(choices=[("hubspot", "HubSpot"), ("xero", "Xero")], max_length=10)),
                ("vendor_id", models.CharField(max_length=64)),
                ("came_at", models.DateTimeField(auto_now_add=True)),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="origins", to="clients.client"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="integrations.importrun"
                    ),
                ),
            ],
            options={
                "ordering": ["kind", "vendor_id"],
            },
        ),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.UniqueConstraint(
                fields=("practice_id", "kind", "client"), name="connection_once", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["connected", "reconnect_required", "disconnected"])),
                name="connection_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "disconnected"), _negated=True), ("sealed_secrets", ""), _connector="OR"
                ),
                name="connection_ended_without_secrets",
            ),
        ),
        migrations.AddConstraint(
            model_name="importrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["reading", "previewed", "importing", "paused"])),
                fields=("connection",),
                name="import_one_at_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="importedcompany",
            index=models.Index(fields=["run", "outcome", "number"], name="company_outcomes"),
        ),
        migrations.AddIndex(
            model_name="importedcompany",
            index=models.Index(fields=["run", "match_key"], name="company_names"),
        ),
        migrations.AddConstraint(
            model_name="importedcompany",
            constraint=models.UniqueConstraint(fields=("run", "vendor_id"), name="company_once_a_run"),
        ),
        migrations.AddConstraint(
            model_name="importedcompany",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="company_number_once"),
        ),
        migrations.AddConstraint(
            model_name="clientorigin",
            constraint=models.UniqueConstraint(fields=("practice_id", "kind", "vendor_id"), name="client_origin_once"),
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
