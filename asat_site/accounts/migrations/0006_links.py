"""Links that are settled once they are made, and events of tokens and links; everybody signs in once more."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Whose password a link changes is settled when it is made; for somebody new, as they join. What happened to a link
# happened once.
LINKS_STAY = """
    GRANT UPDATE (shown_at) ON accounts_invitation TO asat_app;

    CREATE FUNCTION invitation_stays() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF (NEW.user_id IS DISTINCT FROM OLD.user_id AND (OLD.user_id IS NOT NULL OR NEW.accepted_at IS NULL))
            OR (OLD.accepted_at IS NOT NULL AND NEW.accepted_at IS DISTINCT FROM OLD.accepted_at)
            OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
        THEN
            RAISE EXCEPTION 'a link stays what it is: % on % refused', TG_OP, TG_TABLE_NAME
                USING ERRCODE = 'insufficient_privilege', HINT = 'Revoke it, and make another.';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER invitations_stay BEFORE UPDATE ON accounts_invitation
        FOR EACH ROW EXECUTE FUNCTION invitation_stays();
"""
LINKS_CHANGE = """
    DROP TRIGGER invitations_stay ON accounts_invitation;
    DROP FUNCTION invitation_stays();
"""

# A session from before sessions were noted is in no list, and nothing would end it.
NOBODY_IS_IN = "DELETE FROM django_session; DELETE FROM accounts_opensession;"

KINDS = [
    ("signed_in", "Signed in"),
    ("refused", "Sign-in refused"),
    ("locked_out", "Has to wait after too many attempts"),
    ("signed_out", "Signed out"),
    ("factor_set_up", "Second factor set up"),
    ("factor_removed", "Second factor removed"),
    ("factor_refused", "Code refused"),
    ("recovery_code_used", "Recovery code used"),
    ("codes_made", "Recovery codes made"),
    ("password_changed", "Password changed"),
    ("password_link", "Link for a new password made"),
    ("link_shown", "Link shown anew"),
    ("invited", "Invited"),
    ("invitation_accepted", "Invitation accepted"),
    ("invitation_revoked", "Link revoked"),
    ("role_changed", "Role changed"),
    ("deactivated", "Deactivated"),
    ("reactivated", "Reactivated"),
    ("session_ended", "Session ended"),
    ("requirement_changed", "Second factor for everybody"),
    ("token_made", "Access token made"),
    ("token_revoked", "Access token revoked"),
    ("exported", "Exported"),
]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_people"), ("sessions", "0001_initial")]

    operations = [
        migrations.RunSQL(NOBODY_IS_IN, migrations.RunSQL.noop),
        migrations.AlterField("accountevent", "kind", models.CharField(choices=KINDS, max_length=20)),
        migrations.AlterField(
            "invitation",
            "made_by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("invitation", "shown_at", models.DateTimeField(null=True)),
        migrations.RunSQL(LINKS_STAY, LINKS_CHANGE),
    ]
