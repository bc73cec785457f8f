"""Asks PostgreSQL itself which walls stand: every finding here is a hole, and none is expected.

Run at boot, by tests, and after any restore, for tools that copy schemas have been known to drop policies.
"""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

# Our schemas are public and those of the practices; what PostgreSQL and extensions bring is not ours.
_OURS = """
our_schema AS (
    SELECT n.oid, n.nspname FROM pg_namespace n
    WHERE n.nspname = 'public' OR EXISTS (SELECT FROM public.tenancy_practice p WHERE p.schema_name = n.nspname)
),
our_relation AS (
    SELECT c.oid, s.nspname, c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions
    FROM pg_class c JOIN our_schema s ON s.oid = c.relnamespace
    WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
),
carrying AS (
    SELECT r.* FROM our_relation r
    WHERE r.relkind IN ('r', 'p') AND EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = r.oid AND a.attname = 'practice_id' AND NOT a.attisdropped)
)
"""

# The upgrade log names the practice as its key; it is read by the boot check and written by the owner alone.
_NO_POLICY_BY_DESIGN = "('tenancy_upgrade')"

_QUESTIONS = {
    "{0} carries a practice and does not ENABLE row-level security": f"""
        WITH {_OURS} SELECT nspname || '.' || relname FROM carrying
        WHERE NOT relrowsecurity AND relname NOT IN {_NO_POLICY_BY_DESIGN}""",
    "{0} carries a practice and does not FORCE row-level security": f"""
        WITH {_OURS} SELECT nspname || '.' || relname FROM carrying
        WHERE NOT relforcerowsecurity AND relname NOT IN {_NO_POLICY_BY_DESIGN}""",
    "{0} carries a practice and has no policy that asks for it": f"""
        WITH {_OURS} SELECT nspname || '.' || relname FROM carrying t
        WHERE relname NOT IN {_NO_POLICY_BY_DESIGN} AND NOT EXISTS (
            SELECT FROM pg_policy p WHERE p.polrelid = t.oid
            AND coalesce(pg_get_expr(p.polqual, p.polrelid), '') LIKE '%asat.practice_id()%')""",
    "{0} is a policy that lets every row through": f"""
        WITH {_OURS} SELECT p.polname || ' on ' || t.nspname || '.' || t.relname
        FROM carrying t JOIN pg_policy p ON p.polrelid = t.oid
        WHERE p.polpermissive AND (0 = ANY (p.polroles) OR EXISTS (
            SELECT FROM unnest(p.polroles) AS bound (role) WHERE pg_has_role(current_user, bound.role, 'MEMBER')))
            AND (pg_get_expr(p.polqual, p.polrelid) = 'true'
            OR pg_get_expr(p.polwithcheck, p.polrelid) = 'true')""",
    "{0} is in a practice's schema and carries no practice": f"""
        WITH {_OURS} SELECT nspname || '.' || relname FROM our_relation r
        WHERE relkind IN ('r', 'p') AND nspname <> 'public' AND oid NOT IN (SELECT oid FROM carrying)""",
    "{0} may be without a practice, in a practice's schema": f"""
        WITH {_OURS} SELECT t.nspname || '.' || t.relname FROM carrying t
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'practice_id'
        WHERE NOT a.attnotnull AND t.nspname <> 'public'""",
    "{0} is a view that reads as its owner; add security_invoker": f"""
        WITH {_OURS} SELECT nspname || '.' || relname FROM our_relation
        WHERE relkind = 'v' AND NOT coalesce(reloptions @> ARRAY['security_invoker=true'], false)""",
    "{0} is a materialised view, which no policy binds": f"""
        WITH {_OURS} SELECT nspname || '.' || relname FROM our_relation WHERE relkind = 'm'""",
    "{0} is a function that runs as its owner": f"""
        WITH {_OURS} SELECT n.nspname || '.' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE p.prosecdef AND (n.nspname = 'asat' OR n.oid IN (SELECT oid FROM our_schema))""",
    "{0} is an extension outside public": """
        SELECT e.extname || ' in ' || n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
        WHERE n.nspname NOT IN ('public', 'pg_catalog')""",
    # Under a policy only leakproof operators can be index conditions; an index without them is dead weight that
    # somebody counted on. An exclusion constraint is not there to be searched.
    "{0} is an index that row-level security keeps from being used": f"""
        WITH {_OURS} SELECT t.nspname || '.' || i.relname || ' (' || am.amname || ' ' || oc.opcname || ')'
        FROM our_relation t
        JOIN pg_index x ON x.indrelid = t.oid
        JOIN pg_class i ON i.oid = x.indexrelid
        JOIN pg_am am ON am.oid = i.relam
        CROSS JOIN LATERAL unnest(x.indclass::oid[]) AS k (opclass)
        JOIN pg_opclass oc ON oc.oid = k.opclass
        JOIN pg_amop ao ON ao.amopfamily = oc.opcfamily AND ao.amoplefttype = oc.opcintype
        JOIN pg_operator o ON o.oid = ao.amopopr
        JOIN pg_proc pr ON pr.oid = o.oprcode
        WHERE t.relrowsecurity
            AND NOT EXISTS (SELECT FROM pg_constraint n WHERE n.conindid = x.indexrelid AND n.contype = 'x')
        GROUP BY t.nspname, i.relname, am.amname, oc.opcname
        HAVING bool_or(NOT pr.proleakproof AND ao.amoprighttype = ao.amoplefttype) OR NOT bool_or(pr.proleakproof)""",
}


def holes(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Each hole in the walls as a sentence, sorted; an empty list is what is expected."""
    found = []
    with connections[using].cursor() as cursor:
        for sentence, question in _QUESTIONS.items():
            cursor.execute(question)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            found += [sentence.format(row[0]) + "." for row in rows]
    return sorted(found)
