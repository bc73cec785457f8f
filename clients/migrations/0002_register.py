"""The client register, and the wall round a restricted client: seen by those assigned to it alone.

`clients_hidden` is the ids that the user who is spoken for may not see, few or none; a table that points at a client
has a restrictive policy that takes them out. A sub-query that names no row of the outer table is computed once for a
statement (a hashed SubPlan); a function asat.sees_client(id) would be called for every row, since PostgreSQL inlines no
function that holds a sub-query, and would have to find the tables by a search path that a session can forge.

Somebody must be able to open every client of a practice, or a leaver takes one along: that is an owner, who reads that
a restricted client exists and who is assigned to it, not whose it is, and may assign themselves; the event stays.
The keeper's id (asat_site/tenancy/keeper.py) hides nothing: it masks, renews keys, continues the chain.
"""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

HIDDEN = """
    CREATE VIEW clients_hidden WITH (security_invoker = true) AS
        SELECT r.client_id FROM clients_restriction r
        WHERE asat.user_id() IS DISTINCT FROM '00000000-0000-4000-8000-0000000000ff'::uuid
            AND NOT EXISTS (
                SELECT FROM clients_assignment a WHERE a.client_id = r.client_id AND a.user_id = asat.user_id());
    REVOKE ALL ON clients_hidden FROM asat_app;
    GRANT SELECT ON clients_hidden TO asat_app;
"""

TABLES = (
    "clients_assignment", "clients_restriction", "clients_contact", "clients_note", "clients_clientevent",
    "clients_merge", "clients_clientimport",
)  # fmt: skip

PRACTICE = "".join(
    f"""
    ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY practice_rows ON {table}
        USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
    """
    for table in TABLES
)


def unhidden(table, column="client_id"):
    """The policy that a table pointing at a client is given: its rows are there for who may see the client."""
    seen = f"({column} IS NULL OR {column} NOT IN (SELECT h.client_id FROM clients_hidden h))"
    return f"CREATE POLICY unhidden_{column} ON {table} AS RESTRICTIVE USING {seen} WITH CHECK {seen};"


OWNER = "EXISTS (SELECT FROM accounts_user u WHERE u.id = asat.user_id() AND u.role = 'owner')"
SEEN = "client_id NOT IN (SELECT h.client_id FROM clients_hidden h)"

# Who is assigned decides what is hidden, so these two tables are read by everybody's policies; they hold ids alone.
# What is written to them is held here: nobody lets themselves in but an owner, who is named by it in the events.
UNHIDDEN = (
    unhidden("clients_client", "id")
    + "".join(unhidden(table) for table in ("clients_contact", "clients_note", "clients_clientevent", "clients_merge"))
    + unhidden("clients_merge", "gone_id")
    + f"""
    CREATE POLICY assigned_by_who_sees ON clients_assignment AS RESTRICTIVE FOR INSERT
        WITH CHECK ({SEEN} OR (user_id = asat.user_id() AND {OWNER}));
    CREATE POLICY unassigned_by_who_sees ON clients_assignment AS RESTRICTIVE FOR DELETE USING ({SEEN});
    CREATE POLICY restricted_by_owners ON clients_restriction AS RESTRICTIVE FOR INSERT WITH CHECK ({OWNER});
    CREATE POLICY opened_by_owners ON clients_restriction AS RESTRICTIVE FOR DELETE USING ({OWNER} AND {SEEN});
    CREATE POLICY sender_rows ON clients_clientimport AS RESTRICTIVE
        USING (by_id = asat.user_id()) WITH CHECK (by_id = asat.user_id());
    """
)

GRANTS = """
    REVOKE UPDATE, TRUNCATE ON clients_assignment, clients_restriction FROM asat_app;
    REVOKE TRUNCATE ON clients_contact, clients_clientimport FROM asat_app;
    REVOKE UPDATE, DELETE, TRUNCATE ON clients_note, clients_clientevent, clients_merge FROM asat_app;
    GRANT UPDATE (client_id) ON clients_note TO asat_app;
    GRANT UPDATE (undone_at, undone_by_id) ON clients_merge TO asat_app;
    REVOKE DELETE ON clients_clientimport FROM asat_app;

    CREATE FUNCTION client_event_stays() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        RAISE EXCEPTION 'client events cannot be changed: % on % refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', HINT = 'Add a new row that corrects the old one.';
    END $$;
    CREATE TRIGGER client_events_stay BEFORE UPDATE OR DELETE ON clients_clientevent
        FOR EACH ROW EXECUTE FUNCTION client_event_stays();
    CREATE TRIGGER client_event_table_stays BEFORE TRUNCATE ON clients_clientevent
        FOR EACH STATEMENT EXECUTE FUNCTION client_event_stays();
"""

# Rows of before this release: found by their name in small letters until they are saved again.
KEYS = """
    ALTER TABLE clients_client NO FORCE ROW LEVEL SECURITY;
    UPDATE clients_client SET match_key = lower(name), sought = concat_ws(' | ', lower(name), abn, acn);
    ALTER TABLE clients_client FORCE ROW LEVEL SECURITY;
"""

NOT_UNHIDDEN = """
    DROP TRIGGER client_event_table_stays ON clients_clientevent;
    DROP TRIGGER client_events_stay ON clients_clientevent;
    DROP FUNCTION client_event_stays();
    DROP POLICY sender_rows ON clients_clientimport;
    DROP POLICY opened_by_owners ON clients_restriction;
    DROP POLICY restricted_by_owners ON clients_restriction;
    DROP POLICY unassigned_by_who_sees ON clients_assignment;
    DROP POLICY assigned_by_who_sees ON clients_assignment;
    DROP POLICY unhidden_gone_id ON clients_merge;
    DROP POLICY unhidden_client_id ON clients_merge;
    DROP POLICY unhidden_client_id ON clients_clientevent;
    DROP POLICY unhidden_client_id ON clients_note;
    DROP POLICY unhidden_client_id ON clients_contact;
    DROP POLICY unhidden_id ON clients_client;
    DROP VIEW clients_hidden;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("clients", "0001_clients"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ClientEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("added", "Added"),
                            ("changed", "Changed"),
                            ("tfn_seen", "Tax file number shown"),
                            ("tfn_changed", "Tax file number changed"),
                            ("exported", "Exported"),
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
                ("at", models.DateTimeField(auto_now_add=True)),
                ("other", models.UUIDField(null=True)),
                ("count", models.PositiveIntegerField(null=True)),
            ],
            options={
                "ordering": ["-at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="ClientImport",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("filename", models.CharField(max_length=200)),
                ("sealed_file", models.TextField(blank=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("checking", "Checking"),
                            ("checked", "Checked"),
                            ("coming_in", "Coming In"),
                            ("done", "Done"),
                            ("given_up", "Given Up"),
                        ],
                        default="checking",
                        max_length=10,
                    ),
                ),
                ("report", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["-at", "id"],
            },
        ),
        migrations.CreateModel(
            name="Contact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("role", models.CharField(blank=True, max_length=100)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("phone", models.CharField(blank=True, max_length=40)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("moved", models.JSONField(default=dict)),
                ("added", models.JSONField(default=list)),
                ("filled", models.JSONField(default=dict)),
                ("gone_archived_at", models.DateTimeField(null=True)),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-at", "id"],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("text", models.TextField()),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="Restriction",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                (
                    "client",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="restriction",
                        serialize=False,
                        to="clients.client",
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="client",
            name="bas_cycle",
            field=models.CharField(
                blank=True,
                choices=[("monthly", "Monthly"), ("quarterly", "Quarterly"), ("annual", "Annual")],
                max_length=10,
                verbose_name="BAS cycle",
            ),
        ),
        migrations.AddField(
            model_name="client",
            name="entity_type",
            field=models.CharField(
                blank=True,
                choices=[
                    ("individual", "Individual"),
                    ("sole_trader", "Sole trader"),
                    ("company", "Company"),
                    ("trust", "Trust"),
                    ("partnership", "Partnership"),
                    ("super_fund", "Super fund"),
                    ("smsf", "Self-managed super fund"),
                    ("other", "Other"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="client",
            name="gst_registered",
            field=models.BooleanField(blank=True, null=True, verbose_name="registered for GST"),
        ),
        migrations.AddField(
            model_name="client",
            name="income_year_end",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="client",
            name="match_key",
            field=models.CharField(blank=True, editable=False, max_length=300),
        ),
        migrations.AddField(
            model_name="client",
            name="merged_into",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="clients.client",
            ),
        ),
        migrations.AddField(
            model_name="client",
            name="sought",
            field=models.TextField(blank=True, editable=False),
        ),
        migrations.AddField(
            model_name="client",
            name="tags",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40), blank=True, default=list, size=None
            ),
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="assignments", to="clients.client"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["at", "id"],
            },
        ),
        migrations.AddField(
            model_name="client",
            name="staff",
            field=models.ManyToManyField(
                related_name="+",
                through="clients.Assignment",
                through_fields=("client", "user"),
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="client",
            index=models.Index(fields=["match_key"], name="client_match_key"),
        ),
        migrations.AddIndex(
            model_name="client",
            index=models.Index(fields=["abn"], name="client_abn"),
        ),
        migrations.AddConstraint(
            model_name="client",
            constraint=models.CheckConstraint(
                condition=models.Q(("income_year_end", None), ("income_year_end__range", (1, 12)), _connector="OR"),
                name="client_year_ends_in_a_month",
            ),
        ),
        migrations.AddConstraint(
            model_name="client",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "entity_type__in",
                        [
                            "",
                            "individual",
                            "sole_trader",
                            "company",
                            "trust",
                            "partnership",
                            "super_fund",
                            "smsf",
                            "other",
                        ],
                    )
                ),
                name="client_entity_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="client",
            constraint=models.CheckConstraint(
                condition=models.Q(("bas_cycle__in", ["", "monthly", "quarterly", "annual"])), name="client_bas_known"
            ),
        ),
        migrations.AddField(
            model_name="clientevent",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="clientevent",
            name="client",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="events", to="clients.client"
            ),
        ),
        migrations.AddField(
            model_name="clientimport",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="contact",
            name="client",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="contacts", to="clients.client"
            ),
        ),
        migrations.AddField(
            model_name="merge",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="merge",
            name="client",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="merges", to="clients.client"
            ),
        ),
        migrations.AddField(
            model_name="merge",
            name="gone",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clients.client"),
        ),
        migrations.AddField(
            model_name="merge",
            name="undone_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="note",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="note",
            name="client",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="notes", to="clients.client"
            ),
        ),
        migrations.AddField(
            model_name="restriction",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(fields=("client", "user"), name="assigned_once"),
        ),
        migrations.RunSQL(HIDDEN + PRACTICE + UNHIDDEN + GRANTS + KEYS, NOT_UNHIDDEN),
    ]
