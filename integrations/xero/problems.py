"""What Xero may answer, told apart by what is to be done about it. Pure.

Each is a `VendorFailed`; its message is for people. A plain `TryLater` to something that was sent means that nobody
knows whether Xero took it. Every other class means that Xero did not.
"""

from __future__ import annotations

from integrations.terms import TryLater, VendorFailed


class AccessStale(VendorFailed):
    """The access token is old or unknown: refresh it once and ask once more."""


class TenantGone(VendorFailed):
    """We are not let into this organisation. Its list of connections says whether it was disconnected in Xero."""


class NotThere(VendorFailed):
    """No bill or contact has the id any more."""


class Refused(VendorFailed):
    """Xero does not take what was sent as it is. messages: what it said of it, one each, in its own words."""

    def __init__(self, message: str, messages: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.messages = messages or (message,)


class QueryNotUnderstood(Refused):
    """The filter of a search could not be read: search another way."""


class KeyReused(Refused):
    """An idempotency key was seen with another request. A fault of ours, and a reason to look before sending."""


class AppRefused(VendorFailed):
    """The practice's own app is not known, or its secret is wrong: nobody's consent is lost by that."""


class GrantRefused(VendorFailed):
    """The code or refresh token is used, too old or withdrawn."""


class TooMany(TryLater):
    """Asked too often. is_day: the organisation's calls of the day are used up."""

    def __init__(self, message: str, retry_after_s: float | None = None, *, is_day: bool = False) -> None:
        super().__init__(message, retry_after_s, is_far_off=is_day)
        self.is_day = is_day
