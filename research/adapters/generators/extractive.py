"""The default generator behind the port: the law's own sentences, with no model and no key."""

from __future__ import annotations

from collections.abc import Sequence

from research.generation.extractive import compose
from research.ports import Waiting, waiting_quietly
from research.terms import Draft, ParentGroup, Ranked


class ExtractiveGenerator:
    """Quotes, and writes nothing of its own but fixed wording."""

    provider = "extractive"
    model = "none"

    def draft(
        self,
        question: str,
        groups: Sequence[ParentGroup],
        ranked: Sequence[Ranked],
        waiting: Waiting = waiting_quietly,
    ) -> Draft:
        """The claims that `research.generation.extractive` composes, as a draft."""
        return Draft(compose(question, groups, ranked), self.provider, self.model)
