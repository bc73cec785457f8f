"""The wordings of a provision as its page lists them: their days, how each end is known, what goes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from research.corpus.queries import ProvisionPage, VersionLine
from research.law.provision import in_words
from research.presentation import words
from research.presentation.as_at import AsAt
from research.presentation.crossrefs import DOCUMENT


@dataclass(frozen=True, slots=True)
class Known:
    """How the days of a wording are known. ends: (which end, sentence), one entry where both are known alike.

    notice: what must be read with the words (that the ruling was withdrawn), "" for nothing.
    """

    in_force: str
    ends: tuple[tuple[str, str], ...]
    is_retrospective: bool
    notice: str


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One wording, or one gap between two, in the list beside the text. show and compare are query strings."""

    is_gap: bool
    says: str = ""
    name: str = ""
    is_shown: bool = False
    known: Known | None = None
    compilation: str = ""
    show: str = ""
    compare: str = ""


def name_of(index: int) -> str:
    """ "Wording A" of the oldest, whose index is 0."""
    return f"Wording {chr(ord('A') + index)}" if index < 26 else f"Wording {index + 1}"


def names_of(versions: Sequence[VersionLine]) -> dict[int, str]:
    """By version id, the name under which the page speaks of it."""
    return {version.id: name_of(index) for index, version in enumerate(versions)}


def known_of(version: VersionLine) -> Known:
    """How the days of `version` are known, in sentences. Of one day the day says that its compilation was read."""
    starts, ends = version.basis_from.strip(), version.basis_to.strip()
    told: tuple[tuple[str, str], ...]
    if starts == ends and starts.startswith("Read from the compilation"):
        told = ()
    elif starts and starts == ends:
        told = (("", starts),)
    else:
        told = tuple((which, says) for which, says in (("From", starts), ("Until", ends)) if says)
    return Known(
        words.in_force_words(version.certain_from, version.certain_to, version.dating),
        tuple((which, f"{says.rstrip('.')}.") for which, says in told),
        version.is_retrospective,
        version.notice.strip(),
    )


def version_rows(page: ProvisionPage, as_at: AsAt, names: dict[int, str]) -> list[VersionRow]:
    """The wordings, oldest first, with the gaps between them."""
    rows: list[VersionRow] = []
    for index, version in enumerate(page.versions):
        show = {"as_at": as_at.value, "version": version.id}
        compare_with = (
            urlencode({"as_at": as_at.value, "version": page.shown.id, "compare": version.id}) if page.shown else ""
        )
        rows.append(
            VersionRow(
                is_gap=False,
                name=names[version.id],
                is_shown=version.is_shown,
                known=known_of(version),
                compilation=compilation_of(version, page.instrument),
                show=urlencode(show),
                compare=compare_with,
            )
        )
        following = page.versions[index + 1] if index + 1 < len(page.versions) else None
        if following and version.certain_to and version.certain_to < following.certain_from:
            starts, ends = in_words(version.certain_to), words.last_day(following.certain_from)
            until = f" – {in_words(ends)}" if ends else ""
            rows.append(VersionRow(is_gap=True, says=f"Wording not known: {starts}{until}"))
    return rows


def compilation_of(version: VersionLine, instrument: str) -> str:
    """The compilation that the wording was first read in; rulings and own documents have none, but a date."""
    register_id = f" ({version.register_id})" if version.register_id else ""
    what = "Document" if DOCUMENT.search(instrument) else "Compilation"
    return f"{what} of {in_words(version.compilation_date)}{register_id}"
