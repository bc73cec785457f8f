"""The practice's clients, behind its walls. The app archives them and cannot delete them."""

import uuid

import django.contrib.postgres.fields
from django.db import migrations, models

FORWARD = """
    ALTER TABLE clients_client ENABLE ROW LEVEL SECURITY;
    ALTER TABLE clients_client FORCE ROW LEVEL SECURITY;
    CREATE POLICY practice_rows ON clients_client
        USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
    REVOKE DELETE, TRUNCATE ON clients_client FROM asat_app;
"""

REVERSE = """
    DROP POLICY practice_rows ON clients_client;
    ALTER TABLE clients_client NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE clients_client DISABLE ROW LEVEL SECURITY;
"""


def several(longest):
    return django.contrib.postgres.fields.ArrayField(
        base_field=models.CharField(max_length=longest), blank=True, default=list, size=None
    )


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Client",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("name", models.CharField(max_length=300)),
                ("trading_names", several(300)),
                ("abn", models.CharField(blank=True, max_length=11, verbose_name="ABN")),
                ("acn", models.CharField(blank=True, max_length=9, verbose_name="ACN")),
                ("sealed_tfn", models.TextField(blank=True)),
                ("addresses", several(300)),
                ("emails", several(254)),
                ("phones", several(40)),
                ("account_numbers", several(40)),
                ("allows_remote", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(abn__regex=r"^([0-9]{11})?$"), name="client_abn_is_digits"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(acn__regex=r"^([0-9]{9})?$"), name="client_acn_is_digits"
                    ),
                    models.CheckConstraint(condition=~models.Q(name=""), name="client_has_a_name"),
                ],
            },
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
