"""The wordings that answers quote, behind the practice's walls; written once and never changed, like the answers."""

import django.db.models.deletion
from django.db import migrations, models

FORWARD = """
    ALTER TABLE research_citedwording ENABLE ROW LEVEL SECURITY;
    ALTER TABLE research_citedwording FORCE ROW LEVEL SECURITY;
    CREATE POLICY practice_rows ON research_citedwording
        USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
    REVOKE UPDATE, DELETE, TRUNCATE ON research_citedwording FROM asat_app;
"""

REVERSE = """
    DROP POLICY practice_rows ON research_citedwording;
    ALTER TABLE research_citedwording NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE research_citedwording DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("research", "0004_questions_of_some_frameworks")]

    operations = [
        migrations.CreateModel(
            name="CitedWording",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("provision_id", models.BigIntegerField()),
                ("version_id", models.BigIntegerField()),
                ("certain_from", models.DateField()),
                ("certain_to", models.DateField(null=True)),
                ("asked_first", models.DateField()),
                ("asked_last", models.DateField()),
                ("known_at", models.DateTimeField()),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="wordings", to="research.answer"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["provision_id", "known_at"], name="cited_provision")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("answer", "version_id", "asked_first", "asked_last"), name="cited_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
