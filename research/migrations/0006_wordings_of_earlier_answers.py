"""The wordings that earlier answers quote, out of what was recorded of them.

Only of versions that are held: those of an answer from before words and dates were kept apart have no name any more,
and nothing is left of what was known then to compare with. A replay of such an answer says what has become of it.
"""

from django.db import migrations

FORWARD = """
    INSERT INTO research_citedwording
        (answer_id, provision_id, version_id, certain_from, certain_to, asked_first, asked_last, known_at)
    SELECT DISTINCT ON (a.id, v.id, asked.first, asked.last)
        a.id, v.provision_id, v.id, (citation->>'in_force_from')::date, (citation->>'in_force_to')::date,
        asked.first, asked.last,
        coalesce((SELECT max(lower(recorded)) FROM corpus_indexstate WHERE lower(recorded) <= a.decided_at), a.decided_at)
    FROM research_answer a
    CROSS JOIN LATERAL (
        SELECT a.outcome UNION ALL SELECT jsonb_array_elements(coalesce(a.outcome->'sides', '[]'))) AS one (told)
    CROSS JOIN LATERAL (SELECT (told->'time'->'window'->>'first')::date AS first,
                               (told->'time'->'window'->>'last')::date AS last) AS asked
    CROSS JOIN LATERAL jsonb_path_query(told, '$.claims[*].citations[*]') AS citation
    JOIN corpus_provisionversion v ON v.id = (citation->>'version_id')::bigint
    WHERE told->>'decision' = 'answer' AND asked.first IS NOT NULL
    ON CONFLICT DO NOTHING;
"""


class Migration(migrations.Migration):
    dependencies = [("research", "0005_cited_wordings")]

    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
