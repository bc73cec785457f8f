"""Which model drafts for a practice: its own settings where it has some, else the installation's.

A stored key is opened here and nowhere else, into a value that never shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings

from asat_site import secrets
from asat_site.tenancy.context import current_practice_id
from research.models import ModelSettings

TABLE, COLUMN = "research_modelsettings", "sealed_key"


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A provider and what it takes to ask it. address: "" for the vendor's own. key: never shown, whoever prints this.

    samples: 2 to draft twice and compare. is_from_practice: whether the address was given by a practice, which may not
    lead into our own network.
    """

    provider: str
    vendor: str = ""
    address: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    seed: int | None = None
    samples: int = 1
    is_from_practice: bool = False


@dataclass(frozen=True, slots=True)
class PracticeChoice:
    """What a practice settled: the model that drafts for it, and whether anything may leave this machine."""

    chosen: ChosenModel
    allows_remote: bool


def installation() -> ChosenModel:
    """The model that the installation's settings name."""
    return ChosenModel(
        provider=settings.ASAT_GENERATION_PROVIDER,
        vendor=settings.ASAT_GENERATION_VENDOR,
        address=settings.ASAT_GENERATION_ADDRESS,
        model=settings.ASAT_GENERATION_MODEL,
        key=settings.ASAT_GENERATION_KEY,
        seed=settings.ASAT_GENERATION_SEED,
        samples=settings.ASAT_GENERATION_SAMPLES,
    )


def to_compare_with() -> ChosenModel | None:
    """The second model of the installation, which drafts everything as well to be compared; None where none is set."""
    if settings.ASAT_SECOND_PROVIDER == "none":
        return None
    return ChosenModel(
        provider=settings.ASAT_SECOND_PROVIDER,
        vendor=settings.ASAT_SECOND_VENDOR,
        address=settings.ASAT_SECOND_ADDRESS,
        model=settings.ASAT_SECOND_MODEL,
        key=settings.ASAT_SECOND_KEY,
        seed=settings.ASAT_GENERATION_SEED,
    )


def of_this_practice() -> PracticeChoice:
    """The choice of the practice that this connection speaks for. Outside a practice, the installation's, local only.

    Raises `asat_site.secrets.CannotOpen` where a stored key does not open.
    """
    practice = current_practice_id()
    row = ModelSettings.objects.first() if practice is not None else None
    if practice is None or row is None:
        return PracticeChoice(installation(), allows_remote=False)
    if not row.provider:
        return PracticeChoice(installation(), row.allows_remote)
    chosen = ChosenModel(
        provider=row.provider,
        vendor=row.vendor,
        address=row.url,
        model=row.model,
        key=opened_key(row, practice),
        seed=settings.ASAT_GENERATION_SEED,
        samples=row.samples,
        is_from_practice=True,
    )
    return PracticeChoice(chosen, row.allows_remote)


def sealed_key(key: str, practice: UUID) -> str:
    """A practice's key as it is stored; "" for none."""
    return secrets.seal(key, practice=practice, table=TABLE, column=COLUMN, row=practice) if key else ""


def opened_key(row: ModelSettings, practice: UUID) -> str:
    """The key that is stored in `row`; "" for none."""
    return (
        secrets.open_sealed(row.sealed_key, practice=practice, table=TABLE, column=COLUMN, row=practice)
        if row.sealed_key
        else ""
    )
