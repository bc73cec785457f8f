"""Whether a question takes as given a tax, a concession or a repeal that federal law has not had.

Pure; the list of such things is handed in. To ask whether there is one is no premise ("is there an inheritance tax?"),
nor is hearsay ("my mate says …"): only what the question asserts, or speaks of as of a thing that there is, counts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research.law.citation import fold
from research.law.income_year import IncomeYear
from research.terms import Elsewhere, OutsideField


@dataclass(frozen=True, slots=True)
class NoSuchLaw:
    """One thing that federal law has not had. told: the plain truth, in sentences.

    names: of a tax or scheme there is none of. Or of and claimed: words for a thing and for what is wrongly said of it;
    one of each must stand in one clause. first_year and last_year: the income years that it is untrue in, both
    included.
    """

    subject: str
    told: str
    names: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    first_year: int = 1980
    last_year: int | None = None

    def holds_in(self, year: IncomeYear) -> bool:
        return self.first_year <= year.year and (self.last_year is None or year.year <= self.last_year)


_WHO = "the Acts held, or an adviser"


def false_premise(question: str, year: IncomeYear, none_such: Sequence[NoSuchLaw]) -> Elsewhere | None:
    """The first of `none_such` that the question takes as given, else a repeal that never was; None for neither."""
    folded = fold(question)
    clauses = list(asserted(folded))
    for entry in none_such:
        if not entry.holds_in(year):
            continue
        named = next((name for name in entry.names if _is_presupposed(name, folded, clauses)), "")
        if named or any(_says(clause, entry) for clause in clauses):
            return Elsewhere(entry.subject, OutsideField.NO_SUCH_LAW, _WHO, named, entry.told)
    return _repeal(clauses, year)


# ---------------------------------------------------------------------------------------------- what is asserted

_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\s-+\s|\n")
_GIVEN = re.compile(
    r"\b(?:now(?: that)?|given(?: that| how)?|since|because|as|seeing(?: that| as)?|with|considering(?: that)?"
    r"|knowing(?: that)?"
    r"|thanks to|due to|under)\s+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but|or|also|then|hi|hello|ok|okay|please|well|question)[,:\s]+)*(?:is|are|was|were|am|do"
    r"|does|did|can|could|may|might"
    r"|must|should|shall|will|would|has|have|had|what|what's|which|who|whose|whom|when|where|why|how|if|whether|suppose"
    r"|supposing|assuming|imagine|isn't|aren't|don't|doesn't|won't|can't|any|explain|tell)\b",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"\b(?:can|could|do|does|did|should|must|may|will|would|is|are|am|was|were|has|have|how|what|which|when|who|why)\s+"
    r"(?:i|we|he|she|they|you|it|the|my|our|his|her|their|a|an|much|many|long|do|does|is|are|can|there|any|this"
    r"|that)\b",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"\b(?:if|whether|unless|would|could|might|heard|hear|read that|says?|said|told|reckons?|claims? that|true|correct"
    r"|apparently|supposedly|rumou?rs?|proposed?|proposal|planned|hypothetical\w*|not|isn't|aren't|no longer sure|until"
    r"|before|thought|think|believe|assume|wonder|used to|overseas|in (?:the )?(?:us|uk|nz|new zealand|america"
    r"|britain|england))\b",
    re.IGNORECASE,
)


def asserted(folded: str) -> Iterator[str]:
    """The clauses of a question that state something: its statements, and what it takes as given in passing."""
    for sentence in _SENTENCES.split(folded):
        for given in _GIVEN.finditer(sentence):
            clause = _to_its_end(sentence[given.end() :])
            if clause and not _DOUBTED.search(clause):
                yield clause
        parts = re.split(r",\s+|\s+so\s+", sentence)
        for part in parts:
            if part.rstrip().endswith("?") and len(parts) == 1 and not _states(part):
                continue
            if not _ASKS.search(part) and not part.rstrip().endswith("?") and not _DOUBTED.search(sentence):
                yield part


def _states(part: str) -> bool:
    return not _ASKS.search(part) and not part.rstrip().endswith("?")


def _to_its_end(text: str) -> str:
    """A subordinate clause: to the comma, the end of the sentence, or where the question itself begins."""
    ends = [match.start() for match in (re.search(r"[,?.;]", text), _INVERTED.search(text)) if match]
    return text[: min(ends)] if ends else text


# --------------------------------------------------------------------------------------------- what is untrue

_IS_THERE = re.compile(
    r"\b(?:is|are|was|were) there\b|\b(?:does|do|did) (?:australia|we) (?:still )?have\b|\bexists?\b"
    r"|\b(?:do|does|did|will|would|must|should|can|may)\s+(?:i|we|he|she|they|you|my \w+|the \w+)\s+(?:have to "
    r"|need to |still )?(?:pay|owe|get hit)"
    r"|\b(?:any|no|some kind of|such thing)\b",
    re.IGNORECASE,
)
_ASKED_OF = re.compile(
    r"^\W*(?:\w+[,\s]+){0,3}(?:how|what|what's|when|who|which|where|at what|by when)\b", re.IGNORECASE
)


def _is_presupposed(name: str, folded: str, clauses: Sequence[str]) -> bool:
    """Whether a tax is spoken of as one there is: stated, with "the", or asked how, when, by whom or at what rate."""
    if not _holds(folded, name):
        return False
    form = _form(name)
    for sentence in _SENTENCES.split(folded):
        found = form.search(sentence)
        if found is None or _IS_THERE.search(sentence):
            continue
        before = sentence[: found.start()]
        if re.search(r"\bthe\s+(?:\w+\s+){0,2}$", before, re.IGNORECASE) or _ASKED_OF.search(sentence):
            return not _DOUBTED.search(before)
    return any(form.search(clause) and not _IS_THERE.search(clause) for clause in clauses)


def _says(clause: str, entry: NoSuchLaw) -> bool:
    return any(_holds(clause, word) for word in entry.of) and any(_holds(clause, word) for word in entry.claimed)


def _holds(text: str, name: str) -> bool:
    """Whether `name` stands in `text`; most do not, which their first word tells at once."""
    return _first_word(name) in text.casefold() and _form(name).search(text) is not None


@functools.cache
def _first_word(name: str) -> str:
    return re.split(r"[\s-]", name, maxsplit=1)[0].casefold()


@functools.cache  # of the lists that ship, some hundreds
def _form(name: str) -> re.Pattern[str]:
    words = r"[\s-]+".join(re.escape(word).replace(r"\-", r"[-\s]?") for word in name.split())
    return re.compile(rf"(?<![\w$]){words}(?:s|'s)?(?!\w)", re.IGNORECASE)


# ------------------------------------------------------------------------------------------------- repeals

_LAW_WORD = (
    r"(?:rules?|bans?|limits?|caps?|tax|levy|tests?|thresholds?|concessions?|exemptions?|offsets?|deductions?"
    r"|discounts?"
    r"|regimes?|divisions?|provisions?|sections?|requirements?|restrictions?|penalt(?:y|ies)|denials?|exclusions?)"
)
_REPEALED = re.compile(
    rf"\b{_LAW_WORD}\b.{{0,60}}?\b(?:(?:is|was|has been|have been|are|were|got|been)\s+(?:finally\s+|now\s+|just\s+)?"
    r"(?:repealed|abolished|scrapped|axed|ditched|done away with|overturned|struck down|thrown out)"
    r"|no longer (?:applies|apply|exists?)|(?:is|are) (?:gone|history|dead))\b",
    re.IGNORECASE,
)
_BAN_LIFTED = re.compile(
    r"\b(?:bans?|rules?|restrictions?|prohibitions?|denials?|exclusions?)\b.{0,60}?\b(?:is|was|has been"
    r"|have been|are|were|been|got)\s+"
    r"(?:\w+\s+)?(?:lifted|removed|ended|dropped|reversed|relaxed)\b(?!\s+(?:to|from|by|for)\b)",
    re.IGNORECASE,
)
_THEY_REPEALED = re.compile(
    r"\b(?:they|they've|the government|parliament|canberra|the ato|labor|the coalition|the budget)(?: have| has|'ve)?"
    r"(?: now| just| finally| all)* (?:abolished|scrapped|repealed|axed|ditched|got rid of|gotten rid of|done away with"
    rf"|did away with|dropped the|removed the|lifted the|overturned)\b(?:\s+\w+){{0,4}}?\s+{_LAW_WORD}\b",
    re.IGNORECASE,
)
# What did end, at one time or another: whether it had by then is for the Acts to say.
_DID_END = re.compile(
    r"carbon|mining|resource rent|mrrt|repair levy|deficit levy|flood levy|middle[- ]income|lmito|mature[- ]age"
    r"|spouse|medical"
    r"|first home saver|education tax|school ?kids|entrepreneur|expensing|work[- ]test|10 ?%|10 per ?cent|ten per ?cent"
    r"|\$ ?250|\$ ?450|carry[- ]?back|foreign resid|non-?resid|expat|overseas|death|estate|gift|sales tax"
    r"|surcharge|instant|asset write"
    r"|job ?keeper|interest|debits?|financial institutions|23ag|foreign (?:employment|earnings)|excess"
    r"|baby bonus|temporary"
    r"|accelerated|investment allowance|balancing adjustment|averaging|undeducted|section 57|entertainment|car expense"
    r"|one[- ]third|12 ?%|twelve per ?cent|shortcut|80 cents|statutory formula|sliding|indexation|bad debt"
    r"|advance payment"
    r"|grandfather|franking rebate|personal super|self[- ]employed|\bage\b|minimum threshold|low value|gst[- ]free"
    r"|division 6aa",
    re.IGNORECASE,
)


def _repeal(clauses: Sequence[str], year: IncomeYear) -> Elsewhere | None:
    for clause in clauses:
        found = _REPEALED.search(clause) or _BAN_LIFTED.search(clause) or _THEY_REPEALED.search(clause)
        if found and not _DID_END.search(clause):
            said = " ".join(found.group().split())
            told = f"No such repeal or change is known for {year.label}; the Acts held say what applied."
            return Elsewhere(f"that “{said}”", OutsideField.NO_SUCH_LAW, _WHO, said, told)
    return None


_LAW_SUBJECT = (
    r"(?:they|government|govt|ato|tax office|canberra|parliament|law|rules?|rates?|limits?|caps?|thresholds?|discount"
    r"|exemptions?|levy|gst|fbt|cgt|super|companies|company tax|partnerships?|trusts?|gifts?|donations?|deductions?"
    r"|offsets?|concessions?|penalt\w+|div(?:ision)? ?7a|medicare|tax)"
)
_STATED = (
    r"(?:is|are|was|were|has|have|had|went|goes|got|gets|can|must|don't|no longer|been|abolish\w*|scrap\w*|remov\w*"
    r"|repeal\w*|doubl\w*|rais\w*|extend\w*|cut|increas\w*|allow\w*|pay|count)"
)
_TAKEN_AS_GIVEN = re.compile(
    # "now that companies pay …", "since the GST went up …", "as the ATO has to …"
    r"\b(?:now|since|seeing|given|because|as|with|under|after)\b(?: that| the| all| every| any)?(?: \w+){0,4}? "
    + rf"{_LAW_SUBJECT}\b[^.?!]{{0,60}}?\b{_STATED}\b"
    + r"|\bthese days\b|\bnow(?:adays)? (?:that|the|they|we|you|it'?s)\b[^.?!]{0,50}"
    + r"(?:\b(?:abolish|scrap|repeal|allow|free|exempt|gone|limit|per ?cent)|%)"
    # "they scrapped …", "the government has raised …"
    + r"|\b(?:they|government|ato)(?:'ve| have| has)? (?:just |finally |now )?(?:scrapped|abolished|removed|dropped"
    + r"|got rid of|doubled|raised|lifted|extended|brought in|introduced|changed)\b"
    + r"|\bthe new (?:rule|law|rate|limit|cap|exemption|discount)\b",
    re.IGNORECASE,
)


# Anybody of a kind: what is said of them all is said of the law. "My kids", "our company" are the facts of one case.
_ANYBODY = (
    r"(?<!my )(?<!our )(?<!his )(?<!her )(?<!their )(?<!your )(?<!the )(?<!two )(?<!both )"
    r"(?:everyone|everybody|nobody|no one|(?:every|each|all|any) (?:\w+ )?\w+|you|they"
    r"|the (?:law|ato|tax office|government)|pensioners|retirees|children|kids|minors|students|employers"
    r"|employees|workers|staff|tradies|sole traders|small business(?:es| owners)?|companies|smsfs|super funds"
    r"|trusts|partnerships|residents|non-?residents|foreigners|farmers|charities|nurses|teachers|couples"
    r"|families|landlords|directors|shareholders|apprentices|gifts(?: from \w+)?|contractors|carers|widows)"
)
_RULED = (
    r"(?:can|must|may|don't|doesn't|do not|does not|never|needn't|aren't|has to|have to|gets?|lets?|allows?"
    r"|pays? (?:no|a flat)|(?:is|are) (?:all |now |always |fully )*(?:allowed|exempt|free|tax[- ]free|entitled|taxed"
    r"|required|deductible|barred|banned))"
)
_WHOLE = (
    r"(?:every|all|any|never|always|nobody|double|twice|free|exempt|without|at all|no tax|per ?cent|%|\$ ?[0-9]|[0-9])"
)
_RULE_OF_ALL = re.compile(
    # "since children don't pay tax on …", "as you must live in a house for …"
    r"\b(?:since|given(?: that)?|seeing(?: that| as)?|because|as|now(?: that)?|considering(?: that)?) "
    + rf"{_ANYBODY} (?:\w+ ){{0,2}}?{_RULED}\b"
    # "employers get a double deduction for …, how do I …"
    + rf"|^\W*{_ANYBODY} (?:\w+ ){{0,2}}?{_RULED}\b(?=[^?]*?{_WHOLE})[^?]*?(?:,|\.|;| so) *(?:so |and |then )?"
    + r"(?:how|what|which|where|when|who|do|does|can|should|is|am|have|have i|will)\b",
    re.IGNORECASE,
)
_RULE_CHANGED = re.compile(
    # "the six year rule became a ten year rule", "the levy fell to 1 %", "they cut the discount to 25 %"
    r"\b(?:rules?|methods?|caps?|limits?|levy|discounts?|exemptions?|shortcuts?"
    r"|(?:tax|gst|fbt|company|corporate) rates?|thresholds?|concessions?|offsets?)\b[^.?!,]{0,25}?"
    r"\b(?:became|has become|turned into|rose to|fell to|dropped to"
    r"|doubled|halved|(?:was|were|has been|got) (?:cut|raised|lifted|lowered|reduced|increased|extended|changed) to"
    r"|went (?:up|down) to)\b(?! .{0,20}\b(?:zero|nil)\b)"
    r"|\b(?:they|government|ato)(?:'ve| have| has)? (?:just |finally |now )?(?:cut|reduced|increased|lowered|halved)\b"
    + rf"[^.?!]{{0,40}}?\b{_LAW_SUBJECT}\b",
    re.IGNORECASE,
)


def takes_law_as_given(question: str) -> bool:
    """Whether the question asserts what the law is, or how it changed, beside what it asks.

    By forms of words alone, whether it is so or not: a change, a rule under a conjunction of reason, or a rule of
    everybody of a kind before the question itself begins.
    """
    folded = fold(question)
    return any(form.search(folded) for form in (_TAKEN_AS_GIVEN, _RULE_OF_ALL, _RULE_CHANGED))
