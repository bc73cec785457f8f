"""The adapters of language models, each asked over real HTTP of a provider that misbehaves in every way it can."""

from __future__ import annotations

import json
import logging
import os
import socket
import ssl
import subprocess
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import CommandError, call_command

from asat_site.testing.model_server import ModelServer, Trouble, model_server
from research.adapters.generators import transport
from research.adapters.generators.anthropic import Anthropic
from research.adapters.generators.ollama import Ollama
from research.adapters.generators.openai_chat import OpenAIChat
from research.adapters.generators.probe import probe, schema_for
from research.adapters.generators.transport import Limits
from research.adapters.generators.vendors import VENDORS
from research.model_terms import ModelFailed, ModelIdentity, ModelProblem, ModelRequest
from research.ports import LanguageModel

KEY = "sk-test-0123456789abcdef-do-not-tell"
SAID = {"quotes": [{"source": "s1", "quote": "A master must keep a log."}]}
MATTER = "the matter that was asked about"
REQUEST = ModelRequest("quotes", "Select quotes.", MATTER, schema_for(("s1", "s2")), max_tokens=500)
QUICK = Limits(
    connect_s=1, read_s=0.4, total_s=1.0, max_bytes=100_000, first_wait_s=0.01, longest_wait_s=0.5, tell_every_s=0.05
)

Make = Callable[..., LanguageModel]


def openai_of(vendor: str) -> Make:
    def make(server: ModelServer, limits: Limits = QUICK, **more: Any) -> LanguageModel:
        address = server.address("openai_compatible")
        return OpenAIChat(VENDORS[vendor], "tiny", KEY, base_url=address, seed=1, limits=limits, **more)

    return make


def anthropic(server: ModelServer, limits: Limits = QUICK, **more: Any) -> LanguageModel:
    return Anthropic("claude-tiny", KEY, base_url=server.address("anthropic"), limits=limits, **more)


def ollama(server: ModelServer, limits: Limits = QUICK, **more: Any) -> LanguageModel:
    return Ollama("tiny", KEY, base_url=server.address("ollama"), seed=1, limits=limits, **more)


ADAPTERS: dict[str, Make] = {
    "chat with a schema": openai_of("custom"),
    "chat with a tool": openai_of("minimax"),
    "chat with JSON alone": openai_of("deepseek"),
    "chat that does not stream": openai_of("groq"),
    "anthropic": anthropic,
    "ollama": ollama,
}
TOOLS = ("chat with a tool", "anthropic")


@pytest.fixture(params=ADAPTERS)
def adapter(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def failure(model: LanguageModel) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        model.ask(REQUEST)
    return caught.value


def test_a_reply_comes_back_as_it_was_said_with_its_model_and_its_tokens(server: ModelServer, adapter: str) -> None:
    server.model_named = "tiny-2024-06-01"
    text = '{ "quotes": [{"source":"s1", "quote":"§ 8\\u20131: a\u2028log – “kept”\x85 daily"}] }'
    server.will_say(text)
    reply = ADAPTERS[adapter](server).ask(REQUEST)
    assert reply.text == text
    assert reply.model == "tiny-2024-06-01"
    assert reply.completion_tokens == (len(text) + 3) // 4
    assert reply.prompt_tokens == len(server.requests[0].text) // 4


def test_what_is_sent_is_what_the_preview_shows_and_the_key_is_in_a_header(server: ModelServer, adapter: str) -> None:
    model = ADAPTERS[adapter](server)
    server.will_say(SAID)
    assert json.loads(model.ask(REQUEST).text) == SAID
    (received,) = server.requests
    assert received.body == model.body(REQUEST)
    assert KEY not in received.text and KEY not in received.path
    header, value = ("x-api-key", KEY) if adapter == "anthropic" else ("authorization", f"Bearer {KEY}")
    assert received.headers[header] == value
    assert received.headers["accept-encoding"] == "identity"
    assert received.headers["user-agent"] == "AsAt"


TROUBLES = {
    Trouble.SILENCE: ModelProblem.TIMEOUT,
    Trouble.SLOW_HEADERS: ModelProblem.TIMEOUT,
    Trouble.SLOW_DRIP: ModelProblem.TIMEOUT,
    Trouble.CUT_STREAM: ModelProblem.CUT_OFF,
    Trouble.RESET: ModelProblem.CUT_OFF,
    Trouble.REDIRECT: ModelProblem.REDIRECTED,
    Trouble.OVERSIZED: ModelProblem.TOO_LARGE,
    Trouble.ERROR_IN_STREAM: ModelProblem.UNAVAILABLE,
    Trouble.TRUNCATED: ModelProblem.TRUNCATED,
    Trouble.FENCED: ModelProblem.NOT_JSON,
    Trouble.TRAILING_PROSE: ModelProblem.NOT_JSON,
    Trouble.BLANK: ModelProblem.NOT_JSON,
    Trouble.BROKEN_JSON: ModelProblem.NOT_JSON,
    Trouble.A_LIST: ModelProblem.NOT_JSON,
    Trouble.NO_JSON_AT_ALL: ModelProblem.NOT_JSON,
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_trouble_with_an_answer_fails_with_its_name_and_is_asked_once(
    server: ModelServer, adapter: str, trouble: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.will(trouble, says=SAID, times=5)
    began = time.monotonic()
    failed = failure(ADAPTERS[adapter](server))
    assert failed.problem is TROUBLES[trouble]
    assert len(server.requests) == 1
    assert time.monotonic() - began < QUICK.total_s + 1.5
    assert_tells_nothing(failed, caplog.text)


def test_a_tool_that_is_not_called_fails_by_its_own_name(server: ModelServer, adapter: str) -> None:
    server.will(Trouble.NO_TOOL_CALL)
    wanted = ModelProblem.NO_TOOL_CALL if adapter in TOOLS else ModelProblem.NOT_JSON
    assert failure(ADAPTERS[adapter](server)).problem is wanted


def test_a_reply_of_another_shape_is_handed_on_unread(server: ModelServer, adapter: str) -> None:
    """Whether the schema and its enum were kept is for the reader to say, who trusts nobody."""
    server.will(Trouble.SCHEMA_IGNORED)
    server.will(Trouble.ENUM_IGNORED)
    model = ADAPTERS[adapter](server)
    assert json.loads(model.ask(REQUEST).text) == {"reply": "Certainly. The words are in the first source."}
    assert json.loads(model.ask(REQUEST).text)["quotes"][0]["source"] == "source-never-offered"


@pytest.mark.parametrize(
    ("status", "problem", "times_asked"),
    [
        (400, ModelProblem.REQUEST_REFUSED, 1),
        (401, ModelProblem.UNAUTHORISED, 1),
        (402, ModelProblem.REQUEST_REFUSED, 1),
        (403, ModelProblem.UNAUTHORISED, 1),
        (404, ModelProblem.REQUEST_REFUSED, 1),
        (408, ModelProblem.TIMEOUT, 1),
        (422, ModelProblem.REQUEST_REFUSED, 1),
        (429, ModelProblem.RATE_LIMITED, 3),
        (500, ModelProblem.UNAVAILABLE, 1),
        (502, ModelProblem.UNAVAILABLE, 1),
        (503, ModelProblem.UNAVAILABLE, 3),
        (504, ModelProblem.UNAVAILABLE, 1),
        (529, ModelProblem.UNAVAILABLE, 3),
    ],
)
def test_a_status_has_its_problem_and_only_what_was_not_taken_up_is_asked_again(
    server: ModelServer,
    adapter: str,
    status: int,
    problem: ModelProblem,
    times_asked: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.will_fail(status, detail=f"no: {KEY} asked about {MATTER}", times=5)
    failed = failure(ADAPTERS[adapter](server))
    assert failed.problem is problem
    assert len(server.requests) == times_asked
    assert str(status) in failed.message
    assert_tells_nothing(failed, caplog.text)


@pytest.mark.alone
def test_it_waits_as_long_as_the_provider_asks_and_then_is_answered(server: ModelServer, adapter: str) -> None:
    server.will_fail(429, retry_after="0.3")
    server.will_say(SAID)
    began = time.monotonic()
    assert json.loads(ADAPTERS[adapter](server).ask(REQUEST).text) == SAID
    assert 0.3 <= time.monotonic() - began < 0.9
    assert len(server.requests) == 2


def test_a_provider_that_asks_for_a_long_wait_is_left_alone(server: ModelServer, adapter: str) -> None:
    server.will_fail(429, retry_after="3600", times=2)
    failed = failure(ADAPTERS[adapter](server))
    assert (failed.problem, failed.retry_after_s) == (ModelProblem.RATE_LIMITED, 3600.0)
    assert "in 3,600 seconds" in failed.message
    assert len(server.requests) == 1


def test_a_port_where_nobody_listens_is_tried_again_and_then_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        failed = failure(OpenAIChat(VENDORS["custom"], "tiny", KEY, base_url=address, limits=QUICK))
    assert failed.problem is ModelProblem.UNREACHABLE
    assert "127.0.0.1" in failed.message


def test_a_second_address_of_a_name_is_tried_when_the_first_takes_no_connection(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(server.url.rsplit(":", 1)[1])
    resolve_to(monkeypatch, "::1", "127.0.0.1")
    server.will_say(SAID)
    model = OpenAIChat(VENDORS["custom"], "tiny", KEY, base_url=f"http://localhost:{port}/v1", limits=QUICK)
    assert json.loads(model.ask(REQUEST).text) == SAID
    assert server.requests[0].headers["host"] == f"localhost:{port}"


def test_whoever_waits_is_told_how_far_it_is_even_while_nothing_is_said(server: ModelServer, adapter: str) -> None:
    server.will(Trouble.SILENCE)
    told: list[tuple[str, str]] = []
    with pytest.raises(ModelFailed):
        ADAPTERS[adapter](server).ask(REQUEST, lambda far: told.append((far, threading.current_thread().name)))
    assert len(told) >= 5
    assert set(told) == {("0 characters", threading.current_thread().name)}


def test_whoever_waits_is_told_how_much_was_said(server: ModelServer) -> None:
    server.will(Trouble.SLOW_DRIP, says=SAID)  # one piece of it, and then a byte now and then
    told: list[str] = []
    with pytest.raises(ModelFailed):
        ollama(server).ask(REQUEST, told.append)
    assert told[-1] == "24 characters"


def test_by_itself_it_tells_more_often_than_every_two_seconds() -> None:
    assert Limits().tell_every_s <= 2.0


@pytest.mark.parametrize("trouble", [Trouble.SILENCE, Trouble.SLOW_HEADERS, Trouble.SLOW_DRIP])
def test_what_waiting_raises_ends_the_exchange_at_once(server: ModelServer, adapter: str, trouble: Trouble) -> None:
    class Stopped(Exception):
        pass

    def stop(how_far: str) -> None:
        raise Stopped

    server.will(trouble)
    patient = Limits(read_s=60, total_s=60, tell_every_s=0.1)
    began = time.monotonic()
    with pytest.raises(Stopped):
        ADAPTERS[adapter](server, patient).ask(REQUEST, stop)
    assert time.monotonic() - began < 2
    assert not [thread for thread in threading.enumerate() if thread.name == "asat-model"]


def test_a_wait_between_tries_can_be_stopped(server: ModelServer) -> None:
    class Stopped(Exception):
        pass

    def stop(how_far: str) -> None:
        raise Stopped

    server.will_fail(503, retry_after="15", times=3)
    patient = Limits(read_s=60, total_s=60, tell_every_s=0.2)
    began = time.monotonic()
    with pytest.raises(Stopped):
        openai_of("custom")(server, patient).ask(REQUEST, stop)
    assert time.monotonic() - began < 2
    assert len(server.requests) == 1


def test_nothing_of_the_environment_is_used(server: ModelServer, adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("OLLAMA_API_KEY", "somebody-else's")
    server.will_say(SAID)
    assert json.loads(ADAPTERS[adapter](server).ask(REQUEST).text) == SAID
    assert "somebody-else's" not in str(server.requests[0].headers)


def test_a_server_of_ollama_without_a_key_is_sent_none(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "somebody-else's")
    server.will_say(SAID)
    Ollama("tiny", base_url=server.address("ollama"), limits=QUICK).ask(REQUEST)
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("key", ["two words-0123456789", "line\nbreak-0123456789", "schlüssel-0123456789"])
def test_a_key_that_no_header_can_hold_is_never_sent_or_shown(server: ModelServer, key: str) -> None:
    failed = failure(
        OpenAIChat(VENDORS["custom"], "m", key, base_url=server.address("openai_compatible"), limits=QUICK)
    )
    assert failed.problem is ModelProblem.UNAUTHORISED
    assert key not in "".join(traceback.format_exception(failed)) and "0123456789" not in failed.message
    assert server.requests == []


@pytest.mark.security
@pytest.mark.parametrize("make", ADAPTERS.values(), ids=list(ADAPTERS))
def test_an_address_that_a_practice_gave_may_not_lead_to_this_machine(server: ModelServer, make: Make) -> None:
    failed = failure(make(server, is_from_practice=True))
    assert failed.problem is ModelProblem.ADDRESS_REFUSED
    assert server.requests == []


@pytest.mark.security
def test_a_public_name_that_resolves_to_this_machine_is_refused_for_a_practice(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, "127.0.0.1")
    port = server.url.rsplit(":", 1)[1]
    address = f"https://models.example.com:{port}/v1"
    failed = failure(OpenAIChat(VENDORS["custom"], "m", KEY, base_url=address, limits=QUICK, is_from_practice=True))
    assert failed.problem is ModelProblem.ADDRESS_REFUSED
    assert server.requests == []


@pytest.mark.security
def test_the_name_is_checked_in_the_certificate_though_its_address_is_connected_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving, trusting = certificate_for("models.example.com", tmp_path)
    monkeypatch.setattr(transport, "_tls", lambda: trusting)
    resolve_to(monkeypatch, "127.0.0.1")
    with model_server(serving) as server:
        port = server.url.rsplit(":", 1)[1]
        server.will_say(SAID)
        right = OpenAIChat(VENDORS["custom"], "m", KEY, base_url=f"https://models.example.com:{port}/v1", limits=QUICK)
        assert json.loads(right.ask(REQUEST).text) == SAID
        wrong = OpenAIChat(VENDORS["custom"], "m", KEY, base_url=f"https://other.example.com:{port}/v1", limits=QUICK)
        assert failure(wrong).problem is ModelProblem.UNREACHABLE
        assert len(server.requests) == 1


def test_a_compressed_answer_is_refused_unread(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    real = httpx.HTTPTransport.handle_request

    def compressed(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        answer = real(self, request)
        answer.headers["Content-Encoding"] = "gzip"
        return answer

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", compressed)
    assert failure(openai_of("custom")(server)).problem is ModelProblem.NOT_JSON


def test_every_adapter_says_who_it_is(server: ModelServer) -> None:
    here = {"host": "127.0.0.1", "is_remote": False}
    said = {name: make(server).identity for name, make in ADAPTERS.items()}
    assert said == {
        "chat with a schema": ModelIdentity("openai_compatible", "tiny", 1, False, **here),
        "chat with a tool": ModelIdentity("openai_compatible", "tiny", None, False, **here),
        "chat with JSON alone": ModelIdentity("openai_compatible", "tiny", None, False, **here),
        "chat that does not stream": ModelIdentity("openai_compatible", "tiny", 1, False, **here),
        "anthropic": ModelIdentity("anthropic", "claude-tiny", None, False, **here),
        "ollama": ModelIdentity("ollama", "tiny", 1, True, **here),
    }
    assert all(KEY not in repr(make(server)) for make in ADAPTERS.values())


def test_a_probe_over_each_protocol_tells_a_good_provider_from_a_bad_one(server: ModelServer, adapter: str) -> None:
    server.heeds_max_tokens = True
    server.answers_with(copies_the_first_source)
    model = ADAPTERS[adapter](server, Limits())
    good = probe(model)
    seed = None if model.identity.seed is None else True
    assert {kind: good.works(kind) for kind in ("schema", "enum", "seed", "stop")} == {
        "schema": True,
        "enum": True,
        "seed": seed,
        "stop": True,
    }
    server.will(Trouble.ENUM_IGNORED, times=2)
    server.will(Trouble.SCHEMA_IGNORED)
    bad = probe(model)
    assert (bad.works("enum"), bad.works("schema"), bad.works("stop")) == (False, False, True)


def test_the_commands_list_the_vendors_and_probe_the_installations_model(
    server: ModelServer, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("provider", "list")
    listed = capsys.readouterr().out
    assert "openrouter  json_schema  best effort  https://openrouter.ai/api/v1" in listed
    assert "anthropic   tool         none         https://api.anthropic.com" in listed
    call_command("provider", "list", "--json")
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == [*VENDORS, "anthropic", "ollama"]

    settings.ASAT_GENERATION_PROVIDER = "extractive"
    with pytest.raises(CommandError, match="Name another provider to probe it"):
        call_command("provider", "probe")

    settings.ASAT_GENERATION_PROVIDER = "openai_compatible"
    settings.ASAT_GENERATION_ADDRESS = server.address("openai_compatible")
    settings.ASAT_GENERATION_MODEL, settings.ASAT_GENERATION_KEY = "tiny", KEY
    server.answers_with(copies_the_first_source)
    server.heeds_max_tokens = True
    call_command("provider", "probe")
    printed = capsys.readouterr().out
    assert "openai_compatible: tiny on this machine (127.0.0.1), seed 1, which it does not promise to heed" in printed
    assert "schema: works, enum: works, seed: works, stop: works" in printed
    assert "stays usable" in printed
    call_command("provider", "probe", "--json")
    assert json.loads(capsys.readouterr().out)["works"]["enum"] is True

    server.will_fail(401, detail=f"wrong key {KEY}")
    with pytest.raises(SystemExit) as ended:
        call_command("provider", "probe")
    printed = capsys.readouterr().out
    assert ended.value.code == 4
    assert "does not accept the key (401)" in printed and KEY not in printed


def copies_the_first_source(body: dict[str, Any]) -> dict[str, Any]:
    """An honest model of few ideas: all of the first source as one quote."""
    matter = json.dumps(body["messages"], ensure_ascii=False)
    words = matter.split("[s1] ")[1].split("\\n")[0]
    return {"quotes": [{"source": "s1", "quote": words}]}


def test_a_real_llama_server_keeps_to_the_schema_and_repeats_itself() -> None:
    """Opt-in: ASAT_TEST_LLAMA_SERVER is the program, ASAT_TEST_LLAMA_MODEL a small GGUF."""
    program, weights = os.environ.get("ASAT_TEST_LLAMA_SERVER"), os.environ.get("ASAT_TEST_LLAMA_MODEL")
    if not program or not weights:
        pytest.skip("No real model was asked: set ASAT_TEST_LLAMA_SERVER and ASAT_TEST_LLAMA_MODEL to ask one.")
    with llama_server(program, weights) as address:
        model = OpenAIChat(
            VENDORS["llamacpp"], "gguf", base_url=address, seed=1, limits=Limits(read_s=600, total_s=900)
        )
        request = ModelRequest(
            "quotes",
            "Select one quote. Reply with JSON.",
            "[s1] A master must keep a log of every crossing.\n\nWho must keep a log?",
            schema_for(("s1",)),
            max_tokens=400,
            seed=3,
        )
        first, second = model.ask(request), model.ask(request)
        report = probe(model)
    value = json.loads(first.text)
    assert set(value) == {"quotes"}
    assert all(quote["source"] == "s1" for quote in value["quotes"])
    assert first.text == second.text
    assert first.prompt_tokens > 0 and first.completion_tokens > 0
    assert report.works("enum") is not False


@contextmanager
def llama_server(program: str, weights: str) -> Iterator[str]:
    """A llama.cpp server with this model on a free port; its base URL, once it is ready."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asked = [program, "-m", weights, "--host", "127.0.0.1", "--port", str(port), "-c", "4096", "-t", "2", "-np", "1"]
    running = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        ends = time.monotonic() + 120
        while True:
            assert running.poll() is None, f"{program} ended with {running.returncode} before it was ready."
            assert time.monotonic() < ends, f"{program} was not ready within two minutes."
            try:
                if httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False).status_code == 200:
                    break
            except httpx.HTTPError:
                pass
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        running.terminate()
        running.wait(30)


def assert_tells_nothing(failed: ModelFailed, logged: str) -> None:
    """That neither the key nor what was asked or said is in what a person or a log may see."""
    seen = "\n".join([*traceback.format_exception(failed), failed.message, repr(failed), logged])
    for secret in (KEY, "do-not-tell", MATTER, SAID["quotes"][0]["quote"]):
        assert secret not in seen


def resolve_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """From now on every name has these addresses."""

    def getaddrinfo(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        families = [(socket.AF_INET6 if ":" in address else socket.AF_INET, address) for address in addresses]
        return [(family, socket.SOCK_STREAM, 6, "", (address, port)) for family, address in families]

    monkeypatch.setattr("research.adapters.generators.addresses.socket.getaddrinfo", getaddrinfo)


def certificate_for(name: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's context with a certificate for this name, and a client's that trusts it."""
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / "server.pem"
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(pem)
    trusting = ssl.create_default_context(cadata=certificate.public_bytes(serialization.Encoding.PEM).decode())
    return serving, trusting
