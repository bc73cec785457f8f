"""Requests and answers held to the description of the interface. It is read where it lies, and is no part of AsAt."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings

from asat_site.testing.hubspot_server.faults import Received

if TYPE_CHECKING:
    from openapi_core import OpenAPI

NAME = "hubspot-own-minimal.yaml"
VARIABLE = "HUBSPOT_DESCRIPTION"
ORIGIN = "https://api.hubapi.com"


class Contract:
    """The description. `breaches_of` says what of an exchange it does not allow."""

    def __init__(self, description: OpenAPI) -> None:
        self._description = description

    @classmethod
    def find(cls) -> Contract | None:
        """By HUBSPOT_DESCRIPTION, or beside the repository; None where it is not on this machine."""
        beside = settings.BASE_DIR.parent / "shared" / "openapi" / NAME
        path = Path(os.environ.get(VARIABLE) or beside)
        if not path.is_file():
            return None
        from openapi_core import OpenAPI  # of the tests' dependencies; a worker that loads fakes has it not

        return cls(OpenAPI.from_file_path(str(path)))

    def breaches_of(self, received: Received, status: int, body: bytes) -> list[str]:
        """What is wrong with the request, and with the answer; [] for nothing."""
        from openapi_core.exceptions import OpenAPIError
        from openapi_core.testing import MockRequest, MockResponse

        request = MockRequest(
            ORIGIN,
            received.method.lower(),
            received.path,
            args=dict(received.query),
            headers={"Authorization": received.headers.get("authorization", "")},
        )
        answer = MockResponse(data=body, status_code=status, content_type="application/json")
        found: list[str] = []
        for validate, given in (
            (self._description.validate_request, (request,)),
            (self._description.validate_response, (request, answer)),
        ):
            try:
                validate(*given)
            except OpenAPIError as error:
                found.append(f"{received.method} {received.path}?{urlencode(received.query)}: {_told(error)}")
        return found


def _told(error: BaseException) -> str:
    """The error and what it came of, and the places where a schema was not met."""
    said, cause = [], error
    while cause is not None:
        said.append(str(cause))
        said += [str(each) for each in getattr(cause, "schema_errors", ())]
        cause = _next(cause)
    return " | ".join(said)


def _next(error: Any) -> Any:
    return error.__cause__
