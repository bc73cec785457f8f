"""Characters in, characters out: a loss is seen, named and refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asat_site.testing import epubs as e
from research.corpus.ingest.epub import provisions
from research.corpus.ingest.epub.ledger import Account, size
from research.corpus.ingest.read import CorpusRejected
from research.corpus.tests.unit.epub.reading import Read

pytestmark = pytest.mark.unit

texts = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40)


@given(st.lists(texts), st.lists(texts), st.lists(texts))
def test_what_is_kept_dropped_and_added_balances(kept: list[str], dropped: list[str], added: list[str]) -> None:
    account = Account()
    for text in kept:
        account.read(text)
        account.out(text)
    for text in dropped:
        account.read(text)
        account.drop("contents", text)
    for text in added:
        account.out(text)
        account.add("marks", text)
    ledger, unexplained = account.closed()
    assert unexplained == ledger.unexplained == 0
    assert ledger.kept == sum(size(text) for text in kept)


@given(texts, texts)
def test_a_loss_and_a_doubling_do_not_make_up_for_each_other(lost: str, doubled: str) -> None:
    account = Account()
    account.read(lost + doubled)
    account.out(doubled * 2)
    ledger, unexplained = account.closed()
    assert unexplained >= abs(ledger.unexplained)
    assert ledger.read == ledger.kept + sum(ledger.dropped.values()) + ledger.unexplained
    if not set("".join(lost.split())) & set(doubled):
        assert unexplained >= size(lost) + size(doubled) - 2 * sum(
            doubled.count(h) + lost.count(h) for h in "-\u2010\u2011"
        )


def test_hyphens_of_every_kind_count_as_one() -> None:
    account = Account()
    account.read("5\u20111 5\u20101")
    account.out("5-1 5-1")
    assert account.closed()[1] == 0


def test_white_space_does_not_count() -> None:
    account = Account()
    account.read("a\u00a0b\u2003c\n d")
    account.out("abcd")
    ledger, unexplained = account.closed()
    assert (ledger.read, unexplained) == (4, 0)


def _law(number: int) -> e.Items:
    return e.section(str(number), "Name", [e.subsection("", f"Law of ferries, number {number}, in the usual words.")])


def test_a_reader_that_loses_text_is_refused_with_an_example(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    take = provisions.Provisions._line

    def forgetful(self: provisions.Provisions, row: provisions.Row, block: object) -> None:
        if "number 2" not in block.text:  # type: ignore[attr-defined]
            take(self, row, block)  # type: ignore[arg-type]

    monkeypatch.setattr(provisions.Provisions, "_line", forgetful)
    with pytest.raises(CorpusRejected, match=r"37 of its .* neither kept nor dropped .*'Law of ferries, number 2, in"):
        read(_law(1), _law(2), _law(3))


def test_a_reader_that_doubles_text_is_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    take = provisions.Provisions._line

    def stutters(self: provisions.Provisions, row: provisions.Row, block: object) -> None:
        take(self, row, block)  # type: ignore[arg-type]
        take(self, row, block)  # type: ignore[arg-type]

    monkeypatch.setattr(provisions.Provisions, "_line", stutters)
    with pytest.raises(CorpusRejected, match="neither kept nor dropped"):
        read(_law(1))


def test_a_heading_that_becomes_nothing_is_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    from research.corpus.ingest.epub import headings

    whole = headings.act_head_level
    monkeypatch.setattr(headings, "act_head_level", lambda block: 0 if "Lost" in block.text else whole(block))
    with pytest.raises(CorpusRejected, match="1 of 3"):
        read(_law(1), _law(2), e.section("3", "Lost", [e.subsection("", "Law.")]))
