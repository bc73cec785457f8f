"""What a reader is told for each decision and reason: a sentence on why, and the cheapest next step.

In a practitioner's words: what was asked, what is known, what to do. No machinery, no blame, no alarm.
"""

from __future__ import annotations

from dataclasses import dataclass

from research.terms import Decision, Reason


@dataclass(frozen=True, slots=True)
class Words:
    message: str
    next_step: str


BADGES: dict[Decision, str] = {
    Decision.ANSWER: "Answered",
    Decision.OUT_OF_HORIZON: "Not answered: the date is outside the law held",
    Decision.WORDING_UNKNOWN: "Not answered: the wording on that date is not known",
    Decision.OUT_OF_SCOPE: "Not answered: outside what AsAt covers",
    Decision.NO_BASIS: "Not answered: nothing in the law held bears on it",
    Decision.THIN_EVIDENCE: "Not answered: too little bears on it",
    Decision.UNGROUNDED: "Not answered: the words did not match their source",
    Decision.FALSE_PREMISE: "Not answered: no such provision on that date",
    Decision.AMBIGUOUS: "Not answered yet: more than one thing could be meant",
    Decision.ERROR: "Not answered: a part of AsAt failed",
}

_WORDS: dict[Reason, Words] = {
    Reason.VERIFIED: Words(
        "Every quote was matched, word for word, with the law in force on the date asked about.",
        "Open each provision to read it in full before relying on it.",
    ),
    Reason.YEAR_OUTSIDE_CORPUS: Words(
        "The date asked about lies outside the law held here.",
        "Ask about a year that the Status page shows as covered, or read the provision on the Federal Register.",
    ),
    Reason.DATE_IN_GAP: Words(
        "The provision's wording changed at some time between two compilations held, and nothing held says when; "
        "its wording on the date asked about is not known.",
        "Read the wordings on either side, then the amending Act or the Register's compilation for that date.",
    ),
    Reason.NOT_FEDERAL_TAX: Words(
        "This is not a question of Australian federal tax law, and no other law is held here.",
        "Ask about a federal tax consequence of it, or look to the State or foreign authority concerned.",
    ),
    Reason.NOT_A_QUESTION_OF_LAW: Words(
        "AsAt says what the tax law said at a time; it does not write, lodge, calculate or predict.",
        "Ask what the law says on the point behind it, with the year.",
    ),
    Reason.NOTHING_FOUND: Words(
        "Nothing in the law held for that date bears on the question.",
        "Use the words the Act uses, or name the provision if you know it.",
    ),
    Reason.BELOW_FLOOR: Words(
        "Nothing in the law held for that date comes close enough to the question.",
        "Use the words the Act uses, or name the provision if you know it.",
    ),
    Reason.BELOW_BAR: Words(
        "Some provisions come near the question, but none near enough to be quoted as its answer.",
        "Start with the first provision on the reading list, or ask with the Act's own terms.",
    ),
    Reason.UNCORROBORATED: Words(
        "One passage comes near the question and nothing beside it bears it out.",
        "Read the provision it stands in, or ask more narrowly.",
    ),
    Reason.QUOTE_NOT_IN_SOURCE: Words(
        "A quote did not match its provision word for word, so nothing is shown as an answer.",
        "Read the provisions on the reading list; the words that did match are shown with them.",
    ),
    Reason.PROSE_EXCEEDS_QUOTES: Words(
        "The explanation stated a figure, date or provision that its quotes do not hold; no answer is shown.",
        "Read the provisions on the reading list; the words that did match are shown with them.",
    ),
    Reason.PROVISION_NOT_THERE: Words(
        "The Act is held for that date, and it had no such provision then.",
        "Check the number and the Act; the provision may have come later or been repealed before.",
    ),
    Reason.TWO_YEARS: Words(
        "The question names more than one time, and the law may differ between them.",
        "Choose one of the times below, or ask once for each.",
    ),
    Reason.TWO_PROVISIONS: Words(
        "More than one Act has a provision with that number.",
        "Choose one of the provisions below, or name the Act.",
    ),
    Reason.COMPONENT_FAILED: Words(
        "A part of AsAt failed before the question could be answered. Nothing is said about the law.",
        "Ask again; your question is kept. If it fails again, the Status page shows what is down.",
    ),
    Reason.EMPTY_QUESTION: Words(
        "There is no question to answer yet.",
        "Write the question, for example: Is travel between two workplaces deductible in FY2015?",
    ),
}


def words_for(reason: Reason) -> Words:
    """The message and next step for a reason; every reason has its own."""
    return _WORDS[reason]


def badge(decision: Decision) -> str:
    """The decision as the answer's heading says it."""
    return BADGES[decision]
