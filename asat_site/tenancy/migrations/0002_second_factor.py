"""Whether a practice asks everybody for a second factor: written by its owners, so by the app role, in its own row.

The other columns stay beyond the app role. The rows carry no policy, since routing reads them before it is in a
practice, so a trigger holds what is written.
"""

from django.db import migrations, models

OWN_ROW = """
CREATE FUNCTION asat.practice_row_is_own() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'asat_app' AND OLD.id IS DISTINCT FROM asat.practice_id() THEN
        RAISE EXCEPTION 'a practice changes its own row alone' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER practice_row_is_own BEFORE UPDATE ON tenancy_practice
    FOR EACH ROW EXECUTE FUNCTION asat.practice_row_is_own();
GRANT UPDATE (requires_second_factor) ON tenancy_practice TO asat_app;
"""
NOT_OWN_ROW = """
REVOKE UPDATE (requires_second_factor) ON tenancy_practice FROM asat_app;
DROP TRIGGER practice_row_is_own ON tenancy_practice;
DROP FUNCTION asat.practice_row_is_own();
"""


class Migration(migrations.Migration):
    dependencies = [("tenancy", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="practice",
            name="requires_second_factor",
            field=models.BooleanField(default=False),
        ),
        migrations.RunSQL(OWN_ROW, NOT_OWN_ROW),
    ]
