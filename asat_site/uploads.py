"""What becomes of a file while it is sent: held in memory up to a bound, and written to no disk from here.

The server spools a request's body before anybody reads it; how large that may be is for the proxy in front to say.

A file that is larger is read past and kept no further than one byte over the bound, so that whoever asked for it can
see that it is too large and say so. A view that takes more than one file, or larger ones, gives its request a handler
of its own before anything of the body is read.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest


class BoundedUploadHandler(MemoryFileUploadHandler):
    """Keeps up to ASAT_MAX_UPLOAD_BYTES and one byte of one file, whoever sends it and whatever it says of itself."""

    most_files = 1

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.files = 0

    @property
    def most_bytes(self) -> int:
        """Of each file."""
        return settings.ASAT_MAX_UPLOAD_BYTES

    def handle_raw_input(self, *args: Any, **kwargs: Any) -> None:
        """Every file, however large the request says that it is."""
        self.activated = True

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """A file begins. Raises TooManyFilesSent."""
        self.files += 1
        if self.files > self.most_files:
            raise TooManyFilesSent("More files were sent at once than are taken here.")
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Takes what there is still room for; None ends the way of the chunk."""
        room = self.most_bytes + 1 - self.file.tell()
        self.file.write(raw_data[: max(0, room)])

    def file_complete(self, file_size: int) -> Any:
        """The file, as large as what was kept of it."""
        return super().file_complete(self.file.tell())


class ManyFilesUploadHandler(BoundedUploadHandler):
    """Keeps up to `most_files` files of up to `most_bytes` each and `most_in_all` together.

    What there was no room for is marked: `was_cut`.
    """

    most_files = 100
    most_in_all = 100 * 1024 * 1024

    def __init__(self, request: HttpRequest | None = None, most_bytes: int = 50 * 1024 * 1024) -> None:
        super().__init__(request)
        self._most_bytes, self.kept = most_bytes, 0

    @property
    def most_bytes(self) -> int:
        return self._most_bytes

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """As above, and no more than there is room for in all."""
        before = self.file.tell()
        super().receive_data_chunk(raw_data[: max(0, self.most_in_all - self.kept)], start)
        self.kept += self.file.tell() - before

    def file_complete(self, file_size: int) -> Any:
        """The file, as large as what was kept of it, marked where that is not all."""
        was_cut = self.file.tell() < min(file_size, self.most_bytes)
        made = super().file_complete(file_size)
        if isinstance(made, InMemoryUploadedFile):
            made.was_cut = was_cut  # type: ignore[attr-defined]
        return made
