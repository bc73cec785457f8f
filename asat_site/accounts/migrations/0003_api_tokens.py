"""Tokens for programs, behind the second wall from the start."""

import datetime

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

WALL = """
ALTER TABLE accounts_apitoken ENABLE ROW LEVEL SECURITY;
ALTER TABLE accounts_apitoken FORCE ROW LEVEL SECURITY;
CREATE POLICY practice_rows ON accounts_apitoken
    USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
REVOKE UPDATE, TRUNCATE ON accounts_apitoken FROM asat_app;
GRANT UPDATE (last_used_at) ON accounts_apitoken TO asat_app;
"""
NO_WALL = """
DROP POLICY practice_rows ON accounts_apitoken;
ALTER TABLE accounts_apitoken NO FORCE ROW LEVEL SECURITY;
ALTER TABLE accounts_apitoken DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_walls")]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("user"),
                        django.db.models.functions.text.Lower("name"),
                        name="api_token_name_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "expires_at__lte",
                                models.expressions.CombinedExpression(
                                    models.F("created_at"), "+", models.Value(datetime.timedelta(days=365))
                                ),
                            )
                        ),
                        name="api_token_expires_in_a_year",
                    ),
                ],
            },
        ),
        migrations.RunSQL(WALL, NO_WALL),
    ]
