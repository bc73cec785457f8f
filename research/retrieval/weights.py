"""The numbers of the relevance, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-4.9351,
    coefficients={
        "cosine": -0.1033,
        "cosine_gap": 7.7353,
        "place_cosine": 1.5312,
        "lexical": -0.1885,
        "place_lexical": 0.3621,
        "subject_words": 2.6527,
        "subject_together": 3.6197,
        "subject_meaning": 0.0,
        "subject_meaning_gap": 0.0,
        "subject_middle": 0.0,
        "subject_middle_gap": 0.0,
        "subject_votes": 2.0272,
        "place_subject": 0.9496,
        "heading": -0.1036,
        "coverage": -1.4771,
        "pairs": 1.7316,
        "path": -0.3325,
        "act_named": 0.1929,
        "other_act_named": 0.6806,
        "guide": -1.3003,
        "definition": 0.6369,
        "definition_asked": -0.4073,
        "transitional": -1.803,
    },
    measured="2026-11-30, 133 tune cases of pit.yaml, hybrid search",
)

LEXICAL = Weights(
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
