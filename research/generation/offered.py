"""What a language model is shown: passages in order, as many as the budget holds, each under an id of its own.

Ids are short and say nothing ("s1"); which chunk each stands for is kept here and never told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from research.terms import ParentGroup, Passage, Role

CountTokens = Callable[[str], int]
FRAME_TOKENS = 24  # of the JSON around a passage's words: its id, its provision and its heading


@dataclass(frozen=True, slots=True)
class Offered:
    """The passages that are shown, by id, in the order shown. left_out: how many more there were no room for."""

    by_id: Mapping[str, Passage]
    left_out: int = 0

    @property
    def ids(self) -> list[str]:
        return list(self.by_id)

    @property
    def chunk_ids(self) -> tuple[int, ...]:
        return tuple(passage.chunk_id for passage in self.by_id.values())


def offer(groups: Sequence[ParentGroup], budget_tokens: int, count_tokens: CountTokens) -> Offered:
    """The passages of `groups` to show: what search found before what stands around it, best group first.

    They are shown in reading order within each group, so that a rule and its list stand as they stand in the Act.
    One that does not fit is left out whole; none is cut, for a cut would change what it says.
    """
    chosen: set[int] = set()
    spent = 0
    for passage in _by_worth(groups):
        cost = count_tokens(passage.text) + count_tokens(passage.heading) + FRAME_TOKENS
        if spent + cost <= budget_tokens:
            chosen.add(passage.chunk_id)
            spent += cost
    shown = [passage for group in groups for passage in group.passages if passage.chunk_id in chosen]
    unique = list({passage.chunk_id: passage for passage in shown}.values())
    worth = {passage.chunk_id for passage in _by_worth(groups)}
    return Offered({f"s{number}": passage for number, passage in enumerate(unique, 1)}, len(worth) - len(unique))


def estimated_tokens(text: str) -> int:
    """Tokens of `text` where no tokeniser is at hand: one to three characters, which over-counts English."""
    return -(-len(text) // 3)


def _by_worth(groups: Sequence[ParentGroup]) -> Iterator[Passage]:
    """Each passage once: of each group its hits, group by group, then the rest. Placeholders hold no words."""
    seen: set[int] = set()
    for wants_hits in (True, False):
        for group in groups:
            for passage in group.passages:
                is_wanted = (passage.chunk_id in group.hits) == wants_hits and passage.role is not Role.OMITTED
                if is_wanted and passage.chunk_id not in seen:
                    seen.add(passage.chunk_id)
                    yield passage
