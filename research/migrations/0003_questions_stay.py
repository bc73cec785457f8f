"""What was asked stays as it was asked: the app may move a question along, and change nothing else of it."""

from django.db import migrations

FORWARD = """
REVOKE UPDATE ON research_question FROM asat_app;
GRANT UPDATE (status, attempts, heartbeat_at) ON research_question TO asat_app;
"""

REVERSE = """
REVOKE UPDATE (status, attempts, heartbeat_at) ON research_question FROM asat_app;
GRANT UPDATE ON research_question TO asat_app;
"""


class Migration(migrations.Migration):
    dependencies = [("research", "0002_walls_and_chain")]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
