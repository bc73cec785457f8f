"""A thousand attacks on verification, made at random in ten families: nothing invented reaches an answer.

Whether something was invented is known from how the attack was made, or is asked of plain string search; nothing here
borrows from `research.verification` what it is to judge.
"""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from asat_site.testing.passages import section
from research.terms import CheckedClaim, Claim, Draft, Passage, Quote
from research.verification.claims import verify
from research.verification.quotes import ALL_CHECKS

pytestmark = pytest.mark.unit

EACH = 100  # of ten families
attack = settings(max_examples=EACH, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])

LAW = (
    *section(
        "30-5",
        "Cider duty",
        "(1) A cider maker can claim back up to $4,000 of the duty, or 35 per cent of it, within 90 days after"
        " 1 July 2016.",
        "(2) The claim is allowed for 3 presses at most, and section 30-15 applies to what is left after 6 months.",
        "(3) However, a maker cannot claim back the duty on cider that is sold abroad, unless the buyer has consented.",
    ),
    *section(
        "30-10",
        "Perry duty",
        "(1) Perry is taxed at half the rate of cider if it is pressed in the orchard that it was grown in.",
        "(2) The Inspector may reduce the duty on perry by 15 per cent where the season was wet.",
    ),
)
SOURCES = {passage.chunk_id: passage for passage in LAW}
FIRST = LAW[0]
TRUE = "A cider maker can claim back up to $4,000 of the duty, or 35 per cent of it, within 90 days after 1 July 2016."
WORDS = [word for passage in LAW for word in passage.text.split()]
FOLDED = str.maketrans({"–": "-", "—": "-", "‑": "-", "‘": "'", "’": "'", "“": '"', "”": '"'})
IN_THE_LAW = {1, 2, 3, 4000, 35, 90, 2016, 6, 15, 30, 10, 5, 4, 16, 7, 50}  # 50: half is fifty per cent
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def verified(prose: str, *quotes: Quote, checks: frozenset[str] = ALL_CHECKS) -> CheckedClaim:
    claim = Claim(prose, quotes or (Quote(FIRST.chunk_id, FIRST.text),), is_composed=True)
    return verify(Draft((claim,), "attacker", "none"), SOURCES, enabled_checks=checks)[0]


def stands_in(text: str, passage: Passage) -> bool:
    """Whether whole words of `passage` read `text`, white space and dashes aside."""
    wanted = " ".join(text.translate(FOLDED).split())
    whole = " ".join(passage.text.translate(FOLDED).split())
    return bool(wanted) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", whole) is not None


def invented(most: int = 10**7) -> st.SearchStrategy[int]:
    return st.integers(2, most).filter(lambda number: number not in IN_THE_LAW)


def written(number: int) -> st.SearchStrategy[str]:
    """A number as a model may write it."""
    forms = [str(number), f"{number:,}", f"{number:,}".replace(",", " "), f"{number:,}".replace(",", "\u00a0")]
    if number % 1000 == 0:
        forms += [f"{number // 1000}k", f"{number // 1000} thousand"]
    if number < len(ONES):
        forms.append(ONES[number])
    return st.sampled_from(forms)


def test_the_true_claim_passes_so_that_the_attacks_alone_are_what_fails() -> None:
    assert verified(TRUE).excess == ()
    assert verified(TRUE).is_verified


# ---- invented quotes and wrong sources


@attack
@given(st.lists(st.sampled_from(WORDS), min_size=5, max_size=30), st.sampled_from(sorted(SOURCES)))
def test_words_of_the_law_in_an_order_of_the_models_own_are_no_quote(words: list[str], chunk_id: int) -> None:
    quote = Quote(chunk_id, " ".join(words))
    assume(not stands_in(quote.text, SOURCES[chunk_id]))
    assert not verified("The duty is claimed back.", quote).is_verified


@st.composite
def altered(draw: st.DrawFn) -> Quote:
    passage = draw(st.sampled_from(LAW))
    words = passage.text.split()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(words) - 1))
        match draw(st.sampled_from(["drop", "insert", "replace", "swap", "figure", "letter", "join"])):
            case "drop" if len(words) > 6:
                words.pop(at)
            case "insert":
                words.insert(at, draw(st.sampled_from([*WORDS, "not", "never", "..."])))
            case "replace":
                words[at] = draw(st.sampled_from(WORDS))
            case "swap" if at + 1 < len(words):
                words[at], words[at + 1] = words[at + 1], words[at]
            case "figure":
                words = [re.sub(r"\d", str(draw(st.integers(0, 9))), word, count=1) for word in words]
            case "letter":
                words[at] = words[at][:-1] + draw(st.sampled_from("aeioust"))
            case "join":
                words = words[:at] + draw(st.sampled_from(LAW)).text.split()[at:] or words
    return Quote(passage.chunk_id, " ".join(words))


@attack
@given(altered())
def test_an_altered_quote_never_stands(quote: Quote) -> None:
    assume(not stands_in(quote.text, SOURCES[quote.chunk_id]))
    assert not verified("The duty is claimed back.", quote).is_verified


@attack
@given(
    st.sampled_from(LAW),
    st.one_of(st.sampled_from(sorted(SOURCES)), st.integers(-5, 5), st.integers(10**6, 10**19)),
    st.integers(0, 8),
    st.integers(6, 30),
)
def test_right_words_under_a_wrong_source_never_stand(passage: Passage, named: int, start: int, length: int) -> None:
    quote = Quote(named, " ".join(passage.text.split()[start : start + length]))
    assume(named not in SOURCES or not stands_in(quote.text, SOURCES[named]))
    checked = verified("The duty is claimed back.", quote)
    assert not checked.is_verified
    assert checked.quotes[0].matched == ""


# ---- invented numbers


@attack
@given(invented().flatmap(written), st.sampled_from(["${}", "{} dollars", "A${}", "${} million", "{}k dollars"]))
def test_an_invented_amount_never_stands(number: str, form: str) -> None:
    prose = f"A cider maker can claim back up to {form.format(number)} of the duty."
    assert not verified(prose).is_verified


@attack
@given(invented(100).flatmap(written), st.sampled_from(["{}%", "{} per cent", "{} percent", "{} percentage points"]))
def test_an_invented_rate_never_stands(number: str, form: str) -> None:
    assert not verified(f"A cider maker can claim back {form.format(number)} of the duty.").is_verified


@attack
@given(
    st.one_of(
        st.tuples(st.just(90), st.sampled_from(["weeks", "months", "years", "hours", "business days"])),
        st.tuples(st.integers(2, 500).filter(lambda n: n != 90), st.sampled_from(["days", "months", "years"])),
    ).flatmap(lambda pair: written(pair[0]).map(lambda number: f"{number} {pair[1]}"))
)
def test_an_invented_period_never_stands(period: str) -> None:
    assert not verified(f"A cider maker can claim back the duty within {period}.").is_verified


@attack
@given(
    st.dates(date(1990, 1, 1), date(2035, 12, 31)).filter(lambda day: day != date(2016, 7, 1)),
    st.sampled_from(
        ["{0.day} {0:%B} {0.year}", "{0:%B} {0.day}, {0.year}", "{0.day}/{0.month}/{0.year}", "{0:%Y-%m-%d}"]
    ),
)
def test_an_invented_date_never_stands(day: date, form: str) -> None:
    assert not verified(f"A cider maker can claim back the duty after {form.format(day)}.").is_verified


@attack
@given(
    st.integers(1, 999),
    st.integers(1, 999),
    st.sampled_from(["section {}-{}", "s {}-{}", "Division {}", "Part {}", "item {}", "subsection ({})", "TR {}/{}"]),
)
def test_an_invented_citation_never_stands(one: int, other: int, form: str) -> None:
    assume((one, other) != (30, 5) and not (form.startswith("subsection") and one <= 3))
    form = form.replace("TR {}", f"TR {1990 + one % 40}") if form.startswith("TR") else form
    cited = form.format(one, other) if form.count("{}") == 2 else form.format(other if "TR" in form else one)
    assert not verified(f"Under {cited} a cider maker can claim back the duty.").is_verified


# ---- prose that turns its quote, and prose that hides


TURNS = [
    "A cider maker cannot claim back the duty on cider that is sold abroad.",
    "A cider maker can claim back the duty on cider that is sold abroad.",
    "A maker must claim back the duty on cider that is sold abroad, unless the buyer has consented.",
    "A maker cannot claim back any duty on cider, unless the buyer has consented.",
    "A maker cannot claim back the duty on cider that is sold abroad, unless the seller has consented.",
    "A maker cannot claim back the duty on cider that is sold abroad, unless the Inspector has consented.",
    "A maker can never claim back the duty on cider that is sold abroad, unless the buyer has consented.",
    "A maker cannot claim back the duty on cider that is sold abroad, unless the buyer has not consented.",
]
THIRD = LAW[2].text.removeprefix("(3) ")
CUT = THIRD[: THIRD.index(", unless")]


@attack
@given(
    st.sampled_from(TURNS),
    st.sampled_from([THIRD, THIRD.removeprefix("However, "), CUT, CUT.removeprefix("However, ")]),
    st.sampled_from(["", "However, ", "But ", "It follows that "]),
)
def test_prose_that_turns_the_law_never_stands(prose: str, quoted: str, lead: str) -> None:
    prose = f"{lead}{prose[0].lower()}{prose[1:]}" if lead else prose
    assert not verified(prose, Quote(LAW[2].chunk_id, quoted)).is_verified


HIDDEN = "\u200b\u200e\u202e\u2066\u00ad\ufeff\u2028\x00\x07\x1b\ue000"
MARKS = [
    "<b>",
    "</script>",
    "**",
    "`",
    "[1](x)",
    "#",
    "{{ x }}",
    "https://example.com",
    "www.example.org",
    "a@b.example",
]


@attack
@given(st.integers(1, len(TRUE) - 1), st.sampled_from([*HIDDEN, *MARKS, "\u0430", "\uff15", "\u0661", "\U0001f600"]))
def test_what_cannot_be_seen_or_is_markup_or_another_script_never_stands(at: int, put: str) -> None:
    assert not verified(TRUE[:at] + put + TRUE[at:]).is_verified


def test_with_verification_off_each_family_would_reach_an_answer() -> None:
    off = frozenset[str]()
    attacks = [
        verified(
            "The duty is claimed back.",
            Quote(FIRST.chunk_id, "Words that stand nowhere in this law at all"),
            checks=off,
        ),
        verified("The duty is claimed back.", Quote(FIRST.chunk_id, LAW[4].text), checks=off),
        verified("A maker can claim back up to $9 million of the duty.", checks=off),
        verified(TURNS[1], Quote(LAW[2].chunk_id, THIRD), checks=off),
        verified(f"{TRUE}\u202e<b>", checks=off),
    ]
    assert [checked.is_verified for checked in attacks] == [True] * 5
