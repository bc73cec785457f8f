"""For any register and any text: nothing of the register gets out, and everything comes back."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.adapters.generators.masked import MaskedModel
from research.model_terms import ModelFailed, ModelIdentity, ModelProblem, ModelReply, ModelRequest
from research.ports import LanguageModel, Waiting, waiting_quietly
from research.privacy.masking import PLACEHOLDER, mask, restore
from research.privacy.register import ClientEntry, Register
from research.privacy.topics import RULES, TOPICS, topic_query

pytestmark = [pytest.mark.unit, pytest.mark.security]

SYSTEM = "You find the words of the law. At most 12 quotes; $75,000 is seventy-five thousand dollars."
LAW = "A company that is a small business entity (see section 328-110) deducts $20,000 in the 2019-20 income year."
# Names that can stand in no prompt of their own: an x inside, and no English word.
SYLLABLES = [a + b for a in ("Bax", "Dux", "Fex", "Gox", "Kix") for b in ("a", "en", "ilo", "or", "usk")]
WORD = st.tuples(st.sampled_from(SYLLABLES), st.sampled_from(["", "berl", "dano", "mutt", "zig"])).map("".join)
ENDING = st.sampled_from(["", " Pty Ltd", " Limited", " Family Trust", " & Sons", " Holdings Pty Limited"])
ABN = "51824753556"
DIGITS = st.integers(0, 10**9 - 1).map(lambda number: f"{number ^ 0x2AAAAAA:09}"[-9:])


@st.composite
def entries(draw: st.DrawFn) -> ClientEntry:
    first, second, street = draw(WORD), draw(WORD), draw(WORD)
    phone, account = draw(DIGITS), draw(DIGITS)
    return ClientEntry(
        name=f"{first} {second}{draw(ENDING)}",
        trading_names=(f"{second}’s {draw(WORD)} Emporium",) if draw(st.booleans()) else (),
        abn=f"{draw(st.integers(10, 99))}{draw(DIGITS)}",
        acn=draw(DIGITS),
        tfn=draw(DIGITS),
        addresses=(f"{draw(st.integers(1, 999))} {street} Street, {first}ville NSW 2{draw(st.integers(100, 999))}",),
        emails=(f"{first}.{second}@{street}.example.com".lower(),),
        phones=(f"04{phone[:8]}",),
        account_numbers=(f"062-{phone[:3]} {account}",),
    )


REGISTERS = st.lists(entries(), min_size=1, max_size=4).map(lambda found: Register(tuple(found)))


def values(register: Register) -> list[str]:
    found = []
    for client in register.clients:
        found += [client.name, *client.trading_names, client.abn, client.acn, client.tfn]
        found += [*client.addresses, *client.emails, *client.phones, *client.account_numbers]
    return found


@st.composite
def oddly_written(draw: st.DrawFn, value: str) -> str:
    """The value as somebody might type it, or a program might carry it."""
    how = draw(st.sampled_from(["as it is", "capitals", "low", "wide", "spaced", "punctuated", "broken", "hidden"]))
    match how:
        case "capitals":
            return value.upper()
        case "low":
            return value.lower()
        case "wide":
            return "".join(chr(ord(each) + 0xFEE0) if each.isascii() and each.isalnum() else each for each in value)
        case "spaced":
            return re.sub(r"(?<=\d)(?=\d)", draw(st.sampled_from([" ", "-", ".", "\u00a0"])), value)
        case "punctuated":
            return value.replace(" ", draw(st.sampled_from(["  ", "-", ", ", "\u2009", " / "])))
        case "broken":
            return value.replace(" ", "\n")
        case "hidden":
            return value[:3] + draw(st.sampled_from(["\u200b", "\u00ad", "\u2060"])) + value[3:]
    return value


@st.composite
def embedded(draw: st.DrawFn) -> tuple[Register, str, list[str]]:
    """A register, a text that holds values of it in odd forms, and those values."""
    register = draw(REGISTERS)
    chosen = draw(st.lists(st.sampled_from(values(register)), min_size=1, max_size=6))
    parts = []
    for value in chosen:
        before = draw(st.sampled_from(["", "Does ", "ABN ", "(", "x: ", "“", "and "]))
        after = draw(st.sampled_from(["", "'s car", "? ", ").", " owes $75,000", "\n", "”", ", s 8-1"]))
        parts.append(f"{before}{draw(oddly_written(value))}{after}")
    return register, draw(st.sampled_from([" ; ", "\n\n", " — for — "])).join(parts), chosen


def bare(text: str) -> str:
    """Letters and digits alone, low, without accents: in whatever form a value stands, it stands in this."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(each for each in plain if each.isalnum())


def assert_nothing_of(register: Register, text: str) -> None:
    """No value of the register stands in the text, in any form; nor does the name of a client without its ending."""
    there = bare(PLACEHOLDER.sub("|", text))
    for value in values(register):
        assert bare(value) not in there
        core = re.sub(r"(?: Holdings)? (?:Pty )?(?:Ltd|Limited)$", "", value)
        assert bare(core) not in there


class Recording:
    """A remote model that keeps what it was asked and says the question back, as a model may."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity("openai_compatible", "recorded", is_remote=True, host="models.example.com")

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        self.sent.append(json.dumps(self.body(request), ensure_ascii=False))
        said = {"said": request.user, "parts": [request.user, 7, None, {"system": request.system}]}
        return ModelReply(json.dumps(said), "recorded")

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}]
        return {"messages": messages, "response_format": request.schema, "max_tokens": request.max_tokens}


def asked(question: str) -> ModelRequest:
    """A request as the prompts word it: lines of JSON, the question first."""
    lines = [{"question": question}, {"source": "s1", "provision": "ITAA97 s 328-110", "heading": "", "text": LAW}]
    user = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    return ModelRequest("quotes", SYSTEM, user, {"type": "object"}, 100)


@given(embedded())
@settings(max_examples=300, deadline=None)
def test_no_value_of_the_register_is_in_what_is_masked_and_all_comes_back(
    made: tuple[Register, str, list[str]],
) -> None:
    register, text, _ = made
    masked = mask([text], register)
    assert_nothing_of(register, masked.texts[0])
    assert restore(masked.texts[0], masked.table) == text


@given(embedded())
@settings(max_examples=200, deadline=None)
def test_no_value_of_the_register_is_in_any_outbound_request(made: tuple[Register, str, list[str]]) -> None:
    register, text, _ = made
    inner = Recording()
    model: LanguageModel = MaskedModel(inner, register, practice_allows=True)
    request = asked(text)
    reply = json.loads(model.ask(request).text)
    assert len(inner.sent) == 1
    sent = json.loads(inner.sent[0])
    assert sent == model.body(request)
    for line in sent["messages"][1]["content"].split("\n"):
        for part in json.loads(line).values():
            assert_nothing_of(register, part)
    assert_nothing_of(register, inner.sent[0])
    assert json.loads(sent["messages"][1]["content"].split("\n")[1])["text"] == LAW
    assert reply["parts"][3] == {"system": SYSTEM}


@given(embedded(), st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_what_a_model_says_back_is_restored_in_every_string(made: tuple[Register, str, list[str]], more: str) -> None:
    register, text, _ = made
    echoes = Echo()
    MaskedModel(echoes, register, practice_allows=True).ask(asked(text + more))
    echoes.says = json.loads(echoes.user.split("\n")[0])["question"]
    reply = MaskedModel(echoes, register, practice_allows=True).ask(asked(text + more))
    assert json.loads(reply.text) == {"quotes": [{"quote": text + more}]}


class Echo(Recording):
    user = ""
    says = ""

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        self.user = request.user
        return ModelReply(json.dumps({"quotes": [{"quote": self.says}]}), "echo")


@given(st.lists(st.text(max_size=80), max_size=4), REGISTERS, st.booleans())
@settings(max_examples=100, deadline=None)
def test_any_text_comes_back_to_the_letter(texts: list[str], register: Register, about: bool) -> None:
    masked = mask(texts, register, law={1}, is_about_a_client=about)
    assert [restore(text, masked.table) for text in masked.texts] == texts


@given(
    st.lists(
        st.sampled_from(
            ["[CLIENT-1]", "[ABN-1B]", "[TEXT-1]", "[CLIENT-", "1]", "]", "[", "B", "Fax Baxo", "51824753556"]
        ),
        max_size=12,
    ).map("".join)
)
@settings(max_examples=100, deadline=None)
def test_placeholders_and_pieces_of_them_come_back_to_the_letter(text: str) -> None:
    register = Register((ClientEntry("Fax Baxo", abn=ABN), ClientEntry("B"), ClientEntry("CLIENT 1")))
    masked = mask([text], register, is_about_a_client=True)
    assert restore(masked.texts[0], masked.table) == text
    assert ABN not in masked.texts[0]


@pytest.mark.parametrize(
    ("allowed", "of_client", "in_register", "question"),
    [
        (False, True, True, "Is a car deductible?"),
        (True, False, True, "Is a car deductible?"),
        (True, True, False, "Is Zoe Quillfeather's car deductible?"),
    ],
)
def test_nothing_is_sent_where_practice_or_client_does_not_allow_it(
    allowed: bool, of_client: bool, in_register: bool, question: str
) -> None:
    inner = Recording()
    register = Register((ClientEntry("Zoe Quillfeather", allows_remote=in_register),))
    model = MaskedModel(inner, register, practice_allows=allowed, client_allows=of_client)
    with pytest.raises(ModelFailed) as refusal:
        model.ask(asked(question))
    assert refusal.value.problem is ModelProblem.NOT_ALLOWED
    assert "Quillfeather" not in refusal.value.message
    assert inner.sent == []
    preview = json.dumps(model.body(asked(question)))
    assert "Quillfeather" not in preview, "a preview shows what would be sent"


def test_a_reply_that_is_no_json_is_restored_as_it_stands() -> None:
    class Chatty(Recording):
        def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
            return ModelReply('{"quotes": ["[CLIENT-1] pa', "chatty")

    model = MaskedModel(Chatty(), Register((ClientEntry("Zoe Quillfeather"),)), practice_allows=True)
    assert model.ask(asked("Does Zoe Quillfeather pay?")).text == '{"quotes": ["Zoe Quillfeather pa'


def test_the_same_question_is_sent_in_the_same_words() -> None:
    model = MaskedModel(Recording(), Register((ClientEntry("Zoe Quillfeather"),)), practice_allows=True)
    assert model.body(asked("Zoe Quillfeather?")) == model.body(asked("Zoe Quillfeather?"))


WORDS = frozenset(TOPICS.values()) | frozenset(RULES.values())


@given(
    st.lists(st.text(max_size=30) | st.sampled_from(sorted(TOPICS))),
    st.lists(st.text() | st.sampled_from(sorted(RULES))),
)
@settings(max_examples=100, deadline=None)
def test_a_topic_query_holds_none_but_the_tables_words(labels: list[str], rule_ids: list[str]) -> None:
    query = topic_query(labels, rule_ids)
    is_known = set(labels) <= TOPICS.keys() and set(rule_ids) <= RULES.keys() and bool(labels or rule_ids)
    assert (query is not None) is is_known
    if query is not None:
        assert set(query.split("; ")) <= WORDS


@pytest.mark.parametrize(
    ("labels", "rule_ids", "query"),
    [
        (["car"], [], "car expenses logbook cents per kilometre"),
        (["tax invoice"], ["invoice-incomplete"], "requirements of a tax invoice"),
        (
            ["gst"],
            ["sg-late"],
            "goods and services tax taxable supply; superannuation guarantee charge late contribution",
        ),
        (["Car"], [], None),
        (["car", "Kowalczyk"], [], None),
        ([], [], None),
    ],
)
def test_a_topic_query_is_looked_up_and_never_made_up(
    labels: list[str], rule_ids: list[str], query: str | None
) -> None:
    assert topic_query(labels, rule_ids) == query
