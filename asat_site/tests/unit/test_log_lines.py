"""No line of a log holds a link that lets somebody in, whichever part of the record it stands in."""

from __future__ import annotations

import logging

import pytest

from asat_site.log_lines import LinksLeftOut

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("said", "arguments", "wanted"),
    [
        ("Not Found: %s", ("/invitation/abc-DEF_1/",), "Not Found: /invitation/…/"),
        ('%s - "%s %s"', ("1.1.1.1", "GET", "/invitation/abc?x=1"), '1.1.1.1 - "GET /invitation/…?x=1"'),
        ("Forbidden: /invitation/abc/more", (), "Forbidden: /invitation/…/more"),
        ("Not Found: %s", ("/invitation/",), "Not Found: /invitation/"),
        ("Not Found: %s", ("/invitations/7/",), "Not Found: /invitations/7/"),
    ],
)
def test_the_last_part_of_the_address_is_left_out(said: str, arguments: tuple[str, ...], wanted: str) -> None:
    record = logging.LogRecord("x", logging.WARNING, "x", 1, said, arguments, None)
    assert LinksLeftOut().filter(record)
    assert record.getMessage() == wanted
