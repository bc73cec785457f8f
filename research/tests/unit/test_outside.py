"""What lies outside the Acts held, what a question takes wrongly as given, and that its neighbours pass."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from asat_site.testing.memory_store import MemoryCorpusStore, SharedWordsReranker
from asat_site.testing.passages import section
from research.adapters.generators.extractive import ExtractiveGenerator
from research.adapters.outside_index import (
    OutsideIndexReader,
    OutsideIndexRefused,
    no_such_law,
    none_such_of,
    numbers_of,
    numbers_of_law,
    outside_index,
    outside_of,
)
from research.adapters.subject_index import SubjectIndexReader
from research.flow import Ports, answer_question
from research.law.citation import find_citations
from research.law.income_year import IncomeYear
from research.question.law_named import law_named
from research.question.numbers import wrong_number
from research.question.outside import Near, is_tied
from research.question.premise import false_premise
from research.question.subject_index import SubjectIndex
from research.terms import Decision, Outcome, OutsideField, Passage, Reason

pytestmark = pytest.mark.unit
F = OutsideField
YEAR = IncomeYear(2016)

# Each pair differs in one thing: the first asks about the outside thing, the second for its federal tax treatment.
PAIRS = [
    ("How much stamp duty on a house for 650k?", "Is stamp duty deductible on a house I rent out?", F.STATE_TAX),
    ("When is transfer duty due?", "Is transfer duty part of the cost base?", F.STATE_TAX),
    ("What is the payroll tax rate in Perth?", "Can we deduct payroll tax we paid in Perth?", F.STATE_TAX),
    ("Is my beach house exempt from land tax?", "Can I claim land tax on my beach house?", F.STATE_TAX),
    ("Who pays council rates at settlement?", "Are council rates paid at settlement a deduction?", F.STATE_TAX),
    ("What does rego cost for a ute?", "What part of the rego for a ute can I claim on my tax?", F.STATE_TAX),
    ("Do I qualify for the first home owner grant?", "Is the first home owner grant assessable?", F.STATE_TAX),
    ("How do I contest a parking fine?", "Is a parking fine deductible?", F.STATE_TAX),
    ("How high is the workcover premium?", "Is the workcover premium a business expense?", F.STATE_TAX),
    ("Gold royalty rate on my lease?", "Can I deduct a gold royalty on my lease?", F.STATE_TAX),
    ("What VAT number does HMRC want?", "Do I get a foreign income tax offset for what HMRC took?", F.FOREIGN_TAX),
    ("Does the IRS want form 1040?", "Does the ATO want what I told the IRS on form 1040?", F.FOREIGN_TAX),
    ("What is the bright-line test?", "Is profit caught by the bright-line test assessable here?", F.FOREIGN_TAX),
    ("How does KiwiSaver work?", "Is a KiwiSaver transfer taxed in Australia?", F.FOREIGN_TAX),
    (
        "Which article of the treaty with Japan is on royalties?",
        "Foreign income tax offset and the treaty with Japan?",
        F.TAX_TREATY,
    ),
    (
        "What does the DTA with Germany say of pensions?",
        "Credit for foreign tax under the DTA with Germany?",
        F.TAX_TREATY,
    ),
    ("How do I apply to Centrelink?", "Do I pay tax on what Centrelink gives me?", F.SOCIAL_SECURITY),
    ("How is the age pension worked out?", "Is the age pension assessable?", F.SOCIAL_SECURITY),
    ("Will the NDIS pay for a ramp?", "Is my NDIS payment exempt?", F.SOCIAL_SECURITY),
    ("How is child support worked out?", "Is child support I receive taxed?", F.SOCIAL_SECURITY),
    ("What is the FTB part A limit?", "Is FTB part A taxable?", F.SOCIAL_SECURITY),
    (
        "Does rent count as income for Centrelink?",
        "Does rent count as income on my tax return, not Centrelink?",
        F.SOCIAL_SECURITY,
    ),
    (
        "How do I enrol a baby in Medicare, the medicare card?",
        "Do I owe medicare levy without a medicare card?",
        F.SOCIAL_SECURITY,
    ),
    ("Aged care fees for mum?", "Can mum deduct aged care fees?", F.SOCIAL_SECURITY),
    ("How much is jobseeker?", "Is tax withheld from jobseeker?", F.SOCIAL_SECURITY),
    ("How long does a partner visa take?", "Can I claim the cost of a partner visa?", F.MIGRATION),
    ("What salary for a 482 visa?", "Which tax rate applies on a 482 visa?", F.MIGRATION),
    ("How do I pass the citizenship test?", "Is the fee of the citizenship test deductible?", F.MIGRATION),
    ("Was my unfair dismissal lawful?", "Is an unfair dismissal payout taxed?", F.EMPLOYMENT_LAW),
    ("What is the minimum wage?", "Do I pay super on the minimum wage?", F.EMPLOYMENT_LAW),
    ("How much annual leave do I get?", "How is annual leave paid out taxed?", F.EMPLOYMENT_LAW),
    ("Long service leave after how many years?", "Is long service leave assessable?", F.EMPLOYMENT_LAW),
    ("Is my non-compete valid?", "Is a payment for a non-compete a capital gain?", F.EMPLOYMENT_LAW),
    ("Which penalty rates on Sunday?", "Is PAYG withheld on penalty rates?", F.EMPLOYMENT_LAW),
    ("How do I register with ASIC?", "Can I deduct what ASIC charges me?", F.COMPANY_LAW),
    ("Am I liable for insolvent trading?", "Is a penalty for insolvent trading deductible?", F.COMPANY_LAW),
    ("What can a liquidator take?", "Must a liquidator withhold tax?", F.COMPANY_LAW),
    ("How long is a bankruptcy notice good for?", "Are debts in a bankruptcy notice a deduction?", F.COMPANY_LAW),
    ("Is AASB 16 met by this lease?", "Is what AASB 16 calls interest deductible?", F.COMPANY_LAW),
    ("Do we need a shareholders agreement?", "Is the cost of a shareholders agreement deductible?", F.COMPANY_LAW),
    ("What share in a property settlement?", "Is there a CGT rollover on a property settlement?", F.FAMILY_LAW),
    (
        "Who gets the house under the family court order?",
        "Is there capital gains tax under the family court order?",
        F.FAMILY_LAW,
    ),
    ("How long does probate take?", "Is income before probate taxed?", F.FAMILY_LAW),
    ("Can I contest a will?", "Is money from a fight to contest a will taxable?", F.FAMILY_LAW),
    ("Is a prenup binding?", "Are legal fees of a prenup deductible?", F.FAMILY_LAW),
    ("How much can the rental bond be?", "Is a rental bond I kept assessable?", F.CONSUMER_AND_CONTRACT),
    ("Can I evict him?", "Are the costs to evict him deductible?", F.CONSUMER_AND_CONTRACT),
    ("Does a retail lease need a bank guarantee?", "Is there GST on a retail lease?", F.CONSUMER_AND_CONTRACT),
    (
        "How do I register a trade mark registration?",
        "Is a trade mark registration deductible?",
        F.CONSUMER_AND_CONTRACT,
    ),
    ("Who pays for whiplash?", "Is compensation for whiplash exempt?", F.CONSUMER_AND_CONTRACT),
    ("Should I refinance?", "Are fees deductible when I refinance?", F.FINANCE_AND_ADVICE),
    (
        "Which etf is a good investment?",
        "How is a distribution of an ETF, a good investment, taxed?",
        F.FINANCE_AND_ADVICE,
    ),
    ("What is the share price?", "Is a rise in the share price assessable?", F.FINANCE_AND_ADVICE),
    ("How do I post a bill in Xero?", "Can I deduct Xero?", F.LODGMENT_AND_SERVICES),
    ("What is the phone number?", "Is a phone number I bought deductible?", F.LODGMENT_AND_SERVICES),
    ("Who made the movie?", "Are costs of the movie deductible?", F.GENERAL_KNOWLEDGE),
    ("Is the weather good?", "Is a loss by weather deductible?", F.GENERAL_KNOWLEDGE),
    ("What is the luxury car tax?", "Is luxury car tax part of the cost base?", F.FEDERAL_LAW_NOT_HELD),
    (
        "How is the wine equalisation tax worked out?",
        "Is GST charged on the wine equalisation tax?",
        F.FEDERAL_LAW_NOT_HELD,
    ),
    ("What customs duty on shoes?", "Is customs duty deductible?", F.FEDERAL_LAW_NOT_HELD),
    ("My boss won't pay out my annual leave", "My boss paid out my annual leave when I left", F.EMPLOYMENT_LAW),
    ("Is my non-compete enforceable?", "I was paid to sign a non-compete", F.EMPLOYMENT_LAW),
    ("Can I evict him and how much are legal fees?", "legal fees when I had to evict him", F.CONSUMER_AND_CONTRACT),
    ("How much is stamp duty?", "Does stamp duty go into what the land cost me?", F.STATE_TAX),
    ("How fast is HECS indexed?", "Is paying off HECS deductible?", F.FEDERAL_LAW_NOT_HELD),
    ("What is the fuel excise per litre?", "Do fuel tax credits give back the fuel excise?", F.FEDERAL_LAW_NOT_HELD),
    ("Decline in turnover test for jobkeeper?", "Is jobkeeper assessable?", F.FEDERAL_LAW_NOT_HELD),
    ("Who gets the co-contribution?", "Is the co-contribution assessable?", F.FEDERAL_LAW_NOT_HELD),
]


@pytest.mark.parametrize(("outside", "inside", "field"), PAIRS)
def test_the_thing_lies_outside_and_its_tax_treatment_inside(outside: str, inside: str, field: OutsideField) -> None:
    assert not is_tied(outside, field) and is_tied(inside, field)
    placed = outside_index().place(outside)
    assert placed is not None and placed.field is field and placed.name
    assert outside_index().place(inside) is None


@pytest.mark.parametrize(
    "question",
    [
        "Can I deduct the cost of a laptop?",
        "My company lent me $80,000. Is that a dividend?",
        "When must an employer pay super guarantee?",
        "Does the main residence exemption cover two hectares?",
        "How are losses of a trust carried forward?",
        "Is a resident of a treaty country liable to withholding on interest?",
    ],
)
def test_a_question_that_names_nothing_outside_is_left_alone(question: str) -> None:
    assert outside_index().place(question) is None


def test_by_meaning_an_entry_must_lie_nearer_than_all_inside() -> None:
    index = outside_index()
    at = next(place for place, entry in enumerate(index.entries) if entry.field is F.STATE_TAX)
    question = "how dear is it to buy a flat"
    assert index.place(question, Near(0.60, 0.61, at)) is None
    placed = index.place(question, Near(0.61, 0.60, at))
    assert placed is not None and (placed.subject, placed.name) == (index.entries[at].subject, "")
    assert index.place("can I deduct it", Near(0.9, 0.1, at)) is None


def test_a_name_does_not_count_where_the_subject_index_is_far_nearer() -> None:
    assert outside_index().place("Who wins from the weather?", Near(0.4, 0.5, 0)) is not None
    assert outside_index().place("Who wins from the weather?", Near(0.4, 0.6, 0)) is None


# Law that is named


@pytest.mark.parametrize(
    ("question", "subject", "field"),
    [
        ("What penalty under the Fair Work Act 2009?", "the Fair Work Act 2009", F.COMPANY_LAW),
        ("Is a director caught by s 588G of the Corporations Act 2001?", "the Corporations Act 2001", F.COMPANY_LAW),
        ("What is the cap in PCG 2021/4?", "PCG 2021/4", F.FEDERAL_LAW_NOT_HELD),
        ("Please set out TR 2005/16", "TR 2005/16", F.FEDERAL_LAW_NOT_HELD),
    ],
)
def test_law_that_is_not_held_is_named_as_such(question: str, subject: str, field: OutsideField) -> None:
    elsewhere = law_named(question, find_citations(question), {}).elsewhere
    assert elsewhere is not None and (elsewhere.subject, elsewhere.field) == (subject, field)


@pytest.mark.parametrize(
    ("question", "is_held"),
    [
        ("Does s 8-1 ITAA 1997 allow it, see TR 97/23?", True),
        ("What does the GST Act say of the Corporations Act 2001?", True),
        ("Is a fine under the Fair Work Act 2009 deductible?", False),
        ("Is a gift deductible (TR 2005/13)?", False),
        ("What is a dividend?", False),
    ],
)
def test_a_question_that_asks_of_law_held_goes_on(question: str, is_held: bool) -> None:
    named = law_named(question, find_citations(question), {})
    assert (named.is_held, named.elsewhere) == (is_held, None)


# Premises


def premise(question: str, year: int = 2016) -> Any:
    found = false_premise(question, IncomeYear(year), no_such_law()) or wrong_number(
        question, IncomeYear(year), numbers_of_law()
    )
    return found.subject if found else None


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("How is the death duty on her shares worked out?", "a federal death duty or inheritance tax"),
        ("Who pays the inheritance tax on dad's farm?", "a federal death duty or inheritance tax"),
        ("What is the wealth tax threshold?", "a wealth tax"),
        ("Under the capital gains tax holiday for start-ups, when do I sell?", "a capital gains tax holiday"),
        ("Ethereum is exempt from CGT. Are losses too?", "crypto assets free of capital gains tax"),
        ("As all food is GST-free, is my cake stall?", "a GST exemption of all food"),
        ("Now that negative gearing is abolished, what of my loss?", "rental property losses that cannot be deducted"),
        ("Since overtime is tax free, do I declare it?", "tax-free overtime or tips"),
        ("Now the entertainment levy ban has been lifted, may I?", None),
        ("Given the ban on travel to a rental was lifted, can I claim?", "that “ban on travel to a rental was lifted”"),
        ("The 60-day holding period, does it cover franked dividends?", "“the 60-day holding period”"),
        ("Does the ten year absence rule cover my old family home?", "“the ten year absence rule”"),
        ("As I have 8 years to claim back the GST, is there a rush?", "“have 8 years to”"),
        ("They abolished the rules on company loans, so may I borrow?", "that “They abolished the rules”"),
        ("As partnerships are taxed at 30%, how do we pay?", "a partnership as a taxpayer"),
        (
            "Since electric cars are FBT free, is the charger?",
            "an exemption of electric cars from fringe benefits tax, before there was one",
        ),
    ],
)
def test_what_federal_law_has_not_had_is_a_false_premise(question: str, subject: str | None) -> None:
    assert premise(question) == subject


@pytest.mark.parametrize(
    "question",
    [
        "Is there an inheritance tax in Australia?",
        "Do I pay death duty on mum's house?",
        "If there were a wealth tax, would it be deductible?",
        "My mate says bitcoin is tax free. Is it?",
        "Is bitcoin exempt from CGT?",
        "Is all food GST-free?",
        "Is overtime tax free?",
        "Since the low and middle income offset was abolished, what is left?",
        "Since the lease was ended, can I claim the fit-out?",
        "The cap was lifted to $27,500, may I put more in?",
        "The 45-day holding period, does it cover franked dividends?",
        "Does the six year absence rule cover my old family home?",
        "I have 8 years of invoices; can I claim back the GST?",
        "My company lent me money on a ten year loan, is Division 7A met?",
        "I kept a log book for 20 weeks, is that enough?",
    ],
)
def test_what_is_asked_supposed_reported_or_true_is_no_premise(question: str) -> None:
    assert premise(question) is None


# Files


def test_the_index_that_ships_is_broad() -> None:
    index = outside_index()
    assert len(index.entries) >= 150 and len(index.phrases) >= 1_500
    assert {entry.field for entry in index.entries} == set(F) - {F.NO_SUCH_LAW}
    assert min(len(entry.phrases) for entry in index.entries) >= 5
    assert all(entry.who and not entry.who.endswith(".") for entry in index.entries)


ENTRY = {"subject": "harbour dues", "phrases": ["what do I pay to moor"], "names": ["harbour due"]}


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ([], "give reason, who and entries"),
        (
            {"reason": "state_tax", "who": "x", "entries": [{**ENTRY, "colour": "red"}]},
            "give subject, phrases and names",
        ),
        ({"reason": "harbours", "who": "x", "entries": [ENTRY]}, "'harbours'"),
        ({"reason": "state_tax", "who": "x", "entries": [{**ENTRY, "phrases": [7]}]}, "give a list of texts"),
    ],
)
def test_a_file_of_another_form_is_refused_by_name(plain: Any, said: str) -> None:
    with pytest.raises(OutsideIndexRefused, match=r"a\.yaml") as refused:
        outside_of("a.yaml", plain)
    assert said in str(refused.value)


def test_premise_files_of_another_form_are_refused_by_name() -> None:
    with pytest.raises(OutsideIndexRefused, match="nothing to be known by"):
        none_such_of("a.yaml", {"reason": "no_such_law", "entries": [{"subject": "x", "told": "y"}]})
    with pytest.raises(OutsideIndexRefused, match="unit, right and of"):
        numbers_of("a.yaml", {"reason": "no_such_law", "entries": [{"subject": "x", "told": "y"}]})


# The road

LAW = section("12-5", "Netting", "(1) A grower can deduct the cost of netting an orchard in the year it is put up in.")


def ask(question: str, law: Sequence[Passage] = LAW) -> Outcome:
    store = MemoryCorpusStore([*law], None, {p.instrument: [date(y, 1, 1) for y in range(2010, 2025)] for p in law})
    reader = OutsideIndexReader(SubjectIndexReader(None, None, SubjectIndex.of([])))
    reranker = SharedWordsReranker()
    rerankers = {"lexical": reranker, "hybrid": reranker}
    ports = Ports(store, rerankers, ExtractiveGenerator(), lambda: 0.0, outside=reader)
    return answer_question(question, YEAR, date(2024, 5, 1), ports)


@pytest.mark.parametrize(
    ("question", "decision", "reason"),
    [
        ("How do I apply to Centrelink?", Decision.OUT_OF_SCOPE, Reason.OTHER_LAW),
        ("What is the luxury car tax on a Jaguar?", Decision.NO_BASIS, Reason.LAW_NOT_HELD),
        ("Which etf is a good investment?", Decision.OUT_OF_SCOPE, Reason.ASKED_ELSEWHERE),
        ("What is the federal death duty on his shares?", Decision.FALSE_PREMISE, Reason.NO_SUCH_LAW),
        ("Can a grower deduct the cost of netting an orchard?", Decision.ANSWER, Reason.VERIFIED),
    ],
)
def test_the_flow_refuses_with_a_reason_and_searches_nothing(question: str, decision: Decision, reason: Reason) -> None:
    outcome = ask(question)
    assert (outcome.decision, outcome.reason) == (decision, reason)
    assert outcome.settings["outside_index"].endswith(" by words")
    if decision is not Decision.ANSWER:
        assert outcome.retrieved == () and outcome.claims == () and outcome.next_step


def test_a_time_more_than_a_year_ahead_is_out_of_the_horizon() -> None:
    outcome = ask("What is the medicare levy rate in FY2040?")
    assert (outcome.decision, outcome.reason) == (Decision.OUT_OF_HORIZON, Reason.YEAR_OUTSIDE_CORPUS)


def test_a_refusal_says_what_it_is_about_and_where_to_turn() -> None:
    outcome = ask("What is a landholder acquisition?")
    assert "duty on shares, units and entities that hold land" in outcome.message
    assert "the revenue office of the State or Territory" in outcome.next_step


# Parts of Acts and subsections that there are not

NET = ("(1) A grower can deduct the cost of netting an orchard in the year it is put up in.",)
TITLED = section("12-5", "Netting", *NET, act="ITAA97", path=("Part IVA—Trees", "Subdivision 12-A—Nets"))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does subsection 12-5(9) of the ITAA 1997 allow?", "no section 12-5(9) in FY2016"),
        ("Which nets fall under Subdivision 12-Z of the ITAA 1997?", "no Subdivision 12-Z in FY2016"),
        ("Does Part IVZ of the ITAA 1997 catch a grower?", "no Part IVZ in FY2016"),
    ],
)
def test_a_part_or_subsection_that_is_not_there_is_a_false_premise(question: str, said: str) -> None:
    outcome = ask(question, TITLED)
    assert (outcome.decision, outcome.reason) == (Decision.FALSE_PREMISE, Reason.PROVISION_NOT_THERE)
    assert said in outcome.message


@pytest.mark.parametrize("cited", ["subsection 12-5(1)", "Subdivision 12-A", "Part IVA", "Division 12"])
def test_one_that_is_there_or_cannot_be_ruled_out_goes_on(cited: str) -> None:
    question = f"Does {cited} of the ITAA 1997 let a grower deduct the cost of netting an orchard?"
    outcome = ask(question, TITLED)
    assert outcome.decision is not Decision.FALSE_PREMISE
    assert [(found.act, found.section) for found in outcome.retrieved] == [("ITAA97", "12-5")]
