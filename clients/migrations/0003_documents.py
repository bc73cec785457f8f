"""Documents, what was decided of them, and transactions, behind the practice's walls.

All of it hangs off a client, and is seen as 0002 has it. What a person may have to account for stays: the bytes of a
file, decisions, approvals and transactions are never changed, but that all of them move with their client when two
clients are found to be one, that a file's key is sealed anew, and that an approval is taken back once. Triggers hold
everybody to that, the owner of the tables among them. What hangs off a document is its client's: a foreign key on both,
asked at the end of a transaction, so that a merge moves them one after the other.
"""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLES = (
    "clients_document", "clients_documentfile", "clients_documentpage", "clients_fielddecision", "clients_approval",
    "clients_transaction",
)  # fmt: skip
OF_DOCUMENT = TABLES[1:]
STAYING = ("clients_documentfile", "clients_fielddecision", "clients_approval", "clients_transaction")
SEEN = "client_id NOT IN (SELECT h.client_id FROM clients_hidden h)"

FORWARD = (
    "".join(
        f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY practice_rows ON {table}
            USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
        CREATE POLICY unhidden_client_id ON {table} AS RESTRICTIVE USING ({SEEN}) WITH CHECK ({SEEN});
        REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM asat_app;
        GRANT UPDATE (client_id) ON {table} TO asat_app;
        """
        for table in TABLES
    )
    + """
    GRANT UPDATE (status, problem, notes, kind, page_count, pages_done, read_at, reading, supplier, dated, total_cents,
        failing, attempts, heartbeat_at) ON clients_document TO asat_app;
    GRANT UPDATE (sealed_key) ON clients_documentfile TO asat_app;
    GRANT DELETE ON clients_documentpage TO asat_app;
    GRANT UPDATE (reversed_by_id, reversed_at, reversed_why) ON clients_approval TO asat_app;
    ALTER TABLE clients_documentfile ALTER COLUMN content SET STORAGE EXTERNAL;

    ALTER TABLE clients_document ADD CONSTRAINT document_with_its_client UNIQUE (id, client_id);

    -- Its arguments are the columns that may change; without any, nothing may, and the row is not compared.
    CREATE FUNCTION written_row_stays() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND TG_NARGS > 0 THEN
            IF to_jsonb(NEW) - TG_ARGV = to_jsonb(OLD) - TG_ARGV THEN
                RETURN NEW;
            END IF;
        END IF;
        RAISE EXCEPTION 'what was written cannot be changed: % on % refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', HINT = 'Add a row that takes it back.';
    END $$;
    CREATE TRIGGER transactions_stay BEFORE UPDATE OR DELETE ON clients_transaction
        FOR EACH ROW EXECUTE FUNCTION written_row_stays('client_id');
    CREATE TRIGGER decisions_stay BEFORE UPDATE OR DELETE ON clients_fielddecision
        FOR EACH ROW EXECUTE FUNCTION written_row_stays('client_id');
    CREATE TRIGGER approvals_stay BEFORE UPDATE OR DELETE ON clients_approval
        FOR EACH ROW EXECUTE FUNCTION written_row_stays('client_id', 'reversed_by_id', 'reversed_at', 'reversed_why');
    CREATE TRIGGER reversals_stay BEFORE UPDATE ON clients_approval
        FOR EACH ROW WHEN (OLD.reversed_at IS NOT NULL) EXECUTE FUNCTION written_row_stays('client_id');
    CREATE TRIGGER files_stay BEFORE UPDATE OF practice_id, document_id, content OR DELETE ON clients_documentfile
        FOR EACH ROW EXECUTE FUNCTION written_row_stays();
    """
    + "".join(
        f"""
        CREATE TRIGGER written_table_stays BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION written_row_stays();
        """
        for table in STAYING
    )
    + "".join(
        f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_its_documents_client FOREIGN KEY (document_id, client_id)
            REFERENCES clients_document (id, client_id) DEFERRABLE INITIALLY DEFERRED;
        """
        for table in OF_DOCUMENT
    )
)

REVERSE = (
    "".join(f"ALTER TABLE {table} DROP CONSTRAINT {table}_of_its_documents_client;\n" for table in OF_DOCUMENT)
    + "".join(f"DROP TRIGGER written_table_stays ON {table};\n" for table in STAYING)
    + """
    DROP TRIGGER files_stay ON clients_documentfile;
    DROP TRIGGER reversals_stay ON clients_approval;
    DROP TRIGGER approvals_stay ON clients_approval;
    DROP TRIGGER decisions_stay ON clients_fielddecision;
    DROP TRIGGER transactions_stay ON clients_transaction;
    DROP FUNCTION written_row_stays();
    ALTER TABLE clients_document DROP CONSTRAINT document_with_its_client;
    """
) + "".join(
    f"""
    DROP POLICY unhidden_client_id ON {table};
    DROP POLICY practice_rows ON {table};
    """
    for table in TABLES
)


class Migration(migrations.Migration):
    dependencies = [
        ("clients", "0002_register"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200)),
                ("media_type", models.CharField(max_length=60)),
                ("size", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("sent_key", models.CharField(max_length=101)),
                ("came_by", models.CharField(choices=[("upload", "Uploaded"), ("folder", "Folder")], max_length=10)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting to be read"),
                            ("reading", "Being read"),
                            ("review", "To review"),
                            ("approved", "Approved"),
                            ("kept", "Kept as a file"),
                            ("unreadable", "Not read"),
                            ("unsafe", "Not safe to open"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("problem", models.CharField(blank=True, max_length=400)),
                (
                    "notes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=400), blank=True, default=list, size=None
                    ),
                ),
                ("kind", models.CharField(blank=True, max_length=10)),
                ("page_count", models.PositiveSmallIntegerField(null=True)),
                ("pages_done", models.PositiveSmallIntegerField(default=0)),
                ("read_at", models.DateTimeField(null=True)),
                ("reading", models.JSONField(null=True)),
                ("supplier", models.CharField(blank=True, max_length=300)),
                ("dated", models.DateField(null=True)),
                ("total_cents", models.BigIntegerField(null=True)),
                ("failing", models.PositiveSmallIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("heartbeat_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="documents", to="clients.client"
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "id"],
            },
        ),
        migrations.CreateModel(
            name="Approval",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("reversed_at", models.DateTimeField(null=True)),
                ("reversed_why", models.CharField(blank=True, max_length=400)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clients.client"
                    ),
                ),
                (
                    "reversed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="approvals", to="clients.document"
                    ),
                ),
            ],
            options={
                "ordering": ["document", "number"],
            },
        ),
        migrations.CreateModel(
            name="DocumentPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("page", models.JSONField()),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clients.client"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pages", to="clients.document"
                    ),
                ),
            ],
            options={
                "ordering": ["document", "number"],
            },
        ),
        migrations.CreateModel(
            name="FieldDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("field", models.CharField(max_length=40)),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("accepted", "Accepted"),
                            ("corrected", "Corrected"),
                            ("emptied", "Emptied"),
                            ("reset", "Taken back"),
                        ],
                        max_length=10,
                    ),
                ),
                ("was", models.CharField(blank=True, max_length=400)),
                ("value", models.CharField(blank=True, max_length=400)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clients.client"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="decisions", to="clients.document"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Transaction",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("bill", "Bill"), ("receipt", "Receipt"), ("bank", "Bank line")], max_length=10
                    ),
                ),
                ("supplier", models.CharField(blank=True, max_length=300)),
                ("supplier_key", models.CharField(blank=True, max_length=300)),
                ("abn", models.CharField(blank=True, max_length=11)),
                ("dated", models.DateField()),
                ("due", models.DateField(null=True)),
                ("number", models.CharField(blank=True, max_length=100)),
                ("currency", models.CharField(max_length=3)),
                ("total_cents", models.BigIntegerField()),
                ("gst_cents", models.BigIntegerField(null=True)),
                ("description", models.CharField(blank=True, max_length=400)),
                ("lines", models.JSONField(default=list)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "approval",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="transactions", to="clients.approval"
                    ),
                ),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="transactions", to="clients.client"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="transactions", to="clients.document"
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversed_by_entry",
                        to="clients.transaction",
                    ),
                ),
            ],
            options={
                "ordering": ["-dated", "-at", "id"],
            },
        ),
        migrations.CreateModel(
            name="DocumentFile",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="file",
                        serialize=False,
                        to="clients.document",
                    ),
                ),
                ("content", models.BinaryField()),
                ("sealed_key", models.TextField(blank=True)),
                (
                    "client",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clients.client"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(fields=["client", "status", "at"], name="document_of_client"),
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(fields=["status", "at"], name="document_queue"),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(fields=("practice_id", "sent_key"), name="document_sent_once"),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["waiting", "reading", "review", "approved", "kept", "unreadable", "unsafe"])
                ),
                name="document_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.UniqueConstraint(fields=("document", "number"), name="approval_number_once"),
        ),
        migrations.AddConstraint(
            model_name="approval",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reversed_at", None)), fields=("document",), name="approval_stands_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="documentpage",
            constraint=models.UniqueConstraint(fields=("document", "number"), name="document_page_once"),
        ),
        migrations.AddIndex(
            model_name="fielddecision",
            index=models.Index(fields=["document", "id"], name="decision_of_document"),
        ),
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(fields=["client", "dated", "id"], name="transaction_of_client"),
        ),
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(fields=["dated", "id"], name="transaction_by_day"),
        ),
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(fields=["client", "supplier_key"], name="transaction_of_supplier"),
        ),
        migrations.AddConstraint(
            model_name="transaction",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reverses", None)), fields=("approval", "position"), name="transaction_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="transaction",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["bill", "receipt", "bank"])), name="transaction_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="transaction",
            constraint=models.CheckConstraint(
                condition=models.Q(("currency__regex", "^[A-Z]{3}$")), name="transaction_currency_is_code"
            ),
        ),
        migrations.AlterField(
            model_name="clientevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("added", "Added"),
                    ("changed", "Changed"),
                    ("tfn_seen", "Tax file number shown"),
                    ("tfn_changed", "Tax file number changed"),
                    ("exported", "Exported"),
                    ("entries_exported", "Transactions exported"),
                    ("imported", "Imported"),
                    ("merged", "Merged"),
                    ("unmerged", "Merge undone"),
                    ("archived", "Archived"),
                    ("restored", "Taken back from the archive"),
                    ("restricted", "Restricted"),
                    ("opened", "Restriction lifted"),
                    ("assigned", "Assigned"),
                    ("unassigned", "Assignment ended"),
                    ("assigned_self", "Owner assigned to a restricted client by themselves"),
                ],
                max_length=20,
            ),
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
