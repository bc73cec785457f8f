"""Files of control-level queries: read liberally, refused by position and without a word of what is in them."""

from __future__ import annotations

from typing import Any

import pytest

from research.evaluation.controls import Control, QueriesRejected, Query, fold_control, language_of, queries_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "entry",
    [
        {
            "query": "Who?",
            "language": "de",
            "framework": "Code A",
            "relevant": [{"framework": "Code A", "controlId": "HS-4"}],
        },
        {
            "id": 7,
            "question": "Who?",
            "lang": "de",
            "frameworks": ["code  a"],
            "controls": [{"act": "CODE A", "section": "hs-4"}],
        },
        {"query": "Who?", "language": "de", "act": "Code A", "gold": {"framework": "Code A", "control": "HS-4"}},
    ],
)
def test_one_query_may_be_written_in_several_ways(entry: dict[str, Any]) -> None:
    assert queries_of([entry]) == [Query("Who?", "de", ("code a",), (Control("code a", "hs-4"),))]
    assert queries_of({"cases": [entry]}) == queries_of([entry])


def test_a_control_may_be_its_id_alone() -> None:
    (found,) = queries_of([{"query": "Who?", "relevant": ["s 8-1", "8-1", "HS-4"], "income_year": 2015}])
    assert found == Query("Who?", "", (), (Control("", "8-1"), Control("", "hs-4")), 2015)


@pytest.mark.parametrize(
    ("name", "folded"), [("s 8-1", "8-1"), ("Section 8-1", "8-1"), ("SC-7", "sc-7"), ("S-4", "s-4"), ("A.5.1", "a.5.1")]
)
def test_the_sign_of_a_section_is_no_part_of_its_id(name: str, folded: str) -> None:
    assert fold_control(name) == folded


@pytest.mark.parametrize(("tag", "language"), [("en-AU", "en"), ("DE", "de"), ("pt_BR", "pt"), ("", "")])
def test_a_language_is_compared_without_its_region(tag: str, language: str) -> None:
    assert language_of(tag) == language


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        ([], "no list"),
        ({"cases": {}}, "no list"),
        (["secret words"], "Query 1 is no object"),
        ([{"query": " "}], "Query 1 has no words"),
        ([{"query": "secret words"}], "Query 1 names no relevant control"),
        (
            [{"query": "secret words", "relevant": [{"framework": "secret words"}]}],
            "Query 1: a relevant control has no id",
        ),
        ([{"query": "secret words", "relevant": ["A"], "income_year": "secret words"}], "Query 1: income_year"),
    ],
)
def test_a_file_of_another_form_is_refused_without_its_words(plain: Any, says: str) -> None:
    with pytest.raises(QueriesRejected, match=says) as refused:
        queries_of(plain)
    assert "secret" not in str(refused.value)
