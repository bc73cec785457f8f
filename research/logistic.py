"""A fitted logistic regression with its numbers readable: what judges relevance and what gives the confidence.

Pure. Fitted by `manage.py calibrate` on the tune half of the gold set; the numbers stand in `weights.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.law.identity import text_sha256


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted regression: probability = 1 / (1 + exp(-(intercept + sum of coefficient x feature))).

    Of several that compete the shares are those of a conditional logistic regression with "none of these" among them:
    exp(sum), divided by 1 and the exp(sum) of all.

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

    def total(self, features: Mapping[str, float]) -> float:
        """The weighted sum, on the scale of log odds. Raises KeyError for a feature that is not there."""
        return self.intercept + sum([value * features[name] for name, value in self.coefficients.items()])

    def probability(self, features: Mapping[str, float]) -> float:
        """How likely it is, from 0 to 1. Raises KeyError for a feature that is not there."""
        return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, self.total(features)))))

    def shares(self, several: Sequence[Mapping[str, float]]) -> list[float]:
        """How likely each of `several` is the one; what they lack to 1 is that none of them is.

        None of them stands beside them with a total of 0, so that one candidate alone is not certain for being alone.
        """
        return shares_of([self.total(features) for features in several])


def shares_of(totals: Sequence[float]) -> list[float]:
    """The same from the weighted sums, for whoever needs those too."""
    highest = max(0.0, *totals) if totals else 0.0
    weights = [math.exp(total - highest) for total in totals]
    whole = sum(weights) + math.exp(-highest)
    return [weight / whole for weight in weights]
