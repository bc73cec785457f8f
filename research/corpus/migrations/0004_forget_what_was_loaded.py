"""Empty the tables of the law and of its index: they are made anew in another shape, and loaded again from the files.

Until now words and what is known of their days stood in one row, and a correction overwrote both. Computed vectors are
kept under the text they were computed from, so that nothing is embedded twice.
"""

from django.db import migrations

FORWARD = """
TRUNCATE corpus_instrument, corpus_compilation, corpus_provision, corpus_reading, corpus_provisionversion, corpus_chunk,
         corpus_term, corpus_posting, corpus_chunkvector, corpus_indexstate, corpus_verifiedexample RESTART IDENTITY;
"""


class Migration(migrations.Migration):
    dependencies = [("corpus", "0003_policies")]

    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
