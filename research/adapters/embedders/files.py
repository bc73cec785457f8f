"""Model files out of installed data packages, believed only after their sha256 is checked."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from research.adapters.model_refusals import ModelRefused


def checked_file(package: str, inside: str, sha256: str) -> Path:
    """The path of a package's data file with exactly these bytes. The package's own code is never run."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelRefused(f"the package {package} is not installed; install the locked requirements again")
    path = Path(next(iter(spec.submodule_search_locations))) / inside
    if not path.is_file():
        raise ModelRefused(f"{path} is missing; install {package} again")
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != sha256:
        raise ModelRefused(f"{path} has sha256 {found}; wanted {sha256}. Install the locked version of {package}")
    return path
