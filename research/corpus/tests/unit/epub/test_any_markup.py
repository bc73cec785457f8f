"""Whatever the mark-up, no character is lost or made up: a property over made-up pages."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asat_site.testing import epubs as e
from research.corpus.ingest.epub.read import read_epub
from research.corpus.tests.unit.epub.reading import packed

pytestmark = pytest.mark.unit

STYLES = (
    "subsection",
    "paragraph",
    "Definition",
    "notetext",
    "Tabletext",
    "TableHeading",
    "Header",
    "TOC5",
    "BoxText",
    "x",
    "",
)
words = st.text(alphabet="ab1 \u00a0\u2011*(—;:/", min_size=0, max_size=12).map(lambda text: str(e.html(text)))
inline = st.recursive(
    words,
    lambda inner: st.one_of(
        st.builds("<b>{}</b>".format, inner),
        st.builds("<u>{}</u><br/>".format, inner),
        st.builds("<sup>{}</sup>/<sub>3</sub>".format, inner),
        st.builds('<span style="display:none">{}</span>'.format, inner),
        st.builds("<a id='q'>{}<img src='a.gif' alt=''/></a>".format, inner),
        st.builds("<img src='b.gif' alt='A over B'/>{}".format, inner),
    ),
    max_leaves=3,
)
paragraph = st.builds('<p class="{}">{}</p>'.format, st.sampled_from(STYLES), inline)


def _table(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    span = st.integers(1, 3)
    cell = st.builds(
        '<{0} colspan="{1}" rowspan="{2}">{3}</{0}>'.format, st.sampled_from(("td", "th")), span, span, blocks
    )
    row = st.lists(cell, max_size=4).map(lambda cells: f"<tr>{''.join(cells)}</tr>")
    head = st.lists(row, max_size=2).map(lambda rows: f"<thead>{''.join(rows)}</thead>")
    return st.builds("<table>{}{}</table>".format, head, st.lists(row, min_size=1, max_size=4).map("".join))


simple = st.one_of(paragraph, words)
box = st.builds("<div>{}</div>".format, st.lists(simple, max_size=3).map("".join))
block = st.one_of(simple, box, _table(simple), _table(st.one_of(simple, box, _table(simple))))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(block, min_size=1, max_size=4), st.lists(block, max_size=3))
def test_every_character_of_any_page_is_accounted_for(body: list[str], endnotes: list[str]) -> None:
    law = [e.division("1", "Dues"), *(e.Html(item) for item in body[:1]), e.section_heading("1-1", "Name")]
    volume = e.Volume(
        body=[*law, *(e.Html(item) for item in body[1:])],
        endnotes=[e.endnote("4", "Amendment history", *(e.Html(item) for item in endnotes))],
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.epub"
        path.write_bytes(packed(volume))
        found = read_epub(path)
    assert found.ledger.unexplained == 0
    assert all(provision.text.strip() and provision.heading.strip() for provision in found.provisions)
    assert not any(
        "\n" in provision.heading or "\n" in step for provision in found.provisions for step in provision.path
    )
