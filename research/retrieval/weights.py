"""The numbers of the relevance scorer, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-9.0,
    coefficients={
        "cosine": 6.0,
        "place_cosine": 1.0,
        "place_lexical": 1.0,
        "subject_words": 2.0,
        "subject_together": 1.0,
        "subject_meaning": 3.0,
        "place_subject": 1.5,
        "heading": 1.5,
        "coverage": 1.0,
        "guide": -1.5,
        "act_named": 0.5,
        "other_act_named": -1.0,
    },
    measured="by hand",
)
LEXICAL = HYBRID
