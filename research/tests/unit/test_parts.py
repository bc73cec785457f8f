"""Long provisions in parts: nothing is lost, nothing is torn, and the right part is opened."""

import itertools

from research.presentation.law_text import lines_of
from research.presentation.marks import Marks, Span
from research.presentation.parts import PART_CHARS, part_to_show, parts_of

DICTIONARY = "\n".join(
    f"word{number:04} means {'something that a port charges for, ' * 3}and:\n(a) this; or\n(b) that."
    for number in range(400)
)


def test_a_numbered_lead_in_above_the_definitions_does_not_keep_them_together() -> None:
    lines = lines_of(f"(1) In this Act:\n{DICTIONARY}", defines=True)
    assert len(parts_of(lines)) == len(parts_of(lines_of(DICTIONARY, defines=True)))


def test_what_fits_is_one_part() -> None:
    assert len(parts_of(lines_of("(1) Short.\n(2) Shorter."))) == 1
    assert len(parts_of(())) == 1


def test_the_parts_of_a_dictionary_hold_every_line_once_and_stay_small() -> None:
    lines = lines_of(DICTIONARY, defines=True)
    parts = parts_of(lines)
    assert [(a.last, b.first) for a, b in itertools.pairwise(parts)] == [(a.last, a.last) for a in parts[:-1]]
    assert (parts[0].first, parts[-1].last) == (0, len(lines))
    assert all(sum(len(line.text) for line in lines[p.first : p.last]) <= PART_CHARS + 500 for p in parts)
    assert all(lines[part.first].text.startswith("word") and part.label.startswith("word") for part in parts)


def test_the_part_with_the_quoted_words_is_opened_unless_another_is_asked_for() -> None:
    at = DICTIONARY.index("word0300")
    lines = lines_of(DICTIONARY, Marks(quoted=[Span(at, at + 30)]), defines=True)
    parts = parts_of(lines)
    opened = part_to_show(parts, lines, None)
    assert any("word0300" in line.text for line in lines[opened.first : opened.last])
    assert part_to_show(parts, lines, 2) == parts[1]
    assert part_to_show(parts, lines, 999) == opened
    assert part_to_show(parts, lines_of(DICTIONARY), None) == parts[0]
