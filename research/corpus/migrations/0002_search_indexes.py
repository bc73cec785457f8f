"""Indexes that search needs: postings answered from one covering index, no two wordings of a provision at once.

The primary key of postings covers every column that the search reads, so that it is answered from the index alone.
Only integers and uuids are index conditions: under row-level security nothing else may be.
"""

from django.db import migrations

FORWARD = """
ALTER TABLE corpus_posting DROP CONSTRAINT corpus_posting_pkey;
ALTER TABLE corpus_posting ALTER COLUMN impact TYPE real;
ALTER TABLE corpus_posting ADD CONSTRAINT corpus_posting_pkey
    PRIMARY KEY (term_id, chunk_id) INCLUDE (from_day, to_day, impact, practice_id);
CREATE INDEX corpus_posting_chunk ON corpus_posting (chunk_id);
CREATE INDEX corpus_chunk_days ON corpus_chunk (from_day, to_day) INCLUDE (practice_id);
CREATE INDEX corpus_chunk_input ON corpus_chunk (input_sha256);
CREATE INDEX corpus_chunk_term ON corpus_chunk (lower(defined_term)) WHERE defined_term <> '';
ALTER TABLE corpus_chunkvector ALTER COLUMN vector SET STORAGE PLAIN;
ALTER TABLE corpus_provisionversion ADD CONSTRAINT version_alone
    EXCLUDE USING gist (provision_id WITH =, certain WITH &&, recorded WITH &&) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE corpus_provisionversion ADD CONSTRAINT version_certain_is_possible CHECK (certain <@ possible);
ALTER TABLE corpus_indexstate ADD CONSTRAINT one_row CHECK (id = 1);
"""

REVERSE = """
ALTER TABLE corpus_indexstate DROP CONSTRAINT one_row;
ALTER TABLE corpus_provisionversion DROP CONSTRAINT version_certain_is_possible;
ALTER TABLE corpus_provisionversion DROP CONSTRAINT version_alone;
DROP INDEX corpus_chunk_term;
DROP INDEX corpus_chunk_input;
DROP INDEX corpus_chunk_days;
DROP INDEX corpus_posting_chunk;
ALTER TABLE corpus_posting DROP CONSTRAINT corpus_posting_pkey;
ALTER TABLE corpus_posting ADD CONSTRAINT corpus_posting_pkey PRIMARY KEY (term_id, chunk_id);
"""


class Migration(migrations.Migration):
    dependencies = [("corpus", "0001_law_and_index"), ("tenancy", "0001_initial")]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
