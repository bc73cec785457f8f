"""The left column of Endnote 4, label by label."""

from __future__ import annotations

import pytest

from research.corpus.ingest.endnotes.labels import Kind, read_label

SECTIONS = [
    ("s 18……", None, ["18"]),
    ("s 18 . . . . .", None, ["18"]),
    ("S. 5", None, ["5"]),
    ("s 8AAZLGA", None, ["8AAZLGA"]),
    ("s 40\u20111", None, ["40-1"]),
    ("ss 355\u201125", None, ["355-25"]),  # 40
    ("ss 5–6", None, ["5..6"]),  # 40
    ("ss 41–43……", None, ["41..43"]),  # 61
    ("Ss. 5, 6 and 9–11", None, ["5", "6", "9..11"]),
    ("ss 160ZZP–160ZZQ", None, ["160ZZP..160ZZQ"]),
    ("s 6 (def of harbour)", None, ["6*"]),
    ("s 6(1) (def of harbour)", None, ["6*"]),
    ("s 41(3)(a)", None, ["41*"]),
    ("s 41(3)(a), (b)", None, ["41*"]),
    ("heading to s 12", None, ["12*"]),
    ("Subhead. to s. 8(2)", None, ["8*"]),
    ("Note to s 8", None, ["8*"]),
    ("s 8 (note 2)", None, ["8*"]),
    ("s 6 (def of harbour) par (a)", None, ["6*"]),
    ("s 8, second sentence", None, ["8*"]),
    ("s 33 (prev s 32)", None, ["33"]),
    ("Subsection 6(1)", None, ["6*"]),
    ("s6", None, ["6"]),
    ("s 6 to s 8", None, ["6..8"]),
    ("ss 40‑80-40‑85", None, ["40-80..40-85"]),
    ("c 5", None, ["5"]),
    ("cc 1–4", None, ["1..4"]),
    ("c 5 of Sch 2", "2", ["5"]),
    ("Sch 2 (c 5)", "2", ["5"]),
    ("reg 292-155.01", None, ["292-155.01"]),
    ("r 6.01", None, ["6.01"]),
]


@pytest.mark.parametrize(("text", "schedule", "wanted"), SECTIONS)
def test_labels_that_name_sections(text: str, schedule: str | None, wanted: list[str]) -> None:
    label = read_label(text)
    assert (label.kind, label.schedule) == (Kind.SECTIONS, schedule)
    assert [f"{i.first}{'..' + i.last if i.last else ''}{'*' if i.is_part else ''}" for i in label.items] == wanted


OTHERS = [
    ("Subdivision 40\u2011B", Kind.CONTAINER, None, ("subdivision 40-b",)),
    ("Div 2 of Part 3", Kind.CONTAINER, None, ("division 2", "part 3")),
    ("Part III Div 2", Kind.CONTAINER, None, ("division 2", "part iii")),
    ("Division 8—Ferries", Kind.CONTAINER, None, ("division 8",)),
    ("Pt. IV", Kind.CONTAINER, None, ("part iv",)),
    ("Part 2 of Sch 1", Kind.CONTAINER, "1", ("part 2",)),
    ("Guide to Division 40", Kind.CONTAINER, None, ("guide to division 40",)),
    ("Division 7A hdg", Kind.HEADING, None, ("division 7a",)),
    ("Heading to Div. 2 of Part III", Kind.HEADING, None, ("division 2", "part iii")),
    ("Subdiv hdg", Kind.HEADING, None, ()),
    ("Sch 1 hdg", Kind.HEADING, "1", ()),
    ("Sch 1", Kind.SCHEDULE, "1", ()),
    ("Schedule 2—Ferries", Kind.SCHEDULE, "2", ()),
    ("Schedule 2F", Kind.SCHEDULE, "2F", ()),
    ("Second Schedule", Kind.SCHEDULE, "2", ()),
    ("The Schedule", Kind.SCHEDULE, "", ()),
    ("c 5 of Sch 2 to the Regulations", Kind.NAME, None, ()),
    ("Title", Kind.NAME, None, ()),
    ("Reader's Guide", Kind.NAME, None, ()),
    ("List of terms", Kind.NAME, None, ()),
]


@pytest.mark.parametrize(("text", "kind", "schedule", "containers"), OTHERS)
def test_labels_that_name_something_else(
    text: str, kind: Kind, schedule: str | None, containers: tuple[str, ...]
) -> None:
    label = read_label(text)
    assert (label.kind, label.schedule, label.containers) == (kind, schedule, containers)


def test_a_label_may_tell_an_earlier_number() -> None:
    assert read_label("s 33 (prev s 32)").tells_earlier_number
    assert not read_label("s 33").tells_earlier_number
