"""What a person is told for each reason: one sentence why, one cheapest next step. The only table of such words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from research.law.provision import in_words
from research.terms import Decision, Reason


@dataclass(frozen=True, slots=True)
class Words:
    message: str
    next_step: str = ""


_WORDS: dict[Reason, Words] = {
    Reason.VERIFIED: Words("Answered from the words in force in {when}."),
    Reason.YEAR_OUTSIDE_CORPUS: Words(
        "Not answered: AsAt holds no law for {when}.",
        "Pick a year from {first} to {last}, or load compilations for {when}.",
    ),
    Reason.DATE_IN_GAP: Words(
        "Not answered: the wording of {what} in {when} is not known.",
        "Load the compilation of {act} of that time, then ask again. The wordings on either side are listed.",
    ),
    Reason.NOT_FEDERAL_TAX: Words(
        "Not answered: this is not a question of Australian federal tax law.",
        "Ask about an Act that AsAt holds; Status lists them.",
    ),
    Reason.NOT_A_QUESTION_OF_LAW: Words(
        "Not answered: this asks for something other than what the law says.",
        "Ask what a provision says, or whether something was deductible, assessable or exempt in a year.",
    ),
    Reason.OTHER_LAW: Words(
        "Not answered: this is about {what}, which is not Australian federal tax law.",
        "Turn to {who}. What it means for federal tax can be asked here: whether it is deductible, assessable, exempt.",
    ),
    Reason.LAW_NOT_HELD: Words(
        "Not answered: this is about {what}, and that law is not among the Acts held.",
        "Turn to {who}; Status lists the Acts that are held.",
    ),
    Reason.ASKED_ELSEWHERE: Words(
        "Not answered: this is about {what}, and asks for something other than what the law says.",
        "Turn to {who}. Ask here what a provision says, or whether something was deductible, assessable or exempt.",
    ),
    Reason.NO_SUCH_LAW: Words(
        "Not answered: the question takes {what} as given. {told}",
        "Ask again without it, or name the provision that is meant.",
    ),
    Reason.NOTHING_FOUND: Words(
        "Not answered: nothing in the law held for {when} speaks to this.",
        "Name the Act or the section, or use the words that the Act would use.",
    ),
    Reason.BELOW_FLOOR: Words(
        "Not answered: nothing in the law held for {when} comes near enough to this question.",
        "Name the Act or the section, or use the words that the Act would use.",
    ),
    Reason.BELOW_BAR: Words(
        "Not answered: the closest provisions do not fit this question well enough to answer from.",
        "Read the provisions listed; if one is right, ask again with its section number.",
    ),
    Reason.UNCORROBORATED: Words(
        "Not answered: one passage comes near, and nothing else supports it.",
        "Read the provisions listed; if one is right, ask again with its section number.",
    ),
    Reason.PREMISE_UNCONFIRMED: Words(
        "Not answered: the question takes a rule of law, or a change of one, as given, and AsAt has not confirmed it.",
        "Read the provisions listed; ask again about the rule itself, without what is taken as given.",
    ),
    Reason.RIVAL_PROVISION: Words(
        "Not answered: a provision that could not be quoted in answer fits the question better than one that could.",
        "Read the provisions listed; if one is right, ask again with its section number.",
    ),
    Reason.QUOTE_NOT_IN_SOURCE: Words(
        "Not answered: words were proposed that do not stand in the source they were said to come from.",
        "Read the provisions listed; what was dropped is in the audit row.",
    ),
    Reason.PROSE_EXCEEDS_QUOTES: Words(
        "Not answered: what was proposed says more than the quoted words do.",
        "Read the provisions listed; what was dropped is in the audit row.",
    ),
    Reason.PROVISION_NOT_THERE: Words(
        "Not answered: {act} holds no {what} in {when}.",
        "Check the section number and the Act, or ask without a number.",
    ),
    Reason.PROVISION_NOT_HELD: Words(
        "Not answered: AsAt holds no {what} of {act} for {when}, and cannot say whether there was one.",
        "Check the section number and the Act, or load the compilation of {act} of that time.",
    ),
    Reason.TWO_YEARS: Words(
        "Which year is meant? The question names more than one.",
        "Ask again with one year; ask twice to compare two.",
    ),
    Reason.TWO_PROVISIONS: Words(
        "Which provision is meant? The question fits more than one.",
        "Ask again with the Act and the section.",
    ),
    Reason.FIGURE_FOUND: Words("{told}"),
    Reason.TWO_FIGURES: Words(
        "Which figure is meant? The question fits more than one.",
        "Ask again with the name of one of them, or the day that is meant.",
    ),
    Reason.FIGURE_YEAR_NOT_HELD: Words(
        "Not answered: the figure ledger holds no {what} for {when}; another time's is not given in its place.",
        "It is held for: {held}. Ask for one of those days, or look the figure up where it is published.",
    ),
    Reason.FIGURE_CONTRADICTED: Words(
        "Not answered: the question takes {said} as given, and that was not the figure for {when}. {told}",
        "Ask again without that figure, or for the time when it held.",
    ),
    Reason.MODEL_FAILED: Words(
        "Not answered: the language model could not be asked. {what}",
        "Ask again, or ask for quoted words only: that needs no model.",
    ),
    Reason.MODELS_DISAGREE: Words(
        "Not answered: asked twice, the language model rested its answer on different provisions.",
        "Read what both rest on, listed below; if one is right, ask again with its section number.",
    ),
    Reason.STOPPED: Words(
        "Stopped by you before it was answered.",
        "Ask again whenever you like; nothing else was changed.",
    ),
    Reason.ISSUES_SPLIT: Words(
        "{told}",
        "Read each part by itself: every one was answered, or refused, on its own.",
    ),
    Reason.COMPONENT_FAILED: Words(
        "Not answered: {what}",
        "The question was kept. Ask again; if it fails again, tell your administrator.",
    ),
    Reason.EMPTY_QUESTION: Words("There is no question here.", "Type a question."),
}

REASON_BADGES: dict[Reason, str] = {
    Reason.ISSUES_SPLIT: "Answered in part",
    Reason.STOPPED: "Stopped",
    Reason.FIGURE_YEAR_NOT_HELD: "Not answered: that figure is not held for that time",
    Reason.FIGURE_CONTRADICTED: "Not answered: the figure in the question is not right",
    Reason.LAW_NOT_HELD: "Not answered: that law is not held",
    Reason.NO_SUCH_LAW: "Not answered: federal law has no such rule",
}
BADGES: dict[Decision, str] = {
    Decision.ANSWER: "Answered",
    Decision.OUT_OF_HORIZON: "Not answered: no law is held for that time",
    Decision.WORDING_UNKNOWN: "Not answered: the wording on that date is not known",
    Decision.OUT_OF_SCOPE: "Not answered: outside what AsAt does",
    Decision.NO_BASIS: "Not answered: nothing found to answer from",
    Decision.THIN_EVIDENCE: "Not answered: too little supports an answer",
    Decision.UNGROUNDED: "Not answered: words did not match their source",
    Decision.FALSE_PREMISE: "Not answered: no such provision on that date",
    Decision.AMBIGUOUS: "Which one is meant?",
    Decision.ERROR: "A part of AsAt did not work",
}


def words_for(reason: Reason, **known: str) -> Words:
    """The words for a reason, with what is `known` put in: when, what, act, first, last.

    Raises KeyError naming what is missing: a sentence with a hole in it must not be shown.
    """
    words = _WORDS[reason]
    return Words(words.message.format(**known), words.next_step.format(**known))


def both_times(when: Sequence[str], same: Sequence[str], different: Sequence[str]) -> str:
    """Of a question answered for two times: which of the provisions that both answers quote were worded alike.

    when: the two times, earlier first. same, different: provisions that both quote, in the same wording or not.
    """
    told = [f"Answered for {listed(when)}."]
    if same:
        told.append(f"{listed(same)} {'has' if len(same) == 1 else 'have'} the same words at both times.")
    if different:
        told.append(f"{listed(different)} {'is' if len(different) == 1 else 'are'} not worded alike at both times.")
    if not same and not different:
        told.append("The two answers quote different provisions.")
    return " ".join(told)


def parts_answered(answered: int, parts: int) -> str:
    """ "2 of 3 parts answered." """
    return f"All {parts} parts answered." if answered == parts else f"{answered} of {parts} parts answered."


def figure_told(name: str, value: str, when: str, is_verified: bool, *, is_computed: bool = False) -> str:
    """A figure in a sentence, with how far it is proved."""
    if is_computed:
        proof = (
            "Worked out from figures verified in the text."
            if is_verified
            else ("Worked out from figures that are recorded, not verified in the text.")
        )
    else:
        proof = "Verified in the text." if is_verified else "Recorded, not verified in the text."
    return f"{name}: {value}, {when}. {proof}"


def figure_source(title: str, confidence: str) -> str:
    """Where a recorded value is published, and what to do where it is not certain."""
    return title if confidence == "high" else f"{title} (less certain: confirm before relying on it)"


def days(starts: date, ends: date | None) -> str:
    """ "1 July 2014 – 30 June 2021", "since 1 July 2000"."""
    return f"{in_words(starts)} – {in_words(ends)}" if ends else f"since {in_words(starts)}"


def not_current(title: str, since: date) -> str:
    """That the text of an Act held is behind the law."""
    return (
        f"{title} was amended from {in_words(since)}, and the Register has not published the amended text. "
        "Words quoted here may not have been the law from that day on."
    )


def listed(names: Sequence[str]) -> str:
    """ "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
