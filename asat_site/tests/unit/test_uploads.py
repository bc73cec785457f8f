"""A file that is sent: kept in memory up to the bound, one byte more where it is larger, one file a request."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.test import RequestFactory

pytestmark = pytest.mark.unit
BOUND = settings.ASAT_MAX_UPLOAD_BYTES


def file_of(size: int) -> BytesIO:
    sent = BytesIO(b"x" * size)
    sent.name = "sent.csv"
    return sent


@pytest.mark.parametrize(
    ("size", "kept"), [(0, 0), (10, 10), (BOUND, BOUND), (BOUND + 1, BOUND + 1), (5 * BOUND, BOUND + 1)]
)
def test_a_file_is_kept_in_memory_up_to_one_byte_over_the_bound(size: int, kept: int) -> None:
    request = RequestFactory().post("/", {"file": file_of(size), "after": "still read"})
    file = request.FILES["file"]
    assert isinstance(file, InMemoryUploadedFile)
    assert (file.size, len(file.read())) == (kept, kept)
    assert request.POST["after"] == "still read"


def test_two_files_at_once_are_refused() -> None:
    request = RequestFactory().post("/", {"file": file_of(1), "other": file_of(1)})
    with pytest.raises(TooManyFilesSent):
        request.FILES  # noqa: B018 reading is what parses it
