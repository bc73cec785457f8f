"""Where the Register is, and which addresses count as its own.

Pure. The only place that names its hosts. http is for loopback alone, where the tests' Register listens.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import date
from urllib.parse import SplitResult, urljoin, urlsplit


class ForeignAddress(Exception):
    """An address that is not the Register's, or not over https; the message says which."""


@dataclass(frozen=True, slots=True)
class RegisterHosts:
    """api: OData, for JSON and files. site: pages for people. Both end in a slash. also: hosts it may redirect to."""

    api: str = "https://api.prod.legislation.gov.au/v1/"
    site: str = "https://www.legislation.gov.au/"
    also: tuple[str, ...] = ("legislation.gov.au",)

    def __post_init__(self) -> None:
        for name, address in (("api", self.api), ("site", self.site)):
            parts = _split(address)
            if not address.endswith("/") or parts.query or parts.fragment:
                raise ValueError(f"The Register's {name} address is {address!r}; give one that ends in a slash.")
            if not _is_safe(parts):
                raise ValueError(f"The Register's {name} address is {address!r}; give one that begins with https://.")

    def redirected(self, address: str, location: str) -> str:
        """The address that an answer from `address` leads to. Raises ForeignAddress if it is not the Register's."""
        try:
            target = urljoin(address, location)
        except ValueError as error:
            raise ForeignAddress(f"it leads to {location[:100]!r}, which is no address") from error
        parts = _split(target)
        own = {_split(self.api).netloc, _split(self.site).netloc, *self.also}
        if not _is_safe(parts) or parts.netloc not in own:
            raise ForeignAddress(
                f"it leads to {parts.scheme}://{parts.netloc}, which is not the Register's; "
                f"wanted https to one of {', '.join(sorted(own))}"
            )
        return target

    def page_of(self, title_id: str, start: date, viewed_at: date, rectification: int) -> str:
        """Where a person finds this text as an EPUB on the Register's site (both dates are needed there)."""
        return f"{self.site}{title_id}/{start}/{viewed_at}/text/{rectification or 'original'}/epub"


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError as error:
        raise ForeignAddress(f"{address[:100]!r} is not an address ({error})") from error


def _is_safe(parts: SplitResult) -> bool:
    if parts.username is not None or parts.password is not None or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
