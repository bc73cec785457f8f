"""What a reply must be to be handed on, what an error says, and that a key shows itself to nobody."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import httpx
import pytest

from research.adapters.generators import refusals
from research.adapters.generators.addresses import place_of
from research.adapters.generators.keys import Key
from research.adapters.generators.replies import Gathered, events_of, lines_of
from research.adapters.generators.transport import Limits, Line
from research.model_terms import ModelFailed, ModelProblem, ModelReply

pytestmark = pytest.mark.unit

KEY = "sk-test-0123456789abcdef"


def gathered(*pieces: str, calls: dict[int, str] | None = None, ended: bool = True) -> Gathered:
    line = Line(place_of("http://127.0.0.1:1"), Key(""), Limits())
    whole = Gathered(line, "tiny", 500, calls=calls, ended=ended, prompt_tokens=3, completion_tokens=4)
    for piece in pieces:
        whole.add(piece)
    return whole


def answer_of(*chunks: bytes) -> httpx.Response:
    class Body(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield from chunks

    return httpx.Response(200, stream=Body())


@pytest.mark.parametrize("text", ["{}", '{"quotes": []}', ' {"a": 1}\n', '{"a": "`\\u2028 \\ud83d\\ude00 ë"}'])
def test_one_json_object_is_handed_on_as_it_was_said(text: str) -> None:
    half = len(text) // 2
    whole = gathered(text[:half], text[half:])
    assert whole.reply() == ModelReply(text, "tiny", 3, 4)
    assert whole.line.characters == len(text)


@pytest.mark.parametrize("name", ["", "Trust me: all of it is free", "m" * 121, "m\x00", "m\ud800", "m\n", "<b>m</b>"])
def test_a_model_bears_the_name_it_was_asked_by_where_the_provider_gives_another_text(name: str) -> None:
    whole = gathered("{}")
    whole.model, whole.prompt_tokens, whole.completion_tokens = name, 10**30, 5
    assert whole.reply() == ModelReply("{}", "tiny", 100_000_000, 5)
    whole.model = "accounts/tiny-2026:free@1"
    assert whole.reply().model == "accounts/tiny-2026:free@1"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "sent nothing where"),
        (" \n\t", "sent nothing but white space"),
        ('```json\n{"a": 1}\n```', "sent a Markdown block"),
        ('{"a": 1} Hope this helps.', "sent 25 characters that are not JSON"),
        ('{"a": 1}{"b": 2}', "sent 16 characters that are not JSON"),
        ('Here it is: {"a": 1}', "sent 20 characters that are not JSON"),
        ('{"a": 1', "sent 7 characters that are not JSON"),
        ("{'a': 1}", "sent 8 characters that are not JSON"),
        ('{"a": NaN}', "sent 10 characters that are not JSON"),
        ('{"a": Infinity}', "sent 15 characters that are not JSON"),
        ("[" * 100_000, "sent 100,000 characters that are not JSON"),
        ('[{"a": 1}]', "sent JSON of another kind"),
        ('"{}"', "sent JSON of another kind"),
        ("null", "sent JSON of another kind"),
        ('{"a": "\\ud800"}', "sent JSON with broken characters"),
        ('{"a": "\ud800", "a": 1}', "sent JSON with broken characters"),
        ('{"a": "b\\u0000c"}', "sent JSON with a null character"),
        ('{"a\\u0000": 1}', "sent JSON with a null character"),
    ],
)
def test_anything_else_is_not_repaired(text: str, found: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ModelFailed) as caught:
        gathered(text).reply()
    assert caught.value.problem is ModelProblem.NOT_JSON
    assert found in caught.value.message
    assert f"({len(text)} characters)" in caplog.text
    assert "Hope" not in caught.value.message + caplog.text


@pytest.mark.parametrize(
    ("calls", "problem"),
    [
        ({}, ModelProblem.NO_TOOL_CALL),
        ({0: "{}", 1: "{}"}, ModelProblem.NO_TOOL_CALL),
        ({0: ""}, ModelProblem.NOT_JSON),
        ({0: "{"}, ModelProblem.NOT_JSON),
    ],
)
def test_a_tool_is_called_once_and_with_json(calls: dict[int, str], problem: ModelProblem) -> None:
    with pytest.raises(ModelFailed) as caught:
        gathered("{}", calls=calls).reply()
    assert caught.value.problem is problem


def test_a_reply_without_its_end_is_cut_off_even_where_its_json_is_whole() -> None:
    with pytest.raises(ModelFailed) as caught:
        gathered("{}", ended=False).reply()
    assert caught.value.problem is ModelProblem.CUT_OFF


def test_a_reply_at_its_limit_is_truncated_even_where_its_json_is_whole() -> None:
    whole = gathered("{}")
    whole.is_truncated = True
    with pytest.raises(ModelFailed) as caught:
        whole.reply()
    assert caught.value.problem is ModelProblem.TRUNCATED
    assert "(500)" in caught.value.message


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_line_ends_at_a_line_feed_alone_wherever_it_is_cut(size: int) -> None:
    events = 'data: {"a": "x\u2028y\x85z"}\r\n\n: ping\n\ndata: {"b":\ndata: 2}\n\ndata: [DONE]\n\ndata: {}\n\n'
    body = events.encode()
    chunks = [body[at : at + size] for at in range(0, len(body), size)]
    assert b"\n".join(lines_of(answer_of(*chunks))) + b"\n" == body
    assert list(events_of(answer_of(*chunks), "host")) == [{"a": "x\u2028y\x85z"}, {"b": 2}]


def test_an_event_that_is_cut_is_cut_off_and_a_page_is_another_protocol() -> None:
    for body, problem in [
        (b'data: {"a": ', ModelProblem.CUT_OFF),
        (b"data: <html>\n\n", ModelProblem.NOT_JSON),
        (b"data: 3\n\n", ModelProblem.NOT_JSON),
    ]:
        with pytest.raises(ModelFailed) as caught:
            list(events_of(answer_of(body), "host"))
        assert caught.value.problem is problem


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("2", 2.0), ("0.5", 0.5), (" 30 ", 30.0), ("", None), ("soon", None), ("-3", None), ("nan", None), ("1e9", None)],
)
def test_a_wait_is_read_as_seconds(value: str, seconds: float | None) -> None:
    assert refusals.retry_after_s(value) == seconds


def test_a_wait_is_read_as_a_date() -> None:
    assert refusals.retry_after_s("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert (refusals.retry_after_s("Wed, 21 Oct 2195 07:28:00 GMT") or 0.0) > 1e9


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"error": {"code": "model_not_found", "message": "x"}}', "model_not_found"),
        (b'{"error": {"code": null, "type": "invalid_request_error"}}', "invalid_request_error"),
        (b'{"error": {"code": "sk-0123", "type": "auth"}}', "auth"),
        (b'{"error": {"code": 502}}', ""),
        (b'{"error": {"code": "You asked about Ann Smith"}}', ""),
        (b'{"error": "model not found"}', ""),
        (b"[1]", ""),
        (b"<html>", ""),
        (b"[" * 100_000, ""),
        (b"\xff\xfe", ""),
    ],
)
def test_of_an_error_only_its_code_is_repeated(body: bytes, code: str) -> None:
    assert refusals.code_in(body) == code


def test_a_refusal_names_host_status_reason_and_what_to_do() -> None:
    failed, may_ask_again = refusals.of_status("api.example.com", 404, {}, "model_not_found")
    assert failed.message == (
        "The model at api.example.com knows neither the model nor the address (404). "
        "Check the model's name and the base address. It names the reason “model_not_found”."
    )
    assert may_ask_again is False


def test_a_key_shows_itself_to_nobody() -> None:
    key = Key(KEY)
    headers: dict[str, str] = {}
    key.put_into(headers)
    assert headers == {"Authorization": f"Bearer {KEY}"}
    assert KEY not in repr(key) + str(key) + repr([key])
    assert key.holds("0123456789") and not key.holds("model_not_found")
    for write in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="not written anywhere"):
            write(key)


def test_no_key_is_no_header() -> None:
    headers: dict[str, str] = {}
    Key(" \n").put_into(headers)
    assert headers == {}
