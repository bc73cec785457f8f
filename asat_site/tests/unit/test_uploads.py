"""A file that is sent: kept in memory up to the bound, one byte more where it is larger, one file a request; and many,
where a view takes many.
"""

from __future__ import annotations

from io import BytesIO

import pytest
from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.test import RequestFactory

from asat_site.uploads import ManyFilesUploadHandler

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


def test_many_files_are_kept_up_to_a_bound_for_each_and_one_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ManyFilesUploadHandler, "most_in_all", 25)
    request = RequestFactory().post("/", {"file": [file_of(10), file_of(12), file_of(8), file_of(5), file_of(0)]})
    request.upload_handlers = [ManyFilesUploadHandler(request, most_bytes=10)]
    found = [(len(file.read()), file.was_cut) for file in request.FILES.getlist("file")]
    assert found == [(10, False), (11, False), (4, True), (0, True), (0, False)]


def test_more_files_than_are_taken_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ManyFilesUploadHandler, "most_files", 2)
    request = RequestFactory().post("/", {"file": [file_of(1), file_of(1), file_of(1)]})
    request.upload_handlers = [ManyFilesUploadHandler(request)]
    with pytest.raises(TooManyFilesSent):
        request.FILES  # noqa: B018 reading is what parses it
