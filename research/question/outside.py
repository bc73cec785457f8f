"""Whether a question asks about something that lies outside the Acts held: a State's duty, a visa, a treaty, a poem.

Pure: entries and nearness are handed in. The rule is one distinction: the federal tax treatment of an outside thing is
inside ("is stamp duty deductible"), the thing itself is outside ("how much is the stamp duty"). So a question is
placed outside only where an outside entry is named or lies nearer by meaning than all the subject index holds, and
none of the ties below speaks of federal tax. Ties differ by reason: "GST" ties a question of leases to federal tax and
a question about New Zealand does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from research.law.citation import fold
from research.terms import Elsewhere, OutsideField

NAMED = -0.12  # how far behind the subject index an entry may lie whose name of one word stands in the question
NAMED_IN_FULL = -0.25  # the same for a name of several words
LEAST = (
    0.48  # how near at least an entry must lie that is near by meaning alone: what it knows nothing of is no evidence
)
NEARER = 0.0  # how far ahead an entry must lie that is near by meaning alone
ABROAD = 0.12  # the same for other countries' taxes: to name a country is common in questions of federal tax
MUCH_NEARER = 0.05  # the same for what is to be done, foretold or chatted about


TASKS = frozenset(
    {OutsideField.LODGMENT_AND_SERVICES, OutsideField.DRAFTING, OutsideField.FORECAST, OutsideField.GENERAL_KNOWLEDGE}
)


@dataclass(frozen=True, slots=True)
class Outside:
    """One subject that lies outside. who: where to turn. names: words that by themselves name it and little else."""

    subject: str
    field: OutsideField
    who: str
    phrases: tuple[str, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Near:
    """Cosines of a question: with the nearest phrases outside and inside; entry: the place of the nearest outside."""

    outside: float
    inside: float
    entry: int

    @property
    def lead(self) -> float:
        return self.outside - self.inside


@dataclass(frozen=True, slots=True)
class OutsideIndex:
    """Entries made ready to be read. Two indexes of the same entries are equal."""

    entries: tuple[Outside, ...]
    _names: tuple[tuple[str, re.Pattern[str], int], ...] = field(compare=False, repr=False)  # a part of it, its form
    _phrases: tuple[tuple[str, int], ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, entries: Sequence[Outside]) -> OutsideIndex:
        names = [(name, place) for place, entry in enumerate(entries) for name in entry.names]
        names.sort(key=lambda pair: (-len(pair[0]), pair))
        phrases = [
            (text, place)
            for place, entry in enumerate(entries)
            for text in dict.fromkeys((entry.subject, *entry.phrases, *entry.names))
        ]
        return cls(
            tuple(entries), tuple((_first_word(name), _form(name), place) for name, place in names), tuple(phrases)
        )

    @property
    def phrases(self) -> tuple[str, ...]:
        """Every subject, phrase and name, in order: what an embedder is given, one vector each."""
        return tuple(text for text, _ in self._phrases)

    @property
    def entry_of_phrase(self) -> tuple[int, ...]:
        return tuple(place for _, place in self._phrases)

    def place(self, question: str, near: Near | None = None) -> Elsewhere | None:
        """The entry that `question` belongs to, None where it may be federal tax law. near: None without vectors."""
        folded = fold(question)
        plain = folded.casefold()
        if treaty := _treaty(folded):
            entry = next((entry for entry in self.entries if entry.field is OutsideField.TAX_TREATY), None)
            if entry is not None and not is_tied(folded, OutsideField.TAX_TREATY):
                return _at(entry, treaty)
        for word, form, place in self._names:
            if word not in plain:  # a thousand names, of which a question holds one
                continue
            entry = self.entries[place]
            if (found := form.search(folded)) and not is_tied(folded, entry.field) and _is_near(found.group(), near):
                return _at(entry, found.group())
        if charged := _CHARGED_ABROAD.search(folded):
            entry = next((entry for entry in self.entries if entry.field is OutsideField.FOREIGN_TAX), None)
            if entry is not None and not is_tied(folded, OutsideField.FOREIGN_TAX):
                return _at(entry, charged.group())
        if near is not None:
            entry = self.entries[near.entry]
            wanted = (
                ABROAD if entry.field is OutsideField.FOREIGN_TAX else MUCH_NEARER if entry.field in TASKS else NEARER
            )
            if near.outside >= LEAST and near.lead >= wanted and not is_tied(folded, entry.field):
                return _at(entry)
        return None


def _at(entry: Outside, name: str = "") -> Elsewhere:
    return Elsewhere(entry.subject, entry.field, entry.who, name)


def _form(name: str) -> re.Pattern[str]:
    words = r"[\s-]+".join(re.escape(word).replace(r"\-", r"[-\s]?") for word in name.split())
    return re.compile(rf"(?<![\w$]){words}(?:s|'s)?(?!\w)", re.IGNORECASE)


def _first_word(name: str) -> str:
    """What stands wherever the name does, its case folded."""
    return re.split(r"[\s-]", name, maxsplit=1)[0].casefold()


def _is_near(name: str, near: Near | None) -> bool:
    is_plain = " " in name or (
        name.isupper() and len(name) > 2
    )  # an abbreviation in capitals is no word of the language
    return near is None or near.lead >= (NAMED_IN_FULL if is_plain else NAMED)


# ------------------------------------------------------------------------------------------------- ties


def _any(*forms: str) -> str:
    return r"(?<!\w)(?:" + "|".join(forms) + r")(?!\w)"


# "Does it count as income for Centrelink" asks of another test of income.
_NOT_THEIR_TEST = (
    r"(?! (?:for|under|by|with|in|at) (?:the |my |our )?(?:centrelink|age|pension|income test|assets? test|ftb"
    r"|family|youth"
    r"|jobseeker|child|carer|dva|parenting|ndis|rent|housing|visa|loan|bank))"
)
_DEDUCTION = _any(
    r"(?:non-?|un)?deduct\w*",
    r"tax write[- ]?offs?",
    r"writ(?:e|ten|ing) (?:it|this|that|them)? ?off (?:on|against|for|in) (?:my |our )?tax",
    r"cost bases?",
    r"(?:non-?)?assessable",
    r"assessable income",
    r"(?:non-?)?taxable(?! payments annual)",
    r"(?:un)?taxed",
    r"tax[- ]?free(?! threshold)",
    r"depreciat\w*",
    r"input tax(?:ed)?(?: credits?)?",
    r"(?:count|counted|counts|treated|included?|shown|put|goes?) (?:\w+ ){0,2}(?:as|in|on) (?:my |our |his |her |the )?"
    r"(?:assessable |taxable )?(?:income|tax return|tax)" + _NOT_THEIR_TEST,
    r"on (?:my|our|his|her|their|the|a) (?:tax )?return",
    r"for (?:income )?tax(?: purposes)?",
    r"tax (?:treatment|consequences?|implications?|position|effects?|purposes)",
    r"tax[- ]wise",
    r"taxwise",
    r"claim(?:ed|ing)? (?:\w+ ){0,6}(?:on|against|off|in) (?:my |our |his |her |their |the )?(?:tax|income|return)",
    r"declar(?:e|ed|ing)",
    r"(?:is|are|was|were|be) (?:that|this|it|they|those|these) (?:\w+ ){0,3}income" + _NOT_THEIR_TEST,
    r"cost of (?:doing business|earning|running)",
    r"business (?:costs?|expenses?)",
    r"(?:straight ?away|at once|up front|in one (?:hit|go|year)) or (?:over|spread|bit by bit)",
    r"writ(?:e|es|ing|ten) (?:it |this |that |them |the \w+ )?off",
    r"tfns?",
    r"tax file numbers?",
    r"(?:my|our|the|his|her|their) (?:profit|gain|loss) (?:on|from|when|for)",
    r"(?:work\w*|figur\w*|calculat\w*) (?:out )?(?:my|our|the|his|her) (?:capital )?(?:profit|gain|loss)",
)
_CLAIM = _any(
    r"(?:can|could|may|might|should|do|to|able to|allowed to|did|have|has|had|if|still|also)(?: (?:i|we|he|she"
    r"|they|you|it"
    r"|the \w+|my \w+|our \w+))?(?: \w+)? claim(?! (?:for|against|unfair|under|on my insurance))",
    r"(?:i|we|he|she|they|you|client|wife|husband) claimed",
    r"claimable",
    r"claim (?:back|a deduction|it back)",
)
_NO_OTHER_TAX = "".join(
    rf"(?<!{word} )" for word in ("land", "roll", "property", "vacancy", "machine", "betting", "car", "wine", "gains")
)
_TAX_ON = _any(
    r"income tax",
    r"capital gains?(?: tax)?",
    r"cgt",
    r"gst",
    r"bas",
    r"fbt",
    r"fringe benefits?",
    r"payg\w*",
    r"withh(?:old\w*|eld)",
    _NO_OTHER_TAX + r"tax(?:es)? (?:on|from)",
    r"(?:pay|paid|paying|owe|owing|charged?|up for|liable for|hit with|any|no|extra|more|less|save) tax(?:es)?",
    r"(?:the|what|which|whose|cops?|some|my|our) tax(?! (?:office|debts?|agents?|returns?|refunds?|bill|file|man"
    r"|invoice|year))",
    r"how (?:is|are|was|were|do|does|will) .{0,60} taxed",
    r"tax offsets?",
    r"medicare levy\w*",
    r"frank(?:ed|ing)\w*",
    r"roll-?overs?",
    r"main residence",
    r"fuel tax(?: credits?)?",
    r"(?:fuel|diesel) (?:tax )?credits?",
    r"division 7a",
    r"div 7a",
)
_EXEMPT = _any(r"exempt(?:ion|ed)?(?! from (?!(?:income )?tax|cgt|gst|fbt|capital))")
_SUPER = _any(
    r"super(?:annuation)?(?: guarantee)?",
    r"sg",
    r"sgc",
    r"ordinary time earnings",
    r"director penalt\w+",
    r"tax debts?",
    r"ato",
    r"tax office",
    r"commissioner",
    r"abn",
    r"contractors? or employees?",
    r"employees? or contractors?",
)
_AUSTRALIA = _any(
    r"australian (?:\w+ ){0,2}(?:tax|income|return|resident|residency|cgt|company)\w*",
    r"tax(?:ed|es)? (?:\w+ ){0,3}(?:in australia|here)",
    r"aussie",
    r"(?:my|our|his|her|a|the) (?:tax )?return",
    r"tax office",
    r"ato",
    r"foreign income",
    r"fito",
    r"offsets?",
    r"assessable",
    r"tax residen\w+",
    r"cease\w* to be (?:an )?(?:australian )?residents?",
    r"deemed disposals?",
    r"controlled foreign \w+",
    r"cfc",
    r"itaa\w*",
    r"div(?:ision)? [0-9]+\w*",
    r"deduct\w*",
    r"declare\w*",
    r"(?:i|we) (?:have to )?(?:report|include|show)(?! .{0,40}(?:irs|hmrc))",
)
_OFFSET = _any(r"foreign (?:income )?tax (?:offsets?|credits?)", r"fito", r"credits? for foreign tax")
_CURRENT = _any(r"(?:penalt(?:y|ies)|time limits?|objections?|deadlines?|due dates?|due|section|law|act)")
_HELD_SUBJECT = _any(
    r"deduct\w*",
    r"cost bases?",
    r"assessable",
    r"depreciat\w*",
    r"input tax(?:ed)?(?: credits?)?",
    r"gst(?! came| started| in new)",
    r"fbt",
    r"fringe benefits?",
    r"cgt",
    r"capital gains?",
    r"fuel tax(?: credits?)?",
    r"(?:fuel|diesel) (?:tax )?credits?",
    r"franking",
    r"car limit",
    r"taxable income",
)

# "My boss paid out my leave" tells of money received, and asks how it is taxed; "won't pay out my leave" does not.
_RECEIVED = (
    r"^(?!.*\b(?:not|\w+n't|never|no|won't|owed?|owes|unpaid|underpaid|less|short|late|refus\w*|entitled|entitlements?|minimum"
    r"|how (?:much|many)|should|fair|legal|enforceable|allowed|rights?|can (?:they|he|she|my boss|my employer)|must"
    r"|have to|has to)\b)"
    r".*(?<!\w)(?:(?:boss|employer|company|firm|work|they) (?:has |have )?(?:paid|pays|gave)(?: me| us| him| her)?"
    r"(?: out)?|(?:was|were|got|been|being) paid (?:out )?(?:to|for|an?|my|\$|[0-9])|lump sums?|payouts?"
    r"|paid out (?:my|his|her))(?!\w)"
)
# "Legal fees when setting up a company" tells of money spent; "how much are legal fees" does not.
_SPENT = (
    r"^(?!.*\b(?:how (?:much|do|long)|who pays|cheap\w*|typical|average|find|too much|overcharged|complain\w*|dispute"
    r"|refund)\b)"
    r".*(?<!\w)(?:(?:legal|solicitor'?s?|lawyer'?s?|court|agent'?s?) (?:fees?|costs?|bills?|expenses)"
    r"|(?:solicitor|lawyer|barrister|agent|conveyancer) charged (?:me|us|him|her))(?!\w)"
)
_PART_OF_COST = _any(
    r"(?:go|goes|going|add|adds|added|include[ds]?|counts?|counted|part|put|form part) (?:\w+ )?"
    r"(?:in|on|to|into|of|towards|as) (?:what|(?:the|my|our|its) (?:\w+ )?(?:cost|price))"
)

_TIES: Mapping[OutsideField, re.Pattern[str]] = {
    name: re.compile("|".join(forms), re.IGNORECASE)
    for name, forms in {
        OutsideField.STATE_TAX: (_DEDUCTION, _CLAIM, _TAX_ON, _PART_OF_COST),
        OutsideField.FOREIGN_TAX: (_AUSTRALIA,),
        OutsideField.TAX_TREATY: (_OFFSET,),
        OutsideField.SOCIAL_SECURITY: (_DEDUCTION, _TAX_ON, _EXEMPT),
        OutsideField.MIGRATION: (_DEDUCTION, _CLAIM, _TAX_ON, _EXEMPT),
        OutsideField.EMPLOYMENT_LAW: (_DEDUCTION, _TAX_ON, _EXEMPT, _SUPER, _RECEIVED),
        OutsideField.COMPANY_LAW: (_DEDUCTION, _CLAIM, _TAX_ON, _EXEMPT, _SUPER, _SPENT),
        OutsideField.FAMILY_LAW: (_DEDUCTION, _CLAIM, _TAX_ON, _EXEMPT, _SPENT),
        OutsideField.CONSUMER_AND_CONTRACT: (_DEDUCTION, _TAX_ON, _EXEMPT, _SPENT),
        OutsideField.FINANCE_AND_ADVICE: (_DEDUCTION, _CLAIM, _TAX_ON, _EXEMPT),
        OutsideField.LODGMENT_AND_SERVICES: (_DEDUCTION, _CLAIM, _EXEMPT, _CURRENT),
        OutsideField.DRAFTING: (_DEDUCTION, _CLAIM),
        OutsideField.FORECAST: (_CLAIM,),
        OutsideField.GENERAL_KNOWLEDGE: (_DEDUCTION, _CLAIM, _EXEMPT),
        OutsideField.FEDERAL_LAW_NOT_HELD: (_HELD_SUBJECT,),
    }.items()
}


def is_tied(question: str, to: OutsideField) -> bool:
    """Whether words of the question ask about federal tax where an outside thing of that field is spoken of."""
    return bool(_TIES[to].search(question))


# ----------------------------------------------------------------------------------- countries and treaties

_COUNTRY = (
    r"(?:usa?|u\.s\.|united states|america|uk|u\.k\.|united kingdom|britain|england|scotland|ireland|canada"
    r"|new zealand|nz"
    r"|india|china|hong kong|taiwan|japan|korea|singapore|malaysia|indonesia|thailand|vietnam|philippines"
    r"|germany|france"
    r"|italy|spain|portugal|greece|netherlands|belgium|austria|switzerland|sweden|norway|denmark|finland|poland|russia"
    r"|ukraine|turkey|israel|egypt|south africa|kenya|zimbabwe|uae|dubai|qatar|saudi arabia|pakistan|sri lanka"
    r"|bangladesh"
    r"|nepal|fiji|png|papua new guinea|samoa|tonga|vanuatu|brazil|argentina|chile|mexico|american|british"
    r"|english|scottish"
    r"|irish|canadian|kiwi|indian|chinese|japanese|korean|singaporean|malaysian|indonesian|thai|vietnamese"
    r"|filipino|german"
    r"|french|italian|spanish|portuguese|greek|dutch|belgian|austrian|swiss|swedish|norwegian|danish|finnish|polish"
    r"|russian|turkish|israeli|egyptian|south african|kenyan|pakistani|sri lankan|fijian|brazilian|chilean|mexican)"
)
_TREATY = re.compile(
    _any(
        r"(?:tax )?treat(?:y|ies)", "dta", r"(?:double[- ])?tax(?:ation)? (?:agreement|convention|treaty|deal|pact)s?"
    ),
    re.I,
)
_AGREEMENT = re.compile(_any(rf"{_COUNTRY}(?:[/ -]+australian?)? (?:tax )?agreement"), re.IGNORECASE)
_COUNTRY_NAMED = re.compile(_any(_COUNTRY), re.IGNORECASE)
_CHARGED_ABROAD = re.compile(
    _any(rf"(?:does|do|did|will|would|can) (?:the )?{_COUNTRY} (?:\w+ ){{0,2}}(?:tax|charge|levy|impose|collect|have)")
    + "|"
    + _any(rf"{_COUNTRY} (?:taxes|charges|levies|imposes) "),
    re.IGNORECASE,
)


def _treaty(folded: str) -> str:
    """The words that name a treaty of a country, or ""."""
    if found := _AGREEMENT.search(folded):
        return found.group()
    treaty, country = _TREATY.search(folded), _COUNTRY_NAMED.search(folded)
    return treaty.group() if treaty and country else ""
