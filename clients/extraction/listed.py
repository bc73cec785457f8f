"""What lists show of a document as it stands."""

from __future__ import annotations

from datetime import date

from clients.extraction.revised_terms import Revised
from clients.extraction.terms import Kind, Name
from clients.extraction.typed import LONGEST, cents_of


def listed(found: Revised) -> dict[str, object]:
    """The columns of `models.Document` that lists are made of. failing: how many things block approval."""
    dated = found.value(Name.DATE)
    return {
        "kind": "" if found.kind is Kind.UNKNOWN else str(found.kind),
        "supplier": found.value(Name.SUPPLIER)[: LONGEST["supplier"]],
        "dated": date.fromisoformat(dated) if dated else None,
        "total_cents": cents_of(found.value(Name.TOTAL)),
        "failing": len(found.problems),
    }
