"""The numbers of the confidence, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=1.0501,
    coefficients={
        "odds_of_all": 0.8991,
        "in_both": 0.2342,
    },
    measured="2026-11-30, 339 tune cases of pit_suite.yaml, hybrid search",
)

LEXICAL = Weights(
    intercept=0.6722,
    coefficients={
        "odds_of_all": 0.9167,
        "in_both": 0.0,
    },
    measured="2026-11-30, 346 tune cases of pit_suite.yaml, lexical search",
)
