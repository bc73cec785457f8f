"""What a client is in law, and its other closed facts, read from what a file or a person wrote. None: not understood.

An empty text is "nothing said" and stays blank; what is not in a list is refused and never guessed.
"""

from __future__ import annotations

from clients.rules.matching import fold

_ENTITIES = {
    "individual": "individual",
    "person": "individual",
    "sole trader": "sole_trader",
    "soletrader": "sole_trader",
    "individual sole trader": "sole_trader",
    "company": "company",
    "pty ltd": "company",
    "australian private company": "company",
    "australian public company": "company",
    "proprietary company": "company",
    "trust": "trust",
    "family trust": "trust",
    "discretionary trust": "trust",
    "discretionary trading trust": "trust",
    "unit trust": "trust",
    "fixed unit trust": "trust",
    "partnership": "partnership",
    "family partnership": "partnership",
    "other partnership": "partnership",
    "super fund": "super_fund",
    "superannuation fund": "super_fund",
    "apra regulated superannuation fund": "super_fund",
    "smsf": "smsf",
    "self managed super fund": "smsf",
    "self managed superannuation fund": "smsf",
    "ato regulated self managed superannuation fund": "smsf",
    "other": "other",
}
_CYCLES = {
    "monthly": "monthly",
    "month": "monthly",
    "quarterly": "quarterly",
    "quarter": "quarterly",
    "annual": "annual",
    "annually": "annual",
    "yearly": "annual",
}
_YES = frozenset({"yes", "y", "true", "1", "registered"})
_NO = frozenset({"no", "n", "false", "0", "not registered"})
_UNKNOWN = frozenset({"", "unknown", "not known", "not recorded", "n a"})
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_LAST_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def read_entity(text: str) -> str | None:
    """The entity type as the register keeps it; "" for nothing said, None where it is not understood."""
    folded = fold(text)
    return "" if folded in _UNKNOWN else _ENTITIES.get(folded)


def read_cycle(text: str) -> str | None:
    """The BAS cycle as the register keeps it; "" for nothing said, None where it is not understood."""
    folded = fold(text)
    return "" if folded in _UNKNOWN else _CYCLES.get(folded)


def read_yes_or_no(text: str) -> bool | str | None:
    """True or False; "" for nothing said, None where it is not understood."""
    folded = fold(text)
    if folded in _UNKNOWN:
        return ""
    return True if folded in _YES else False if folded in _NO else None


def read_month(text: str) -> int | str | None:
    """The month, 1 to 12, of "9", "September", "Sep", "30 September" or "30/9"; "" for nothing said, None otherwise.

    A day may stand before it where it is the last of the month, 29 February among them.
    """
    words = fold(text).split()
    if " ".join(words) in _UNKNOWN:
        return ""
    if len(words) > 2:
        return None
    month = _month(words[-1])
    if month is None or len(words) == 1:
        return month
    last = _LAST_DAYS[month - 1]
    return month if words[0] in {str(last), "29" if month == 2 else str(last)} else None


def year_ends(month: int | None) -> str:
    """When the income year ends, in words: "30 September"; what None is taken as, said so."""
    if month is None:
        return "not recorded, taken as 30 June"
    return f"{_LAST_DAYS[month - 1]} {MONTHS[month - 1]}"


def _month(word: str) -> int | None:
    if word.isdecimal():
        return int(word) if 1 <= int(word) <= 12 else None
    found = [number for number, name in enumerate(MONTHS, 1) if len(word) >= 3 and name.casefold().startswith(word)]
    return found[0] if found else None
