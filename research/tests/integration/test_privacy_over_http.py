"""The bytes that a provider receives: no value of the practice's register is among them, in any protocol."""

from __future__ import annotations

import json

import pytest

from asat_site.testing.model_server import model_server
from research.adapters.generators.build import build
from research.adapters.generators.masked import MaskedModel
from research.adapters.generators.transport import Limits
from research.adapters.model_settings import ChosenModel
from research.model_terms import ModelFailed, ModelProblem, ModelRequest
from research.privacy.register import ClientEntry, Register

pytestmark = pytest.mark.security

CLIENT = ClientEntry(
    "Zoë Quillfeather-Nkemelu",
    ("Quillfeather Ceramics Pty Ltd",),
    abn="51824753556",
    acn="004085616",
    tfn="123456782",
    addresses=("7 Wattlebird Crescent, Mullumbimby NSW 2482",),
    emails=("zoe@quillfeather.example",),
    phones=("0412 345 678",),
    account_numbers=("062-000 87654321",),
)
QUESTION = (
    'Zoe "QUILLFEATHER-NKEMELU" (ABN 51 824 753 556, ACN 004-085-616,\nTFN 123.456.782) of 7 Wattlebird Cres,\n'
    "Mullumbimby, zoe@quillfeather.example, +61 412 345 678, BSB 062 000 account 8765 4321, through Quillfeather\n"
    "Ceramics P/L, spent $81,250 on a kiln. Is it deductible under s 8-1 in 2019-20?"
)
LAW = "You can deduct an amount of up to $20,000 under section 328-180, in the words of Quillfeather J."
MARKS = (
    "quillfeather-", "nkemelu", "ceramics", "51824753556", "004085616", "123456782", "wattlebird", "zoe@", "412345678",
    "87654321", "81,250",
)  # fmt: skip
PROTOCOLS = ("ollama", "anthropic", "openai_compatible", "aggregator")
SCHEMA = {"type": "object", "properties": {"quote": {"type": "string"}}, "required": ["quote"]}


def asked() -> ModelRequest:
    lines = [{"question": QUESTION}, {"source": "s1", "provision": "ITAA97 s 328-180", "heading": "", "text": LAW}]
    user = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    return ModelRequest("quotes", "You find the words of the law.", user, SCHEMA, 200)


@pytest.mark.parametrize("provider", PROTOCOLS)
def test_no_value_of_the_register_is_among_the_bytes_sent(provider: str) -> None:
    with model_server() as server:
        server.answers_with(lambda body: {"quote": "[CLIENT-1] of [ADDRESS-1] spent [AMOUNT-1]"})
        chosen = ChosenModel(provider, "", server.address(provider), "some-model", "key-of-nobody")
        inner = build(chosen, Limits())
        model = MaskedModel(inner, Register((CLIENT,)), practice_allows=True)
        reply = model.ask(asked())
        assert len(server.requests) == 1
        received = server.requests[0]
    whole = json.dumps(json.loads(received.text), ensure_ascii=False) + received.text + repr(received.headers)
    plain = whole.lower().replace("ë", "e").replace("\\u00eb", "e")
    for joined in (plain, plain.replace(" ", "").replace("-", "").replace(".", ""), plain.replace("\\n", " ")):
        assert [mark for mark in MARKS if mark in joined] == []
    assert LAW in json.dumps(received.body, ensure_ascii=False), "the law's own text is as it was"
    assert received.body == model.body(asked()), "a preview shows the very JSON"
    assert json.loads(reply.text) == {
        "quote": 'Zoe "QUILLFEATHER-NKEMELU of 7 Wattlebird Cres,\nMullumbimby spent $81,250'
    }


def test_where_the_practice_has_not_switched_it_on_no_byte_is_sent() -> None:
    with model_server() as server:
        chosen = ChosenModel("openai_compatible", "", server.address("openai_compatible"), "some-model")
        model = MaskedModel(build(chosen, Limits()), Register((CLIENT,)), practice_allows=False)
        with pytest.raises(ModelFailed) as refusal:
            model.ask(asked())
        assert refusal.value.problem is ModelProblem.NOT_ALLOWED
        assert server.requests == []
