"""The values that the steps of the road hand on to one another.

Frozen, comparable and free of Django: what is here can be built in a unit test by hand. The words are
those of the design; the modules that make each value document how.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from research.law.income_year import IncomeYear
from research.law.provision import authority_of
from research.model_terms import ModelRecord


class Decision(StrEnum):
    """What was decided about a question; closed, spelt as in the design."""

    ANSWER = "answer"
    OUT_OF_HORIZON = "abstain_out_of_horizon"
    WORDING_UNKNOWN = "abstain_wording_unknown"
    OUT_OF_SCOPE = "abstain_out_of_scope"
    NO_BASIS = "abstain_no_basis"
    THIN_EVIDENCE = "abstain_thin_evidence"
    UNGROUNDED = "abstain_ungrounded"
    FALSE_PREMISE = "abstain_false_premise"
    AMBIGUOUS = "ambiguous"
    ERROR = "error"

    @property
    def is_abstention(self) -> bool:
        return self.value.startswith("abstain_")


class Reason(StrEnum):
    """Why, one step finer than the decision; the words shown for each stand in `decision/words.py`."""

    VERIFIED = "verified"
    YEAR_OUTSIDE_CORPUS = "year_outside_corpus"
    DATE_IN_GAP = "date_in_gap"
    NOT_FEDERAL_TAX = "not_federal_tax"
    NOT_A_QUESTION_OF_LAW = "not_a_question_of_law"
    OTHER_LAW = "other_law"
    LAW_NOT_HELD = "law_not_held"
    NO_SUCH_LAW = "no_such_law"
    ASKED_ELSEWHERE = "asked_elsewhere"
    NOTHING_FOUND = "nothing_found"
    BELOW_FLOOR = "below_floor"
    BELOW_BAR = "below_bar"
    UNCORROBORATED = "uncorroborated"
    RIVAL_PROVISION = "rival_provision"
    PREMISE_UNCONFIRMED = "premise_unconfirmed"
    QUOTE_NOT_IN_SOURCE = "quote_not_in_source"
    PROSE_EXCEEDS_QUOTES = "prose_exceeds_quotes"
    PROVISION_NOT_THERE = "provision_not_there"
    PROVISION_NOT_HELD = "provision_not_held"
    TWO_YEARS = "two_years"
    TWO_PROVISIONS = "two_provisions"
    TWO_FIGURES = "two_figures"
    FIGURE_FOUND = "figure_found"
    FIGURE_YEAR_NOT_HELD = "figure_year_not_held"
    FIGURE_CONTRADICTED = "figure_contradicted"
    COMPONENT_FAILED = "component_failed"
    MODEL_FAILED = "model_failed"
    MODELS_DISAGREE = "models_disagree"
    STOPPED = "stopped"
    ISSUES_SPLIT = "issues_split"
    EMPTY_QUESTION = "empty_question"


class Dating(StrEnum):
    """How the range of a wording is known (design §3)."""

    REGISTER = "register"
    ENDNOTE = "endnote"
    COMMENCEMENT = "commencement"
    INFERRED = "inferred"
    UNKNOWN = "unknown"


class Role(StrEnum):
    """What a chunk is within its provision."""

    OPERATIVE = "operative"
    DEFINITION = "definition"
    NOTE = "note"
    EXAMPLE = "example"
    GUIDE = "guide"
    OMITTED = "omitted"  # a placeholder for a table or diagram that the source does not carry


@dataclass(frozen=True, slots=True)
class Window:
    """The days asked about, both ends included: one day, or an income year."""

    first: date
    last: date

    @property
    def is_one_day(self) -> bool:
        return self.first == self.last

    @classmethod
    def of_year(cls, year: IncomeYear) -> Window:
        return cls(year.starts, year.ends)


@dataclass(frozen=True, slots=True)
class ResolvedTime:
    """The time a question asks about, and how that was read.

    source: "question" (words in it), "field" (the year field), "today".
    read_from: the very words read ("2019-20"), empty unless source is "question".
    """

    window: Window
    year: IncomeYear
    source: str
    read_from: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as the steps see it. `text` is a literal slice of the version's text at `offset_chars`.

    certain_from and certain_to (half-open; None: no end known) are the days on which these words are
    known to have been the law. parent: label of the subsection it belongs to, "" for none. document_id: of the
    provision, as its records name it. notice: what must be said with every quote of it ("Withdrawn with effect from
    1 July 2019."). basis: how the ends of its days are known, in sentences.
    """

    chunk_id: int
    version_id: int
    provision_id: int
    instrument: str
    instrument_title: str
    section: str
    schedule: str
    heading: str
    path: tuple[str, ...]
    role: Role
    parent: str
    ordinal: int
    offset_chars: int
    text: str
    certain_from: date
    certain_to: date | None
    dating: Dating
    compilation_date: date
    register_id: str
    source_uri: str = ""
    defined_term: str = ""
    document_id: str = ""
    licence: str = ""
    notice: str = ""
    basis: str = ""

    @property
    def pin(self) -> str:
        """Where the provision stands in its instrument, as its address ends: "8-1", "sch1/12-35", "12B~2"."""
        return self.document_id.partition("/")[2]

    @property
    def is_dictionary_entry(self) -> bool:
        """Whether it is one definition among others in its section; its label then holds the term: "(1) dwelling"."""
        return bool(self.defined_term) and self.defined_term[:40] in self.parent

    @property
    def authority(self) -> str:
        """ "ITAA97 s 8-1" or "TAA53 sch 1 s 12-35": how the provision is cited."""
        return authority_of(self.instrument, self.section, self.schedule, self.instrument_title)


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk found, with the score of the list it was found in (higher is better)."""

    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage with the scores it earned on the road.

    relevance is its provision's on the reranker's scale, closeness that of these very words; lexical_rank and
    dense_rank count from 1 and are None where the passage was not in that list.
    """

    passage: Passage
    fused: float
    relevance: float
    lexical_rank: int | None = None
    dense_rank: int | None = None
    closeness: float = 0.0
    signs: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParentGroup:
    """One subsection (or whole section) that a hit belongs to, with the siblings that came along.

    passages are in reading order; hits are the chunk ids that search found; relevance is the best of them. is_limit: it
    is here to be read with the first provision, which it denies or limits, and answers nothing by itself.
    """

    version_id: int
    parent: str
    passages: tuple[Passage, ...]
    hits: tuple[int, ...]
    relevance: float
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a claim attributes to a chunk, as its author wrote them, before any check."""

    chunk_id: int
    text: str


class ClaimKind(StrEnum):
    RULE = "rule"
    LIMIT = "limit"  # an exception or limit to the rule before it
    DEFINITION = "definition"
    NOTE = "note"
    RULING = "ruling"  # what a ruling says of the rule before it


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer with its quotes. prose is fixed wording, or a model's words where `is_composed`."""

    prose: str
    quotes: tuple[Quote, ...]
    kind: ClaimKind = ClaimKind.RULE
    is_composed: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """What a generator proposes. Nothing in it is believed until `verification` has checked it.

    record: what a model did for it, None where none was asked. second: what was proposed when asked once more, to see
    whether the two rest on the same authorities.
    """

    claims: tuple[Claim, ...]
    provider: str
    model: str
    record: ModelRecord | None = None
    second: Draft | None = None


@dataclass(frozen=True, slots=True)
class CheckedQuote:
    """A quote after the check against its source.

    start_chars and end_chars are offsets into the *version's* text, None where not found. problem is empty
    when the words matched; otherwise one of: "unknown_source", "too_short", "not_in_source", "found_elsewhere".
    found_in names the chunk that does hold the words when they stand elsewhere among the sources.
    matched: the source's own characters, original and unnormalised.
    """

    quote: Quote
    start_chars: int | None
    end_chars: int | None
    matched: str
    problem: str = ""
    found_in: int | None = None

    @property
    def is_verified(self) -> bool:
        return not self.problem


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim whose quotes and prose were checked. excess: what the prose says that no quote of it holds."""

    claim: Claim
    quotes: tuple[CheckedQuote, ...]
    excess: tuple[str, ...] = ()

    @property
    def is_verified(self) -> bool:
        return bool(self.quotes) and not self.excess and all(q.is_verified for q in self.quotes)


@dataclass(frozen=True, slots=True)
class Citation:
    """A verified quote as it leaves the system: the one object that page, command, audit and export render.

    pin: where its provision stands in the instrument; notice, basis and licence as in a passage. All "" in an outcome
    recorded before they were kept.
    """

    chunk_id: int
    version_id: int
    act: str
    act_title: str
    section: str
    schedule: str
    heading: str
    quote: str
    start_chars: int
    end_chars: int
    compilation_date: date
    register_id: str
    in_force_from: date
    in_force_to: date | None
    dating: Dating
    role: Role
    pin: str = ""
    notice: str = ""
    basis: str = ""
    licence: str = ""

    @property
    def authority(self) -> str:
        """ "ITAA97 s 8-1": how the provision is cited."""
        return authority_of(self.act, self.section, self.schedule, self.act_title)


@dataclass(frozen=True, slots=True)
class ShownClaim:
    prose: str
    kind: ClaimKind
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One line of the reading list: a provision worth reading, and the version that was in force.

    note says why it is here, in fixed words ("closest match", "wording before the gap"). pin: as in a citation.
    """

    act: str
    section: str
    schedule: str
    heading: str
    version_id: int
    score: float
    certain_from: date | None = None
    certain_to: date | None = None
    note: str = ""
    pin: str = ""
    act_title: str = ""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One provision in the order that ranking gave, with the relevance of its best passage."""

    act: str
    section: str
    schedule: str
    score: float


@dataclass(frozen=True, slots=True)
class StageTime:
    """How long one stage took, and what it handed on ("120 passages")."""

    stage: str
    ms: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was searched. mode: "hybrid" or "lexical"; degraded: plain sentences, empty when all is well.

    is_trusted: whether the index was built from the text that is loaded, in the way that this version builds it.
    known_at: the moment of the last import that is in it, a moment at which just this was known.
    """

    snapshot_id: str
    mode: str
    embedder: str
    passages_in_force: int
    degraded: tuple[str, ...] = ()
    compilations: tuple[str, ...] = ()  # "ITAA97 2015-06-22 C2015C00285", sorted
    is_trusted: bool = True
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReadAs:
    """Words of the question that the subject index read as a term of the law, and the provisions that govern it.

    words: the phrase of the index all of whose words stand in the question ("laptop"); "" where the question was read
    by its meaning. provisions: those that it led to, as cited ("ITAA97 s 40-25").
    """

    words: str
    term: str
    provisions: tuple[str, ...]


Pin = tuple[str, str]  # an instrument's code, and where a provision stands in it: ("TAA53", "sch1/12-35")


@dataclass(frozen=True, slots=True)
class SubjectEvidence:
    """How strongly the subject index points from a question to one provision, 0 to 1 each.

    words: the weighted share of the question that one phrase accounts for, all of whose words stand in it.
    together: BM25 of the question over an entry's phrases, as a share of the best entry's. meaning: the cosine of the
    question with an entry's nearest phrase; middle: with the middle of all its phrases. Each of the entry that gives
    most. votes: the sum over the entries read, 1 / rank each, of those that name the provision.
    """

    words: float = 0.0
    together: float = 0.0
    meaning: float = 0.0
    middle: float = 0.0
    votes: float = 0.0

    @property
    def strength(self) -> float:
        """One number to put provisions in order by, before anything else is known of them."""
        return self.words + self.together + self.meaning + self.votes


@dataclass(frozen=True, slots=True)
class SubjectMatch:
    """An entry that was read from a question. phrase: the entry's own; is_by_words: all its words stand there.

    limits: the provisions that deny or limit what the others allow.
    """

    phrase: str
    term: str
    provisions: tuple[Pin, ...]
    limits: tuple[Pin, ...]
    is_by_words: bool


@dataclass(frozen=True, slots=True)
class SubjectReading:
    """What the subject index makes of a question. identity: which index, and by what it was read; "" for none."""

    evidence: Mapping[Pin, SubjectEvidence] = field(default_factory=dict)
    matches: tuple[SubjectMatch, ...] = ()
    identity: str = ""


class OutsideField(StrEnum):
    """What kind of thing lies outside the Acts held; an entry of the outside index belongs to one."""

    STATE_TAX = "state_tax"
    FOREIGN_TAX = "foreign_tax"
    TAX_TREATY = "tax_treaty"
    SOCIAL_SECURITY = "social_security"
    MIGRATION = "migration"
    EMPLOYMENT_LAW = "employment_law"
    COMPANY_LAW = "company_law"
    FAMILY_LAW = "family_law"
    CONSUMER_AND_CONTRACT = "consumer_and_contract"
    FINANCE_AND_ADVICE = "finance_and_advice"
    LODGMENT_AND_SERVICES = "lodgment_and_services"
    DRAFTING = "drafting"
    FORECAST = "forecast"
    GENERAL_KNOWLEDGE = "general_knowledge"
    FEDERAL_LAW_NOT_HELD = "federal_law_not_held"
    NO_SUCH_LAW = "no_such_law"


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where a question belongs that lies outside. subject: what it is about; who: where to turn.

    name: the words of the question that say so, "" where it was read by meaning. told: for a law that there is none
    of, the plain truth about it.
    """

    subject: str
    field: OutsideField
    who: str
    name: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Sought:
    """What passages are ranked for: the question, the days asked about, and what its words were read as."""

    question: str
    window: Window
    subjects: SubjectReading = field(default_factory=SubjectReading)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a passage fits. relevance: its provision's, on the reranker's scale; closeness: of these very words.

    signs: the numbers that relevance was judged by, where the reranker has some.
    """

    relevance: float
    closeness: float
    signs: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measured:
    """How near a passage is to a question by words (BM25) and by meaning (cosine; None without a vector)."""

    lexical: float
    cosine: float | None


class FigureStatus(StrEnum):
    """How far a figure is proved: read in the words of the provision that sets it, or recorded from a source."""

    VERIFIED = "verified in text"
    RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class FigureInput:
    """One input of a computed figure: "Rate of fringe benefits tax", "47%", and who sets it."""

    name: str
    value: str
    set_by: str = ""


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """One rate, threshold, cap or factor of the ledger, or one computed from others, as it leaves the system.

    value: exactly as shown ("$81,100", "9.5%"). starts and ends: first and last day, both included; ends None where
    no end is known. act, section and schedule: of the provision that sets it, as in a citation; "" where none is in
    the ledger's Acts. source: where a recorded value is published. formula and inputs: of a computed figure. note: what
    must be read with the value ("Until 7.30 pm on 12 May 2015.").
    """

    key: str
    name: str
    value: str
    starts: date
    ends: date | None
    set_by: str
    act: str
    section: str
    schedule: str
    status: FigureStatus
    source: str = ""
    formula: str = ""
    inputs: tuple[FigureInput, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything about one answered question; recorded whole, shown whole."""

    question: str
    decision: Decision
    reason: Reason
    message: str
    time: ResolvedTime | None
    claims: tuple[ShownClaim, ...]
    reading_list: tuple[Reading, ...]
    snapshot: Snapshot | None
    provider: str
    model: str
    reranker: str
    retrieved: tuple[Retrieved, ...] = ()  # every provision that was ranked, best first
    stages: tuple[StageTime, ...] = ()
    dropped: tuple[str, ...] = ()  # what verification removed, in plain words
    candidates: tuple[str, ...] = ()  # for `ambiguous`: what could be meant
    next_step: str = ""
    attribution: str = ""
    settings: dict[str, str] = field(default_factory=dict)  # fingerprint of what shaped the answer
    cautions: tuple[str, ...] = ()  # what must be read with the answer: that a text quoted may not be current
    frameworks: tuple[str, ...] = ()  # what the search was narrowed to; all where empty
    sides: tuple[Outcome, ...] = ()  # of a question for two times: the outcome of each, earlier first
    read_as: tuple[ReadAs, ...] = ()  # what the subject index made of the question's words
    figures: tuple[ShownFigure, ...] = ()  # what the figure ledger answered with
    confidence: float | None = None  # the calibrated probability that what is quoted answers the question
    signs: dict[str, float] = field(default_factory=dict)  # what the confidence is read from
    made_by: ModelRecord | None = None  # what a model did for it
    year_because: str = ""  # what fixed the year, in a sentence
    parts: tuple[Outcome, ...] = ()  # of a question with several issues: the outcome of each, in its order
