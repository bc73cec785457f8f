"""The numbers of the confidence, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=1.1212,
    coefficients={
        "odds_of_all": 0.9069,
        "in_both": 0.1478,
    },
    measured="2026-11-30, 335 tune cases of pit_suite.yaml, hybrid search",
)

LEXICAL = Weights(
    intercept=0.645,
    coefficients={
        "odds_of_all": 0.9877,
        "in_both": 0.0,
    },
    measured="2026-11-30, 338 tune cases of pit_suite.yaml, lexical search",
)
