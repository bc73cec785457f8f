"""A folder for a test's own servers.

Not pytest's tmp_path: as root the database server runs as another account, and any other pytest on the machine
closes the folder above tmp_path to it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def own_folder() -> Iterator[Path]:
    """An empty folder, removed afterwards with all that is in it."""
    with tempfile.TemporaryDirectory(prefix="asat-test-", ignore_cleanup_errors=True) as name:
        yield Path(name)
