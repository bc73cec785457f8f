"""The numbers of the relevance, by mode of search. Written by `manage.py calibrate`; read them as a table."""

from research.logistic import Weights

HYBRID = Weights(
    intercept=-3.0282,
    coefficients={
        "cosine": -0.4707,
        "cosine_gap": 6.33,
        "place_cosine": 1.6599,
        "lexical": -0.295,
        "place_lexical": 0.6845,
        "subject_words": 0.8105,
        "subject_together": 0.933,
        "subject_meaning": 1.3673,
        "subject_meaning_gap": 1.3732,
        "subject_middle": 0.2549,
        "subject_middle_gap": 4.8012,
        "subject_votes": 1.2878,
        "place_subject": 1.4229,
        "heading": 0.9541,
        "coverage": 0.0341,
        "pairs": 2.6281,
        "path": 2.9283,
        "act_named": -0.2547,
        "other_act_named": 0.6548,
        "guide": -2.0033,
        "definition": 0.5052,
        "definition_asked": 0.6626,
        "transitional": -2.9833,
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
