"""What has become known of the law since this practice's answers were recorded, as far as it bears on their words.

Nobody is told that an answer is wrong: what changed is told, from which words to which. What an answer rested on is in
`CitedWording`; what is known of the law, and since when, in the open and ended rows of `corpus_versiondates`. Wordings
are compared, not versions: a fuller reading of the same words, or a provision that moved, is no change.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import connection

from asat_site.tenancy.context import current_practice_id, in_practice
from asat_site.tenancy.models import Practice
from research.corpus.queries import pin_of
from research.models import Answer

FEW = 5  # answers shown under a change; the rest have a page


class Kind(StrEnum):
    """What is known now that was not when the answer was recorded.

    SUPERSEDED: another wording became the law after the days asked about. CEASED: the words ceased to be law and none
    followed. The rest are of the days asked about. OTHER_WORDS: others were the law, and not those quoted. OTHER_TOO:
    others as well, on some of the days. UNCERTAIN: that the quoted words were the law is not certain any more. CERTAIN:
    that they were is certain now.
    """

    SUPERSEDED = "superseded"
    CEASED = "ceased"
    OTHER_WORDS = "other_words"
    OTHER_TOO = "other_too"
    UNCERTAIN = "uncertain"
    CERTAIN = "certain"


# cited: each different thing that answers rest on, where anything has become known of its provision since. facts: of
# each, what was known of its provision then and what is known now, a row of dates at a time, gathered up; arrays hold
# the wordings; a placeholder for what a source does not carry is none. told: the verdict. A wording that follows is
# news if no wording known then followed as early.
TOLD = """
WITH moved AS (
    SELECT provision_id, max(CASE WHEN upper_inf(recorded) THEN lower(recorded) ELSE upper(recorded) END) AS known_since
    FROM corpus_versiondates GROUP BY provision_id
), cited AS (
    SELECT c.provision_id, c.version_id, c.asked_first, c.asked_last, c.known_at, m.known_since,
           array_agg(c.answer_id) AS answer_ids
    FROM research_citedwording c JOIN moved m ON m.provision_id = c.provision_id AND m.known_since > c.known_at
    GROUP BY 1, 2, 3, 4, 5, 6
), compared AS (
    SELECT c.*, d.id AS dates_id, d.version_id AS of_version, w.wording_sha256 AS wording, d.certain, d.possible,
           w.wording_sha256 = cw.wording_sha256 AS is_same,
           upper_inf(d.recorded) AS is_now, d.recorded @> c.known_at AS was_then,
           d.certain && daterange(c.asked_first, c.asked_last, '[]') AS is_asked,
           lower(d.certain) > c.asked_last AS is_after
    FROM cited c
    JOIN corpus_provisionversion cv ON cv.id = c.version_id
    JOIN corpus_words cw ON cw.id = cv.words_id
    JOIN corpus_versiondates d ON d.provision_id = c.provision_id
    JOIN corpus_provisionversion v ON v.id = d.version_id
    JOIN corpus_words w ON w.id = v.words_id
    WHERE (upper_inf(d.recorded) OR d.recorded @> c.known_at) AND NOT starts_with(w.wording_sha256, 'omitted-')
), facts AS (
    SELECT provision_id, version_id, asked_first, asked_last, known_since, any_value(answer_ids) AS answer_ids,
           coalesce(bool_or(is_same AND is_asked) FILTER (WHERE is_now), false) AS is_certain,
           coalesce(bool_or(is_same AND is_asked) FILTER (WHERE was_then), false) AS was_certain,
           array_agg(wording) FILTER (WHERE was_then AND NOT is_same AND is_asked) AS others_then,
           array_agg(wording) FILTER (WHERE is_now AND NOT is_same AND is_asked) AS others_now,
           (array_agg(dates_id ORDER BY was_then, lower(certain) DESC)
               FILTER (WHERE is_now AND NOT is_same AND is_asked))[1] AS other_id,
           array_agg(wording) FILTER (WHERE was_then AND NOT is_same AND is_after) AS followed_then,
           min(lower(certain)) FILTER (WHERE was_then AND NOT is_same AND is_after) AS followed_from_then,
           (array_agg(dates_id ORDER BY lower(certain))
               FILTER (WHERE is_now AND NOT is_same AND is_after))[1] AS next_id,
           (array_agg(of_version ORDER BY lower(certain) DESC)
               FILTER (WHERE is_now AND is_same AND NOT is_after))[1] AS same_version,
           max(upper(certain)) FILTER (WHERE is_now AND is_same AND NOT is_after) AS certain_to,
           max(coalesce(upper(possible), 'infinity')) FILTER (WHERE is_now) AS ends,
           max(coalesce(upper(possible), 'infinity')) FILTER (WHERE was_then) AS ended_then
    FROM compared GROUP BY provision_id, version_id, asked_first, asked_last, known_at, known_since
), named AS (
    SELECT f.*, n.version_id AS next_version, nw.wording_sha256 AS next_wording, lower(n.certain) AS next_from,
           lower(n.possible) AS next_possible, o.version_id AS other_version,
           greatest(lower(o.certain), f.asked_first) AS other_from
    FROM facts f
    LEFT JOIN corpus_versiondates n ON n.id = f.next_id
    LEFT JOIN corpus_provisionversion nv ON nv.id = n.version_id
    LEFT JOIN corpus_words nw ON nw.id = nv.words_id
    LEFT JOIN corpus_versiondates o ON o.id = f.other_id
), told AS (
    SELECT f.*, CASE
        WHEN NOT coalesce(others_now, '{}') <@ coalesce(others_then, '{}')
            THEN CASE WHEN is_certain THEN 'other_too' ELSE 'other_words' END
        WHEN was_certain AND NOT is_certain THEN 'uncertain'
        WHEN is_certain AND NOT was_certain THEN 'certain'
        WHEN next_id IS NOT NULL AND next_wording <> ALL (coalesce(followed_then, '{}'))
             AND next_from < coalesce(followed_from_then, 'infinity') THEN 'superseded'
        WHEN next_id IS NULL AND ends < 'infinity' AND ended_then = 'infinity' THEN 'ceased'
    END AS kind
    FROM named f
), touched AS (
    SELECT unnest(t.answer_ids) AS answer_id, t.kind, t.provision_id, t.version_id, t.known_since,
           CASE WHEN t.kind = 'superseded' THEN t.next_version
                WHEN t.kind IN ('other_words', 'other_too') THEN t.other_version END AS now_version,
           CASE WHEN t.kind = 'superseded' THEN t.next_from
                WHEN t.kind IN ('other_words', 'other_too') THEN t.other_from
                ELSE t.asked_last END AS as_at,
           t.same_version,
           CASE t.kind WHEN 'superseded' THEN t.next_possible
                       WHEN 'ceased' THEN t.certain_to END AS changed_from,
           CASE t.kind WHEN 'superseded' THEN t.next_from WHEN 'ceased' THEN t.ends END AS changed_to
    FROM told t WHERE t.kind IS NOT NULL
)
"""

SUMMARY = """
SELECT count(DISTINCT answer_id), count(DISTINCT answer_id) FILTER (WHERE kind IN ('superseded', 'ceased')),
       min(changed_from) FILTER (WHERE kind = 'superseded'), min(changed_to) FILTER (WHERE kind = 'superseded'),
       max(changed_to) FILTER (WHERE kind = 'superseded'), bool_and(kind = 'superseded')
FROM touched
"""

GROUPS = """
, grouped AS (
    SELECT kind, provision_id, version_id, now_version, changed_from, changed_to, max(known_since) AS known_since,
           max(as_at) AS as_at, max(same_version) AS same_version, count(DISTINCT answer_id) AS answers,
           (array_agg(DISTINCT answer_id ORDER BY answer_id DESC))[%(after)s + 1:%(after)s + %(most)s]
               AS answer_ids
    FROM touched GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT g.kind, g.provision_id, g.version_id, g.now_version, g.changed_from, g.changed_to, g.known_since, g.as_at,
       g.same_version, g.answers, g.answer_ids, p.instrument_id, i.title, p.document_id, p.schedule, p.section,
       w.heading, count(*) OVER ()
FROM grouped g
JOIN corpus_provision p ON p.id = g.provision_id
JOIN corpus_instrument i ON i.code = p.instrument_id
JOIN corpus_provisionversion v ON v.id = coalesce(g.now_version, g.version_id)
JOIN corpus_words w ON w.id = v.words_id
WHERE %(version)s::bigint IS NULL OR g.version_id = %(version)s
ORDER BY g.known_since DESC, g.changed_to DESC NULLS LAST, p.instrument_id, p.sort_key, g.version_id, g.kind,
         g.now_version
LIMIT %(limit)s OFFSET %(offset)s
"""


@dataclass(frozen=True, slots=True)
class LawChange:
    """One change, how many answers rest on the words from before it, and the newest of them.

    cited_version is what they quote; now_version what is known now, None where that is no other wording. changed_from
    and changed_to: between which days the words changed or ceased, the same where the day is known; None for the kinds
    that are of the days asked about. known_since: when AsAt learnt it. as_at: a day on which what is known now shows.
    same_version: the one that is known now of the words quoted, None if they are not known to have been law at all.
    """

    kind: Kind
    provision_id: int
    instrument: str
    instrument_title: str
    pin: str
    schedule: str
    section: str
    heading: str
    cited_version: int
    now_version: int | None
    changed_from: date | None
    changed_to: date | None
    known_since: datetime
    as_at: date
    same_version: int | None
    answers: int
    answer_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """How many answers rest on words of which something else is known now.

    changed: those whose words changed or ceased after the days asked about. changed_on: the one day on which all of
    them did, where there is one and nothing else is to be told.
    """

    answers: int
    changed: int = 0
    changed_on: date | None = None


def law_changes(
    limit: int = 20, offset: int = 0, version: int | None = None, most: int = FEW, after: int = 0
) -> tuple[list[LawChange], int]:
    """Changes that bear on this practice's answers, last learnt first, and how many there are in all.

    version: only what became of this wording. most: how many answers are named with each change, newest first,
    leaving out the first `after`.
    """
    wanted = {"limit": limit, "offset": offset, "version": version, "most": most, "after": after}
    rows = _rows(TOLD + GROUPS, wanted)
    return [_change_of(row) for row in rows], rows[0][-1] if rows else 0


def answers_of(answer_ids: Sequence[int]) -> list[Answer]:
    """The answers with their question and audit row, newest first."""
    found = Answer.objects.select_related("question__asked_by", "audit").filter(pk__in=answer_ids)
    return list(found.order_by("-pk"))


def touched_now() -> Touched:
    """How many answers of this practice are touched. Remembered until the next import: nothing else changes it."""
    moment = _rows("SELECT max(lower(recorded)) FROM corpus_indexstate", {})[0][0]
    return _touched(current_practice_id(), moment)


@functools.lru_cache(maxsize=256)
def _touched(practice_id: UUID | None, moment: datetime | None) -> Touched:
    """As `touched_now`, for a practice as the law was known at a moment: an answer recorded later knows all of it."""
    answers, changed, first, earliest, latest, are_alike = _rows(TOLD + SUMMARY, {})[0]
    is_one_day = bool(are_alike) and first == earliest == latest
    return Touched(answers, changed, latest if is_one_day else None)


def forget() -> None:
    """Forget what is remembered: for tests, whose imports never happened."""
    _touched.cache_clear()


def summary_by_practice() -> Iterator[tuple[Practice, Touched]]:
    """Every practice that has answers to be told of, with how many: counts and nothing else."""
    for practice in list(Practice.objects.exclude(schema_name="public").order_by("created_at")):
        with in_practice(practice):
            told = touched_now()
        if told.answers:
            yield practice, told


def _change_of(row: tuple[Any, ...]) -> LawChange:
    (
        kind, provision_id, version_id, now_version, changed_from, changed_to, known_since, as_at,
        same_version, answers, answer_ids, instrument, title, document_id, schedule, section, heading, _,
    ) = row  # fmt: skip
    return LawChange(
        kind=Kind(kind),
        provision_id=provision_id,
        instrument=instrument,
        instrument_title=title,
        pin=pin_of(document_id),
        schedule=schedule,
        section=section,
        heading=heading,
        cited_version=version_id,
        now_version=now_version,
        changed_from=changed_from,
        changed_to=changed_to,
        known_since=known_since,
        as_at=as_at,
        same_version=same_version,
        answers=answers,
        answer_ids=tuple(answer_ids),
    )


def _rows(sql: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
