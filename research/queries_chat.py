"""Reads of a user's conversations: their list, one of them, its messages, and what its answers cite."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from research.models import Answer, Conversation, Question


def conversations(user: Any, limit: int = 30, before: datetime | None = None) -> list[Conversation]:
    """The user's own conversations, the newest first, each with its number of messages as `said`."""
    mine = _own(user)
    if before is not None:
        mine = mine.filter(started_at__lt=before)
    return list(mine.annotate(said=Count("messages")).order_by("-started_at", "id")[:limit])


def conversation_of(user: Any, conversation_id: UUID) -> Conversation | None:
    """The conversation if this user started it, else None: nobody learns that another's exists."""
    return _own(user).filter(pk=conversation_id).first()


def messages_of(conversation: Conversation) -> list[Question]:
    """All its messages, oldest first, each with its answer where one is recorded."""
    said = Question.objects.filter(conversation=conversation).select_related("answer__audit")
    return list(said.order_by("asked_at", "id"))


def message_of(conversation: Conversation, question_id: UUID) -> Question | None:
    found = Question.objects.filter(conversation=conversation, pk=question_id)
    return found.select_related("answer__audit").first()


def asked_before(conversation: Conversation, most: int) -> list[str]:
    """The last questions as they were asked, oldest first, at most so many."""
    asked = Question.objects.filter(conversation=conversation).order_by("-asked_at", "id")
    return list(asked.values_list("text", flat=True)[:most])[::-1]


def cited_in(conversation: Conversation) -> list[Mapping[str, Any]]:
    """What the answers hold that sources are read from, in the order in which they were given.

    Each has the keys decision, claims, figures, sides, parts, time and snapshot of an outcome. One that comes late is
    after those that were there, so that no number moves.
    """
    keys = ("claims", "figures", "sides", "parts", "time", "snapshot")
    given = Answer.objects.filter(question__conversation=conversation).order_by("decided_at", "id")
    rows = given.values("decision", *(f"outcome__{key}" for key in keys))
    return [{"decision": row["decision"]} | {key: row[f"outcome__{key}"] for key in keys} for row in rows]


def _own(user: Any) -> QuerySet[Conversation]:
    return Conversation.objects.filter(started_by=user)
