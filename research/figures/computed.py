"""Questions for a figure that is worked out: "tax on $95,000 for a resident in FY2024", "GST in $330".

As with names, every word must be accounted for: "tax on a $50,000 bonus" asks for something else. Where the question
leaves open which of two is meant (type 1 or type 2; with GST or without), both are worked out and none is picked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from research.figures import formulas
from research.figures.asked import without_time
from research.figures.formulas import Computed
from research.figures.ledger import Ledger
from research.figures.lookup import Held
from research.figures.names import canonical
from research.figures.vocabulary import DENIES, YES_OR_NO
from research.terms import ResolvedTime, Window

_MONEY = re.compile(
    r"(?<![\w.])\$ ?(?P<number>[0-9]{1,3}(?:[, ][0-9]{3})+(?![0-9])|[0-9]+)(?P<cents>\.[0-9]{1,2})?"
    r"(?: ?(?P<scale>million|m|k)(?!\w))?(?![\w%])"
)
_HERE = "…"  # stands where the amount stood
_SCALES = {"million": 10**6, "m": 10**6, "k": 1000, None: 1}
_FRAME_WORDS = """
    calculate compute work out earning earner earn earned who paying pay payable paid owed owe due liability bill total
    someone person individual taxpayer single for amount figure basic gross before after income taxable salary
"""
_FRAME = frozenset(_FRAME_WORDS.split())
_WHO = (
    ("minor", frozenset({"child"})),
    ("working_holiday", frozenset({"working", "holiday", "maker"})),
    ("working_holiday", frozenset({"backpacker"})),
    ("foreign_resident", frozenset({"nonresident"})),
)
_BENEFIT_WORDS = "fbt benefit fringe value type1 type2 worth provided taxable employer"
_BENEFIT = frozenset(_BENEFIT_WORDS.split())
_PRICE_WORDS = """
    gst included inclusive including incl exclusive excluding excl component price invoice sale supply worth payment add
    added plus before without ex inside contained purchase bill net cost item charge content
"""
_PRICE = frozenset(_PRICE_WORDS.split())
_WAGES_WORDS = """
    superguarantee compulsorysuper super employer employee worker wage earnings ordinary time ote contribution must
"""
_WAGES = frozenset(_WAGES_WORDS.split())


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """What the question asks to be worked out. several: all that it could mean; empty: the ledger lacks that time.

    what: the figure in words, for a refusal; held: from when to when the ledger holds it.
    """

    what: str
    several: tuple[Computed, ...]
    held: tuple[date, date | None]


def work_out(question: str, time: ResolvedTime, ledger: Ledger) -> WorkedOut | None:
    """The figure that the question asks to be worked out; None where it asks for no such thing."""
    text = without_time(question, time)
    amounts = list(_MONEY.finditer(text))
    if len(amounts) != 1 or DENIES.search(text) or YES_OR_NO.search(text):
        return None
    amount = _amount(amounts[0])
    rest = " ".join(f"{text[: amounts[0].start()]} {_HERE} {text[amounts[0].end() :]}".split())
    words = canonical(rest).words | (canonical(time.read_from).words & {"fbt"})
    try:
        return _read(amount, rest, words, time.window, ledger)
    except KeyError:  # a ledger without that figure
        return None


def _read(amount: Decimal, rest: str, words: frozenset[str], window: Window, ledger: Ledger) -> WorkedOut | None:
    def rows(key: str) -> list[Held]:
        figure = ledger.figure(key)
        return [Held(figure, row) for row in figure.rows_in(window)]

    def worked(key: str, made: Iterable[Computed]) -> WorkedOut:
        figure = ledger.figure(key)
        return WorkedOut(figure.name, tuple(made), (figure.rows[0].starts, figure.rows[-1].ends))

    if "tax" in words:
        return _tax(amount, words, window, ledger)
    if "grossup" in words and words <= _BENEFIT | _FRAME | {"grossup"}:
        made = [formulas.grossed_up(amount, factor) for key in _types(words) for factor in rows(key)]
        return worked(_types(words)[0], made)
    if "fbt" in words and words & {"benefit", "fringe", "type1", "type2"} and words <= _BENEFIT | _FRAME:
        made = [
            formulas.fbt_on(amount, factor, rate)
            for key in _types(words)
            for factor in rows(key)
            for rate in rows("fbt_rate")
            if _meet(factor, rate)
        ]
        return worked("fbt_rate", made)
    if "gst" in words and words <= _PRICE | _FRAME:
        ways = _gst_ways(rest)
        return worked("gst_rate", (way(amount, rate) for way in ways for rate in rows("gst_rate")))
    if words & {"superguarantee", "compulsorysuper", "super"} and words <= _WAGES | _FRAME:
        made = [formulas.guarantee_on(amount, rate) for rate in rows("sg_rate")]
        return worked("sg_rate", made)
    if "medicarelevy" in words and words <= _FRAME | {"medicarelevy", "resident"}:
        thresholds: Sequence[Held | None] = rows("medicare_low_single") or [None]
        made = [formulas.levy_on(amount, rate, low) for rate in rows("medicare_levy_rate") for low in thresholds]
        return worked("medicare_levy_rate", made)
    if "repairlevy" in words and words <= _FRAME | {"repairlevy", "resident"}:
        made = [formulas.repair_levy_on(amount, rate) for rate in rows("budget_repair_levy")]
        return worked("budget_repair_levy", made)
    return None


def _tax(amount: Decimal, words: frozenset[str], window: Window, ledger: Ledger) -> WorkedOut | None:
    """Tax on a taxable income: of a resident individual where the question names nobody else; its name says so."""
    who, said = next(((key, said) for key, said in _WHO if said <= words), ("resident", frozenset({"resident"})))
    allowed = _FRAME | said | {"tax", "resident", "adult"} | ({"unearned"} if who == "minor" else set())
    if not words <= allowed or (who == "minor" and "unearned" not in words):
        return None
    scale = ledger.scale(who)
    made = tuple(formulas.tax_on(amount, scale, row) for row in scale.rows_in(window))
    what = f"rates of tax ({scale.name[:1].lower()}{scale.name[1:]})"
    return WorkedOut(what, made, (scale.rows[0].starts, scale.rows[-1].ends))


def _types(words: frozenset[str]) -> list[str]:
    kinds = [kind for kind in "12" if f"type{kind}" in words] or ["1", "2"]
    return [f"fbt_grossup_type{kind}" for kind in kinds]


def _gst_ways(rest: str) -> list[Callable[[Decimal, Held], Computed]]:
    """Whether the amount holds the GST already; both where the question leaves it open."""
    without = re.search(r"\b(?:ex|excl|exclusive|excluding|before|without|plus|add|added|net)\b", rest)
    within = re.search(
        rf"\b(?:incl|inclusive|included|including|inside|component|contained|content)\b|\bin (?:[\w-]+ ){{0,4}}{_HERE}",
        rest,
    )
    if bool(without) == bool(within):
        return [formulas.gst_in, formulas.gst_added]
    return [formulas.gst_in if within else formulas.gst_added]


def _meet(one: Held, other: Held) -> bool:
    last = other.row.ends
    return other.row.meets(Window(one.row.starts, one.row.ends or max(one.row.starts, last or other.row.starts)))


def _amount(match: re.Match[str]) -> Decimal:
    return Decimal(re.sub(r"[, ]", "", match["number"]) + (match["cents"] or "")) * _SCALES[match["scale"]]
