"""The numbers of the confidence, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-1.518,
    coefficients={
        "odds": 0.3297,
        "odds_of_second": 0.1388,
        "share": 3.9714,
        "closeness": 1.3485,
        "coverage": -0.1276,
        "in_both": 0.3055,
        "several": 0.7343,
    },
    measured="2026-11-30, 133 tune cases of pit.yaml, hybrid search",
)

LEXICAL = Weights(
    intercept=-1.0,
    coefficients={
        "odds": 1.0,
    },
    measured="by hand",
)
