import django.contrib.postgres.fields
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import pgvector.django.halfvec
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="ChunkVector",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "embedder_id", "chunk_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("embedder_id", models.SmallIntegerField()),
                ("chunk_id", models.BigIntegerField()),
                ("from_day", models.IntegerField()),
                ("to_day", models.IntegerField()),
                ("practice_id", models.UUIDField(editable=False, null=True)),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
            ],
        ),
        migrations.CreateModel(
            name="EmbedderRecord",
            fields=[
                ("id", models.SmallAutoField(primary_key=True, serialize=False)),
                ("identity", models.CharField(max_length=120, unique=True)),
                ("dimensions", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Embedding",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("embedder", models.CharField(max_length=120)),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
            ],
        ),
        migrations.CreateModel(
            name="IndexState",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("corpus_sha256", models.CharField(max_length=64)),
                ("settings", models.CharField(max_length=200)),
                ("embedder", models.CharField(blank=True, max_length=120)),
                ("chunks", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="Instrument",
            fields=[
                ("code", models.CharField(max_length=300, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=400)),
                ("document_prefix", models.CharField(max_length=300, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "term_id", "chunk_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("term_id", models.IntegerField()),
                ("chunk_id", models.BigIntegerField()),
                ("from_day", models.IntegerField()),
                ("to_day", models.IntegerField()),
                ("impact", models.FloatField()),
                ("practice_id", models.UUIDField(editable=False, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Term",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("lexeme", models.CharField(max_length=400, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name="VerifiedExample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("question", models.CharField(max_length=300)),
                ("year", models.PositiveSmallIntegerField()),
                ("snapshot_id", models.CharField(max_length=64)),
                ("verified_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="Compilation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(blank=True, max_length=20)),
                ("dated", models.DateField()),
                ("register_id", models.CharField(blank=True, max_length=40)),
                ("source_uri", models.URLField(blank=True, max_length=400)),
                ("licence", models.CharField(max_length=40)),
                ("provisions", models.PositiveIntegerField()),
                ("content_sha256", models.CharField(max_length=64)),
                ("imported_at", models.DateTimeField(auto_now=True)),
                (
                    "instrument",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="compilations", to="corpus.instrument"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Provision",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("document_id", models.CharField(max_length=300, unique=True)),
                ("section", models.CharField(max_length=80)),
                ("schedule", models.CharField(blank=True, max_length=40)),
                ("sort_key", models.CharField(max_length=400)),
                (
                    "instrument",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="provisions", to="corpus.instrument"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ProvisionVersion",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("heading", models.CharField(max_length=600)),
                (
                    "path",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=400), size=None),
                ),
                ("kind", models.CharField(max_length=40)),
                ("text", models.TextField()),
                ("term_spans", models.JSONField(default=list)),
                ("wording_sha256", models.CharField(db_index=True, max_length=64)),
                ("certain", django.contrib.postgres.fields.ranges.DateRangeField()),
                ("possible", django.contrib.postgres.fields.ranges.DateRangeField()),
                ("dating", models.CharField(max_length=20)),
                ("recorded", django.contrib.postgres.fields.ranges.DateTimeRangeField()),
                ("practice_id", models.UUIDField(editable=False, null=True)),
                (
                    "compilation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="corpus.compilation"
                    ),
                ),
                (
                    "provision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="corpus.provision"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("ordinal", models.PositiveIntegerField()),
                ("parent", models.CharField(blank=True, max_length=80)),
                ("role", models.CharField(max_length=20)),
                ("defined_term", models.CharField(blank=True, max_length=300)),
                ("context", models.TextField()),
                ("text", models.TextField()),
                ("offset_chars", models.PositiveIntegerField()),
                ("token_count", models.PositiveSmallIntegerField()),
                ("input_sha256", models.CharField(max_length=64)),
                ("from_day", models.IntegerField()),
                ("to_day", models.IntegerField()),
                ("practice_id", models.UUIDField(editable=False, null=True)),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chunks", to="corpus.provisionversion"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Reading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                (
                    "path",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=400), size=None),
                ),
                ("wording_sha256", models.CharField(max_length=64)),
                (
                    "compilation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="readings", to="corpus.compilation"
                    ),
                ),
                (
                    "provision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="readings", to="corpus.provision"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="compilation",
            constraint=models.UniqueConstraint(fields=("instrument", "dated"), name="compilation_once"),
        ),
        migrations.AddIndex(
            model_name="provision",
            index=models.Index(fields=["instrument", "schedule", "section"], name="provision_cited"),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.UniqueConstraint(fields=("version", "ordinal"), name="chunk_once"),
        ),
        migrations.AddConstraint(
            model_name="reading",
            constraint=models.UniqueConstraint(fields=("compilation", "provision"), name="reading_once"),
        ),
    ]
