"""Sessions for people to see, invitations, and the events of everybody's way in, which are only ever added."""

import datetime
import uuid

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = ("accounts_opensession", "accounts_invitation", "accounts_accountevent")

WALLS = "".join(
    f"""
    ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY practice_rows ON {table}
        USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
    """
    for table in TABLES
)
NO_WALLS = "".join(
    f"""
    DROP POLICY practice_rows ON {table};
    ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
    """
    for table in TABLES
)

# Whom a link lets in, and as what, is settled when it is made. An event stays as it was written, even for the owner.
GRANTS = """
    REVOKE TRUNCATE ON accounts_opensession FROM asat_app;
    REVOKE UPDATE, DELETE, TRUNCATE ON accounts_invitation, accounts_accountevent FROM asat_app;
    GRANT UPDATE (digest, sent_at, accepted_at, revoked_at, user_id) ON accounts_invitation TO asat_app;

    CREATE FUNCTION account_event_stays() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        RAISE EXCEPTION 'account events cannot be changed: % on % refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', HINT = 'Add a new row that corrects the old one.';
    END $$;
    CREATE TRIGGER account_events_stay BEFORE UPDATE OR DELETE ON accounts_accountevent
        FOR EACH ROW EXECUTE FUNCTION account_event_stays();
    CREATE TRIGGER account_event_table_stays BEFORE TRUNCATE ON accounts_accountevent
        FOR EACH STATEMENT EXECUTE FUNCTION account_event_stays();
"""
NO_GRANTS = """
    DROP TRIGGER account_event_table_stays ON accounts_accountevent;
    DROP TRIGGER account_events_stay ON accounts_accountevent;
    DROP FUNCTION account_event_stays();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_second_factor"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountEvent",
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
                            ("signed_in", "Signed in"),
                            ("refused", "Sign-in refused"),
                            ("locked_out", "Has to wait after too many attempts"),
                            ("signed_out", "Signed out"),
                            ("factor_set_up", "Second factor set up"),
                            ("factor_removed", "Second factor removed"),
                            ("factor_refused", "Code refused"),
                            ("recovery_code_used", "Recovery code used"),
                            ("codes_made", "Recovery codes made"),
                            ("password_changed", "Password changed"),
                            ("password_link", "Link for a new password made"),
                            ("invited", "Invited"),
                            ("invitation_accepted", "Invitation accepted"),
                            ("invitation_revoked", "Link revoked"),
                            ("role_changed", "Role changed"),
                            ("deactivated", "Deactivated"),
                            ("reactivated", "Reactivated"),
                            ("session_ended", "Session ended"),
                            ("requirement_changed", "Second factor for everybody"),
                            ("exported", "Exported"),
                        ],
                        max_length=20,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("detail", models.CharField(blank=True, max_length=120)),
                ("count", models.PositiveIntegerField(null=True)),
                ("ip", models.GenericIPAddressField(null=True)),
                ("user_agent", models.CharField(blank=True, max_length=200)),
                (
                    "about",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="OpenSession",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("session_key", models.CharField(max_length=40, unique=True)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ip", models.GenericIPAddressField(null=True)),
                ("user_agent", models.CharField(blank=True, max_length=200)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="open_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-seen_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                (
                    "purpose",
                    models.CharField(choices=[("join", "Invitation"), ("password", "New password")], max_length=10),
                ),
                ("email", models.EmailField(max_length=150)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "Owner"),
                            ("agent", "Tax agent"),
                            ("staff", "Staff"),
                            ("read_only", "Read only"),
                        ],
                        max_length=10,
                    ),
                ),
                ("digest", models.CharField(max_length=64, null=True, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(null=True)),
                ("accepted_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "expires_at__lte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("made_at"), "+", models.Value(datetime.timedelta(days=7))
                                ),
                            )
                        ),
                        name="invitation_expires_in_a_week",
                    )
                ],
            },
        ),
        migrations.RunSQL(WALLS + GRANTS, NO_GRANTS + NO_WALLS),
    ]
