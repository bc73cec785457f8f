"""The figure ledger on the road: values, periods, proof, refusals, and questions that are not its business."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from asat_site.testing.memory_store import MemoryCorpusStore, SharedWordsReranker
from asat_site.testing.passages import section
from research.adapters.figure_ledger import ledger
from research.adapters.generators.extractive import ExtractiveGenerator
from research.figures import formulas
from research.figures.names import FigureIndex
from research.flow import Ports, answer_question
from research.law.income_year import IncomeYear
from research.terms import Decision, FigureStatus, Outcome, Passage, Reason, Role

pytestmark = pytest.mark.unit
TODAY = date(2026, 6, 15)
GST = "A New Tax System (Goods and Services Tax) Act 1999"
RATE = section(
    "9-70",
    "The amount of GST",
    "On a *taxable supply the amount of GST is worked out at 10% of what the supply is worth.",
    act="GSTA99",
    title=GST,
    certain=(date(2015, 6, 25), date(2015, 6, 26)),
)
INDEX = FigureIndex(ledger())


def ask(question: str, law: list[Passage] = RATE, year: int | None = None) -> Outcome:
    reranker = SharedWordsReranker()
    ports = Ports(
        MemoryCorpusStore(law, None, {"GSTA99": [date(2015, 6, 25)]}),
        {"lexical": reranker, "hybrid": reranker},
        ExtractiveGenerator(),
        lambda: 0.0,
        figures=INDEX,
    )
    return answer_question(question, IncomeYear(year) if year else None, TODAY, ports)


def shown(outcome: Outcome) -> dict[str, str]:
    return {figure.key: figure.value for figure in outcome.figures}


# Proof


def test_a_figure_that_stands_in_its_provision_is_answered_with_a_verified_quote() -> None:
    outcome = ask("What was the GST rate in FY2015?")
    (figure,), (claim,) = outcome.figures, outcome.claims
    assert (outcome.decision, outcome.reason) == (Decision.ANSWER, Reason.FIGURE_FOUND)
    assert (figure.value, figure.status, figure.starts, figure.ends) == (
        "10%",
        FigureStatus.VERIFIED,
        date(2000, 7, 1),
        None,
    )
    (citation,) = claim.citations
    assert citation.quote == RATE[0].text[citation.start_chars : citation.end_chars]
    assert claim.prose == "GSTA99 s 9-70 states 10%:" and "10%" in citation.quote
    assert outcome.snapshot is not None and outcome.provider == "figures"


@pytest.mark.parametrize(
    ("what", "law"),
    [
        ("another value", section("9-70", "GST", RATE[0].text.replace("10%", "11%"), act="GSTA99", title=GST)),
        ("other words", section("9-70", "GST", "A supply is 10% as good as another one is.", act="GSTA99", title=GST)),
        ("a note", section("9-70", "GST", f"Note: {RATE[0].text}", act="GSTA99", title=GST)),
        ("another section", section("9-75", "GST", RATE[0].text, act="GSTA99", title=GST)),
        ("no table", section("9-70", "GST", RATE[0].text, act="GSTA99", title=GST, kind=Role.OMITTED)),
        (
            "another time",
            section("9-70", "GST", RATE[0].text, act="GSTA99", title=GST, certain=(date(2020, 1, 1), None)),
        ),
    ],
)
def test_a_figure_whose_words_are_not_there_is_recorded_and_quotes_nothing(what: str, law: list[Passage]) -> None:
    outcome = ask("What was the GST rate in FY2015?", law)
    (figure,) = outcome.figures
    assert (outcome.decision, figure.value, outcome.claims) == (Decision.ANSWER, "10%", ())
    assert figure.status is FigureStatus.RECORDED and figure.source
    assert "Recorded, not verified in the text." in outcome.message


def test_a_figure_is_answered_for_a_year_that_the_corpus_does_not_reach() -> None:
    outcome = ask("What was the super guarantee rate in FY2025?")
    assert (outcome.decision, shown(outcome)) == (Decision.ANSWER, {"sg_rate": "11.5%"})


def test_the_ledger_is_among_what_shaped_every_outcome() -> None:
    for question in ("GST rate FY2015", "GST rate FY1999", "company tax rate FY2018"):
        assert ask(question).settings == {"figures": ledger().identity}
    assert ask("What is a taxable supply in FY2015?").settings["figures"] == ledger().identity
    assert len(ledger().identity) == 12


# Identification


@pytest.mark.parametrize(
    ("question", "decision", "figures"),
    [
        ("GST rate FY2022", Decision.ANSWER, {"gst_rate": "10%"}),
        ("GST registration threshold FY2015", Decision.ANSWER, {"gst_registration": "$75,000"}),
        ("company tax rate FY2012", Decision.ANSWER, {"company_rate": "30%"}),
        ("company tax rate FY2018", Decision.AMBIGUOUS, {"company_rate": "30%", "company_rate_lower": "27.5%"}),
        ("MLS threshold FY2020", Decision.AMBIGUOUS, {"mls_single": "$90,000", "mls_family": "$180,000"}),
        ("super guarantee rate on 30 June 2021", Decision.ANSWER, {"sg_rate": "9.5%"}),
        ("super guarantee rate on 1 July 2021", Decision.ANSWER, {"sg_rate": "10%"}),
        ("FBT rate for FBT year 2016", Decision.ANSWER, {"fbt_rate": "49%"}),
        (
            "genuine redundancy tax-free amount FY2015",
            Decision.ANSWER,
            {"redundancy_base": "$9,514", "redundancy_per_year": "$4,758"},
        ),
        ("SG rate under s 19 SGAA 1992 in FY2015", Decision.ANSWER, {"sg_rate": "9.5%"}),
    ],
)
def test_a_figure_is_found_by_its_name_for_its_time(question: str, decision: Decision, figures: dict[str, str]) -> None:
    outcome = ask(question)
    assert (outcome.decision, shown(outcome)) == (decision, figures)


def test_a_figure_that_changed_within_the_time_asked_about_is_asked_back_with_both() -> None:
    outcome = ask("penalty unit value FY2023")
    assert (outcome.decision, outcome.reason) == (Decision.AMBIGUOUS, Reason.TWO_FIGURES)
    assert [(figure.value, figure.starts) for figure in outcome.figures] == [
        ("$222", date(2020, 7, 1)),
        ("$275", date(2023, 1, 1)),
    ]
    assert len(outcome.candidates) == 2 and outcome.next_step


@pytest.mark.parametrize(
    "question",
    [
        "What is the GST rate on exports in FY2015?",
        "What is the GST rate for financial supplies in FY2015?",
        "Can I claim the instant asset write-off for a second-hand ute in FY2015?",
        "Does the SG apply to contractors in FY2015?",
        "What is a base rate entity?",
        "tax on a $50,000 bonus in FY2015",
        "GST rate under s 40-25 ITAA97 in FY2015",
    ],
)
def test_what_names_more_than_a_figure_or_asks_for_none_goes_on_to_search(question: str) -> None:
    outcome = ask(question)
    assert not outcome.figures and outcome.provider != "figures"


@pytest.mark.parametrize("question", ["GST rate FY1999", "HELP repayment threshold FY2015", "tax on $90,000 FY2035"])
def test_a_year_that_the_ledger_lacks_is_refused_and_not_borrowed(question: str) -> None:
    outcome = ask(question)
    assert (outcome.decision, outcome.reason) == (Decision.OUT_OF_HORIZON, Reason.FIGURE_YEAR_NOT_HELD)
    assert outcome.figures == () and outcome.next_step.startswith("It is held for: ")


def test_two_times_at_once_bring_the_figure_of_each() -> None:
    outcome = ask("What was the super guarantee rate in FY2015 and FY2025?")
    assert outcome.decision is Decision.ANSWER
    assert [shown(side) for side in outcome.sides] == [{"sg_rate": "9.5%"}, {"sg_rate": "11.5%"}]
    assert "9.5%" in outcome.message and "11.5%" in outcome.message


# Premises


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("Since the GST rate of 15% in FY2015, how do I claim credits?", {"gst_rate": "10%"}),
        ("Given the 15% GST rate in FY2015, can I register late?", {"gst_rate": "10%"}),
        ("Since GST went up to 12.5 per cent in FY2015 what do I charge?", {"gst_rate": "10%"}),
        ("The medicare levy is five percent in FY2015, so what of a couple?", {"medicare_levy_rate": "2%"}),
        ("The tax-free threshold rose to $30,000 in FY2015, does my son lodge?", {"tax_free_threshold": "$18,200"}),
        ("With companies being taxed at 20 percent in FY2015, how do I frank?", {"company_rate": "30%"}),
        ("Under the 12% GST rate in FY2015, is my price inclusive?", {"gst_rate": "10%"}),
        ("With the super guarantee at 8% in FY2015, how is the shortfall worked out?", {"sg_rate": "9.5%"}),
        (
            "With a company tax rate of 35% in FY2020, what does a franking credit come to?",
            {"company_rate": "30%", "company_rate_lower": "27.5%"},
        ),
    ],
)
def test_a_wrong_figure_taken_as_given_is_contradicted_with_the_right_one(
    question: str, figures: dict[str, str]
) -> None:
    outcome = ask(question)
    assert (outcome.decision, outcome.reason) == (Decision.FALSE_PREMISE, Reason.FIGURE_CONTRADICTED)
    assert shown(outcome) == figures


@pytest.mark.parametrize(
    "question",
    [
        "I earned $80,000 in FY2015, am I over the Medicare levy surcharge threshold?",
        "With the super guarantee at 9.5% in FY2015, how is the shortfall worked out?",
        "If the GST rate were 15% in FY2015, what would change?",
        "The SG rate was 9% before July 2013; what changed in FY2014?",
        "GST of $1,000 was charged in FY2015; can I claim it?",
        "If GST went up to 12.5 per cent in FY2015, what would I charge?",
        "The SG rate rose to 9.25% in July 2013; what was due in FY2015?",
        "Am I under the $20,000 GST threshold in FY2015?",
        "Companies I advise paid 20 percent of their profit to staff in FY2015; deductible?",
        "With a company tax rate of 27.5% in FY2020, what does a franking credit come to?",
    ],
)
def test_a_value_that_is_right_or_said_of_nothing_contradicts_nothing(question: str) -> None:
    assert ask(question).reason is not Reason.FIGURE_CONTRADICTED


# Worked out


@pytest.mark.parametrize(
    ("question", "key", "value"),
    [
        ("tax on $95,000 for a resident in FY2024", "tax_on_income_resident", "$21,342"),
        ("tax on $95,000.99 for a resident in FY2024", "tax_on_income_resident", "$21,342"),
        ("tax on $18,201 for a resident in FY2015", "tax_on_income_resident", "$0.19"),
        ("tax on $200,000 for a foreign resident in FY2015", "tax_on_income_foreign_resident", "$72,000"),
        ("tax on $2,000 of unearned income of a minor in FY2015", "tax_on_income_minor", "$900"),
        ("tax on $45,001 for a working holiday maker in FY2021", "tax_on_income_working_holiday", "$6,750.33"),
        ("grossed-up value of a $10,000 type 2 benefit in FBT year 2016", "grossed_up_type2", "$19,608"),
        ("FBT on a type 1 benefit of $10,000 in FBT year 2016", "fbt_type1", "$10,516.87"),
        ("GST included in $330 in FY2015", "gst_in_price", "$30"),
        ("GST on $1,000 excluding GST in FY2015", "gst_on_value", "$100"),
        ("super guarantee on $80,000 in FY2022", "super_guarantee_on", "$8,000"),
        ("Medicare levy on $20,542 in FY2014", "medicare_levy_on", "$0"),
        ("Medicare levy on $25,000 in FY2020", "medicare_levy_on", "$219.90"),
        ("Medicare levy on $60,000 in FY2020", "medicare_levy_on", "$1,200"),
        ("budget repair levy on $200,000 in FY2016", "repair_levy_on", "$400"),
    ],
)
def test_a_figure_is_worked_out_with_its_formula_and_inputs(question: str, key: str, value: str) -> None:
    outcome = ask(question)
    (figure,) = outcome.figures
    assert (outcome.decision, figure.key, figure.value) == (Decision.ANSWER, key, value)
    assert figure.formula and figure.inputs


def test_tax_shows_its_bands_and_says_what_it_leaves_out() -> None:
    (figure,) = ask("tax on $95,000 for a resident in FY2024").figures
    assert [(each.name, each.value) for each in figure.inputs] == [
        ("$0 to $18,200", "0% of $18,200 = $0"),
        ("Over $18,200 to $45,000", "19% of $26,800 = $5,092"),
        ("Over $45,000 to $120,000", "32.5% of $50,000 = $16,250"),
    ]
    assert "Medicare levy, offsets and surcharges are not included" in figure.formula


def test_what_is_worked_out_from_verified_figures_is_verified_and_quotes_them() -> None:
    outcome = ask("GST included in $330 in FY2015")
    assert outcome.figures[0].status is FigureStatus.VERIFIED
    assert [c.quote for claim in outcome.claims for c in claim.citations] == [RATE[0].text]


def test_where_it_is_open_what_is_to_be_worked_out_both_are_and_neither_is_picked() -> None:
    outcome = ask("grossed-up value of a $10,000 benefit in FBT year 2016")
    assert outcome.decision is Decision.AMBIGUOUS
    assert shown(outcome) == {"grossed_up_type1": "$21,463", "grossed_up_type2": "$19,608"}


def test_half_a_cent_is_rounded_upwards() -> None:
    assert formulas.to_cents(Decimal("0.005")) == Decimal("0.01")
    assert formulas.to_cents(Decimal("0.0049")) == Decimal("0.00")
