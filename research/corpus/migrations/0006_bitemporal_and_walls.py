"""One wording a day by what was known at one moment; a practice's own documents behind the wall on every table.

Documents, their titles, words, lexemes and vectors are the practice's alone: every table that holds a part of them has
a policy. The app role reads the law, writes vectors, the state of its own index, the examples it has verified, and what
the Register said.
"""

from django.db import migrations

WALLED = (
    "corpus_instrument",
    "corpus_compilation",
    "corpus_provision",
    "corpus_words",
    "corpus_reading",
    "corpus_versiondates",
    "corpus_term",
    "corpus_embedding",
    "corpus_indexstate",
    "corpus_importrun",
)
READ_ONLY = (
    "corpus_licence",
    "corpus_amendment",
    "corpus_words",
    "corpus_versiondates",
    "corpus_importrun",
)

FORWARD = "\n".join(
    [
        """
        ALTER TABLE corpus_versiondates ADD CONSTRAINT version_alone
            EXCLUDE USING gist (provision_id WITH =, certain WITH &&, recorded WITH &&) DEFERRABLE INITIALLY DEFERRED;
        ALTER TABLE corpus_versiondates ADD CONSTRAINT dates_once
            EXCLUDE USING gist (version_id WITH =, recorded WITH &&) DEFERRABLE INITIALLY DEFERRED;
        ALTER TABLE corpus_versiondates ADD CONSTRAINT version_certain_is_possible CHECK (certain <@ possible);
        ALTER TABLE corpus_indexstate ADD CONSTRAINT state_alone
            EXCLUDE USING gist (coalesce(practice_id, '00000000-0000-0000-0000-000000000000') WITH =, recorded WITH &&)
            DEFERRABLE INITIALLY DEFERRED;
        CREATE INDEX corpus_term_lexeme ON corpus_term (lexeme);
        """
    ]
    + [
        f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY law_read ON {table} FOR SELECT USING (practice_id IS NULL OR practice_id = asat.practice_id());
        CREATE POLICY law_owner ON {table} TO CURRENT_USER USING (true) WITH CHECK (true);
        """
        for table in WALLED
    ]
    + [
        """
        CREATE POLICY vectors_kept ON corpus_embedding FOR INSERT
            WITH CHECK (practice_id IS NULL OR practice_id = asat.practice_id());
        CREATE POLICY state_marked ON corpus_indexstate FOR UPDATE
            USING (practice_id IS NULL OR practice_id = asat.practice_id())
            WITH CHECK (practice_id IS NULL OR practice_id = asat.practice_id());
        """,
        f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {', '.join(READ_ONLY)} FROM asat_app;",
        "REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON corpus_indexstate FROM asat_app;",
        "GRANT UPDATE (embedder, updated_at) ON corpus_indexstate TO asat_app;",
        "REVOKE DELETE, TRUNCATE ON corpus_registercheck FROM asat_app;",
    ]
)

REVERSE = "\n".join(
    [
        "DROP POLICY state_marked ON corpus_indexstate;",
        "DROP POLICY vectors_kept ON corpus_embedding;",
    ]
    + [
        f"""
        DROP POLICY law_owner ON {table};
        DROP POLICY law_read ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """
        for table in WALLED
    ]
    + [
        """
        DROP INDEX corpus_term_lexeme;
        ALTER TABLE corpus_indexstate DROP CONSTRAINT state_alone;
        ALTER TABLE corpus_versiondates DROP CONSTRAINT version_certain_is_possible;
        ALTER TABLE corpus_versiondates DROP CONSTRAINT dates_once;
        ALTER TABLE corpus_versiondates DROP CONSTRAINT version_alone;
        """
    ]
)


class Migration(migrations.Migration):
    dependencies = [("corpus", "0005_law_through_time")]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
