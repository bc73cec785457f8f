"""What can go wrong between AsAt and another product, told apart by what is to be done. Pure.

A `message` is shown to people: it says what happened and what to do, and holds no secret and nothing that was sent.
"""

from __future__ import annotations


class VendorFailed(Exception):
    """Something was not done. By itself: it will not be done by trying again either."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ReconnectRequired(VendorFailed):
    """The stored secret does not open, or the vendor takes it no longer: a person must connect anew."""


class LacksScopes(VendorFailed):
    """The vendor knows who we are and does not let us. scopes: what is missing, as the vendor names it; may be ()."""

    def __init__(self, message: str, scopes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.scopes = scopes


class TryLater(VendorFailed):
    """The same may work later. retry_after_s: seconds that were asked for, None for as we think fit.

    is_far_off: not within this piece of work; a person, or tomorrow, begins it again.
    """

    def __init__(self, message: str, retry_after_s: float | None = None, *, is_far_off: bool = False) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.is_far_off = is_far_off
