"""What a made-up document says: invented parties, items and amounts, each from a seed, and the truth of every field.

No name is of anyone: words that mean nothing are put together. An ABN has right check digits and was given to nobody
that this file knows of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from random import Random

from stdnum.au import abn

from clients.extraction.terms import Kind, Name

CENT = Decimal("0.01")
TODAY = date(2026, 6, 15)  # the day on which made-up documents are read; none is dated after it
_FIRST = (
    "Brindlemoor",
    "Ockley",
    "Tarrawun",
    "Velmont",
    "Quillan",
    "Marrabee",
    "Dunsworth",
    "Yarrowdell",
    "Peverill",
    "Castlewyn",
    "Northvale",
    "Illabrook",
    "Greyfern",
    "Wattlecombe",
    "Harrowgate",
    "Zephyrine",
    "Kooralyn",
    "Bluegum Rise",
    "Saltmarsh",
    "Emberlea",
)
_TRADE = (
    "Plumbing",
    "Office Supplies",
    "Electrical",
    "Catering",
    "Timber & Hardware",
    "Cleaning Services",
    "Couriers",
    "Landscapes",
    "Legal",
    "Print Studio",
    "Motors",
    "IT Solutions",
    "Fresh Produce",
    "Consulting",
    "Fencing",
    "Air Conditioning",
    "Stationers",
    "Pool Care",
)
_SUFFIX = ("Pty Ltd", "Pty Ltd", "Pty. Ltd.", "", "& Sons", "Group", "Partners", "Trust")
_STREET = ("Banksia Street", "Miller Road", "Quarry Lane", "Harbour Parade", "Wren Court", "High Street", "Depot Way")
_TOWN = ("Ferndale NSW 2999", "Port Alder VIC 3998", "Mount Corby QLD 4997", "Salt Creek SA 5996", "Ebbing WA 6995")
_ITEMS = (
    "Site inspection and report",
    "Copy paper A4 80gsm",
    "Replace isolation valve",
    "Monthly service fee",
    "Call-out fee",
    "Hardwood decking 90x19",
    "Labour - licensed trade",
    "Toner cartridge black",
    "Freight to site",
    "Drafting of agreement",
    "Cable Cat6 305m",
    "Garden maintenance",
    "Safety glasses clear",
    "Software support plan",
    "Window cleaning level 2",
    "Brake pads front set",
    "Catering platter large",
    "Business cards 500",
    "Hire of scaffold",
    "Filter cartridge 20 inch",
    "Training half day",
)
_FOOD = ("Full cream milk 2L", "Sourdough loaf", "Bananas kg", "Free range eggs", "Plain flour 1kg")  # GST-free
_DATES = (
    "%d/%m/%Y",
    "%d/%m/%Y",
    "%d %B %Y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%d/%m/%y",
    "%B %d, %Y",
    "%A, %d %B %Y",
)


@dataclass(frozen=True, slots=True)
class Party:
    """A made-up business. abn: 11 digits."""

    name: str
    abn: str
    street: str
    town: str
    phone: str

    @property
    def email(self) -> str:
        return f"accounts@{self.name.split()[0].lower()}.example"


@dataclass(frozen=True, slots=True)
class Item:
    """One supply. price: of one, and amount: of all, both as printed."""

    description: str
    quantity: Decimal
    price: Decimal
    amount: Decimal
    is_taxable: bool = True


@dataclass(slots=True)
class Truth:
    """What a reader should find; "" is not printed. date_is_open: the date as printed has two readings."""

    kind: Kind
    fields: dict[Name, str] = field(default_factory=dict)
    lines: list[tuple[str, str]] = field(default_factory=list)  # description, amount
    rows: list[tuple[str, str, str]] = field(default_factory=list)  # ISO date, amount, balance
    date_is_open: bool = False


@dataclass(slots=True)
class Facts:
    """All that a layout may print of one supply document."""

    rng: Random
    supplier: Party
    customer: Party
    number: str
    dated: date
    due: date
    date_form: str
    terms: str
    items: list[Item]
    includes_gst: bool
    has_gst: bool
    truth: Truth
    currency: str = "AUD"
    is_credit: bool = False

    @property
    def subtotal(self) -> Decimal:
        """The sum of the amounts as printed."""
        return sum((item.amount for item in self.items), Decimal(0))

    @property
    def gst(self) -> Decimal:
        taxable = sum((item.amount for item in self.items if item.is_taxable), Decimal(0))
        if not self.has_gst:
            return Decimal("0.00")
        return (taxable / (11 if self.includes_gst else 10)).quantize(CENT, ROUND_HALF_UP)

    @property
    def total(self) -> Decimal:
        return self.subtotal if self.includes_gst or not self.has_gst else self.subtotal + self.gst

    def day(self, day: date) -> str:
        """A day as this document writes days."""
        return day.strftime(self.date_form)


def party(rng: Random) -> Party:
    """Another made-up business."""
    name = " ".join(filter(None, (rng.choice(_FIRST), rng.choice(_TRADE), rng.choice(_SUFFIX))))
    digits = f"{rng.randrange(100_000_000, 999_999_999)}"
    street = f"{rng.randrange(1, 240)} {rng.choice(_STREET)}"
    phone = f"0{rng.choice('2378')} 5550 {rng.randrange(1000, 9999)}"
    return Party(name, abn.calc_check_digits(digits) + digits, street, rng.choice(_TOWN), phone)


def facts(rng: Random, kind: Kind, *, lines: int, gst: str = "all", includes_gst: bool = False) -> Facts:
    """The facts of one document. gst: all, mixed or none (of its supplies bear it)."""
    supplier, customer = party(rng), party(rng)
    while customer.name.split()[0] == supplier.name.split()[0]:
        customer = party(rng)
    dated = TODAY - timedelta(days=rng.randrange(5, 900))
    days = rng.choice((7, 14, 14, 21, 30, 30))
    terms = rng.choice((f"{days} days", f"Net {days} days", f"Payment due within {days} days", f"Strictly {days} days"))
    items = [_item(rng, is_taxable=gst == "all" or (gst == "mixed" and at % 2 == 0)) for at in range(lines)]
    prefix = rng.choice(("INV-", "", "A", "SI", "2026/", "TI-"))
    number = f"{prefix}{rng.randrange(10_000, 99_999):05d}"
    form = rng.choice(_DATES)
    found = Facts(
        rng,
        supplier,
        customer,
        number,
        dated,
        dated + timedelta(days=days),
        form,
        terms,
        items,
        includes_gst,
        gst != "none",
        Truth(kind),
    )
    found.truth.date_is_open = is_open(dated, form)
    return found


def is_open(day: date, form: str) -> bool:
    """Whether a day so written may also be read month first."""
    return form in ("%d/%m/%Y", "%d.%m.%Y", "%d/%m/%y") and day.day <= 12 and day.day != day.month


def money(amount: Decimal, sign: str = "$") -> str:
    """An amount as printed: $1,234.50, and -$1,234.50 below nil."""
    return f"{'-' if amount < 0 else ''}{sign}{abs(amount):,.2f}"


def _item(rng: Random, is_taxable: bool) -> Item:
    quantity = Decimal(rng.choice((1, 1, 1, 2, 3, 4, 5, 8, 10, 12)))
    price = (Decimal(rng.randrange(450, 68_000)) / 100).quantize(CENT)
    description = rng.choice(_ITEMS if is_taxable else _FOOD)
    return Item(description, quantity, price, quantity * price, is_taxable)
