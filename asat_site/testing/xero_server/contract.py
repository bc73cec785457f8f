"""Requests and answers held to the official descriptions of Xero's interface, which are read where they lie.

They are no part of AsAt. Not held to them: what they do not describe (sign-in, other errors than 400), and the body of
an attachment, for which they know one media type where the service wants the file's own.
"""

from __future__ import annotations

import functools
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from asat_site.testing.xero_server.faults import Answer, Received

if TYPE_CHECKING:
    from openapi_core import OpenAPI

VARIABLE = "XERO_DESCRIPTIONS"
ORIGIN = "https://api.xero.com"
NAMES = ("xero_accounting.yaml", "xero-identity.yaml")
DESCRIBED = (200, 204, 400)


class Contract:
    """The two descriptions. `breaches_of` says what of an exchange they do not allow."""

    def __init__(self, accounting: OpenAPI, identity: OpenAPI) -> None:
        self._accounting, self._identity = accounting, identity

    @classmethod
    def find(cls) -> Contract | None:
        """In the folder that XERO_DESCRIPTIONS names, or beside the repository; None where there are none."""
        folder = Path(os.environ.get(VARIABLE) or settings.BASE_DIR.parent / "shared" / "openapi")
        return _read(folder) if all((folder / name).is_file() for name in NAMES) else None

    def breaches_of(self, received: Received, answer: Answer) -> list[str]:
        """What is wrong with the request, and with the answer; [] for nothing."""
        from openapi_core.exceptions import OpenAPIError
        from openapi_core.testing import MockRequest, MockResponse

        if not (received.is_of_books or received.path.startswith("/connections")):
            return []
        held = self._accounting if received.is_of_books else self._identity
        is_upload = received.method == "PUT" and "/Attachments/" in received.path
        request = MockRequest(
            ORIGIN,
            received.method.lower(),
            received.path.replace("/connections", "/Connections"),
            args=dict(received.query),
            headers={name: value for name, value in received.headers.items() if name != "content-length"},
            data=received.body or None,
            content_type="application/octet-stream" if is_upload else "application/json",
        )
        said = MockResponse(data=answer.content(), status_code=answer.status, content_type=answer.kind)
        checks: list[tuple[Any, tuple[Any, ...]]] = [] if is_upload else [(held.validate_request, (request,))]
        if answer.status in DESCRIBED and answer.kind == "application/json":
            checks.append((held.validate_response, (request, said)))
        found = []
        for validate, given in checks:
            try:
                validate(*given)
            except OpenAPIError as error:
                found.append(f"{received.name}: {_told(error)}")
        return found


@functools.cache
def _read(folder: Path) -> Contract:
    import yaml
    from jsonschema_path import SchemaPath
    from openapi_core import Config, OpenAPI

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    config = Config(spec_validator_cls=None)  # the descriptions break a few rules for descriptions
    read = []
    for name in NAMES:
        known = yaml.load((folder / name).read_text(encoding="utf-8"), loader)
        for path in known["paths"].values():
            for operation in path.values():
                if isinstance(operation, dict):
                    operation.pop("security", None)  # of scopes that new apps do not have
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read.append(OpenAPI(SchemaPath.from_dict(known), config=config))
    return Contract(*read)


def _told(error: BaseException | None) -> str:
    """The error and what it came of, and the places where a schema was not met."""
    said = []
    while error is not None:
        said.append(str(error))
        said += [str(each) for each in getattr(error, "schema_errors", ())]
        error = error.__cause__
    return " | ".join(said)
