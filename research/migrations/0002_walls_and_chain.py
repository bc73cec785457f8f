"""The second wall around a practice's rows, and the triggers that keep its audit chain append-only.

Policies and FORCE on every table; audit rows refuse UPDATE, DELETE and TRUNCATE even from the owner, and an
INSERT that does not continue the chain. Recorded answers cannot be changed by the app either.
"""

from django.db import migrations

TABLES = ("research_question", "research_answer", "research_auditrow")

FORWARD = (
    "\n".join(
        f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY practice_rows ON {table}
            USING (practice_id = asat.practice_id()) WITH CHECK (practice_id = asat.practice_id());
        """
        for table in TABLES
    )
    + """
    CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        RAISE EXCEPTION 'audit rows cannot be changed: % on % refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege', HINT = 'Add a new row that corrects the old one.';
    END $$;

    CREATE FUNCTION audit_check_link() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    DECLARE
        last_number bigint := 0;
        last_digest text := repeat('0', 64);
    BEGIN
        SELECT number, digest INTO last_number, last_digest FROM research_auditrow ORDER BY number DESC LIMIT 1;
        last_number := coalesce(last_number, 0);
        last_digest := coalesce(last_digest, repeat('0', 64));
        IF NEW.number <> last_number + 1 OR NEW.prev_digest <> last_digest
           OR NEW.digest <> encode(sha256(convert_to(NEW.prev_digest || NEW.payload, 'UTF8')), 'hex') THEN
            RAISE EXCEPTION 'audit row % does not continue the chain that ends at %', NEW.number, last_number
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$;

    CREATE TRIGGER audit_rows_stay BEFORE UPDATE OR DELETE ON research_auditrow
        FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
    CREATE TRIGGER audit_table_stays BEFORE TRUNCATE ON research_auditrow
        FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
    CREATE TRIGGER audit_chain_continues BEFORE INSERT ON research_auditrow
        FOR EACH ROW EXECUTE FUNCTION audit_check_link();
    REVOKE UPDATE, DELETE, TRUNCATE ON research_auditrow, research_answer FROM asat_app;
    REVOKE DELETE, TRUNCATE ON research_question FROM asat_app;
    """
)

REVERSE = """
    DROP TRIGGER audit_chain_continues ON research_auditrow;
    DROP TRIGGER audit_table_stays ON research_auditrow;
    DROP TRIGGER audit_rows_stay ON research_auditrow;
    DROP FUNCTION audit_check_link();
    DROP FUNCTION audit_refuse_change();
    """ + "\n".join(
    f"""
        DROP POLICY practice_rows ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """
    for table in TABLES
)


class Migration(migrations.Migration):
    dependencies = [("research", "0001_questions_answers_audit")]

    operations = [migrations.RunSQL(FORWARD, REVERSE)]
