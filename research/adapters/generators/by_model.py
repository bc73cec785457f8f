"""A language model behind the generator's port: two passes, and once more where two samples are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from research.drafted import Bounds, two_passes
from research.ports import LanguageModel, Waiting, waiting_quietly
from research.terms import Draft, ParentGroup, Ranked

SECOND_TEMPERATURE = 0.7  # the same sample twice would agree with itself


@dataclass(frozen=True, slots=True)
class ModelGenerator:
    """Drafts with `language_model`; with `second` as well, to see whether the two rest on the same provisions.

    samples: 2 to ask the same model again, warmer, where there is no second one.
    """

    language_model: LanguageModel
    bounds: Bounds
    samples: int = 1
    second: LanguageModel | None = None

    @property
    def provider(self) -> str:
        return self.language_model.identity.provider

    @property
    def model(self) -> str:
        return self.language_model.identity.model

    def draft(
        self,
        question: str,
        groups: Sequence[ParentGroup],
        ranked: Sequence[Ranked],
        waiting: Waiting = waiting_quietly,
    ) -> Draft:
        """The draft, with the second as `Draft.second` where one was asked for. Raises ModelFailed."""
        first = two_passes(self.language_model, question, groups, self.bounds, waiting)
        if self.samples < 2 and self.second is None:
            return first
        warmer = replace(self.bounds, temperature=SECOND_TEMPERATURE)
        other = self.second or self.language_model
        bounds = self.bounds if self.second else warmer
        second = two_passes(other, question, groups, bounds, waiting)
        if first.record is None or second.record is None:
            return replace(first, second=second)
        said = first.record.exchanges + second.record.exchanges
        identity = second.record.identity if self.second else None
        record = replace(first.record, exchanges=said, samples=2, second=identity)
        return replace(first, second=second, record=record)
