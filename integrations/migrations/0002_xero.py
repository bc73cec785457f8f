"""Xero: grants, attempts to connect, organisations, contacts and the outbox of bills, behind the practice's walls.

What points at a restricted client is seen by those assigned to it alone, as in clients/migrations/0002. The app deletes
nothing but which organisation is whose, when a client is disconnected, and a contact that is gone from Xero.
"""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLES = (
    "integrations_xerogrant",
    "integrations_xeroconsent",
    "integrations_xeroorganisation",
    "integrations_xerocontact",
    "integrations_xeropush",
)
OF_CLIENTS = TABLES[1:]
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
    REVOKE DELETE, TRUNCATE ON integrations_xerogrant, integrations_xeroconsent, integrations_xeropush FROM asat_app;
    REVOKE TRUNCATE ON integrations_xeroorganisation, integrations_xerocontact FROM asat_app;
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
    dependencies = [
        ("clients", "0002_register"),
        ("integrations", "0001_connections"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="XeroGrant",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("sealed_secrets", models.TextField(blank=True)),
                ("vendor_user", models.CharField(max_length=64)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120), blank=True, default=list, size=None
                    ),
                ),
                ("access_ends_at", models.DateTimeField()),
                ("refreshed_at", models.DateTimeField()),
                ("held_until", models.DateTimeField(null=True)),
                ("holder", models.UUIDField(null=True)),
                ("failing_since", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [models.UniqueConstraint(fields=("practice_id", "vendor_user"), name="xero_grant_once")],
            },
        ),
        migrations.CreateModel(
            name="XeroConsent",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("sealed_secrets", models.TextField(blank=True)),
                ("state_digest", models.CharField(max_length=64, unique=True)),
                ("session_digest", models.CharField(max_length=64)),
                ("redirect_uri", models.CharField(max_length=300)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("taken_at", models.DateTimeField(null=True)),
                ("event", models.CharField(blank=True, max_length=64)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="xero_consents", to="clients.client"
                    ),
                ),
                (
                    "grant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="integrations.xerogrant",
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="XeroContact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("tenant_id", models.CharField(max_length=36)),
                ("name_key", models.CharField(max_length=600)),
                ("contact_id", models.CharField(max_length=36)),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="xero_contacts", to="clients.client"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("practice_id", "tenant_id", "name_key"), name="xero_contact_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="XeroOrganisation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("tenant_id", models.CharField(max_length=36)),
                ("vendor_connection_id", models.CharField(max_length=36)),
                ("parked_until", models.DateTimeField(null=True)),
                ("parked_why", models.CharField(blank=True, max_length=400)),
                ("ending", models.BooleanField(default=False)),
                (
                    "client",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="xero_organisation",
                        to="clients.client",
                    ),
                ),
                (
                    "connection",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="xero", to="integrations.connection"
                    ),
                ),
                (
                    "grant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="organisations",
                        to="integrations.xerogrant",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [models.UniqueConstraint(fields=("practice_id", "tenant_id"), name="xero_tenant_once")],
            },
        ),
        migrations.CreateModel(
            name="XeroPush",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("tenant_id", models.CharField(max_length=36)),
                ("source_kind", models.CharField(max_length=40)),
                ("source_id", models.CharField(max_length=64)),
                ("bill", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Waiting"),
                            ("contact_resolved", "Contact found"),
                            ("bill_sent", "Sent, not confirmed yet"),
                            ("bill_confirmed", "In Xero, original to follow"),
                            ("attachment_sent", "Original sent, not confirmed yet"),
                            ("done", "In Xero as a draft"),
                            ("failed", "Not sent"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=1000)),
                (
                    "notes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=400), blank=True, default=list, size=None
                    ),
                ),
                ("contact_id", models.CharField(blank=True, max_length=36)),
                ("invoice_id", models.CharField(blank=True, max_length=36)),
                ("generation", models.PositiveIntegerField(default=0)),
                ("body", models.TextField(blank=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("may_exist", models.BooleanField(default=False)),
                ("url", models.CharField(blank=True, max_length=300)),
                ("attachment_name", models.CharField(blank=True, max_length=100)),
                ("attachment_bytes", models.PositiveIntegerField(null=True)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("claimed_until", models.DateTimeField(null=True)),
                ("not_before", models.DateTimeField(null=True)),
                ("queued_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="xero_pushes", to="clients.client"
                    ),
                ),
            ],
            options={
                "ordering": ["-queued_at", "id"],
                "indexes": [models.Index(fields=["client", "state", "queued_at"], name="xero_push_of_client")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("practice_id", "tenant_id", "source_kind", "source_id"), name="xero_push_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("invoice_id", ""), _negated=True),
                        fields=("practice_id", "tenant_id", "invoice_id"),
                        name="xero_bill_adopted_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "queued",
                                    "contact_resolved",
                                    "bill_sent",
                                    "bill_confirmed",
                                    "attachment_sent",
                                    "done",
                                    "failed",
                                ],
                            )
                        ),
                        name="xero_push_state_known",
                    ),
                ],
            },
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
