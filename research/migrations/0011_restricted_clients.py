"""A question asked for a restricted client is seen by those assigned to it alone, with its answer and its audit row.

What a row is for is fixed, but for the client: two that are found to be one are merged, and their questions with them.
The check of the chain reads the last row whoever's it is, as the keeper, or a hidden row would break the chain.
A cited wording names no question and no words; its answer is where they hang.
"""

from django.db import migrations

SEEN = "(client_id IS NULL OR client_id NOT IN (SELECT h.client_id FROM clients_hidden h))"
ANSWERS = "EXISTS (SELECT FROM research_question q WHERE q.id = question_id)"
ROWS = f"(question_id IS NULL OR {ANSWERS})"

KEEPER_BEFORE = """
        PERFORM set_config('asat.user_id', '00000000-0000-4000-8000-0000000000ff', true);"""
KEEPER_AFTER = """
        PERFORM set_config('asat.user_id', coalesce(spoken_for, ''), true);"""


def check_link(before, after):
    """The trigger's function, with the last row read as the keeper between the two."""
    return f"""
    CREATE OR REPLACE FUNCTION audit_check_link() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    DECLARE
        last_number bigint := 0;
        last_digest text := repeat('0', 64);
        spoken_for text := current_setting('asat.user_id', true);
    BEGIN{before}
        SELECT number, digest INTO last_number, last_digest FROM research_auditrow ORDER BY number DESC LIMIT 1;{after}
        last_number := coalesce(last_number, 0);
        last_digest := coalesce(last_digest, repeat('0', 64));
        IF NEW.number <> last_number + 1 OR NEW.prev_digest <> last_digest
           OR NEW.digest <> encode(sha256(convert_to(NEW.prev_digest || NEW.payload, 'UTF8')), 'hex') THEN
            RAISE EXCEPTION 'audit row % does not continue the chain that ends at %', NEW.number, last_number
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$;
    """


FORWARD = f"""
    CREATE POLICY unhidden_client_id ON research_question AS RESTRICTIVE USING {SEEN} WITH CHECK {SEEN};
    CREATE POLICY of_seen_questions ON research_answer AS RESTRICTIVE USING ({ANSWERS}) WITH CHECK ({ANSWERS});
    CREATE POLICY of_seen_questions ON research_auditrow AS RESTRICTIVE USING {ROWS} WITH CHECK {ROWS};
    {check_link(KEEPER_BEFORE, KEEPER_AFTER)}
    GRANT UPDATE (client_id) ON research_question TO asat_app;
    CREATE INDEX question_client ON research_question (client_id, asked_at DESC);
"""

REVERSE = (
    """
    DROP INDEX question_client;
    REVOKE UPDATE (client_id) ON research_question FROM asat_app;
"""
    + check_link("", "")
    + """
    DROP POLICY of_seen_questions ON research_auditrow;
    DROP POLICY of_seen_questions ON research_answer;
    DROP POLICY unhidden_client_id ON research_question;
"""
)


class Migration(migrations.Migration):
    dependencies = [
        ("clients", "0002_register"),
        ("research", "0010_batch_references"),
    ]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
