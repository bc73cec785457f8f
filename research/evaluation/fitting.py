"""Fits the relevance scorer and the confidence to cases, with scikit-learn: what `manage.py calibrate` runs.

Both are logistic regressions with an L2 penalty over standardised columns, written back in the columns' own units, so
that the numbers that ship can be read. Cross-validation keeps the rows of one question together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

FOLDS = 8
SMALLEST_SPREAD = 1e-9


@dataclass(frozen=True, slots=True)
class Rows:
    """What a regression is fitted to. groups: which question each row belongs to."""

    names: tuple[str, ...]
    numbers: Sequence[Mapping[str, float]]
    labels: Sequence[bool]
    groups: Sequence[int]

    def matrix(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        return np.asarray([[row[name] for name in self.names] for row in self.numbers], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Fitted:
    """intercept and coefficients in the units of the rows; predicted: of each row by the folds that did not see it."""

    intercept: float
    coefficients: dict[str, float]
    predicted: list[float]


def fit(rows: Rows, strength: float) -> Fitted:
    """strength: scikit-learn's C, the inverse of the penalty. Raises ValueError for fewer than `FOLDS` questions."""
    matrix, labels, groups = rows.matrix(), np.asarray(rows.labels, dtype=int), np.asarray(rows.groups)
    predicted = np.zeros(len(labels))
    for seen, unseen in GroupKFold(FOLDS).split(matrix, labels, groups):
        intercept, coefficients = _fit(matrix[seen], labels[seen], strength)
        predicted[unseen] = 1 / (1 + np.exp(-(intercept + matrix[unseen] @ coefficients)))
    intercept, coefficients = _fit(matrix, labels, strength)
    named = {name: round(float(value), 4) for name, value in zip(rows.names, coefficients, strict=True)}
    return Fitted(round(float(intercept), 4), named, predicted.tolist())


def _fit(
    matrix: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    labels: np.ndarray[tuple[int], np.dtype[np.int64]],
    strength: float,
) -> tuple[float, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    middle, spread = matrix.mean(axis=0), np.maximum(matrix.std(axis=0), SMALLEST_SPREAD)
    model = LogisticRegression(C=strength, max_iter=3000).fit((matrix - middle) / spread, labels)
    coefficients = model.coef_[0] / spread
    return float(model.intercept_[0] - coefficients @ middle), coefficients
