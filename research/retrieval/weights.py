"""The numbers of the relevance, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-3.5472,
    coefficients={
        "cosine": -0.9033,
        "cosine_gap": 5.8437,
        "place_cosine": 1.2934,
        "lexical": -0.2827,
        "place_lexical": 0.3618,
        "subject_words": 0.8867,
        "subject_together": 1.9618,
        "subject_meaning": 1.4131,
        "subject_meaning_gap": 0.3159,
        "subject_middle": 2.0634,
        "subject_middle_gap": 5.4036,
        "subject_votes": 0.8651,
        "place_subject": 1.5447,
        "heading": 0.0242,
        "coverage": -0.4992,
        "pairs": 0.4664,
        "path": 0.1843,
        "act_named": 0.2638,
        "other_act_named": 0.6249,
        "guide": -1.6249,
        "definition": 0.6993,
        "definition_asked": -0.3356,
        "transitional": -2.4174,
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
