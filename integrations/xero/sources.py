"""Whether what a bill was made of still stands. Whoever keeps that says so, by a dotted path."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string

from integrations.models import XeroPush


def why_withdrawn(push: XeroPush) -> str:
    """Why the bill is not to be sent any more, in a sentence; "" where it stands, or where nobody keeps its kind.

    Within a transaction what it was made of is held until the end, so that nobody takes it back meanwhile.
    """
    path = settings.ASAT_BILL_SOURCES.get(push.source_kind)
    return str(import_string(path)(push.source_id)) if path else ""
