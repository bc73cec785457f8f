"""Boot refuses an address of another product that a practice's access may not be sent to, and says the fix."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from integrations.exchange import checked_base

ADDRESSES = ("ASAT_HUBSPOT_URL",)


@register()
def addresses_are_safe(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """integrations.E001 for each address that is set and is neither https nor this machine."""
    found: list[CheckMessage] = []
    for name in ADDRESSES:
        url = getattr(settings, name)
        try:
            if url:
                checked_base(url)
        except ValueError as error:
            hint = f"Take {name} out to use the vendor’s own."
            found.append(Error(f"{name}: {error}", hint=hint, id="integrations.E001"))
    return found
