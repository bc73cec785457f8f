"""Boot refuses a virus scanner or a drop folder that cannot be meant, and says the fix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from clients.documents.scanning import scanner_of


@register()
def documents_can_come_in(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """clients.E001 for a scanner's address that is none; clients.E002 for a drop folder that is no absolute path."""
    found: list[CheckMessage] = []
    try:
        scanner_of(settings.ASAT_VIRUS_SCANNER)
    except ValueError as error:
        hint = "A scanner that is misspelt would let every file through unseen."
        found.append(Error(str(error), hint=hint, id="clients.E001"))
    drop = settings.ASAT_DROP_DIRECTORY
    if drop and not Path(drop).is_absolute():
        hint = "Give its whole path, for each process has a working folder of its own."
        found.append(
            Error(f"ASAT_DROP_DIRECTORY is {drop!r}, which is no absolute path.", hint=hint, id="clients.E002")
        )
    return found
