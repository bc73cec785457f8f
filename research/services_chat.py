"""What can be said in a conversation: each message is a question of its own, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from research import queries_chat
from research.models import Conversation, Question
from research.question.follow_up import MOST_EARLIER, written_out
from research.question.route import QuestionRefused, clean_question
from research.services import NotAskable, ask

MOST_MESSAGES = 100
MOST_TITLE_CHARS = 90


@dataclass(frozen=True, slots=True)
class Said:
    """What was sent. year: the income year picked beside it, None for none. is_whole: to be asked as it stands.

    frameworks and uses_subject_index: as `services.ask` takes them.
    """

    text: str
    year: int | None
    frameworks: Sequence[str] = ()
    uses_subject_index: bool = True
    is_whole: bool = False


def say(user: Any, said: Said, conversation: Conversation | None = None) -> Question:
    """The saved message, queued; the first of a conversation starts it and gives it its title.

    A follow-up is written out with words of the conversation, and then keeps what was typed. The year picked is that
    of this message alone: what an earlier one was asked for carries over only in its words.
    Raises NotAskable, with nothing saved, for what no run could answer and for a conversation that is full.
    """
    cleaned = clean_question(said.text)
    if isinstance(cleaned, QuestionRefused):
        raise NotAskable(cleaned.message)
    with transaction.atomic():
        if conversation is None:
            conversation = Conversation.objects.create(started_by=user, title=_title(cleaned.text))
        elif conversation.messages.count() >= MOST_MESSAGES:
            raise NotAskable(f"This conversation has {MOST_MESSAGES} messages. Start a new one; this one is kept.")
        text = cleaned.text
        if not said.is_whole:
            text = written_out(text, queries_chat.asked_before(conversation, MOST_EARLIER))
        return ask(
            user=user,
            text=text,
            year=said.year,
            frameworks=said.frameworks,
            uses_subject_index=said.uses_subject_index,
            conversation=conversation,
            typed=cleaned.text if text != cleaned.text else "",
        )


def _title(text: str) -> str:
    """The beginning of the first question, cut between words where it is long."""
    if len(text) <= MOST_TITLE_CHARS:
        return text
    return f"{text[:MOST_TITLE_CHARS].rsplit(' ', 1)[0].rstrip(' ,;:')}…"
