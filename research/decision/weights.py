"""The numbers of the confidence, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=0.0,
    coefficients={
        "odds_of_all": 1.0,
    },
    measured="2026-11-30, 125 tune cases of pit.yaml, hybrid search",
)

LEXICAL = Weights(
    intercept=0.0,
    coefficients={
        "odds_of_all": 1.0,
    },
    measured="by hand",
)
