"""What a provision's page needs besides the provision: each look-up is one query for the whole page."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from research import composition
from research.corpus import references
from research.corpus.queries import ProvisionPage, version_texts
from research.presentation import two_dates
from research.presentation.as_at import AsAt
from research.presentation.crossrefs import links_of, references_in
from research.presentation.marks import Span
from research.presentation.provision import Looked, terms_of, versions_beside
from research.presentation.two_dates import Comparison, Dates

Other = tuple[int, str, str]
"""The wording that the shown one is compared with: version id, heading, text."""


def looked_up(
    page: ProvisionPage,
    as_at: AsAt,
    dates: Dates | None,
    compare_with: int | None,
    quoted: Sequence[tuple[int, int]],
    part: int | None,
) -> Looked:
    """What to show besides. dates: two times to compare, else compare_with: a version of the provision, if any."""
    comparison: Comparison | None = None
    if dates is not None:
        other, comparison = _compared(page, dates)
    else:
        other = _other(page, compare_with)
    beside = [version.id for version in versions_beside(page)] if page.shown is None else []
    return Looked(
        quoted=quoted,
        links=[] if other else _links(page, as_at),
        meanings=references.meanings(page.instrument, page.schedule, terms_of(page), page.window),
        other=other,
        comparison=comparison,
        side_texts={version: text for version, (_, text) in version_texts(beside).items()} if beside else None,
        part=part,
        not_current_from=composition.store().not_current_from(page.window).get(page.instrument),
    )


def _other(page: ProvisionPage, compare_with: int | None) -> Other | None:
    is_held = compare_with in {version.id for version in page.versions}
    if compare_with is None or not is_held or page.shown is None or compare_with == page.shown.id:
        return None
    return compare_with, *version_texts([compare_with])[compare_with]


def _compared(page: ProvisionPage, dates: Dates) -> tuple[Other | None, Comparison]:
    """The wording of the first time, where that of the second differs from it, and what is said of the two."""
    pair = two_dates.pair_of(page, dates)
    texts = version_texts([version.id for version in pair]) if pair else {}
    comparison = two_dates.comparison_of(page, dates, same_text=len({text for _, text in texts.values()}) == 1)
    if pair is None or comparison.is_same:
        return None, comparison
    return (pair[0].id, *texts[pair[0].id]), comparison


def _links(page: ProvisionPage, as_at: AsAt) -> list[Span]:
    """The cross-references in the text that lead to a provision held, at the same time."""
    titles = references.titles_held()
    found = references_in(page.text, page.instrument, page.schedule, page.section, titles)
    held = references.pins_held({reference.place for reference in found})
    when = urlencode({"as_at": as_at.value})
    return links_of(found, held, lambda instrument, pin: f"{reverse('provision', args=[instrument, pin])}?{when}")
