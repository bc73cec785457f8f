"""A question may be asked for a client."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clients", "0001_clients"),
        ("research", "0008_conversations_batches_models"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="client",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="questions", to="clients.client"
            ),
        ),
    ]
