"""A spreadsheet's own references, line by line, and what was done with the file, to be given back in the workpaper."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0009_asked_for_a_client"),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="references",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="batch",
            name="notes",
            field=models.JSONField(default=list),
        ),
    ]
