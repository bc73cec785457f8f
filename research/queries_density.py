"""How well answers are borne out over time: verified quotes an answer, and what models cost, week by week."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import connection

WEEKS = 12
_SQL = """
    SELECT date_trunc('week', timezone(%s, a.decided_at))::date,
           CASE WHEN a.outcome->>'provider' IN ('extractive', 'figures') THEN a.outcome->>'provider'
                ELSE concat_ws(' · ', a.outcome->>'provider', nullif(a.outcome->>'model', 'none')) END,
           count(*),
           count(*) FILTER (WHERE a.decision = 'answer'),
           sum(counted.quotes) FILTER (WHERE a.decision = 'answer'),
           sum(counted.dropped),
           sum(counted.tokens)
    FROM research_answer a CROSS JOIN LATERAL (
        SELECT sum((SELECT count(*) FROM jsonb_path_query(told, '$.claims[*].citations[*]'))) AS quotes,
               sum((SELECT count(*) FROM jsonb_path_query(told, '$.dropped[*]'))) AS dropped,
               sum((SELECT sum((said->>'prompt_tokens')::bigint + (said->>'completion_tokens')::bigint)
                    FROM jsonb_path_query(told, '$.made_by.exchanges[*]') said)) AS tokens
        FROM (SELECT a.outcome AS told
              UNION ALL SELECT jsonb_path_query(a.outcome, '$.sides[*]')
              UNION ALL SELECT jsonb_path_query(a.outcome, '$.parts[*]')
              UNION ALL SELECT jsonb_path_query(a.outcome, '$.parts[*].sides[*]')) AS one
    ) AS counted
    WHERE a.decided_at >= now() - make_interval(weeks => %s) AND coalesce(a.outcome->>'provider', '') <> ''
    GROUP BY 1, 2 ORDER BY 1 DESC, 2
"""


@dataclass(frozen=True, slots=True)
class Density:
    """One week of one provider. asked: outcomes that it drafted for; answered of them; quotes: verified, of those
    answered; dropped: quotes and sentences that did not hold, of all; tokens: that models counted.
    """

    week: date
    provider: str
    asked: int
    answered: int
    quotes: int
    dropped: int
    tokens: int

    @property
    def per_answer(self) -> float | None:
        """Verified quotes an answer; None where nothing was answered."""
        return self.quotes / self.answered if self.answered else None


def densities(zone: str, weeks: int = WEEKS) -> list[Density]:
    """The last `weeks` weeks, newest first, a line for each provider. zone: in which a week begins on Monday."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [zone, weeks])
        rows = cursor.fetchall()
    return [Density(week, provider, *(int(count or 0) for count in counts)) for week, provider, *counts in rows]
