"""Where a question goes: to a look-up of what it cites, to search, or back with a reason.

Refusing a real question of federal tax law is the worse mistake: what is in doubt goes to search, and evidence
decides. A question is refused only where its own words place it elsewhere (a State tax, another country's law, a
thing to be done, a forecast) and nothing in it ties it to federal tax law. Text is only ever text: a question that
gives orders to a machine is searched for like any other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from research.law.citation import FoundCitation, act_mentions, fold, mask_citations
from research.question.outside import is_tied
from research.terms import OutsideField, Reason

MOST_CHARS = 2000


@dataclass(frozen=True, slots=True)
class CleanQuestion:
    text: str


@dataclass(frozen=True, slots=True)
class QuestionRefused:
    """Text that is no question AsAt can take, and the words that say so."""

    message: str


def clean_question(text: str) -> CleanQuestion | QuestionRefused:
    """The question in NFC, without control or invisible characters, white space collapsed; or why it is none."""
    kept = "".join(" " if character.isspace() else character for character in text if not _is_dropped(character))
    cleaned = " ".join(unicodedata.normalize("NFC", kept).split())
    if not any(character.isalnum() for character in cleaned):
        return QuestionRefused("There is no question yet. Write one, for example: Are gifts deductible in FY2015?")
    if len(cleaned) > MOST_CHARS:
        return QuestionRefused(
            f"The question has {len(cleaned):,} characters; AsAt takes up to {MOST_CHARS:,}. "
            "Shorten it to the point of law, and ask the rest as further questions."
        )
    return CleanQuestion(cleaned)


def _is_dropped(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}


class RouteKind(StrEnum):
    CITATION = "citation"
    SEARCH = "search"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Route:
    """kind: "citation" where the question asks for the cited provisions themselves, "search", or "refuse".

    reason: why, when refused. citations: all that were found, also when searching. definition_of: the term whose
    meaning is asked for, as asked, or None. because: what in the question decided a refusal, in words.
    """

    kind: RouteKind
    reason: Reason | None = None
    citations: tuple[FoundCitation, ...] = ()
    definition_of: str | None = None
    because: str = ""


def route(question: str, citations: Sequence[FoundCitation]) -> Route:
    """Where `question` goes. citations: what `find_citations` found in it."""
    folded = fold(question)
    refused = _refused(folded, is_cited=_cites_federal_law(folded, citations))
    if refused is not None:
        reason, because = refused
        return Route(RouteKind.REFUSE, reason, tuple(citations), because=because)
    kind = RouteKind.CITATION if citations and not _words_left(question) else RouteKind.SEARCH
    return Route(kind, None, tuple(citations), definition_asked(question))


def _cites_federal_law(folded: str, citations: Sequence[FoundCitation]) -> bool:
    return bool(citations) or bool(act_mentions(folded))


# ------------------------------------------------------------------------------------------------ scope


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(forms) + r")(?!\w)", re.IGNORECASE)


# Ties a question to federal tax law, whatever else it names.
_FEDERAL = _any(
    "deduct\\w*",
    "claim(?:ed|able)?",
    "assessable",
    "exempt income",
    "income tax",
    "taxable income",
    "capital gains?",
    "capital works",
    "cgt",
    "cost bases?",
    "gst",
    "goods and services tax",
    "input tax(?:ed)?",
    "creditable",
    "fbt",
    "fringe benefits?",
    "payg\\w*",
    "withh(?:old\\w*|eld)",
    "superannuation",
    "super(?:\\s+guarantee|\\s+fund\\w*)?",
    "sgc?",
    "smsf",
    "franking",
    "imput\\w+",
    "depreciat\\w+",
    "offsets?",
    "medicare levy\\w*",
    "tax agents?",
    "bas agents?",
    "fuel tax",
    "ato",
    "commissioner of taxation",
    "abn",
    "itaa\\w*",
    "federal",
    "commonwealth",
)
_STATE = _any(
    "stamp dut(?:y|ies)",
    "transfer dut(?:y|ies)",
    "conveyance dut(?:y|ies)",
    "landholder dut(?:y|ies)",
    "pay-?\\s?roll tax\\w*",
    "land tax(?:es)?",
    "vacan(?:t|cy)(?: residential)? (?:land|property) tax",
    "(?:motor )?vehicle (?:registration )?dut(?:y|ies)",
    "rego",
    "council rates",
    "first home (?:owner'?s?|buyer'?s?) (?:grant|concession|scheme)",
    "foreign (?:purchaser|owner|buyer)s? (?:additional )?(?:duty|surcharge)(?: duty)?",
    "emergency services levy",
    "fire services levy",
    "point of consumption tax",
    "gaming machine tax",
    "congestion levy",
    "revenue nsw",
    "state revenue office",
)
_FOREIGN = _any(
    "irs",
    "hmrc",
    "inland revenue(?: department)?",
    "internal revenue(?: code| service)?",
    "canada revenue agency",
    "form (?:1040|w-?2|1099|w-?8ben)",
    "schedule c of form 1040",
    "1040",
    "roth ira",
    "401\\(?k\\)?",
    "(?:uk|british|united kingdom|eu|european|german|french|irish|spanish|italian) (?:vat|value added tax)",
    "vat (?:rate|return|registration)\\w*",
    "(?:us|u\\.s\\.|usa|american|uk|british|english|canadian|nz|new zealand|indian|singapore(?:an)?|irish|german|french"
    "|chinese|japanese|hong kong|south african|malaysian|swiss)(?: federal| state| corporate| corporation| company"
    "| personal)* (?:income tax|corporation tax|inheritance tax|capital gains tax|estate tax|sales tax|gst"
    "|tax (?:law|code|rates?|brackets?|act|return|system)|national insurance)\\w*",
    "(?:income tax|corporation tax|corporate tax|inheritance tax|capital gains tax|sales tax|gst|vat|tax rates?|tax law"
    "|taxes)(?: \\w+){0,3} in (?:the )?(?:us|usa|united states|uk|united kingdom|canada|new zealand|nz|india|singapore"
    "|ireland|germany|france|china|japan|hong kong|south africa|malaysia|switzerland|california|texas|new york|england"
    "|scotland)",
    "council tax",
    "national insurance contributions?",
)
_AUSTRALIAN = _any(
    "australia\\w*",
    "ato",
    "foreign income tax offsets?",
    "fito",
    "assessable",
    "residents?",
    "residency",
    "non-?residents?",
    "double tax\\w*",
    "tax treat(?:y|ies)",
    "treaty",
    "dta",
    "permanent establishment",
    "controlled foreign compan(?:y|ies)",
    "cfc",
    "itaa\\w*",
    "aussie",
    "foreign (?:source|sourced) income",
    "convert\\w*",
)
_PLEASE = (
    r"^(?:(?:hi|hello|hey|ok|okay|thanks|thank you)[,!.]?\s+)?"
    r"(?:please\s+|kindly\s+|(?:can|could|will|would)\s+you\s+(?:please\s+|kindly\s+)?"
    r"|i\s+(?:want|need|would\s+like|'d\s+like)\s+you\s+to\s+|help\s+me\s+(?:to\s+)?|go\s+and\s+|just\s+)*"
)
_DO = re.compile(
    _PLEASE + r"(?:"
    r"(?:write|draft|compose|prepare|generate|create|send|reply\s+to|proofread|rewrite)\s+(?:me\s+|us\s+|up\s+)?(?:an?|the|my|our|this|that|some|another)\s+"
    r"(?:[\w'-]+\s+){0,4}(?:e-?mails?|letters?|memos?|repl(?:y|ies)|messages?|objections?|submissions?|poems?|songs?|essays?|stor(?:y|ies)"
    r"|invoices?|contracts?|wills?|reports?|blog\w*|posts?|speech|scripts?|code|spreadsheets?|returns?|statements?|bas|minutes)\b"
    r"|(?:lodge|submit|file|complete|fill\s+(?:in|out)|amend|finali[sz]e|do)\s+(?:my|our|this|the|his|her|their|a|an)\s+"
    r"(?:[\w'-]+\s+){0,4}(?:returns?|bas|forms?|objections?|statements?|applications?|tax(?:es)?|instalments?)\b"
    r"|(?:calculate|compute|work\s+out|estimate|figure\s+out)\s+(?:my|our|his|her|their|the\s+client'?s?|for\s+me)\b"
    r"|(?:book|schedule|cancel|reschedule)\s+(?:me\s+)?(?:an?|my|the|our)\s+(?:[\w'-]+\s+){0,3}(?:appointments?|meetings?|calls?|flights?|hotels?|tables?)\b"
    r"|(?:register|sign)\s+(?:me|us|my\s+\w+)\s+(?:up\s+)?(?:for|with|as)\b"
    r"|(?:pay|transfer|send)\s+(?:my|our|the|\$)\s*(?:[\w'-]+\s+){0,3}(?:bill|invoice|debt|money|dollars|account)\b"
    r"|(?:call|phone|ring|contact|email|e-mail)\s+(?:the\s+)?(?:ato|tax\s+office|my\s+\w+|client)\b"
    r"|translate\s+(?:this|the|my|that)\b|(?:log|sign)\s+(?:me\s+)?in(?:to)?\s+(?:to\s+)?my"
    r"|remind\s+me\b|tell\s+me\s+a\s+(?:joke|story)\b|(?:sing|play)\s+(?:me\s+)?(?:a|some)\b"
    r")",
    re.IGNORECASE,
)
_MY_FIGURE = re.compile(
    r"^(?:so\s+|and\s+)?(?:what(?:'s|\s+is|\s+will(?:\s+be)?|\s+would(?:\s+be)?)\s+(?:my|our)\s+(?:[\w'-]+\s+){0,2}(?:refund|tax\s+bill)\b"
    r"|how\s+(?:much|big)\s+(?:of\s+a\s+|a\s+)?(?:(?:tax\s+)?refund|will\s+my\s+(?:tax\s+)?(?:refund|bill))\b"
    r"|when\s+will\s+(?:i|we)\s+(?:get|receive)\s+(?:my|our|the)\s+(?:tax\s+)?refund\b)",
    re.IGNORECASE,
)
_FORECAST = re.compile(
    r"(?:\b(?:will|is|are)\s+(?:the\s+)?(?:next\s+|new\s+|current\s+|federal\s+|labor\s+|coalition\s+)*(?:government|parliament|labor|liberals?|coalition|greens"
    r"|treasurer|prime\s+minister|rba|reserve\s+bank|budget|opposition)\s+(?:going\s+to\s+|likely\s+to\s+|expected\s+to\s+)?"
    r"(?:raise|cut|change|abolish|introduce|increase|reduce|lower|scrap|remove|bring|announce|pass|legislate|repeal|keep|extend|win)\b"
    r"|\b(?:do|d')\s?(?:you|ya)\s+(?:reckon|think|expect)\s+(?:that\s+)?(?:they|they'll|the\s+(?:government|budget|treasurer)|labor"
    r"|parliament|it'll|it\s+will|the\s+\w+\s+will)\b"
    r"|\b(?:predict|forecast|guess\s+(?:what|whether|if|who|how|which|when))\b(?!\s*(?:income|method))"
    r"|\bwhat\s+(?:do\s+you\s+think\s+)?will\s+(?:the\s+)?(?:[\w'-]+\s+){1,5}be\s+(?:in\s+(?:five|ten|[0-9]+)\s+years|in\s+the\s+future|next\s+decade)\b"
    r"|\bwho\s+will\s+win\b|\bwill\s+(?:bitcoin|house\s+prices|the\s+(?:share|stock|housing|property)\s+market|interest\s+rates)\s+(?:go|rise|fall|crash|drop|keep)\b"
    r"|\bwhich\s+(?:shares?|stocks?|crypto\w*|funds?|suburb)\s+(?:should|shall)\s+(?:i|we)\s+(?:buy|invest)"
    r"|\bshould\s+i\s+(?:buy|invest\s+in|sell)\s+(?:bitcoin|crypto\w*|shares?|stocks?|gold)\s*(?:now|today)?\s*\??$)",
    re.IGNORECASE,
)
_CHAT = re.compile(
    r"(?:^(?:hi|hello|hey|good\s+(?:morning|afternoon|evening)|thanks?(?:\s+you)?|cheers|test|testing|yo|g'day)(?:\s+(?:there|mate|all|asat))?[\s!.?,]*$"
    r"|\bhow\s+are\s+you\b|\bwho\s+are\s+you\b|\bwhat\s+is\s+your\s+name\b|\bare\s+you\s+(?:a\s+)?(?:human|robot|bot|real|alive)\b"
    r"|\bweather\b|\brecipe\b|\bcapital\s+(?:city\s+)?of\s+(?!an?\b|the\s+(?:company|trust|fund|partnership|business)\b)[A-Z]\w+\b"
    r"|\b(?:football|cricket|afl|nrl|tennis|olympics?|world\s+cup|grand\s+final)\b.*\b(?:won|win|score|winner|beat)\b"
    r"|\b(?:won|win|score|winner)\b.*\b(?:football|cricket|afl|nrl|tennis|olympics?|world\s+cup|grand\s+final)\b"
    r"|\b(?:joke|poem|haiku|limerick|horoscope|lyrics)\b|\bmeaning\s+of\s+life\b"
    r"|\bhow\s+(?:do|can)\s+(?:i|you)\s+(?:cook|bake|fix\s+(?:a|my)\s+(?:flat|tap|bike)|lose\s+weight|learn\s+to)\b"
    r"|\b(?:write|fix|debug)\s+(?:me\s+)?(?:a\s+|some\s+|my\s+)?(?:python|javascript|sql|java|excel)\b"
    r"|\bwho\s+(?:is|was)\s+(?:the\s+)?(?:prime\s+minister|president|king|queen|treasurer)\b"
    r"|\bhow\s+(?:tall|far|old|high|heavy)\s+is\b|\bwhat\s+time\s+is\s+it\b)",
    re.IGNORECASE,
)
_OTHER_LAW = _any(
    "unfair dismissal",
    "parking (?:fine|ticket|infringement)s?",
    "speeding (?:fine|ticket)s?",
    "divorce\\w*",
    "child custody",
    "parenting orders?",
    "(?:skilled |student |partner |visitor |working holiday )?visa (?:application|requirements?|subclass)\\w*",
    "citizenship test",
    "assault",
    "murder",
    "drink[- ]driving",
    "defamation",
    "copyright infringement",
    "trade ?marks? (?:registration|infringement)",
    "residential tenanc(?:y|ies)",
    "rental bonds?",
    "evict\\w*",
    "bail",
    "restraining orders?",
    "probate",
    "power of attorney",
)
_TAX = _any(
    "tax\\w*",
    "deduct\\w*",
    "assess\\w*",
    "levy",
    "levies",
    "rebates?",
    "trusts?",
    "dividends?",
    "penalt(?:y|ies)",
    "income",
)


def _refused(folded: str, *, is_cited: bool) -> tuple[Reason, str] | None:
    """Why the question is refused, and the words for it; None for one that goes on."""
    if _DO.search(folded):
        return Reason.NOT_A_QUESTION_OF_LAW, "it asks for something to be done"
    if is_cited:
        return None
    if _MY_FIGURE.search(folded):
        return Reason.NOT_A_QUESTION_OF_LAW, "it asks for a calculation of one taxpayer's affairs"
    if _FORECAST.search(folded):
        return Reason.NOT_A_QUESTION_OF_LAW, "it asks for a forecast"
    if (named := _FOREIGN.search(folded)) and not _AUSTRALIAN.search(folded):
        return Reason.NOT_FEDERAL_TAX, f"it asks about another country's law (“{named.group()}”)"
    has_federal = bool(_FEDERAL.search(folded))
    if (named := _STATE.search(folded)) and not has_federal and not is_tied(folded, OutsideField.STATE_TAX):
        return Reason.NOT_FEDERAL_TAX, f"it asks about a State or local charge (“{named.group()}”)"
    if has_federal or _TAX.search(folded):
        return None
    if _CHAT.search(folded):
        return Reason.NOT_FEDERAL_TAX, "it is not about tax"
    if (named := _OTHER_LAW.search(folded)) and not is_tied(folded, OutsideField.FAMILY_LAW):
        return Reason.NOT_FEDERAL_TAX, f"it is about other law (“{named.group()}”)"
    return None


# --------------------------------------------------------------------------------- look-up and definition

_SMALL_WORDS_TEXT = """
    a an the of in to for under on at as is was are were be does do did what which how who say says said read reads
    provide provides text wording words show me give open find look up please section sections ss s act acts schedule
    subsection paragraph para part division and or law then it that this about current history version full see go
    whole entire exact can you could tell i want need fy year years income financial tax ended june july
"""
_SMALL_WORDS = frozenset(_SMALL_WORDS_TEXT.split())


def _words_left(question: str) -> list[str]:
    """The words that carry content once citations, years and small words are gone."""
    left = mask_citations(question).lower()
    return [word for word in re.findall(r"[a-z][a-z'-]*", left) if word not in _SMALL_WORDS]


_TERM = r"[\"']?(?P<term>[^\"'?]{2,80}?(?:'s?\s[^\"'?]{2,60}?)?)[\"']?"
_TAIL = (
    r"(?:\s*,?\s+(?:in|under|for|within|as|at|on|during|according\s+to|of)\s+(?:the\s+)?"
    r"(?:(?:purposes?|s|ss|div|division|subdivision|part|acts?|gst|fbt|taa|tax|income|years?|law|sis|superannuation"
    r"|defined|june|july)\b|(?:itaa|section|fy)\w*|[0-9(]).*)?\s*[?.!]*\s*$"
)
_DEFINITIONS = tuple(
    re.compile(form + _TAIL, re.IGNORECASE)
    for form in (
        rf"\bwhat\s+(?:does|did|do)\s+(?:the\s+(?:term|word|expression|phrase)s?\s+)?{_TERM}\s+mean",
        rf"\bwhat(?:'s|\s+is|\s+was)\s+(?:the\s+)?(?:legal\s+|statutory\s+|ordinary\s+)?(?:meaning|definition)\s+(?:of|for)\s+(?:the\s+(?:term|word|expression|phrase)\s+)?{_TERM}",
        rf"\bwhat(?:'s|\s+is|\s+was)\s+meant\s+by\s+(?:the\s+(?:term|word|expression|phrase)\s+)?{_TERM}",
        rf"\bhow\s+(?:is|was|are|does\s+\S+\s+define)\s+(?:the\s+(?:term|word)\s+)?{_TERM}(?:\s+defined)",
        rf"^(?:the\s+)?(?:meaning|definition)\s+of\s+(?:the\s+(?:term|word|expression|phrase)\s+)?{_TERM}",
        rf"^(?:please\s+)?define\s+(?:the\s+(?:term|word|expression|phrase)\s+)?{_TERM}",
        rf"^what\s+(?:is|was|are|were)\s+(?:an?\s+)(?P<plain>){_TERM}",
        rf"^what(?:'s|\s+is)\s+(?!the\b|my\b|our\b|not\b|included|needed|[a-z]+ed\b|[a-z]+[ai]ble\b)(?P<plain>){_TERM}",
    )
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)


def definition_asked(question: str) -> str | None:
    """The term whose meaning the question asks for ("depreciating asset"), as asked, or None."""
    folded = " ".join(fold(question).split())
    for form in _DEFINITIONS:
        match = form.search(folded)
        if match is None:
            continue
        term = _ARTICLE.sub("", match["term"].strip(" \"'.,;:"))
        most_words = 5 if "plain" in match.groupdict() else 8
        if term and len(term.split()) <= most_words:
            return term
    return None
