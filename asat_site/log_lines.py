"""What no line of a log may hold: an address whose last part lets somebody in."""

from __future__ import annotations

import logging
import re

_LINK = re.compile(r"/invitation/[^/\s\"'?]+")


class LinksLeftOut(logging.Filter):
    """Writes /invitation/… in place of an invitation's address; every record passes."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if "/invitation/" in said:
            record.msg, record.args = _LINK.sub("/invitation/…", said), ()
        return True
