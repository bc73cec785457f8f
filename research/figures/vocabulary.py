"""The words that figures are asked for in: phrases of one meaning read as one word, and words that name nothing.

One long table each, because that is the subject. A phrase is listed before any shorter one inside it.
"""

from __future__ import annotations

import re

# What is written on the left is read as the word on the right. In this order: what one has read, the next do not see.
_PHRASES: tuple[tuple[str, str], ...] = (
    (r"superannuation", "super"),
    (r"goods (?:and|&) services tax", "gst"),
    (r"gst tax", "gst"),
    (r"(?:can|could|would|will) you (?:please )?(?:tell|give|show|confirm)", "tell"),
    (r"how much (?:can|could|may) (?:i|you|we|someone|a person|an individual|a member)", "how much"),
    (r"at what (?:level of )?(?:taxable )?income(?: level)?", "income limit"),
    (r"(?:income )?tax returns?", ""),
    (r"(?:put|pay|contribute) (?:in)?to super before tax", "concessional contribution limit"),
    (r"(?:put|pay|contribute) (?:in)?to super after tax", "nonconcessional contribution limit"),
    (r"ncc(?= (?:cap|limit))", "nonconcessional contribution"),
    (r"cc(?= (?:cap|limit))", "concessional contribution"),
    (r"regist(?:er|ers|ered|ering)", "registration"),
    (r"fringe benefits? tax", "fbt"),
    (r"fbt tax", "fbt"),
    (r"luxury car tax|lct", "luxurycartax"),
    (r"wine equali[sz]ation tax|w\.?e\.?t\.?(?= rate| rebate| producer)|wine tax", "winetax"),
    (r"capital gains? tax", "cgt"),
    (
        r"capital gains? discount|discount (?:percentage )?(?:for|on) (?:a )?capital gains?|discount capital gains?",
        "cgt discount",
    ),
    (r"cgt (?:event )?discount(?:ed)?", "cgt discount"),
    (r"(?:maximum|max|top) (?:super )?contributions? bases?|mcb", "maxcontributionbase"),
    (r"medicare (?:levy )?surcharge|mls", "medicaresurcharge"),
    (r"medicare (?:levy|levies)", "medicarelevy"),
    (r"super guarantee (?:charge|contributions?)? ?percentages?|charge percentage", "superguarantee rate"),
    (r"super guarantee(?: charge)?|sgc?(?= |$)|guarantee super", "superguarantee"),
    (r"compulsory (?:employer )?super|mandatory (?:employer )?super|minimum employer super", "compulsorysuper"),
    (
        r"non[- ]?concessional|after[- ]tax (?:super )?contributions?|undeducted contributions?",
        "nonconcessional contribution",
    ),
    (r"concessional|(?:before|pre)[- ]tax (?:super )?contributions?", "concessional contribution"),
    (r"(?:div|division)\.? ?293", "division293"),
    (r"(?:div|division)\.? ?7 ?a", "division7a"),
    (r"(?:div|division)\.? ?35", "division35"),
    (r"(?:general )?tbc", "transferbalance limit"),
    (r"general transfer balance|transfer balance(?: account)?", "transferbalance"),
    (r"total super(?:annuation)? balances?|tsb", "totalsuperbalance"),
    (r"bring(?:ing)?[- ]forward", "bringforward"),
    (r"(?:carry|carried|carrying)[- ]forward|catch[- ]?up", "carryforward"),
    (r"co[- ]?contributions?", "cocontribution"),
    (r"(?:maximum|max) (?:\w+ ){0,2}cocontribution|cocontribution (?:maximum|max)", "cocontribution mostpaid"),
    (r"down ?sizers?", "downsizer"),
    (r"(?:early )?employment termination payments?|etps?", "etp"),
    (r"whole[- ]of[- ]income", "wholeofincome"),
    (r"low[- ]rate(?= (?:cap|limit|threshold|lump|amount|super))", "lowrate"),
    (r"untaxed plan", "untaxedplan"),
    (r"genuine redundanc(?:y|ies)|bona fide redundanc(?:y|ies)", "redundancy genuine"),
    (r"redundanc(?:y|ies)", "redundancy"),
    (r"instant(?:ly)? (?:asset )?write[- ]?offs?|iawo|asset instant write[- ]?offs?", "instantwriteoff"),
    (r"immediate (?:asset )?write[- ]?offs?", "immediatewriteoff"),
    (r"(?:temporary )?full expensing|tfe", "fullexpensing"),
    (r"building write[- ]?offs?", "buildingwriteoff"),
    (r"write[- ]?offs?", "writeoff"),
    (
        r"(?:cost|car) limit(?: for)? (?:for )?cars?|car (?:cost|price|depreciation) (?:limit|cap|threshold)s?"
        r"|car (?:limit|cap)s?",
        "car limit",
    ),
    (r"small business cgt concessions?", "cgt smallbusiness concession"),
    (r"small business entit(?:y|ies)|sbes?(?= |$)", "smallbusiness entity"),
    (r"(?:unincorporated )?small business(?:es)?", "smallbusiness"),
    (r"base[- ]rate entit(?:y|ies)|bres?(?= |$)", "baserateentity"),
    (r"base[- ]rate compan(?:y|ies)", "baserateentity company"),
    (r"passive income", "passiveincome"),
    (r"(?:company|corporate|corporation|companies) (?:income )?tax(?: rates?)", "company rate"),
    (r"(?:company|corporate|corporation|companies) (?:income )?tax", "company"),
    (r"(?:companies|corporates?|corporations?|pty ltd)", "company"),
    (r"tax[- ]free threshold", "taxfree limit"),
    (r"tax[- ]free", "taxfree"),
    (r"(?:low|lower)[- ]and[- ]middle[- ]income(?: tax)? (?:offset|rebate)s?|lmito", "lmito"),
    (r"low middle income tax offset", "lmito"),
    (r"low[- ]income(?: tax)? (?:offset|rebate)s?|lito", "lito"),
    (r"(?:maximum|max|full)(?: amount of)?(?: the)? lito|lito (?:maximum|max)", "lito mostpaid"),
    (r"low[- ]income", "lowincome"),
    (r"(?:temporary )?(?:budget repair|deficit|debt)(?: tax)? levy", "repairlevy"),
    (
        r"cents[- ]per[- ](?:kilomet(?:re|er)s?|kms?)|c/km|cents a (?:kilomet(?:re|er)|km)"
        r"|per[- ](?:kilomet(?:re|er)|km)",
        "centsperkm",
    ),
    (r"kilomet(?:re|er)s?|kms", "km"),
    (r"gross(?:ing|ed)?[- ]?up (?:factors?|rates?|multipliers?)", "grossup"),
    (r"gross(?:ing|ed)?[- ]?up", "grossup"),
    (r"type (?:1|one|i)(?= |$)", "type1"),
    (r"type (?:2|two|ii)(?= |$)", "type2"),
    (r"tier (?:1|one)(?= |$)", "tier1"),
    (r"tier (?:2|two)(?= |$)", "tier2"),
    (r"tier (?:3|three)(?= |$)", "tier3"),
    (r"car[- ]?park(?:ing)?(?: fringe benefits?)?", "carparking"),
    (r"record[- ]keeping", "recordkeeping"),
    (r"loan (?:fringe )?benefits?", "loan benefit"),
    (r"reportable fringe benefits?(?: amounts?)?|rfbas?", "reportablebenefit"),
    (r"minor (?:fringe )?benefits?", "minorbenefit"),
    (r"in[- ]house (?:fringe )?benefits?", "inhousebenefit"),
    (r"meal entertainment", "mealentertainment"),
    (r"salary (?:packag(?:ed|ing)|sacrific(?:e|ed|ing))", "salarypackaged"),
    (r"car fringe benefits?", "carbenefit"),
    (r"statutory (?:car )?(?:fractions?|formula (?:rates?|percentages?))", "statutoryfraction"),
    (r"statutory (?:percentages?|rates?)", "statutoryfraction"),
    (r"public benevolent institutions?|pbis?", "pbi"),
    (r"public (?:and non[- ]?profit )?hospitals?|hospitals?", "hospital"),
    (
        r"non[- ]?profits?(?: (?:bod(?:y|ies)|organi[sz]ations?|entit(?:y|ies)|clubs?|associations?))?"
        r"|not[- ]for[- ]profits?(?: (?:bod(?:y|ies)|organi[sz]ations?|entit(?:y|ies)))?|nfps?",
        "nonprofit",
    ),
    (r"foreign residents?|non[- ]?residents?", "nonresident"),
    (r"foreign resident cgt|frcgw|nonresident (?:cgt|capital gains?) withholding", "frcgw"),
    (r"nonresident (?:property )?withholding(?= (?:rate|property|threshold|limit))", "frcgw"),
    (r"maximum net asset values?(?: test)?|net asset value test|mnav(?: test)?", "mnav"),
    (r"(?:cgt )?retirement exemption", "retirementexemption"),
    (r"active asset (?:reduction|discount)|active asset", "activeasset"),
    (r"personal[- ]use assets?", "personaluse"),
    (r"non[- ]?commercial (?:business )?loss(?:es)?", "noncommercial"),
    (r"low[- ]value pool(?:ing|s)?", "lowvaluepool"),
    (
        r"(?:general )?small business (?:depreciation )?pools?|smallbusiness (?:depreciation )?pools?",
        "smallbusinesspool",
    ),
    (r"simplified depreciation pools?", "smallbusinesspool"),
    (r"capital works(?: deductions?)?", "capitalworks"),
    (r"low[- ]value (?:imported )?goods", "lowvaluegoods"),
    (r"low[- ]value imports?", "lowvaluegoods"),
    (r"low[- ]cost", "lowcost"),
    (r"cash (?:basis|accounting)(?: basis)?", "cashaccounting"),
    (r"tax invoices?", "taxinvoice"),
    (r"financial acquisitions?", "financialacquisition"),
    (r"fuel[- ]efficient", "fuelefficient"),
    (r"(?:r ?& ?d|r and d|research (?:and|&) development)(?: tax)?", "rnd"),
    (r"non[- ]?refundable", "nonrefundable"),
    (r"thin cap(?:italisation|italization)?", "thincap"),
    (r"de minimis", "deminimis"),
    (r"fixed ratio(?: test)?", "fixedratio"),
    (r"employee share schemes?|ess(?= |$)", "employeeshare"),
    (r"personal services (?:income|business)|psi|psb", "personalservices"),
    (
        r"hecs(?:[- /]*help)?|help[- ]debts?|help(?= (?:minimum|repayment|loan|threshold))"
        r"|study (?:and training )?loans?|student loans?",
        "help",
    ),
    (r"penalty units?", "penaltyunit"),
    (r"(?:smsfs?|self[- ]managed super funds?)", "superfund"),
    (r"(?:complying )?super (?:entit(?:y|ies)|funds?)", "superfund"),
    (r"non[- ]complying", "noncomplying"),
    (
        r"(?:top|highest) (?:personal |individual )?(?:marginal )?(?:income )?(?:tax )?(?:rates?|brackets?)"
        r"(?: of tax)?",
        "toprate",
    ),
    (r"(?:kids?|minors?|child(?:ren)?)", "child"),
    (r"(?:under|below) (?:18|eighteen)", "child"),
    (r"(?:single|unmarried)", "single"),
    (r"(?:famil(?:y|ies)|couples?|married|partners?)", "family"),
    (r"self[- ]employed|sole traders?", "soletrader"),
    (r"cut[- ]?offs?|ceilings?|caps?|thresholds?|limits?|maximums?|max(?:imum)?|upper bounds?|capped", "limit"),
    (r"rates?|percentages?|per ?cents?|proportion|%", "rate"),
    (r"minimum|min(?= |$)|lowest|least", "minimum"),
    (r"no more than|at most|up to", "limit"),
)
PHRASES = tuple((re.compile(rf"(?<![\w$.])(?:{pattern})(?![\w])"), word) for pattern, word in _PHRASES)

# Words that say of a figure only that it is one: a short name stands without them.
KIND = frozenset({"rate", "limit", "amount", "value", "figure"})

# Words that name nothing: a question may hold them beside a figure's name.
_NEUTRAL = """
    a an the of in for on at to by as under from with per
    what whats what's which is was were are be been being it its it's this that these those there here then now
    did does do has have had will would
    i we my our me us you your one
    how much many high big large long
    please tell give show find look up state say know need want check confirm remind quick question hi hello
    hey thanks thank
    current currently today present latest new applicable apply applies applied applying relevant effective force
    exact exactly actual actually precise precisely right correct official set legislated prescribed
    australia australian australia's federal commonwealth ato law legislation legal act
    year years fy period ended ending end june july march april
    amount value figure number level dollar dollars
    so and ok well then just also
"""
NEUTRAL = frozenset(_NEUTRAL.split())

# What a question opens or asks with that settles whether it wants a figure.
AMOUNT_ASKED = re.compile(
    r"\bhow (?:much|many|high|big|large|old|long)\b|\bwhat (?:rate|percentage|per ?cent|amount|%)|\bat what\b"
)
DENIES = re.compile(
    r"^(?:(?:hi|hello|ok|so|and)[,:.!\s-]+)*(?:does|do(?! you know)|can(?! you (?:tell|give|show|confirm))"
    r"|could(?! you (?:tell|give|show|confirm))|should|may|must|might|shall|will|would|has|have|had|did|am"
    r"|how (?:do|does|did|is|are|was|were|can|could|should|to|has|have|would|will)"
    r"|why|when|who|whose|where|whether|if|explain)\b"
)
YES_OR_NO = re.compile(r"^(?:(?:so|and|ok)[,:.!\s-]+)*(?:is|was|are|were|isn't|wasn't)\b")
