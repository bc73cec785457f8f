"""The only writer of audit rows: answer and chain link in one transaction, one at a time per practice."""

from __future__ import annotations

from django.db import connection, transaction
from django.utils import timezone

from research import models
from research.audit import chain, record
from research.outcome_json import outcome_to_json
from research.ports import Asked
from research.terms import Outcome


class PostgresAuditStore:
    def append(self, asked: Asked, outcome: Outcome) -> int:
        """The number of the new row. A practice's writers queue on an advisory lock; the database checks the link."""
        plain = outcome_to_json(outcome)
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('asat.audit ' || asat.practice_id(), 0))")
            last = models.AuditRow.objects.order_by("-number").values_list("number", "digest").first()
            number, prev_digest = (last[0] + 1, last[1]) if last else (1, chain.FIRST_DIGEST)
            payload = record.payload_of(number, timezone.now(), asked, plain)
            row = models.AuditRow.objects.create(
                number=number,
                question_id=asked.question_id,
                payload=payload,
                prev_digest=prev_digest,
                digest=chain.digest(prev_digest, payload),
            )
            models.Answer.objects.create(
                question_id=asked.question_id,
                decision=plain["decision"],
                reason=plain["reason"],
                income_year=plain["time"]["year"] if plain["time"] else None,
                snapshot_id=plain["snapshot"]["snapshot_id"] if plain["snapshot"] else "",
                outcome=plain,
                audit=row,
            )
            models.Question.objects.filter(pk=asked.question_id).update(status=models.Question.Status.DONE)
        return number
