"""What a caller may send, and how a question is told. Whether it can be asked is for `services.ask` to say."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from research.models import Question
from research.outcome_json import result_line, told_outside


class _NoWords(serializers.Field):
    """Any text as it is, so that the sentence about what is wrong with it is the page's own."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("is no text")
        return data

    def to_representation(self, value: str) -> str:
        return value


class AskedQuestion(serializers.Serializer[Any]):
    """{question, income_year?, frameworks?}: income_year is the year it ends in, as a number or "FY2015"."""

    question = _NoWords()
    income_year = serializers.JSONField(required=False, default=None, allow_null=True)
    frameworks = serializers.ListField(child=_NoWords(), required=False, default=list, max_length=200)


class TextToCheck(serializers.Serializer[Any]):
    """{text, as_at}: as_at is an income year ("FY2015") or a day ("2015-06-22"); without it the latest year held."""

    text = _NoWords()
    as_at = _NoWords(required=False, default="")


def question_as_json(question: Question, url: str) -> dict[str, Any]:
    """A question as it stands now. outcome: what is recorded of the answer but for a model's own words, null until
    there is one.

    result: the line that evaluations are made of: decision, reason, citations, and who answered.
    """
    is_done = question.status == Question.Status.DONE
    outcome = question.answer.outcome if is_done else None
    return {
        "id": str(question.pk),
        "url": url,
        "status": question.status,
        "asked_at": question.asked_at.isoformat(),
        "question": question.text,
        "audit_row": question.answer.audit.number if is_done else None,
        "result": result_line(str(question.pk), outcome) if outcome else None,
        "outcome": told_outside(outcome) if outcome else None,
    }
