"""The only writer of audit rows: answer, link and cited wordings in one transaction, one at a time per practice."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction
from django.utils import timezone

from asat_site.tenancy.keeper import as_keeper
from research import models
from research.audit import chain, record
from research.corpus.models import ProvisionVersion
from research.outcome_json import outcome_to_json
from research.ports import Asked
from research.terms import Citation, Decision, Outcome, Window


class PostgresAuditStore:
    def append(self, asked: Asked, outcome: Outcome) -> int:
        """The number of the new row. A practice's writers queue on an advisory lock; the database checks the link."""
        plain = outcome_to_json(outcome)
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('asat.audit ' || asat.practice_id(), 0))")
            with as_keeper():  # the last row may be of a client that whoever asked does not see
                last = models.AuditRow.objects.order_by("-number").values_list("number", "digest").first()
            number, prev_digest = (last[0] + 1, last[1]) if last else (1, chain.FIRST_DIGEST)
            now = timezone.now()
            payload = record.payload_of(number, now, asked, plain)
            row = models.AuditRow.objects.create(
                number=number,
                question_id=asked.question_id,
                payload=payload,
                prev_digest=prev_digest,
                digest=chain.digest(prev_digest, payload),
            )
            answer = models.Answer.objects.create(
                question_id=asked.question_id,
                decision=plain["decision"],
                reason=plain["reason"],
                income_year=plain["time"]["year"] if plain["time"] else None,
                snapshot_id=plain["snapshot"]["snapshot_id"] if plain["snapshot"] else "",
                outcome=plain,
                audit=row,
            )
            models.CitedWording.objects.bulk_create(_wordings(answer, outcome, now))
            models.Question.objects.filter(pk=asked.question_id).update(status=models.Question.Status.DONE)
        return number


def _wordings(answer: models.Answer, outcome: Outcome, now: datetime) -> list[models.CitedWording]:
    """Each wording that the answer quotes, once for each time asked about. A refusal rests on none."""
    cited: dict[tuple[int, Window], Citation] = {}
    for told in (outcome, *outcome.sides, *outcome.parts, *(side for part in outcome.parts for side in part.sides)):
        if told.decision is Decision.ANSWER and told.time is not None:
            for claim in told.claims:
                for citation in claim.citations:
                    cited.setdefault((citation.version_id, told.time.window), citation)
    if not cited:
        return []
    held = ProvisionVersion.objects.filter(pk__in={version_id for version_id, _ in cited})
    provisions = dict(held.values_list("pk", "provision_id"))
    known_at = (outcome.snapshot.known_at if outcome.snapshot else None) or now
    return [
        models.CitedWording(
            answer=answer,
            provision_id=provisions[version_id],
            version_id=version_id,
            certain_from=citation.in_force_from,
            certain_to=citation.in_force_to,
            asked_first=window.first,
            asked_last=window.last,
            known_at=known_at,
        )
        for (version_id, window), citation in cited.items()
        if version_id in provisions
    ]
