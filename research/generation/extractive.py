"""The extractive generator: answers with the law's own sentences and writes nothing but fixed wording.

It picks the provision that answers, the rule in it, the exceptions and limits that follow, and quotes them with
their lead-in. No model, no randomness: the same question and passages give the same claims. Text inside a
passage is matter to be quoted, whatever it says. Whether the quotes may be shown is for `verification`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.generation.asked import Asked, read_question
from research.generation.quoting import quotes_of
from research.generation.scoring import Candidate, candidates, defines, is_guide, subsection_label
from research.generation.statements import LineKind, Statement
from research.law.citing import deals_with, is_ruling
from research.terms import Claim, ClaimKind, ParentGroup, Ranked

MAX_PROVISIONS = 3
MAX_RULES = 3
MAX_LIMITS = 3
ENOUGH = 0.9  # of the first provision's relevance scale: further ones are quoted until together they reach it
LEAST_FURTHER = 0.04  # a further provision below this is noise
LEAST_RULING = 0.005  # of the first provision's relevance, which most of a share goes to
CLOSE_STATEMENT = 0.85  # and a further statement of a provision this near to its best
FULL_DEFINITION = 0.8  # another Act's own definition of the term is always of use, a mere pointer is not
NOTE_COVERAGE = 0.6  # a note is shown when it holds this much of the question, and clearly more than its rule does
NOTE_LEAD = 0.15

_DEPENDS = re.compile(
    r"^(?:However|Despite|Unless|But|Except|Also|Otherwise|For this purpose)\b"
    r"|\b(?:that purpose|subsections? \(\d|(?:this|the) (?:section|exemption|rule) does not apply)"
)
_LIMIT = re.compile(
    r"^(?:However|Despite|Unless|But|Except)\b"
    r"|^(?:This|The) (?:section|subsection|Subdivision|Division|Part|rule|exemption|paragraph)\b[^.:;]{0,60}"
    r"\b(?:does|do) not apply"
    r"|^(?:Subsections?|Paragraphs?|Sections?) [^.:;]{1,60}\b(?:does|do) not apply"
    r"|^(?:Also, )?[Yy]ou (?:cannot|can't|can only|are not entitled)\b"
    r"|^(?:You|An? [^.:;]{1,60}) (?:do|does) not\b"
    r"|^(?:An?|The|Any) [^.:;]{1,80} (?:is|are) not\b"
    r"|^[^.:;]{1,80} only if\b"
)
_LIMIT_HEADING = re.compile(
    r"^(?:Exceptions?\b|No deduction\b|Limits?\b|Limitation|When .* not\b|Exclusions?\b|Cases? where .* not)"
)


def compose(question: str, groups: Sequence[ParentGroup], ranked: Sequence[Ranked]) -> tuple[Claim, ...]:
    """The claims that answer `question` out of `groups`; empty when nothing in them can be quoted.

    At most three rules from at most three provisions; limits directly after their rule. Where two wordings of a
    provision were in force in the time asked about, both are quoted, the earlier first. Every quote is a literal
    slice of one passage in `groups`, of at least 25 characters and four words. What a ruling says of the first rule is
    quoted after it and its limits, and never in its place.
    """
    asked = read_question(question)
    found = candidates(asked, [group for group in groups if not group.is_limit], ranked)
    beside = candidates(asked, [group for group in groups if group.is_limit], ranked)
    rulings = [candidate for candidate in (*beside, *found) if _is_ruling(candidate)]
    limits = [candidate for candidate in beside if not _is_ruling(candidate)]
    found = _acts_first(found)
    claims: list[Claim] = []
    rules = 0
    for place, candidate in enumerate(_worth_quoting(found, asked)):
        if rules >= MAX_RULES:
            break
        for wording in _wordings(candidate, found):
            made = _claims_of(wording, asked, MAX_RULES - rules, is_first=place == 0)
            claims += made
        if place == 0:
            claims += _limits_elsewhere(limits, candidate, asked)
            claims += _ruling_on(candidate, rulings, asked)
        rules += sum(claim.kind in (ClaimKind.RULE, ClaimKind.DEFINITION) for claim in made)
    return tuple(claims)


def is_limit(statement: Statement) -> bool:
    """Whether the statement takes back or narrows a rule, by its opening words or the heading set above it."""
    return bool(_LIMIT.search(statement.lead_in) or _LIMIT_HEADING.search(statement.subheading))


def depends(statement: Statement) -> bool:
    """Whether the statement cannot be understood without the one it takes up."""
    return bool(_DEPENDS.search(statement.lead_in))


def _worth_quoting(found: Sequence[Candidate], asked: Asked) -> list[Candidate]:
    """The first provision, and others only where they come close and say something of their own."""
    chosen = list(found[:1])
    for candidate in found[1:]:
        best = candidate.best_first[0].statement
        together = sum(other.relevance for other in chosen)
        near = candidate.relevance >= LEAST_FURTHER and together < ENOUGH
        plain = best.kind is LineKind.SUBSECTION and not is_guide(best.passage)
        new = candidate.provision_id not in {other.provision_id for other in chosen}
        also_defines = defines(best, asked.term) >= FULL_DEFINITION
        if plain and new and (near or also_defines) and _is_apt(best, chosen[0].best_first[0].statement, asked):
            chosen.append(candidate)
    return chosen[:MAX_PROVISIONS]


def _wordings(candidate: Candidate, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidate and the other wordings of its provision that were in force too, by their dates."""
    same = [other for other in found if other.provision_id == candidate.provision_id]
    return sorted(same, key=lambda other: (other.in_order[0].passage.certain_from, other.version_id))


def _is_apt(statement: Statement, first: Statement, asked: Asked) -> bool:
    """Beside a definition only another definition of the same term is of use."""
    return not defines(first, asked.term) or defines(statement, asked.term) > 0.5


def _claims_of(candidate: Candidate, asked: Asked, max_rules: int, is_first: bool) -> list[Claim]:
    rules = _rules(candidate, asked, min(2, max_rules) if is_first else 1)
    limits = _limits(candidate, rules, MAX_LIMITS if is_first else 1)
    chosen = sorted([*rules, *limits], key=lambda statement: statement.position)
    chosen += _notes(candidate, rules) if is_first else []
    claims = [_claim(statement, asked, statement in limits) for statement in chosen]
    return [claim for claim in claims if claim is not None]


def _limits_elsewhere(found: Sequence[Candidate], first: Candidate, asked: Asked) -> list[Claim]:
    """The rule of another provision that is known to deny or limit the first."""
    for candidate in found:
        if candidate.provision_id != first.provision_id:
            claim = _claim(_rule_behind(candidate.in_order[0], candidate.in_order), asked, True)
            return [claim] if claim else []
    return []


def _is_ruling(candidate: Candidate) -> bool:
    return is_ruling(candidate.in_order[0].passage.instrument)


def _acts_first(found: Sequence[Candidate]) -> list[Candidate]:
    """Without rulings, which stand beside the Act; all where one comes first that is not on the best of the Act."""
    acts = [candidate for candidate in found if not _is_ruling(candidate)]
    if acts and (acts[0] is found[0] or _is_on(found[0], acts[0])):
        return acts
    return list(found)


def _is_on(ruling: Candidate, act: Candidate) -> bool:
    """Whether the paragraph of a ruling cites the section in its own words."""
    passage, text = act.in_order[0].passage, " ".join(statement.text for statement in ruling.in_order)
    return deals_with(text, passage.instrument, passage.instrument_title, passage.section, passage.schedule)


def _ruling_on(act: Candidate, rulings: Sequence[Candidate], asked: Asked) -> list[Claim]:
    """What the best ruling on the section says of it; nothing on a ruling, and nothing that comes nowhere near."""
    if _is_ruling(act):
        return []
    for ruling in rulings:
        if ruling.relevance >= LEAST_RULING * act.relevance and _is_on(ruling, act):
            statement = ruling.best_first[0].statement
            quotes, is_whole = quotes_of(statement, asked.stems)
            part = "" if is_whole else ", in part"
            prose = f"On this, {statement.passage.authority} says{part}:"
            return [Claim(prose, quotes, ClaimKind.RULING)] if quotes else []
    return []


def _rules(candidate: Candidate, asked: Asked, limit: int) -> list[Statement]:
    """The best statement, or the rule that it takes up, and one more of the same provision that comes near."""
    best = candidate.best_first[0]
    rules = [_rule_behind(best.statement, candidate.in_order)]
    if defines(best.statement, asked.term):
        return rules
    others = [best, *candidate.best_first[1:]] if rules[0] is not best.statement else candidate.best_first[1:]
    for item in others:
        near = item.score >= CLOSE_STATEMENT * best.score
        plain = item.statement.kind is LineKind.SUBSECTION and not is_limit(item.statement)
        if len(rules) < limit and near and plain and item.statement not in rules:
            rules.append(item.statement)
    return rules


def _rule_behind(statement: Statement, in_order: Sequence[Statement]) -> Statement:
    """The nearest statement before `statement` that stands by itself, or itself when it does or none does."""
    if statement.kind is not LineKind.SUBSECTION or not depends(statement):
        return statement
    earlier = [
        other
        for other in in_order
        if other.position < statement.position and other.kind is LineKind.SUBSECTION and not depends(other)
    ]
    return earlier[-1] if earlier else statement


def _limits(candidate: Candidate, rules: Sequence[Statement], limit: int) -> list[Statement]:
    """Exceptions and limits after the first rule: the best statement and the next one first, then by words shared."""
    first = min(rules, key=lambda rule: rule.position)
    if first.passage.is_dictionary_entry:
        return []
    after = [s for s in candidate.in_order if s.kind is LineKind.SUBSECTION and s.position > first.position]
    found = [s for s in after if is_limit(s) and s not in rules and is_guide(s.passage) == is_guide(first.passage)]
    best = candidate.best_first[0].statement
    found.sort(key=lambda s: (s is not best, s is not after[0], -candidate.scored(s).coverage, s.position))
    return found[:limit]


def _notes(candidate: Candidate, rules: Sequence[Statement]) -> list[Statement]:
    """The one note that says clearly more of what was asked than the rules do, if there is one."""
    bar = max(NOTE_COVERAGE, NOTE_LEAD + max(candidate.scored(rule).coverage for rule in rules))
    notes = [item for item in candidate.best_first if item.statement.kind is LineKind.NOTE and item.coverage >= bar]
    return [item.statement for item in notes[:1] if item.statement not in rules]


def _claim(statement: Statement, asked: Asked, is_limit_of_rule: bool) -> Claim | None:
    quotes, is_whole = quotes_of(statement, asked.stems)
    if not quotes:
        return None
    kind = _kind(statement, asked, is_limit_of_rule)
    return Claim(prose=_prose(statement, kind, is_whole), quotes=quotes, kind=kind)


def _kind(statement: Statement, asked: Asked, is_limit_of_rule: bool) -> ClaimKind:
    if statement.kind in (LineKind.NOTE, LineKind.EXAMPLE) or is_guide(statement.passage):
        return ClaimKind.NOTE
    if is_limit_of_rule:
        return ClaimKind.LIMIT
    is_definition = statement.passage.is_dictionary_entry or defines(statement, asked.term) > 0.5
    return ClaimKind.DEFINITION if is_definition else ClaimKind.RULE


def _prose(statement: Statement, kind: ClaimKind, is_whole: bool) -> str:
    """The fixed wording before a quote: where it stands, and whether it is the whole of it."""
    label = subsection_label(statement.passage)
    place = statement.passage.authority + (f"({label})" if label else "")
    part = "" if is_whole else ", in part"
    if kind is ClaimKind.LIMIT:
        return f"Limit in {place}{part}:"
    if kind is ClaimKind.NOTE:
        word = {LineKind.NOTE: "Note to", LineKind.EXAMPLE: "Example to"}.get(statement.kind, "Guide material in")
        return f"{word} {place}{part}:"
    if kind is ClaimKind.DEFINITION:
        return f"Definition in {place}{part}:"
    return f"{place} says{part}:"
