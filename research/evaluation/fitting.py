"""Fits the relevance scorer and the confidence to cases, with scikit-learn and SciPy: what `manage.py calibrate` runs.

Both are logistic regressions with an L2 penalty over standardised columns, written back in the columns' own units, so
that the numbers that ship can be read; relevance is conditional, for provisions compete. Cross-validation keeps the
rows of one question together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

FOLDS = 8
SMALLEST_SPREAD = 1e-9

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Column = np.ndarray[tuple[int], np.dtype[np.float64]]
Labels = np.ndarray[tuple[int], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Rows:
    """What a regression is fitted to. groups: which question each row belongs to; refused: those to be refused."""

    names: tuple[str, ...]
    numbers: Sequence[Mapping[str, float]]
    labels: Sequence[bool]
    groups: Sequence[int]
    refused: frozenset[int] = frozenset()

    def matrix(self) -> Matrix:
        return np.asarray([[row[name] for name in self.names] for row in self.numbers], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Fitted:
    """intercept and coefficients in the units of the rows; predicted: of each row by the folds that did not see it."""

    intercept: float
    coefficients: dict[str, float]
    predicted: list[float]


def fit(rows: Rows, strength: float) -> Fitted:
    """A logistic regression: the chance that a row is labelled. strength: scikit-learn's C, inverse of the penalty.

    Raises ValueError for fewer than `FOLDS` questions.
    """
    matrix, labels, groups = rows.matrix(), np.asarray(rows.labels, dtype=int), np.asarray(rows.groups)
    predicted = np.zeros(len(labels))
    for seen, unseen in GroupKFold(FOLDS).split(matrix, labels, groups):
        intercept, coefficients = _fit(matrix[seen], labels[seen], strength)
        predicted[unseen] = 1 / (1 + np.exp(-(intercept + matrix[unseen] @ coefficients)))
    intercept, coefficients = _fit(matrix, labels, strength)
    return Fitted(round(float(intercept), 4), _named(rows, coefficients), predicted.tolist())


def fit_shares(rows: Rows, strength: float) -> Fitted:
    """A conditional logistic regression: which of a question's rows is the labelled one, or one of them, or none.

    It maximises the log of the labelled rows' shares (McFadden 1974) where "none of these" stands beside them with a
    total of 0, with the same penalty as `fit` on all but the intercept. A question with no labelled row is one that
    none answers. Raises ValueError for fewer than `FOLDS` questions.
    """
    matrix, labels, groups = rows.matrix(), np.asarray(rows.labels, dtype=bool), np.asarray(rows.groups)
    predicted = np.zeros(len(labels))
    for seen, unseen in GroupKFold(FOLDS).split(matrix, labels, groups):
        intercept, coefficients = _fit_shares(matrix[seen], labels[seen], groups[seen], strength)
        totals = intercept + matrix[unseen] @ coefficients
        for group in np.unique(groups[unseen]):
            own = groups[unseen] == group
            predicted[unseen[own]] = np.exp(totals[own] - logsumexp(np.append(totals[own], 0.0)))
    intercept, coefficients = _fit_shares(matrix, labels, groups, strength)
    return Fitted(round(intercept, 4), _named(rows, coefficients), predicted.tolist())


def _named(rows: Rows, coefficients: Column) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in zip(rows.names, coefficients, strict=True)}


def _fit(matrix: Matrix, labels: Labels, strength: float) -> tuple[float, Column]:
    """The intercept and the coefficients, in the units of the columns."""
    middle, spread = matrix.mean(axis=0), np.maximum(matrix.std(axis=0), SMALLEST_SPREAD)
    model = LogisticRegression(C=strength, max_iter=3000).fit((matrix - middle) / spread, labels)
    coefficients = model.coef_[0] / spread
    return float(model.intercept_[0] - coefficients @ middle), coefficients


def _fit_shares(matrix: Matrix, labels: Labels, groups: Labels, strength: float) -> tuple[float, Column]:
    """The intercept and the coefficients, in the units of the columns."""
    middle, spread = matrix.mean(axis=0), np.maximum(matrix.std(axis=0), SMALLEST_SPREAD)
    scaled = np.column_stack([np.ones(len(matrix)), (matrix - middle) / spread])
    asked = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    penalty = np.full(scaled.shape[1], 1 / strength)
    penalty[0] = 0.0

    def loss(weights: Column) -> tuple[float, Column]:
        total, slope = float(penalty @ (weights * weights)) / 2, penalty * weights
        for own in asked:
            scores = scaled[own] @ weights
            whole = logsumexp(np.append(scores, 0.0))
            right = scores[labels[own]]
            total += whole - (logsumexp(right) if len(right) else 0.0)
            slope = slope + scaled[own].T @ np.exp(scores - whole)
            if len(right):
                slope = slope - scaled[own][labels[own]].T @ np.exp(right - logsumexp(right))
        return total, slope

    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    coefficients = np.asarray(found.x[1:] / spread, dtype=np.float64)
    return float(found.x[0] - coefficients @ middle), coefficients
