"""The fictional Act, loaded once for the tests that ask about it, with the real embedder's vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from research.terms import Pin

FICTIONAL = "research/corpus/fictional"


@pytest.fixture(scope="session")
def law(services: Any, django_db_blocker: Any) -> str:
    """The code of the fictional Act, held in two compilations and searchable by word and by meaning."""
    from django.conf import settings
    from django.core.management import call_command

    from asat_site.testing.phrases import phrase_vectors_kept
    from research import composition

    with django_db_blocker.unblock():
        call_command("corpus", "import", str(settings.BASE_DIR / FICTIONAL), "--json", stdout=_Quiet(), stderr=_Quiet())
        with phrase_vectors_kept():
            call_command("corpus", "embed", stdout=_Quiet(), stderr=_Quiet())
        # What the import asked looked for the phrases' vectors too early, and would look again in mid-test.
        composition.subjects.cache_clear()
        composition.ports.cache_clear()
    return "HDFA99"


@pytest.fixture
def pointed_at() -> Iterator[Callable[[str, Pin], None]]:
    """Puts an index of one phrase and its provision in the place of the one that ships, which names no made-up Act."""
    from research import composition
    from research.adapters.subject_index import SubjectIndexReader
    from research.question.subject_index import Entry, SubjectIndex

    # A patch of its own: another fixture may ask questions while it is taken down, and those are not read by this one.
    with pytest.MonkeyPatch.context() as patch:

        def point(phrase: str, pin: Pin) -> None:
            mine = SubjectIndexReader(None, None, SubjectIndex.of([Entry(phrase, (pin,), (phrase,), 1916)]))
            patch.setattr(composition, "subjects", lambda: mine)
            composition.ports.cache_clear()

        yield point
    composition.ports.cache_clear()


class _Quiet:
    def write(self, text: str) -> None: ...

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False
