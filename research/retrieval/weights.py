"""The numbers of the relevance scorer, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-4.2429,
    coefficients={
        "cosine": -0.3638,
        "cosine_gap": 8.9182,
        "place_cosine": 1.8693,
        "lexical": -0.2443,
        "place_lexical": 1.1816,
        "subject_words": 3.4671,
        "subject_together": 2.369,
        "subject_meaning": 0.0,
        "subject_meaning_gap": 0.0,
        "subject_middle": 0.0,
        "subject_middle_gap": 0.0,
        "subject_votes": 1.7458,
        "place_subject": 0.7392,
        "heading": 0.6798,
        "coverage": -0.7237,
        "pairs": 3.6988,
        "path": 1.6642,
        "act_named": -0.1298,
        "other_act_named": 0.8926,
        "guide": -1.8196,
        "definition": 0.595,
        "definition_asked": 0.1071,
        "transitional": -2.6398,
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
