"""What becomes of a file while it is sent: held in memory up to a bound, and written to no disk from here.

The server spools a request's body before anybody reads it; how large that may be is for the proxy in front to say.

A file that is larger is read past and kept no further than one byte over the bound, so that whoever asked for it can
see that it is too large and say so.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler


class BoundedUploadHandler(MemoryFileUploadHandler):
    """Keeps up to ASAT_MAX_UPLOAD_BYTES and one byte of each file, whoever sends it and whatever it says of itself."""

    def handle_raw_input(self, *args: Any, **kwargs: Any) -> None:
        """Every file, however large the request says that it is."""
        self.activated = True

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Takes what there is still room for; None ends the way of the chunk."""
        room = settings.ASAT_MAX_UPLOAD_BYTES + 1 - self.file.tell()
        self.file.write(raw_data[: max(0, room)])

    def file_complete(self, file_size: int) -> Any:
        """The file, as large as what was kept of it."""
        return super().file_complete(self.file.tell())
