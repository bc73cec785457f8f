"""The numbers of the confidence, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-1.0334,
    coefficients={
        "odds": 0.2678,
        "odds_of_second": 0.1061,
        "share": 7.6659,
        "closeness": 1.2478,
        "coverage": 0.2302,
        "in_both": 0.6488,
        "several": 0.0223,
    },
    measured="2026-11-30, 125 tune cases of pit.yaml, hybrid search",
)

LEXICAL = Weights(
    intercept=-1.0,
    coefficients={
        "odds": 1.0,
    },
    measured="by hand",
)
