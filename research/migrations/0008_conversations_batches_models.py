"""Conversations, batches and a practice's model settings, behind its walls; and what a question needs to know of them."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLES = ("research_conversation", "research_batch", "research_modelsettings")

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
    + """
    GRANT UPDATE (stop_asked_at) ON research_question TO asat_app;
    REVOKE UPDATE, DELETE, TRUNCATE ON research_conversation, research_batch FROM asat_app;
    REVOKE TRUNCATE ON research_modelsettings FROM asat_app;
    """
)

REVERSE = "REVOKE UPDATE (stop_asked_at) ON research_question FROM asat_app;" + "\n".join(
    f"""
        DROP POLICY practice_rows ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """
    for table in TABLES
)


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0007_questions_without_the_subject_index"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ModelSettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("provider", models.CharField(blank=True, max_length=20)),
                ("vendor", models.CharField(blank=True, max_length=40)),
                ("url", models.CharField(blank=True, max_length=300)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("sealed_key", models.TextField(blank=True)),
                ("allows_remote", models.BooleanField(default=False)),
                ("samples", models.PositiveSmallIntegerField(default=1)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "verbose_name_plural": "model settings",
            },
        ),
        migrations.AddField(
            model_name="question",
            name="line",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="question",
            name="stop_asked_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="question",
            name="typed",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                (
                    "practice_id",
                    models.UUIDField(
                        db_default=models.Func(function="asat.practice_id", output_field=models.UUIDField()),
                        editable=False,
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("uploaded_at", models.DateTimeField(auto_now_add=True)),
                ("filename", models.CharField(max_length=200)),
                ("lines", models.PositiveIntegerField()),
                ("refused", models.JSONField(default=list)),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "batches",
                "ordering": ["-uploaded_at", "id"],
            },
        ),
        migrations.AddField(
            model_name="question",
            name="batch",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="questions", to="research.batch"
            ),
        ),
        migrations.CreateModel(
            name="Conversation",
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
                ("title", models.CharField(max_length=200)),
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
        migrations.AddField(
            model_name="question",
            name="conversation",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="messages",
                to="research.conversation",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(fields=("batch", "line"), name="batch_line_once"),
        ),
        migrations.AddField(
            model_name="modelsettings",
            name="changed_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddConstraint(
            model_name="modelsettings",
            constraint=models.UniqueConstraint(fields=("practice_id",), name="model_settings_once"),
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
