"""The words that turn, widen, narrow or bound a rule, as `turning` reads them: data, in lower case.

Alternatives stand between semicolons and may be regular expressions. A word counts whole; "x-y" is one word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


def _alternatives(*texts: str) -> str:
    found = (alternative.strip() for text in texts for alternative in " ".join(text.split()).split(";"))
    return "|".join(alternative for alternative in found if alternative)


def words(*texts: str) -> re.Pattern[str]:
    """Any of the alternatives, whole."""
    return re.compile(rf"(?<![\w-])(?:{_alternatives(*texts)})(?![\w-])")


@dataclass(frozen=True, slots=True)
class Group:
    """Words that turn a rule. carriers: all those by which prose may carry them, the words themselves included.

    if_cut: they matter only where the quote leaves them out; may_add: prose may say them of its own; by_content: prose
    carries them as well with half of the words that follow them ("goods returned" for "if goods are returned").
    """

    words: re.Pattern[str]
    carriers: re.Pattern[str]
    if_cut: bool = False
    may_add: bool = False
    by_content: bool = False


def _group(
    text: str, also: str = "", *, if_cut: bool = False, may_add: bool = False, by_content: bool = False
) -> Group:
    return Group(words(text), words(text, also), if_cut, may_add, by_content)


NEGATIVES = r"""
    not; no; nor; neither; none; nothing; nobody; nowhere; never; without; cannot; \w+n't; non-\w+(?:-\w+)*; no-one;
    unable; ineligible
"""
_DENIALS = r"""
    denie[sd]; deny; denying; refuse[sd]?; disallow(?:s|ed)?; prohibit(?:s|ed)?; forbid(?:s|den)?; barred; bars; exempt
    exempts; exempted; exemption; disregard(?:s|ed)?; prevent(?:s|ed)?; outside; lacks?; lacking; fail(?:s|ed)?; free
    rather than; instead; absent; stops?; ceases?; lost; loses?; unless; except; exclude[sd]?; other than; un[a-z]{4,}
    in[a-z]{3,}[ai]ble
"""
GROUPS = (
    _group(NEGATIVES, _DENIALS.replace("\n", ";")),
    _group(
        r"""unless; except; excepting; excepted; exceptions?; other than; apart from; excluding; exclude[sd]?;
        save (?:for|that)""",
        r"if\b(?:\s[\w-]+){1,8}\s(?:not|no); (?:but|and) not; without; only (?:if|when|where); not if",
    ),
    _group(
        "only; solely; exclusively; sole",
        "alone; unless; just; no other; nothing else; no one else; to the extent",
    ),
    _group(
        "to the extent; so far as; insofar as; in so far as",
        "extent; as far as; part; portion; share; proportion",
    ),
    _group("subject to", "unless; except; limit(?:s|ed)?; within; if; but", may_add=True),
    _group(
        "however; despite; notwithstanding",
        "but; although; though; even if; even though; still; yet",
        if_cut=True,
        may_add=True,
    ),
    _group(
        "if; provided; as long as; so long as",
        """when; where; whenever; unless; only (?:a|an|the|where|when|if|in|to|by|for); until; conditions?; depends?;
        requirements?; cases?; circumstances?; following; who; that; which; whose; whom; with; while; having; for""",
        may_add=True,
        by_content=True,
    ),
    _group("mainly; principally; primarily; predominantly; mostly; chiefly", "main; principal; primary"),
    _group("wholly; entirely; fully", "whole; all; full"),
    _group("partly; partially; in part", "part; parts"),
    _group("substantially; reasonably; reasonable; necessarily", "substantial; necessary; reason"),
)

DUTY = words(
    """must; shall; required; requires; obliged; obligation; compulsory; mandatory; has to; have to; needs? to; duty;
    bound to"""
)
POWER = words(
    r"""may; can; could; might; entitle[sd]?; entitlement; allow(?:s|ed|able)?; lets?; permit(?:s|ted)?; eligible;
    able to; right; discretion; cho(?:ose|oses|ice|se); option(?:al)?; open to; available; possible; free to;
    empowers?; power; (?!reasonabl|responsibl|applicabl|respectabl)\w{5,}[ai]ble"""
)
BARRED = words("not; no; cannot; nothing; none; never; neither")

# A word that widens, or moves in time, and what in the quotes bears it out.
WIDENING = tuple(
    (words(wide), words(wide, borne_out_by))
    for wide, borne_out_by in (
        ("always; at all times; in every case; in all cases; invariably; automatically", "at any time"),
        (
            """any; anyone; anything; anybody; anywhere; any time; whatever; whoever; regardless; irrespective;
            no matter""",
            r"all; every; every\w+; each; whether or not; despite",
        ),
        ("all; both; everyone; everybody; everything", "every; each; any; wholly; whole; entire"),
        ("every; each", "all; any"),
        (
            """whole; entire; entirely; fully; full; wholly; unlimited; unconditionally; unconditional; absolutely;
            completely; permanently; forever; indefinitely""",
            "all",
        ),
        ("never", "not at any time; at no time"),
        (
            "before; prior to; beforehand; earlier than; in advance",
            r"""until; by; within; late[a-z]*; prior; earlie[a-z]*; preced[a-z]+; previous; ahead; advance; ending;
            end(?:s|ed)?; already; first; up to; has been; have been; had""",
        ),
        (
            "after; afterwards; following; thereafter; later than",
            r"""since; from; once; when; where; late[a-z]*; earlie[a-z]*; next; subsequent[a-z]*; begin[a-z]*;
            start[a-z]*; commenc[a-z]+; within; end(?:s|ed)?; ending; on; upon; if; has; have; already; become[a-z]*""",
        ),
        (
            r"(?<!no )(?<!not )(?:more than|greater than|in excess of)",
            "exceed[a-z]*; over; above; more; greater; excess; longer; older; larger; higher",
        ),
        ("usually; generally; typically; probably; normally; sometimes; often; most; almost; nearly", "ordinarily"),
    )
)

# Pairs that turn a rule round: one in the prose where the quotes hold the other alone. The beginnings of words.
_OPPOSITES = """
    increas/reduc increas/decreas rais/lower add/subtract add/reduc include/exclude includes/excludes included/excluded
    earlier/later greater/less greater/smaller larger/smaller higher/lower more/less first/last maximum/minimum
    highest/lowest greatest/least most/least latest/earliest before/after allow/den allow/disallow allow/refus
    accept/refus accept/reject exempt/taxable exempt/liable begin/end begin/ceas start/stop start/end commenc/ceas
    commenc/end acquir/dispos buy/sell purchas/sell purchas/sale buyer/seller purchaser/vendor income/capital
    asset/liabilit profit/loss gain/loss either/both inside/outside within/outside above/below over/under public/private
    domestic/foreign landlord/tenant lessor/lessee employer/employee lender/borrower payer/payee supplier/recipient
    donor/donee trustee/beneficiar parent/child granted/refused grants/refuses valid/void new/old next/previous
    future/past following/preceding same/different together/separately movable/fixed temporary/permanent import/export
    credit/debit refund/charge open/closed opening/closing upward/downward joint/several before/since sooner/later
    plus/less first/later first/second first/subsequent owner/tenant entity/person commissioner/taxpayer
"""
OPPOSITES = tuple((pair.split("/")[0], pair.split("/")[1]) for pair in _OPPOSITES.split())

# Bounds of a value. Those that deny ("not more than") are read as bounds and not as negations.
_DENYING_UP_TO = r"""
    not (?:more|greater|later|longer|older) than; no (?:more|greater|later|longer) than;
    (?:does|do|did|is|are|must|may|can) not exceed(?:ing)?; not exceeding; cannot exceed
"""
_DENYING_FROM = r"not (?:less|fewer|earlier|shorter|younger) than; no (?:less|fewer|earlier) than"
_UP_TO = r"""
    up to; at most; less than; fewer than; below; under; within; maximum(?: of)?; limited to; capped at;
    limits?(?: of| is)?; cap(?: of| is)?; before; until; by; ending on; on or before; at the most; ceiling;
    younger than; shorter than; smaller than; beneath
"""
_FROM = r"""
    at least; more than; greater than; exceed(?:s|ed|ing)?; over; above; minimum(?: of)?; after; since; from;
    starting on; beginning on; on or after; older than; longer than; in excess of; larger than; upwards of; threshold;
    beyond; reach(?:es|ed)?; turn(?:s|ed)
"""
BOUND = re.compile(
    rf"(?<![\w-])(?:(?P<upto>{_alternatives(_DENYING_UP_TO)})|(?P<from>{_alternatives(_DENYING_FROM)})"
    rf"|(?P<also_upto>{_alternatives(_UP_TO)})|(?P<also_from>{_alternatives(_FROM)}))(?![\w-])"
)
BOUND_AFTER = re.compile(
    r"^\W{0,2}(?:\w+\s){0,2}?(?:(?P<upto>at (?:the )?most|or (?:less|fewer|under|earlier|younger))"
    r"|(?P<from>at (?:the )?least|or (?:more|over|above|later|older)))\b"
)
# "Not" that turns nothing.
NO_TURN = words("whether or not; not only", _DENYING_UP_TO, _DENYING_FROM, r"nothing in this \w+ (?:limits|affects)")

_JOINTS = r"[,.;:()]|\b(?:and|or|but|if|unless|when|where|except|because|although|while|than)\b"
CLAUSE = re.compile(rf"{_JOINTS}|\b(?:who|that|which)\b")
SENTENCE_PART = re.compile(_JOINTS)
AUXILIARY = words("can; may; must; shall; will; is; are; was; were; does; do; has; have; cannot")
NOT = words(r"cannot; not; \w+n't")
NONE = words("none; neither")
NO = words("no; none; nothing; neither; never")
# What denies without a "not": it does not say which word it governs, but bears out one that does.
OTHERWISE = words(
    r"""without; unless; except; other than; nor; unable; denie[sd]; deny; refuse[sd]?; lacks?; lacking; fail(?:s|ed)?
    ; exclude[sd]?; non-\w+(?:-\w+)*; ineligible; rather than; prevent(?:s|ed)?"""
)
_FUNCTION_WORDS = """
    a an the of to on in at by for with so be been being have has had any its their your his her yet then also itself as
    this that it is are was were do does did will would than from into under only
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
MODAL = re.compile(
    r"(?<![\w-])(?:(?P<duty>must|shall|required to|obliged to|has to|have to)"
    r"|(?P<power>may|can|entitled to|allowed to|permitted to))(?![\w-])"
)
