"""What an import tells of its work, as it goes and afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

Progress = Callable[[str, int, int], None]  # what, done, of


def no_progress(what: str, done: int, of: int) -> None:
    return None


@dataclass(slots=True)
class CompilationReport:
    """What an import did with one compilation.

    versions: wordings that are new, whose days are known otherwise than before, that stand as they did, and of which
    nothing is known any more. chunks: those written. characters: of the versions that were cut, white space left out;
    every one of them is in a chunk, or the import fails. content_sha256: what the compilation now holds. warnings: what
    a person should look at.
    """

    instrument: str
    compilation: str
    file: str
    state: str = "unchanged"
    provisions: int = 0
    versions_new: int = 0
    versions_changed: int = 0
    versions_unchanged: int = 0
    versions_gone: int = 0
    chunks: int = 0
    characters: int = 0
    content_sha256: str = ""
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        return asdict(self)
