"""What is an outage, and what its page gives away: nothing."""

from __future__ import annotations

import pytest
import redis
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.test import RequestFactory
from kombu.exceptions import OperationalError as BrokerError

from asat_site import errors


def caused(cause: BaseException) -> Exception:
    try:
        raise ValueError("outer") from cause
    except ValueError as error:
        return error


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (OperationalError("x"), errors.DATABASE_DOWN),
        (InterfaceError("x"), errors.DATABASE_DOWN),
        (redis.ConnectionError("x"), errors.BROKER_DOWN),
        (redis.TimeoutError("x"), errors.BROKER_DOWN),
        (BrokerError("x"), errors.BROKER_DOWN),
        (caused(redis.ConnectionError("x")), errors.BROKER_DOWN),
        (ProgrammingError("x"), None),
        (ValueError("x"), None),
        (None, None),
    ],
)
def test_an_outage_is_told_from_an_ordinary_fault(error: BaseException | None, wanted: errors.Plain | None) -> None:
    assert errors.outage_of(error) == wanted


def test_a_chain_that_bites_its_tail_ends() -> None:
    first, second = ValueError(), ValueError()
    first.__context__, second.__context__ = second, first
    assert errors.outage_of(first) is None


def test_a_caller_that_asks_for_json_gets_the_same_words() -> None:
    request = RequestFactory().get("/", headers={"accept": "application/json"})
    response = errors.plain_page(request, errors.DATABASE_DOWN, 503)
    assert response["Content-Type"] == "application/json"
    assert errors.DATABASE_DOWN.title in response.content.decode()
    assert response["Retry-After"] == "30"
