"""Who may read and write the law: everybody's rows for all, a practice's own rows for it; writes by the owner.

The app role writes only what it computes: vectors, the state of the index, and the examples it has verified.
"""

from django.db import migrations

LAW_TABLES = ("corpus_provisionversion", "corpus_chunk", "corpus_posting", "corpus_chunkvector")
READ_ONLY = (
    "corpus_instrument",
    "corpus_compilation",
    "corpus_provision",
    "corpus_reading",
    "corpus_provisionversion",
    "corpus_chunk",
    "corpus_term",
    "corpus_posting",
)

FORWARD = "\n".join(
    [
        f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY law_read ON {table} FOR SELECT USING (practice_id IS NULL OR practice_id = asat.practice_id());
        CREATE POLICY law_owner ON {table} TO CURRENT_USER USING (true) WITH CHECK (true);
        """
        for table in LAW_TABLES
    ]
    + [
        """
        CREATE POLICY vectors_written ON corpus_chunkvector FOR INSERT
            WITH CHECK (practice_id IS NULL OR practice_id = asat.practice_id());
        """,
        f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {', '.join(READ_ONLY)} FROM asat_app;",
        "REVOKE UPDATE, DELETE, TRUNCATE ON corpus_chunkvector, corpus_embedding FROM asat_app;",
        "REVOKE DELETE, TRUNCATE ON corpus_embedderrecord FROM asat_app;",
        "REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON corpus_indexstate FROM asat_app;",
        "GRANT UPDATE (embedder, updated_at) ON corpus_indexstate TO asat_app;",
    ]
)

REVERSE = "\n".join(
    [
        f"""
        DROP POLICY law_owner ON {table};
        DROP POLICY law_read ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """
        for table in LAW_TABLES
    ]
    + ["DROP POLICY vectors_written ON corpus_chunkvector;"]
)


class Migration(migrations.Migration):
    dependencies = [("corpus", "0002_search_indexes")]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
