"""Words that name nobody by themselves: of tax and business, of everyday English, and the commonest surnames.

A client may be called "Trust", "Capital Gains Pty Ltd" or "Smith". Masking such a word wherever it stands would take
the question's subject out of it and the law's own terms out of the law.
"""

from __future__ import annotations

from research.privacy.folding import fold_token

_TAX = """
accountant accounting act acts adviser advisers agent agents agreement agriculture allowance amendment annual apportion
asset assets assessable assessment associate associates association attribution auditor australia australian balance
bank basis beneficiary beneficiaries benefit benefits board body bonus business businesses call capital car case cash
cents charity charge child children claim class client code commercial commissioner commonwealth community company
concession concessions consolidated consolidation construction consulting contract contractor contribution
contributions control cooperative corporate corporation cost costs council court credit credits creditor date day debt
decline deduction deductions deductible deed depreciation director directors discount dividend dividends division
domestic double duty earn earner employee employees employer employment entity entities equity estate event events
excess exempt exemption expense expenses export family farm farming fee fees finance financial foreign franchise
franked franking fringe fuel fund funds gain gains general gift government grant gross group gst health holding
holdings house household housing import income indirect individual industries industry input instalment insurance
interest international investment investments investor issue item joint land lease legal levy liability licence life
limit limited list living loan loans loss losses luxury main management manager market medical member members
membership minister minor mining mortgage motor national natural net network non object offset offsets ordinary
overseas owner owners ownership part partner partners partnership pay payment payments payroll pension period person
personal plan plant point policy pool practice premises premium present price primary principal private producer
production professional profit profits project property properties provision public purchase purpose qualifying rate
rates real rebate receipt record records recovery refund regional register registered related relief rent rental
report research reserve residence resident residents residential residual resource resources retail retirement return
returns revenue right rights rollover royalty ruling rulings salary sale sales savings schedule scheme school section
securities security self service services settlement settlor share shareholder shareholders shares small sole source
special staff standard state statement statutory stock subsidiary super supplier supplies supply surplus system table
tax taxable taxation taxpayer taxpayers temporary term termination time title total trade trader trading training
transaction transfer transition transport travel treasury trust trustee trustees trusts turnover unit units value
vehicle wage wages withholding work worker workers working year years
"""
_EVERYDAY = """
a about above after again all also an any are as at back bakery be been before below best better between big black
blue brand bright build builder builders building buildings bridge brown but by cafe can care central centre church
city clean clear clinic club coast coffee college consultants creative design development developments did digital
direct do does door down east eastern electrical energy engineering enterprise enterprises equipment every express
field fields first fish fitness five fleet food for forest four freight from full garden gardens garage global go gold
golden good great green ground growth had has have he head her here high hill hills his home homes horizon hotel how
i if in information innovation interior is island it its just kitchen lake land landscape large last law less light
line link little local logistics long man manufacturing marine market master may media metal modern more most mountain
music my national new no north northern not now ocean of off office old on one online only open or orchard other our
out outdoor over park people phone place plumbing power press print product products quality quick red repair repairs
restaurant rich river road rock room rose rural safe sea second she shop shopping silver simply sky smart snow so
software solution solutions some south southern spring star station steel stone storage store street studio sun supplies
support sydney team tech technologies technology than that the their them then there they this three to today top town
tree two under union up urban us valley venture ventures view village was water way we web well were west western what
when where which white who why will wine winery with without wood woods world would yard yes you young your
melbourne brisbane perth adelaide hobart darwin canberra queensland victoria tasmania wales
"""
_SURNAMES = """
adams allen anderson bailey baker bell bennett brown butler campbell carter chen clark clarke collins cook cooper cox
davies davis edwards evans fisher fox graham grant gray hall harris harrison hill hughes hunt jackson james johnson
johnston jones kelly king knight lee lewis marshall martin mason miller mitchell moore morgan morris murphy murray
nguyen palmer parker phillips price reid richards richardson roberts robertson robinson rogers ross ryan scott shaw
simpson smith stewart taylor thomas thompson thomson turner walker wang ward watson webb white williams wilson wong wood
wright young zhang
"""
_BODIES = """
account agency associates association atf aust australasia australia bank bar bros brothers builders building cafe
capital care centre church clinic club co college company construction constructions consulting contractors
corporation council daughters design developments electrical engineering enterprises estate family farm farms
finance foundation freight fund funds gmbh group health holdings homes hotel inc industries institute international
investments law lawyers llc llp logistics ltd management manufacturing marketing media medical motors nl nsw nz
partners partnership plumbing practice products properties property pty qld repairs restaurant retail school
services shop society solutions sons store studio studios super supplies systems tas tech technologies trading
transport trust trustee trustees trusts ventures vic vineyard wines
"""
_PARTICLES = "al bin da de del den der di dos du el la le mac mc st van von"


def _folded(words: str) -> frozenset[str]:
    """The words as texts are compared."""
    return frozenset(map(fold_token, words.split()))


_WORDS = _folded(f"{_TAX} {_EVERYDAY}")
ORDINARY = _WORDS | _folded(_SURNAMES)

# Words by which a name is known for that of no person.
OF_BODIES = _folded(_BODIES)
ENDINGS = frozenset({"pty", "ltd", "pl", "inc", "llp", "llc", "nl", "co"})
TITLES = ("mr", "mrs", "ms", "miss", "dr", "prof")
PARTICLES = _folded(_PARTICLES)


def is_ordinary(words: list[str]) -> bool:
    """Whether these folded words name nobody: a common surname does so alone, and not with "Family Trust" behind it."""
    known = ORDINARY if len(words) == 1 else _WORDS
    return all(word in known or word.isdigit() for word in words)
