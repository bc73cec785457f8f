"""The numbers of the relevance, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-3.9466,
    coefficients={
        "cosine": -0.1224,
        "cosine_gap": 3.4848,
        "place_cosine": 1.1092,
        "lexical": 0.6184,
        "place_lexical": 0.1085,
        "subject_words": 0.4125,
        "subject_together": 1.3291,
        "subject_meaning": 0.6556,
        "subject_meaning_gap": 0.4346,
        "subject_middle": 1.6888,
        "subject_middle_gap": 5.3247,
        "subject_votes": 2.1183,
        "place_subject": 0.7631,
        "heading": -0.862,
        "coverage": -0.9222,
        "pairs": -0.2165,
        "path": 0.7476,
        "act_named": 0.2984,
        "other_act_named": -0.1609,
        "guide": -1.5329,
        "definition": 0.2343,
        "definition_asked": 0.3089,
        "transitional": -1.3293,
    },
    measured="2026-11-30, 255 tune cases of pit.yaml, hybrid search",
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

HYBRID_PLAIN = HYBRID

LEXICAL_PLAIN = LEXICAL
