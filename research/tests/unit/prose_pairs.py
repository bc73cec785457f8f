"""Prose and the quotes it rests on: true pairs, and false ones that differ from a true one in one thing. Invented law.

Each rule is a statement of the Beacon and Wharf Acts, which do not exist. `quoted` is what is cut from it, None for the
whole. The second half was written after the checks had been fitted to the first and before they were run on it.
"""

from __future__ import annotations

from dataclasses import dataclass

Lies = tuple[tuple[str, str], ...]  # what was changed, and the prose; see KINDS


@dataclass(frozen=True, slots=True)
class Rule:
    """A statement, what is quoted of it, prose that is true of it, and prose that is not."""

    text: str
    true: tuple[str, ...]
    false: Lies
    quoted: str | None = None
    cut: tuple[tuple[str, str, str], ...] = ()  # (what was changed, the words quoted, the prose)


FIRST = (
    Rule(
        "(1) A keeper may deduct the cost of oil burnt in a beacon, unless the beacon stands on a private wharf.",
        (
            "A keeper may deduct the cost of oil burnt in a beacon, except on a private wharf.",
            "The cost of beacon oil is deductible by its keeper unless the beacon stands on a private wharf.",
            "A keeper can deduct oil burnt in a beacon if the beacon is not on a private wharf.",
        ),
        (
            ("exception", "A keeper may deduct the cost of oil burnt in a beacon."),
            (
                "modality",
                "A keeper must deduct the cost of oil burnt in a beacon, unless it stands on a private wharf.",
            ),
            ("negation", "A keeper may not deduct the cost of oil burnt in a beacon on a private wharf or elsewhere."),
            ("widened", "A keeper may deduct any cost of oil burnt in a beacon, unless it stands on a private wharf."),
            ("opposite", "A keeper may deduct the cost of oil burnt in a beacon, unless it stands on a public wharf."),
        ),
        cut=(
            (
                "exception",
                "A keeper may deduct the cost of oil burnt in a beacon",
                "A keeper may deduct the cost of oil burnt in a beacon.",
            ),
        ),
    ),
    Rule(
        "(2) The Warden must give the keeper written notice within 28 days after the day the beacon is lit.",
        (
            "The Warden must give the keeper written notice within 28 days after the beacon is lit.",
            "Written notice must reach the keeper within twenty-eight days after the day of lighting.",
            "Within 28 days after the lighting, the Warden is required to give written notice.",
        ),
        (
            ("modality", "The Warden may give the keeper written notice within 28 days after the beacon is lit."),
            ("value", "The Warden must give the keeper written notice within 21 days after the beacon is lit."),
            ("unit", "The Warden must give the keeper written notice within 28 months after the beacon is lit."),
            ("unit", "The Warden must give the keeper written notice within 28 business days after the beacon is lit."),
            ("unit", "The Warden must give the keeper written notice within 4 weeks after the beacon is lit."),
            ("bound", "The Warden must give the keeper written notice after 28 days from the lighting."),
            ("negation", "The Warden must not give the keeper written notice within 28 days after the beacon is lit."),
            ("name", "The Tribunal must give the keeper written notice within 28 days after the beacon is lit."),
            ("opposite", "The Warden must give the keeper written notice within 28 days before the beacon is lit."),
        ),
    ),
    Rule(
        "(3) The levy on a beacon is $1,200 for each year, or 3 per cent of its value, whichever is less.",
        (
            "The levy on a beacon is $1,200 for each year, or 3% of its value if that is less.",
            "For each year the levy is the lesser of 1,200 dollars and three per cent of the beacon's value.",
            "A beacon bears a levy of $1.2k for each year or 3 percent of its value, whichever is less.",
        ),
        (
            ("value", "The levy on a beacon is $12,000 for each year, or 3% of its value if that is less."),
            ("value", "The levy on a beacon is $1,200 for each year, or 30% of its value if that is less."),
            ("unit", "The levy on a beacon is $1,200 for each year, or 3 percentage points if that is less."),
            ("unit", "The levy on a beacon is $1,200 for each month, or 3% of its value if that is less."),
            ("unit", "The levy on a beacon is US$1,200 for each year, or 3% of its value if that is less."),
            ("magnitude", "The levy on a beacon is $1.2 million for each year, or 3% of its value if that is less."),
            ("bound", "The levy on a beacon is at least $1,200 for each year, or 3% of its value if that is less."),
            ("opposite", "The levy on a beacon is $1,200 for each year, or 3% of its value, whichever is greater."),
        ),
    ),
    Rule(
        "A wharf is exempt from the levy only if it is used solely by ferries.",
        (
            "A wharf is exempt from the levy only if it is used solely by ferries.",
            "Only a wharf used solely by ferries is exempt from the levy.",
            "The levy exempts a wharf only where its sole users are ferries.",
        ),
        (
            ("only", "A wharf is exempt from the levy if it is used by ferries."),
            ("degree", "A wharf is exempt from the levy only if it is used mainly by ferries."),
            ("negation", "A wharf is not exempt from the levy if it is used solely by ferries."),
            ("widened", "A wharf is always exempt from the levy, and not only if it is used solely by ferries."),
            ("condition", "A wharf is exempt from the levy."),
        ),
    ),
    Rule(
        "(1) A person who does not hold a beacon permit cannot claim the oil offset for the year.",
        (
            "A person who does not hold a beacon permit cannot claim the oil offset for the year.",
            "Without a beacon permit, a person cannot claim the oil offset.",
            "The oil offset cannot be claimed by a person who does not hold a beacon permit.",
            "No person without a beacon permit can claim the oil offset for the year.",
        ),
        (
            ("negation", "A person who does not hold a beacon permit can claim the oil offset for the year."),
            ("negation", "A person who holds a beacon permit cannot claim the oil offset for the year."),
            ("negation", "A person who holds a beacon permit can claim the oil offset for the year."),
            ("modality", "A person who does not hold a beacon permit must claim the oil offset for the year."),
            ("name", "A person who does not hold a permit of the Harbour Board cannot claim the oil offset."),
        ),
    ),
    Rule(
        "The cost of a lens is deductible to the extent that the lens is used in a beacon that is lit at night.",
        (
            "The cost of a lens is deductible to the extent that it is used in a beacon lit at night.",
            "A lens is deductible so far as it is used in a beacon that is lit at night.",
            "Only the part of the cost of a lens that relates to its use in a beacon lit at night is deductible.",
        ),
        (
            ("extent", "The cost of a lens is deductible if the lens is used in a beacon that is lit at night."),
            (
                "widened",
                "The whole cost of a lens is deductible to the extent that it is used in a beacon lit at night.",
            ),
            (
                "negation",
                "The cost of a lens is not deductible to the extent that it is used in a beacon lit at night.",
            ),
            ("modality", "The cost of a lens must be deducted to the extent that it is used in a beacon lit at night."),
        ),
        cut=(
            (
                "extent",
                "The cost of a lens is deductible",
                "The cost of a lens is deductible.",
            ),
        ),
    ),
    Rule(
        "(4) You can claim the wharf offset if:\n(a) you owned the wharf on 30 June 2018; and\n(b) you"
        " did not let it to"
        " another entity; and\n(c) the offset is not more than $5,000.",
        (
            "You can claim the wharf offset if you owned the wharf on 30 June 2018, did not let it to"
            " another entity and"
            " claim not more than $5,000.",
            "The wharf offset, of up to $5,000, can be claimed if you owned the wharf on 30/6/2018 and did not let it.",
            "Three conditions aside, you can claim the wharf offset if it is not more than $5 000, you owned"
            " the wharf on"
            " 30 June 2018 and it was not let.",
        ),
        (
            (
                "value",
                "You can claim the wharf offset if you owned it on 30 June 2019 and did not let it to another entity.",
            ),
            (
                "negation",
                "You can claim the wharf offset if you owned the wharf on 30 June 2018 and let it to another.",
            ),
            ("bound", "You can claim the wharf offset if it is more than $5,000 and you did not let the wharf."),
            ("condition", "You can claim the wharf offset."),
            ("either", "You can claim the wharf offset if you owned the wharf on 30 June 2018 and at any other time."),
        ),
        cut=(
            (
                "negation",
                "You can claim the wharf offset if:\n(a) you owned the wharf on 30 June 2018",
                "You can claim the wharf offset if you owned the wharf on 30 June 2018.",
            ),
        ),
    ),
    Rule(
        "A keeper aged 60 or over on 1 July may retire a beacon.\nHowever, the Warden may refuse if"
        " fewer than 3 beacons"
        " would be left on the coast.",
        (
            "A keeper aged 60 or over on 1 July may retire a beacon, but the Warden may refuse if fewer than"
            " three beacons"
            " would be left.",
            "A keeper who is 60 years of age or over on 1 July may retire a beacon, though the Warden may"
            " refuse if fewer"
            " than 3 would be left on the coast.",
        ),
        (
            (
                "value",
                "A keeper aged 65 or over on 1 July may retire a beacon, but the Warden may refuse if fewer than"
                " 3 remain.",
            ),
            (
                "bound",
                "A keeper aged under 60 on 1 July may retire a beacon, but the Warden may refuse if fewer than 3"
                " remain.",
            ),
            (
                "bound",
                "A keeper aged 60 or over on 1 July may retire a beacon, but the Warden may refuse if more than"
                " 3 remain.",
            ),
            (
                "modality",
                "A keeper aged 60 or over must retire a beacon on 1 July, if fewer than 3 beacons would be left.",
            ),
            (
                "value",
                "A keeper aged 60 or over on 2 July may retire a beacon, but the Warden may refuse if fewer than"
                " 3 remain.",
            ),
        ),
    ),
    Rule(
        "Beacon income includes a toll, other than a toll collected for the Crown, and excludes a gift.",
        (
            "Beacon income includes a toll, except one collected for the Crown, and excludes a gift.",
            "A toll is beacon income unless it is collected for the Crown; a gift is excluded.",
            "Beacon income includes tolls other than those collected for the Crown, and excludes gifts.",
        ),
        (
            ("exception", "Beacon income includes a toll."),
            ("opposite", "Beacon income excludes a toll, other than a toll collected for the Crown."),
            ("negation", "Beacon income does not include a toll, other than a toll collected for the Crown."),
            (
                "widened",
                "Beacon income includes every toll, other than a toll collected for the Crown, and excludes a gift.",
            ),
            (
                "name",
                "Beacon income includes a toll, other than a toll collected for the Minister, and excludes a gift.",
            ),
        ),
        cut=(("exception", "Beacon income includes a toll", "Beacon income includes a toll."),),
    ),
    Rule(
        "(2) The Warden may remit one half of the penalty under section 5-20 if the keeper acted reasonably.",
        (
            "The Warden may remit half of the penalty under section 5-20 if the keeper acted reasonably.",
            "If the keeper acted reasonably, the Warden may remit 50% of the penalty under s 5-20.",
            "One-half of the penalty may be remitted where the keeper acted reasonably.",
        ),
        (
            (
                "value",
                "The Warden may remit one third of the penalty under section 5-20 if the keeper acted reasonably.",
            ),
            ("citation", "The Warden may remit half of the penalty under section 5-25 if the keeper acted reasonably."),
            (
                "modality",
                "The Warden must remit half of the penalty under section 5-20 if the keeper acted reasonably.",
            ),
            ("modality", "The Warden remits half of the penalty under section 5-20 if the keeper acted reasonably."),
            ("widened", "The Warden may remit all of the penalty under section 5-20 if the keeper acted reasonably."),
            ("negation", "The Warden may not remit half of the penalty if the keeper acted reasonably."),
            ("degree", "The Warden may remit half of the penalty under section 5-20 if the keeper acted."),
            ("condition", "The Warden may remit half of the penalty under section 5-20."),
        ),
        cut=(
            (
                "condition",
                "The Warden may remit one half of the penalty under section 5-20",
                "The Warden may remit one half of the penalty under section 5-20.",
            ),
        ),
    ),
    Rule(
        "Despite subsection (1), a beacon that is not lit for 12 consecutive months ceases to be registered.",
        (
            "Despite subsection (1), a beacon that is not lit for 12 consecutive months ceases to be registered.",
            "A beacon not lit for twelve consecutive months ceases to be registered.",
            "Registration of a beacon ceases where it is not lit for 12 months in a row.",
        ),
        (
            (
                "negation",
                "Despite subsection (1), a beacon that is lit for 12 consecutive months ceases to be registered.",
            ),
            ("unit", "A beacon that is not lit for 12 consecutive weeks ceases to be registered."),
            ("unit", "A beacon that is not lit for one year ceases to be registered."),
            (
                "opposite",
                "Despite subsection (1), a beacon that is not lit for 12 consecutive months commences to be"
                " registered.",
            ),
            ("modality", "A beacon that is not lit for 12 consecutive months may cease to be registered."),
            (
                "citation",
                "Despite subsection (9), a beacon that is not lit for 12 consecutive months ceases to be registered.",
            ),
        ),
        cut=(
            (
                "however",
                "a beacon that is not lit for 12 consecutive months ceases to be registered",
                "A beacon that is not lit for 12 consecutive months ceases to be registered.",
            ),
        ),
    ),
    Rule(
        "Subject to section 9-4, wharf dues are payable in 4 instalments, the first by 21 October.",
        (
            "Subject to section 9-4, wharf dues are payable in four instalments, the first by 21 October.",
            "Wharf dues are payable in 4 instalments, but subject to s 9-4; the first is due by 21 October.",
            "Within the limits of section 9-4, wharf dues are payable in 4 instalments, the first of them by"
            " 21 October.",
        ),
        (
            ("subject to", "Wharf dues are payable in 4 instalments, the first by 21 October."),
            ("value", "Subject to section 9-4, wharf dues are payable in 5 instalments, the first by 21 October."),
            ("value", "Subject to section 9-4, wharf dues are payable in 4 instalments, the second by 21 October."),
            ("value", "Subject to section 9-4, wharf dues are payable in 4 instalments, the first by 21 November."),
            ("opposite", "Subject to section 9-4, wharf dues are payable in 4 instalments, the last by 21 October."),
            ("negation", "Subject to section 9-4, wharf dues are not payable in 4 instalments."),
            ("citation", "Subject to section 9-5, wharf dues are payable in 4 instalments, the first by 21 October."),
            ("unit", "Subject to section 9-4, wharf dues are payable in 4 years, the first by 21 October."),
        ),
    ),
    Rule(
        "The oil rate is 25.5 cents a litre from 1 July 2016, increasing to 30 cents a litre from 1 July 2019.",
        (
            "The oil rate is 25.5 cents a litre from 1 July 2016 and 30 cents a litre from 1 July 2019.",
            "From July 2016 the oil rate is 25.5c a litre, increasing to 30c from July 2019.",
            "The oil rate increases to $0.30 a litre from 1 July 2019.",
        ),
        (
            ("value", "The oil rate is 25.6 cents a litre from 1 July 2016."),
            ("unit", "The oil rate is $25.50 a litre from 1 July 2016."),
            ("opposite", "The oil rate decreases to 30 cents a litre from 1 July 2019."),
            ("bound", "The oil rate is 25.5 cents a litre until 1 July 2016."),
            ("value", "The oil rate is 30 cents a litre from 1 July 2018."),
        ),
    ),
    Rule(
        "A lessee who pays for a beacon's repair is entitled to one quarter of its tolls in the income year 2017-18.",
        (
            "A lessee who pays for a beacon's repair is entitled to a quarter of its tolls in 2017–18.",
            "A lessee paying for repair may take 25% of the beacon's tolls in the 2017-18 income year.",
            "In FY2018 a lessee who pays for a beacon's repair is entitled to one-quarter of its tolls.",
        ),
        (
            ("opposite", "A lessor who pays for a beacon's repair is entitled to one quarter of its tolls in 2017-18."),
            ("value", "A lessee who pays for a beacon's repair is entitled to one quarter of its tolls in 2018-19."),
            ("value", "A lessee who pays for a beacon's repair is entitled to three quarters of its tolls in 2017-18."),
            ("widened", "A lessee who pays for a beacon's repair is entitled to the entire tolls in 2017-18."),
            ("modality", "A lessee who pays for a beacon's repair must be paid its tolls in 2017-18."),
        ),
    ),
)

SECOND = (
    Rule(
        "An owner may choose to have this Part apply to a wharf from the first day of a year, but the choice cannot be"
        " revoked within 5 years.",
        (
            "An owner may choose to have this Part apply to a wharf, but the choice cannot be revoked within 5 years.",
            "The choice, which an owner may make from the first day of a year, cannot be revoked within five years.",
            "An owner may choose that the Part applies to a wharf; the choice cannot be revoked within 5 years.",
        ),
        (
            (
                "negation",
                "An owner may choose to have this Part apply to a wharf, and the choice can be revoked within 5 years.",
            ),
            (
                "value",
                "An owner may choose to have this Part apply to a wharf, but the choice cannot be revoked within"
                " 15 years.",
            ),
            (
                "modality",
                "An owner must choose to have this Part apply to a wharf, and it cannot be revoked within 5 years.",
            ),
            ("bound", "An owner may choose to have this Part apply to a wharf, but cannot revoke it after 5 years."),
            ("widened", "An owner may choose to have this Part apply to a wharf, and the choice can never be revoked."),
            (
                "opposite",
                "An owner may choose to have this Part apply from the last day of a year, but cannot revoke it"
                " within 5 years.",
            ),
        ),
        cut=(
            (
                "negation",
                "An owner may choose to have this Part apply to a wharf from the first day of a year",
                "An owner may choose to have this Part apply to a wharf from the first day of a year.",
            ),
        ),
    ),
    Rule(
        "(3) The Warden must not disclose the position of a buoy to another entity except with the keeper's consent.",
        (
            "The Warden must not disclose the position of a buoy to another entity except with the keeper's consent.",
            "Without the keeper's consent, the Warden must not disclose a buoy's position to another entity.",
            "A buoy's position must not be disclosed to another entity unless the keeper consents.",
        ),
        (
            (
                "negation",
                "The Warden must disclose the position of a buoy to another entity with the keeper's consent.",
            ),
            ("exception", "The Warden must not disclose the position of a buoy to another entity."),
            (
                "modality",
                "The Warden may not disclose the position of a buoy, but may do so with the keeper's consent.",
            ),
            ("widened", "The Warden must never disclose the position of a buoy except with the keeper's consent."),
            ("name", "The Commissioner must not disclose the position of a buoy except with the keeper's consent."),
        ),
        cut=(
            (
                "exception",
                "The Warden must not disclose the position of a buoy to another entity",
                "The Warden must not disclose the position of a buoy to another entity.",
            ),
        ),
    ),
    Rule(
        "A mooring of 12 metres or more is a large mooring, and its fee is twice the fee for a small mooring.",
        (
            "A mooring of 12 metres or more is a large mooring, and its fee is twice that for a small mooring.",
            "The fee for a large mooring, one of at least 12 metres, is double the fee for a small mooring.",
            "A large mooring is one of 12 metres or more.",
        ),
        (
            ("unit", "A mooring of 12 hectares or more is a large mooring."),
            ("value", "A mooring of 20 metres or more is a large mooring."),
            ("bound", "A mooring of 12 metres or less is a large mooring."),
            ("bound", "A mooring of less than 12 metres is a large mooring."),
            ("value", "The fee for a large mooring is three times the fee for a small mooring."),
            ("value", "The fee for a large mooring is half the fee for a small mooring."),
        ),
    ),
    Rule(
        "An amount is disregarded in working out your net tolls if it was paid mainly for the upkeep of a breakwater.",
        (
            "An amount paid mainly for the upkeep of a breakwater is disregarded in working out your net tolls.",
            "In working out net tolls, an amount is disregarded if it was paid principally for a breakwater's upkeep.",
            "Your net tolls disregard amounts paid mainly for the upkeep of a breakwater.",
        ),
        (
            ("degree", "An amount paid for the upkeep of a breakwater is disregarded in working out your net tolls."),
            (
                "degree",
                "An amount paid wholly for the upkeep of a breakwater is disregarded in working out your net tolls.",
            ),
            (
                "degree",
                "An amount paid partly for the upkeep of a breakwater is disregarded in working out your net tolls.",
            ),
            (
                "negation",
                "An amount is not disregarded in working out your net tolls if it was paid mainly for a breakwater.",
            ),
            (
                "widened",
                "All amounts paid mainly for the upkeep of a breakwater are disregarded in working out your net tolls.",
            ),
        ),
        cut=(
            (
                "condition",
                "An amount is disregarded in working out your net tolls",
                "An amount is disregarded in working out your net tolls.",
            ),
        ),
    ),
    Rule(
        "The harbour surcharge applies only where the tonnage of the vessel exceeds 1,500 tonnes and"
        " does not apply to a"
        " hospital ship.",
        (
            "The harbour surcharge applies only where a vessel's tonnage exceeds 1,500 tonnes, and not to a"
            " hospital ship.",
            "Only vessels of more than 1 500 tonnes bear the harbour surcharge, and hospital ships do not.",
            "The surcharge does not apply to a hospital ship and applies only where tonnage exceeds 1500 tonnes.",
        ),
        (
            (
                "negation",
                "The harbour surcharge applies only where tonnage exceeds 1,500 tonnes and applies to a hospital ship.",
            ),
            (
                "value",
                "The harbour surcharge applies only where tonnage exceeds 15,000 tonnes and not to a hospital ship.",
            ),
            (
                "unit",
                "The harbour surcharge applies only where tonnage exceeds 1,500 kilograms and not to a hospital ship.",
            ),
            (
                "bound",
                "The harbour surcharge applies only where tonnage is under 1,500 tonnes and not to a hospital ship.",
            ),
            ("only", "The harbour surcharge applies where tonnage exceeds 1,500 tonnes, not to a hospital ship."),
            (
                "modality",
                "The harbour surcharge may apply only where tonnage exceeds 1,500 tonnes and not to a hospital ship.",
            ),
        ),
        cut=(
            (
                "negation",
                "The harbour surcharge applies only where the tonnage of the vessel exceeds 1,500 tonnes",
                "The harbour surcharge applies only where the tonnage of the vessel exceeds 1,500 tonnes.",
            ),
        ),
    ),
    Rule(
        "If a pilot is absent for more than 10 business days, the licence lapses at the end of the month.",
        (
            "The licence lapses at the end of the month if a pilot is absent for more than 10 business days.",
            "A pilot's licence lapses at the end of the month where the absence exceeds ten business days.",
            "If a pilot is absent for over 10 business days, the licence lapses when the month ends.",
        ),
        (
            ("unit", "If a pilot is absent for more than 10 days, the licence lapses at the end of the month."),
            (
                "value",
                "If a pilot is absent for more than 20 business days, the licence lapses at the end of the month.",
            ),
            (
                "bound",
                "If a pilot is absent for less than 10 business days, the licence lapses at the end of the month.",
            ),
            ("negation", "If a pilot is absent for more than 10 business days, the licence does not lapse."),
            (
                "opposite",
                "If a pilot is absent for more than 10 business days, the licence lapses at the start of the month.",
            ),
            ("condition", "The licence lapses at the end of the month."),
        ),
        cut=(
            ("condition", "the licence lapses at the end of the month", "The licence lapses at the end of the month."),
        ),
    ),
    Rule(
        "Item 3 of the table in Schedule 2 sets the pilotage fee at $450, reduced by 15% for a vessel without cargo.",
        (
            "Item 3 of the table in Schedule 2 sets the pilotage fee at $450, reduced by 15% for a vessel"
            " without cargo.",
            "The pilotage fee is $450, less 15 per cent for a vessel without cargo.",
            "A vessel without cargo has its $450 pilotage fee reduced by fifteen per cent.",
        ),
        (
            ("citation", "Item 4 of the table in Schedule 2 sets the pilotage fee at $450, less 15% without cargo."),
            ("citation", "Item 3 of the table in Schedule 3 sets the pilotage fee at $450, less 15% without cargo."),
            ("value", "The pilotage fee is $540, reduced by 15% for a vessel without cargo."),
            ("opposite", "The pilotage fee is $450, increased by 15% for a vessel without cargo."),
            ("negation", "The pilotage fee is $450, reduced by 15% for a vessel with cargo."),
            ("unit", "The pilotage fee is £450, reduced by 15% for a vessel without cargo."),
        ),
    ),
    Rule(
        "Each co-owner is liable for the dues jointly and severally, whether or not the co-owner uses the wharf.",
        (
            "Each co-owner is liable for the dues jointly and severally, whether or not the co-owner uses the wharf.",
            "Every co-owner is jointly and severally liable for the dues, even one that does not use the wharf.",
            "The co-owners are each liable for the dues, jointly and severally.",
        ),
        (
            ("negation", "Each co-owner is not liable for the dues jointly and severally."),
            ("negation", "Each co-owner who does not use the wharf is not liable for the dues."),
            (
                "only",
                "Each co-owner is liable for the dues jointly and severally, but only if the co-owner uses the wharf.",
            ),
            ("modality", "Each co-owner may be liable for the dues jointly and severally."),
            ("value", "Two co-owners are liable for the dues jointly and severally."),
        ),
    ),
    Rule(
        "A return must be lodged on or before 31 October 2020, or by a later day that the Registrar allows.",
        (
            "A return must be lodged on or before 31 October 2020, or by a later day that the Registrar allows.",
            "The return must be lodged by 31 October 2020 unless the Registrar allows a later day.",
            "A return must be lodged no later than 31/10/2020, or by the later day that the Registrar allows.",
        ),
        (
            ("bound", "A return must be lodged after 31 October 2020, or by a later day that the Registrar allows."),
            ("value", "A return must be lodged by 30 October 2020, or by a later day that the Registrar allows."),
            ("value", "A return must be lodged by 31 October 2021, or by a later day that the Registrar allows."),
            ("opposite", "A return must be lodged by 31 October 2020, or by an earlier day that the Registrar allows."),
            ("modality", "A return may be lodged by 31 October 2020, or by a later day that the Registrar allows."),
            ("name", "A return must be lodged by 31 October 2020, or by a later day that the Ombudsman allows."),
            (
                "negation",
                "A return must not be lodged by 31 October 2020, or by a later day that the Registrar allows.",
            ),
        ),
    ),
    Rule(
        "The buyer of a licensed tug acquires its credits. The seller keeps no credit for the year of the sale.",
        (
            "The buyer of a licensed tug acquires its credits, and the seller keeps none for the year of the sale.",
            "A licensed tug's credits pass to the buyer; the seller keeps no credit for the year of the sale.",
            "The seller of a licensed tug keeps no credit for the year of the sale.",
        ),
        (
            (
                "negation",
                "The buyer of a licensed tug acquires its credits, and the seller keeps a credit for the year of"
                " the sale.",
            ),
            ("negation", "The buyer of a licensed tug does not acquire its credits, and the seller keeps no credit."),
            (
                "opposite",
                "The seller of a licensed tug disposes of its credits, and keeps no credit for the year of the sale.",
            ),
            ("widened", "The buyer of a licensed tug acquires all its credits, and the seller keeps no credit."),
            ("modality", "The buyer of a licensed tug can acquire its credits, and the seller keeps no credit."),
            (
                "swapped",
                "The seller of a licensed tug acquires its credits, and the buyer keeps no credit for the year.",
            ),
        ),
    ),
    Rule(
        "(5) A dredge is plant if:\n(a) it is fixed to the sea floor; or\n(b) it is not fixed but has"
        " worked in the same"
        " harbour for 3 years;\nand its owner has so notified the Registrar.",
        (
            "A dredge fixed to the sea floor is plant if its owner has so notified the Registrar.",
            "A dredge is plant if it is fixed to the sea floor, or is not fixed but has worked in the same"
            " harbour for three"
            " years, and its owner has notified the Registrar.",
            "A dredge that is not fixed is plant if it has worked in the same harbour for 3 years and its owner has so"
            " notified the Registrar.",
        ),
        (
            ("value", "A dredge that is not fixed is plant if it has worked in the same harbour for 2 years."),
            (
                "negation",
                "A dredge that is fixed to the sea floor is not plant unless its owner has notified the Registrar.",
            ),
            ("condition", "A dredge is plant."),
            ("opposite", "A dredge that is not fixed is plant if it has worked in different harbours for 3 years."),
            ("name", "A dredge fixed to the sea floor is plant if its owner has so notified the Port Authority."),
        ),
    ),
    Rule(
        "A fine for a first offence is 10 penalty units and, for a later offence, not less than 40 penalty units.",
        (
            "A first offence carries 10 penalty units and a later offence at least 40 penalty units.",
            "The fine is ten penalty units for a first offence and not less than forty for a later one.",
            "For a later offence the fine is at least 40 penalty units.",
        ),
        (
            ("bound", "A later offence carries not more than 40 penalty units."),
            ("bound", "A later offence carries up to 40 penalty units."),
            ("value", "A first offence carries 100 penalty units."),
            ("unit", "A first offence carries 10 dollars."),
            ("unit", "A first offence carries 10 months."),
            ("counted", "A first offence carries 10 lashes."),
            ("opposite", "An earlier offence carries at least 40 penalty units."),
            ("swapped", "A first offence carries at least 40 penalty units."),
        ),
    ),
    Rule(
        "The Board may approve a plan that does not reduce the depth of the channel.",
        (
            "The Board may approve a plan that does not reduce the depth of the channel.",
            "A plan may be approved by the Board if it does not reduce the channel's depth.",
            "The Board may approve a plan so long as it does not reduce the depth of the channel.",
        ),
        (
            ("negation", "The Board may approve a plan that reduces the depth of the channel."),
            ("negation", "The Board may not approve a plan that does not reduce the depth of the channel."),
            ("modality", "The Board must approve a plan that does not reduce the depth of the channel."),
            ("opposite", "The Board may approve a plan that does not increase the depth of the channel."),
            ("widened", "The Board may approve any plan that does not reduce the depth of the channel."),
        ),
    ),
    Rule(
        "Interest accrues at 8% per annum on dues that remain unpaid 30 days after the due date.",
        (
            "Interest accrues at 8% per annum on dues that remain unpaid 30 days after the due date.",
            "Dues unpaid 30 days after the due date bear interest at eight per cent per year.",
            "Interest of 8 per cent a year accrues on dues that remain unpaid thirty days after they are due.",
        ),
        (
            ("unit", "Interest accrues at 8% per month on dues that remain unpaid 30 days after the due date."),
            ("unit", "Interest accrues at 8% daily on dues that remain unpaid 30 days after the due date."),
            ("value", "Interest accrues at 18% per annum on dues that remain unpaid 30 days after the due date."),
            ("opposite", "Interest accrues at 8% per annum on dues that remain unpaid 30 days before the due date."),
            (
                "negation",
                "Interest does not accrue at 8% per annum on dues that remain unpaid 30 days after the due date.",
            ),
            ("value", "Interest accrues at 8% per annum on dues that remain unpaid 60 days after the due date."),
        ),
    ),
)

THIRD = (
    Rule(
        "A hirer of a barge must insure it for at least $2 million unless the Registrar has waived the"
        " requirement in writing.",
        (
            "A hirer of a barge must insure it for at least $2,000,000 unless the Registrar has waived the"
            " requirement in writing.",
            "Unless the Registrar has waived the requirement in writing, the hirer of a barge is required to"
            " insure it for $2m or more.",
        ),
        (
            ("exception", "A hirer of a barge must insure it for at least $2 million."),
            (
                "bound",
                "A hirer of a barge must insure it for at most $2 million unless the Registrar has waived the"
                " requirement.",
            ),
            (
                "magnitude",
                "A hirer of a barge must insure it for at least $2 billion unless the Registrar has waived the"
                " requirement.",
            ),
            (
                "modality",
                "A hirer of a barge may insure it for at least $2 million unless the Registrar has waived the"
                " requirement.",
            ),
            (
                "name",
                "A hirer of a barge must insure it for at least $2 million unless the Treasurer has waived the"
                " requirement.",
            ),
        ),
        cut=(
            (
                "exception",
                "A hirer of a barge must insure it for at least $2 million",
                "A hirer of a barge must insure it for at least $2 million.",
            ),
        ),
    ),
    Rule(
        "(2) A voyage that begins and ends at the same wharf is not a coastal voyage for the purposes of section 14-2.",
        (
            "A voyage that begins and ends at the same wharf is not a coastal voyage for the purposes of section 14-2.",
            "For section 14-2, no voyage that begins and ends at the same wharf is a coastal voyage.",
            "A voyage beginning and ending at the same wharf is not coastal.",
        ),
        (
            (
                "negation",
                "A voyage that begins and ends at the same wharf is a coastal voyage for the purposes of section 14-2.",
            ),
            ("citation", "A voyage that begins and ends at the same wharf is not a coastal voyage for section 14-3."),
            ("opposite", "A voyage that begins and ends at different wharfs is not a coastal voyage."),
            ("negation", "A voyage that does not begin and end at the same wharf is a coastal voyage."),
        ),
    ),
    Rule(
        "The excess is carried forward to the next year, but only once, and is lost if the keeper changes.",
        (
            "The excess is carried forward to the next year, but only once, and is lost if the keeper changes.",
            "An excess may only be carried forward once, to the next year, and is lost if the keeper changes.",
            "If the keeper changes, the excess is lost; otherwise it is carried forward only once.",
        ),
        (
            ("only", "The excess is carried forward to the next year, and is lost if the keeper changes."),
            ("opposite", "The excess is carried forward to the previous year, but only once."),
            (
                "negation",
                "The excess is carried forward to the next year, but only once, and is not lost if the keeper changes.",
            ),
            ("widened", "The entire excess is always carried forward to the next year, but only once."),
            ("condition", "The excess is carried forward to the next year, but only once, and is lost."),
        ),
    ),
    Rule(
        "A grant of not more than $18,200 that is paid to a lifeboat crew member is exempt income.",
        (
            "A grant of not more than $18,200 that is paid to a lifeboat crew member is exempt income.",
            "Exempt income includes a grant of up to $18 200 paid to a member of a lifeboat crew.",
            "A lifeboat crew member's grant is exempt income if it does not exceed $18,200.",
        ),
        (
            ("bound", "A grant of more than $18,200 that is paid to a lifeboat crew member is exempt income."),
            ("value", "A grant of not more than $18,000 that is paid to a lifeboat crew member is exempt income."),
            (
                "negation",
                "A grant of not more than $18,200 that is paid to a lifeboat crew member is not exempt income.",
            ),
            ("opposite", "A grant of not more than $18,200 that is paid to a lifeboat crew member is taxable income."),
            ("widened", "Any grant of not more than $18,200 that is paid to a lifeboat crew member is exempt income."),
        ),
    ),
    Rule(
        "The Registrar may cancel a licence if the holder has been convicted and 21 days have passed"
        " without an appeal.",
        (
            "The Registrar may cancel a licence if the holder has been convicted and 21 days have passed"
            " without an appeal.",
            "If the holder has been convicted and 21 days have passed with no appeal, the Registrar may"
            " cancel the licence.",
            "A licence may be cancelled by the Registrar if its holder has been convicted and has not"
            " appealed in 21 days.",
        ),
        (
            (
                "negation",
                "The Registrar may cancel a licence if the holder has been convicted and 21 days have passed"
                " with an appeal.",
            ),
            (
                "modality",
                "The Registrar must cancel a licence if the holder has been convicted and 21 days have passed"
                " without appeal.",
            ),
            (
                "value",
                "The Registrar may cancel a licence if the holder has been convicted and 28 days have passed"
                " without appeal.",
            ),
            (
                "unit",
                "The Registrar may cancel a licence if the holder has been convicted and 21 weeks have passed"
                " without appeal.",
            ),
            ("condition", "The Registrar may cancel a licence, without an appeal."),
        ),
    ),
    Rule(
        "(7) Your harbour gain is reduced by any part of it that is otherwise assessable, except to the"
        " extent that the part"
        " was reimbursed.",
        (
            "Your harbour gain is reduced by any part of it that is otherwise assessable, except to the"
            " extent that it was"
            " reimbursed.",
            "A harbour gain is reduced by a part of it that is otherwise assessable, but not to the extent that it was"
            " reimbursed.",
        ),
        (
            ("exception", "Your harbour gain is reduced by any part of it that is otherwise assessable."),
            (
                "opposite",
                "Your harbour gain is increased by any part of it that is otherwise assessable, except to the"
                " extent reimbursed.",
            ),
            (
                "opposite",
                "Your harbour loss is reduced by any part of it that is otherwise assessable, except to the"
                " extent reimbursed.",
            ),
            (
                "negation",
                "Your harbour gain is reduced by any part of it that is not otherwise assessable, except to the"
                " extent reimbursed.",
            ),
        ),
        cut=(
            (
                "exception",
                "Your harbour gain is reduced by any part of it that is otherwise assessable",
                "Your harbour gain is reduced by any part of it that is otherwise assessable.",
            ),
        ),
    ),
    Rule(
        "A claim for drawback must be made before the goods are exported and may be made electronically.",
        (
            "A claim for drawback must be made before the goods are exported and may be made electronically.",
            "Drawback must be claimed before the goods are exported, and may be claimed electronically.",
            "A claim for drawback may be made electronically but must be made before export of the goods.",
        ),
        (
            (
                "opposite",
                "A claim for drawback must be made after the goods are exported and may be made electronically.",
            ),
            (
                "modality",
                "A claim for drawback may be made before the goods are exported and must be made electronically.",
            ),
            (
                "opposite",
                "A claim for drawback must be made before the goods are imported and may be made electronically.",
            ),
            (
                "negation",
                "A claim for drawback must not be made before the goods are exported and may be made electronically.",
            ),
            (
                "only",
                "A claim for drawback must be made before the goods are exported and may only be made electronically.",
            ),
        ),
    ),
    Rule(
        "The third and later instalments are each 12.5% of the assessed levy, rounded down to the nearest dollar.",
        (
            "The third and later instalments are each 12.5% of the assessed levy, rounded down to the nearest dollar.",
            "Each of the third and later instalments is 12½ per cent of the assessed levy.",
        ),
        (
            ("value", "The second and later instalments are each 12.5% of the assessed levy."),
            ("value", "The third and later instalments are each 125% of the assessed levy."),
            (
                "value",
                "The third and later instalments are each 12.5% of the assessed levy, rounded down to the"
                " nearest 10 dollars.",
            ),
            ("unit", "The third and later instalments are each $12.50 of the assessed levy."),
            ("opposite", "The third and earlier instalments are each 12.5% of the assessed levy."),
        ),
    ),
)
