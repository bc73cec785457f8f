"""A fitted logistic regression with its numbers readable: what judges relevance and what gives the confidence.

Pure. Fitted by `manage.py calibrate` on the tune half of the gold set; the numbers stand in `weights.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from research.law.identity import text_sha256


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted regression: probability = 1 / (1 + exp(-(intercept + sum of coefficient x feature))).

    A feature without a coefficient counts nothing. measured: on what, where and when it was fitted.
    """

    intercept: float
    coefficients: Mapping[str, float]
    measured: str

    @property
    def digest(self) -> str:
        """Twelve digits that name these numbers: part of the scorer's identity."""
        numbers = [f"{name}={value!r}" for name, value in sorted(self.coefficients.items())]
        return text_sha256(repr(self.intercept), *numbers)[:12]

    def probability(self, features: Mapping[str, float]) -> float:
        """How likely it is, from 0 to 1. Raises KeyError for a feature that is not there."""
        total = self.intercept + sum(value * features[name] for name, value in self.coefficients.items())
        return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, total))))
