"""Which addresses are the Register's own."""

from __future__ import annotations

from datetime import date

import pytest

from research.corpus.ingest.fetch.hosts import ForeignAddress, RegisterHosts

HOSTS = RegisterHosts()
FROM = "https://api.prod.legislation.gov.au/v1/documents/find(titleid='C2004A05138')"


@pytest.mark.parametrize(
    ("location", "address"),
    [
        ("/v1/Titles", "https://api.prod.legislation.gov.au/v1/Titles"),
        ("https://www.legislation.gov.au/file", "https://www.legislation.gov.au/file"),
        ("//legislation.gov.au/file", "https://legislation.gov.au/file"),
    ],
)
def test_an_answer_may_lead_to_the_registers_own_hosts(location: str, address: str) -> None:
    assert HOSTS.redirected(FROM, location) == address


@pytest.mark.parametrize(
    "location",
    [
        "https://example.com/file",
        "http://www.legislation.gov.au/file",  # not over https
        "https://www.legislation.gov.au.example.com/",
        "https://www.legislation.gov.au@example.com/",
        "https://user@www.legislation.gov.au/",
        "https://www.legislation.gov.au:8443/",
        "http://127.0.0.1/",  # loopback is for a Register that is there itself
        "http://169.254.169.254/",
        "file:///etc/passwd",
        "ftp://www.legislation.gov.au/",
        "https://[::1",
    ],
)
def test_an_answer_may_lead_nowhere_else(location: str) -> None:
    with pytest.raises(ForeignAddress):
        HOSTS.redirected(FROM, location)


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000/v1/", "http://localhost/v1/", "http://[::1]:9/v1/"])
def test_http_is_for_loopback(address: str) -> None:
    assert RegisterHosts(api=address).api == address


@pytest.mark.parametrize(
    "address",
    ["http://api.prod.legislation.gov.au/v1/", "https://api.prod.legislation.gov.au/v1", "api/", "", "ftp://a/"],
)
def test_an_address_that_is_not_safe_is_refused_at_once(address: str) -> None:
    with pytest.raises(ValueError, match="The Register's api address is"):
        RegisterHosts(api=address)


def test_the_page_of_a_text_names_both_dates() -> None:
    start, viewed = date(2019, 7, 1), date(2021, 3, 2)
    assert HOSTS.page_of("C1999A00123", start, viewed, 0).endswith(
        "/C1999A00123/2019-07-01/2021-03-02/text/original/epub"
    )
    assert HOSTS.page_of("C1999A00123", start, start, 2).endswith("/C1999A00123/2019-07-01/2019-07-01/text/2/epub")
