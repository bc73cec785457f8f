"""Words kept apart from their dates, and dates that say since when they are known."""

import django.contrib.postgres.fields
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0004_forget_what_was_loaded"),
    ]

    operations = [
        migrations.DeleteModel(name="IndexState"),
        migrations.CreateModel(
            name="IndexState",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("practice_id", models.UUIDField(editable=False, null=True)),
                ("corpus_sha256", models.CharField(max_length=64)),
                ("settings", models.CharField(max_length=200)),
                ("embedder", models.CharField(blank=True, max_length=120)),
                ("chunks", models.PositiveIntegerField(default=0)),
                (
                    "compilations",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=400), default=list, size=None
                    ),
                ),
                ("recorded", django.contrib.postgres.fields.ranges.DateTimeRangeField()),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Amendment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("schedule", models.CharField(blank=True, max_length=40)),
                ("section", models.CharField(max_length=80)),
                ("position", models.PositiveIntegerField()),
                ("effect", models.CharField(max_length=10)),
                ("act", models.CharField(max_length=200)),
                ("days", django.contrib.postgres.fields.ArrayField(base_field=models.DateField(), size=None)),
                ("unresolved", models.TextField(blank=True)),
                ("assent", models.DateField(null=True)),
                ("is_applied", models.BooleanField()),
                ("application", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="ImportRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("practice_id", models.UUIDField(editable=False, null=True)),
                ("started_at", models.DateTimeField()),
                ("seconds", models.FloatField()),
                ("file_name", models.CharField(max_length=400)),
                ("file_sha256", models.CharField(blank=True, max_length=64)),
                ("reader", models.CharField(blank=True, max_length=40)),
                ("file_bytes", models.BigIntegerField(default=0)),
                ("outcome", models.CharField(max_length=20)),
                ("message", models.TextField(blank=True)),
                ("report", models.JSONField(default=list)),
            ],
            options={
                "ordering": ["-started_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="Licence",
            fields=[
                ("code", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=200)),
                ("url", models.CharField(blank=True, max_length=400)),
                ("attribution", models.TextField(blank=True)),
                ("may_be_served", models.BooleanField()),
                ("why_not", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="RegisterCheck",
            fields=[
                (
                    "instrument",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="check_row",
                        serialize=False,
                        to="corpus.instrument",
                    ),
                ),
                ("tried_at", models.DateTimeField()),
                ("outcome", models.CharField(max_length=20)),
                ("message", models.TextField(blank=True)),
                ("found_at", models.DateTimeField(null=True)),
                ("newest_register_id", models.CharField(blank=True, max_length=40)),
                ("newest_number", models.CharField(blank=True, max_length=20)),
                ("newest_start", models.DateField(null=True)),
                ("is_newer", models.BooleanField(null=True)),
                ("text_not_current_from", models.DateField(null=True)),
                ("in_force", models.BooleanField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="VersionDates",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("practice_id", models.UUIDField(editable=False, null=True)),
                ("certain", django.contrib.postgres.fields.ranges.DateRangeField()),
                ("possible", django.contrib.postgres.fields.ranges.DateRangeField()),
                ("dating", models.CharField(max_length=20)),
                ("basis_from", models.TextField(blank=True)),
                ("basis_to", models.TextField(blank=True)),
                ("is_retrospective", models.BooleanField(default=False)),
                ("recorded", django.contrib.postgres.fields.ranges.DateTimeRangeField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Words",
            fields=[
                ("practice_id", models.UUIDField(editable=False, null=True)),
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("heading", models.CharField(max_length=600)),
                ("kind", models.CharField(max_length=40)),
                ("text", models.TextField()),
                ("term_spans", models.JSONField(default=list)),
                ("wording_sha256", models.CharField(max_length=64)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="certain",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="compilation",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="dating",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="heading",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="kind",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="possible",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="recorded",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="term_spans",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="text",
        ),
        migrations.RemoveField(
            model_name="provisionversion",
            name="wording_sha256",
        ),
        migrations.RemoveField(
            model_name="reading",
            name="wording_sha256",
        ),
        migrations.AddField(
            model_name="compilation",
            name="ends",
            field=models.DateField(null=True),
        ),
        migrations.AddField(
            model_name="compilation",
            name="has_endnotes",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="compilation",
            name="language",
            field=models.CharField(default="en", max_length=20),
        ),
        migrations.AddField(
            model_name="compilation",
            name="ledger",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="compilation",
            name="notice",
            field=models.CharField(blank=True, max_length=400),
        ),
        migrations.AddField(
            model_name="compilation",
            name="practice_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="compilation",
            name="starts",
            field=models.DateField(null=True),
        ),
        migrations.AddField(
            model_name="compilation",
            name="stated_by",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="compilation",
            name="stated_alone",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="compilation",
            name="superseded_by",
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.AddField(
            model_name="compilation",
            name="text_not_current_from",
            field=models.DateField(null=True),
        ),
        migrations.AddField(
            model_name="compilation",
            name="version",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="embedding",
            name="practice_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="instrument",
            name="framework",
            field=models.CharField(default="Commonwealth Acts", max_length=200),
        ),
        migrations.AddField(
            model_name="instrument",
            name="kind",
            field=models.CharField(default="act", max_length=20),
        ),
        migrations.AddField(
            model_name="instrument",
            name="practice_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="instrument",
            name="title_id",
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name="provision",
            name="practice_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="provisionversion",
            name="occurrence",
            field=models.PositiveSmallIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="reading",
            name="practice_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="term",
            name="practice_id",
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="term",
            name="lexeme",
            field=models.CharField(max_length=400),
        ),
        migrations.AddConstraint(
            model_name="term",
            constraint=models.UniqueConstraint(
                fields=("lexeme", "practice_id"), name="term_once", nulls_distinct=False
            ),
        ),
        migrations.AddField(
            model_name="amendment",
            name="compilation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="amendments", to="corpus.compilation"
            ),
        ),
        migrations.AddField(
            model_name="versiondates",
            name="compilation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="corpus.compilation"
            ),
        ),
        migrations.AddField(
            model_name="versiondates",
            name="provision",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="corpus.provision"
            ),
        ),
        migrations.AddField(
            model_name="versiondates",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="dates", to="corpus.provisionversion"
            ),
        ),
        migrations.AddField(
            model_name="words",
            name="provision",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="words", to="corpus.provision"
            ),
        ),
        migrations.AddField(
            model_name="provisionversion",
            name="words",
            field=models.ForeignKey(
                default=0, on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="corpus.words"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="reading",
            name="words",
            field=models.ForeignKey(
                default=0, on_delete=django.db.models.deletion.PROTECT, related_name="readings", to="corpus.words"
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="amendment",
            constraint=models.UniqueConstraint(
                fields=("compilation", "schedule", "section", "position"), name="amendment_once"
            ),
        ),
    ]
