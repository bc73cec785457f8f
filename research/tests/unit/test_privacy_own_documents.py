"""A practice's own documents are its words and no law: masked with the heavy hand. And clients who share a key."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from asat_site.testing.passages import section
from asat_site.testing.scripted_model import ScriptedModel, shown_in
from research.adapters.generators.masked import MaskedModel
from research.generation.offered import estimated_tokens, offer
from research.generation.prompt import NumberedQuote, choose_quotes, write_prose
from research.law.identity import own_code
from research.model_terms import ModelFailed, ModelProblem, ModelRequest
from research.privacy.masking import mask
from research.privacy.register import ClientEntry, Register
from research.terms import ParentGroup, Passage

pytestmark = [pytest.mark.unit, pytest.mark.security]

SAYS = "Ring Marigold on 0491 570 006 or m@ferry.example: she owes $8,400 and her TFN is 123 456 782."
LAW = section("12-5", "Fees", f"(1) {SAYS}")[0]
MEMO = replace(section("1", "Fees", f"(1) {SAYS}", act=own_code("KB-7", "0f3a"))[0], chunk_id=LAW.chunk_id + 1)
REGISTER = Register((ClientEntry("Marigold Kowalczyk"), ClientEntry("Zebedee Quartz", allows_remote=False)))
LEAVES = ("0491", "m@ferry", "8,400", "123 456")


def requests(passage: Passage, question: str = "Who pays the fees?") -> list[ModelRequest]:
    group = ParentGroup(passage.version_id, passage.parent, (passage,), (passage.chunk_id,), 1.0)
    quote = NumberedQuote("q1", passage, passage.text)
    return [
        choose_quotes(question, offer([group], 10_000, estimated_tokens), None, 0.0),
        write_prose(question, [quote], None, 0.0),
    ]


def sent_of(request: ModelRequest, register: Register = REGISTER) -> str:
    inner = ScriptedModel(lambda sources: {"quotes": []})
    MaskedModel(inner, register, practice_allows=True).ask(request)
    assert len(shown_in(inner.requests[0])) == 1
    return json.dumps(inner.requests[0].user, ensure_ascii=False)


@pytest.mark.parametrize("which", [0, 1])
def test_what_identifies_somebody_in_an_own_document_is_taken_out_in_either_pass(which: int) -> None:
    sent = sent_of(requests(MEMO)[which])
    assert not [value for value in LEAVES if value in sent] and "[TFN-1]" in sent and "Ring" in sent
    assert all(value in sent_of(requests(LAW)[which]) for value in LEAVES)  # the law's words are public


def test_an_own_document_that_names_a_client_of_whom_nobody_may_hear_is_not_sent() -> None:
    about = replace(MEMO, text="(1) The fees of the wharf are paid by Zebedee Quartz alone.")
    with pytest.raises(ModelFailed) as refused:
        sent_of(requests(about)[0])
    assert refused.value.problem is ModelProblem.NOT_ALLOWED


@pytest.mark.parametrize("place", [0, 1])
def test_a_name_that_two_clients_share_is_that_of_the_one_of_whom_nobody_may_hear(place: int) -> None:
    two = [ClientEntry("Mary Kowalczyk", emails=("k@x.example",)) for _ in range(2)]
    two[place] = replace(two[place], allows_remote=False)
    for text in ("Can Mary Kowalczyk deduct it?", "Can k@x.example deduct it?"):
        assert mask([text], Register(tuple(two))).named == {place}
