"""Where the bytes of an original come from. Whoever keeps documents says how they are read, by a dotted path."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string

from integrations.terms import VendorFailed


def read(source: str) -> bytes:
    """The bytes of "kind:id", read as ASAT_ORIGINALS says for that kind.

    A reader takes the id and gives bytes, or raises LookupError, with a `message` where it knows more than that there
    are none. Raises VendorFailed where no bytes can be had.
    """
    kind, _, which = source.partition(":")
    path = settings.ASAT_ORIGINALS.get(kind)
    if path is None or not which:
        raise VendorFailed("The original of this bill cannot be found here. Attach it in Xero yourself.")
    try:
        content: bytes = import_string(path)(which)
    except LookupError as error:
        why = getattr(error, "message", "The original of this bill is not here any more.")
        raise VendorFailed(f"{why} Attach it in Xero yourself.") from None
    return content
