"""A model drafts for a practice: the whole road over a real database and a server on loopback."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.model_server import ModelServer, Trouble, model_server
from asat_site.testing.practices import KnownPractice
from clients.models import Client
from research import composition, services, services_models
from research.adapters import model_settings
from research.adapters.generators.masked import CLIENT_SWITCHED_OFF
from research.audit import replay
from research.audit.record import recorded_in
from research.models import AuditRow, ModelSettings, Question
from research.queries_density import densities
from research.terms import Decision, Outcome, Reason

QUESTION = "Can a harbour pilot deduct travel between ports?"
TWO_TIMES = "What changed in the deduction of a harbour pilot for travel between ports between FY2020 and FY2021?"
PARTS = f"{QUESTION} Can a harbour pilot deduct the cost of a licence?"
WHOLE = re.compile(r"^(?:\(\d+\) )?([A-Z][^.:;\n]{30,300}\.)$", re.MULTILINE)
KEY = "sk-very-secret-0123456789"


def honest(body: dict[str, Any]) -> dict[str, Any]:
    """Quotes the first sentence that stands whole on a line of a source, and says it again as its own sentence."""
    lines = [json.loads(line) for line in user_text(body).split("\n")][1:]
    if "source" in lines[0]:
        whole = [(each["source"], found[1]) for each in lines if (found := WHOLE.search(each["text"]))]
        return {"quotes": [{"source": source, "quote": text, "kind": "rule"} for source, text in whole[:1]]}
    return {"sentences": [{"text": lines[0]["words"], "quotes": [lines[0]["quote"]], "kind": "rule"}]}


def user_text(body: dict[str, Any]) -> str:
    return str(next(message["content"] for message in body["messages"] if message["role"] == "user"))


@pytest.fixture
def here(throwaway: Callable[[], KnownPractice], law: str) -> KnownPractice:
    return throwaway()


@pytest.fixture
def server(settings: Any) -> Iterator[ModelServer]:
    """A local model, chosen by the installation."""
    with model_server() as found:
        settings.ASAT_GENERATION_PROVIDER = "ollama"
        settings.ASAT_GENERATION_ADDRESS = found.address("ollama")
        settings.ASAT_GENERATION_MODEL = "small-model"
        found.answers_with(honest)
        yield found


def ask(here: KnownPractice, text: str = QUESTION, year: int | None = 2020) -> tuple[Question, Outcome]:
    question = services.ask(user=here.users["agent"], text=text, year=year)
    claimed = services.claim(question.pk, timezone.now())
    assert claimed is not None
    return question, services.run(claimed)


def test_a_models_answer_is_recorded_with_all_that_was_offered_chosen_and_said(
    here: KnownPractice, server: ModelServer
) -> None:
    with in_practice(here.practice):
        question, outcome = ask(here)
        assert (outcome.decision, outcome.provider) == (Decision.ANSWER, "ollama")
        assert [request.body["model"] for request in server.requests] == ["small-model"] * 2
        row = AuditRow.objects.get(question_id=question.pk)
        made_by = json.loads(row.payload)["outcome"]["made_by"]
        assert made_by["identity"]["seed"] == 1 and made_by["identity"]["honours_seed"] is True
        assert made_by["identity"]["is_remote"] is False
        assert made_by["verified"] and set(made_by["verified"]) <= set(made_by["offered"])
        assert [each["purpose"] for each in made_by["exchanges"]] == ["quotes", "prose"]
        assert made_by["grounded_by"]


def test_a_replay_asks_nobody_and_comes_out_the_same(here: KnownPractice, server: ModelServer) -> None:
    with in_practice(here.practice):
        question, _ = ask(here)
        server.answers_with(lambda body: {"quotes": []})
        asked = len(server.requests)
        _, found = services.replay_row(AuditRow.objects.get(question_id=question.pk))
        assert (found.verdict, found.moved, found.differences) == (replay.REPRODUCED, (), ())
        assert len(server.requests) == asked


@pytest.mark.parametrize("samples", [1, 2])
@pytest.mark.parametrize(("text", "year"), [(QUESTION, 2020), (TWO_TIMES, None), (PARTS, 2020)])
def test_of_two_times_of_parts_and_of_two_samples_all_that_was_said_is_replayed_and_counted(
    here: KnownPractice, server: ModelServer, settings: Any, text: str, year: int | None, samples: int
) -> None:
    settings.ASAT_GENERATION_SAMPLES = samples
    with in_practice(here.practice):
        question, outcome = ask(here, text, year)
        asked = len(server.requests)
        assert asked == 2 * samples * (len(outcome.sides) or len(outcome.parts) or 1)
        server.answers_with(lambda body: {"quotes": []})
        settings.ASAT_GENERATION_SAMPLES, settings.ASAT_GENERATION_CONTEXT_TOKENS = 1, 600
        row = AuditRow.objects.get(question_id=question.pk)
        _, found = services.replay_row(row)
        assert (found.verdict, found.moved, found.differences) == (replay.REPRODUCED, (), ())
        said = recorded_in(row.payload).made_by
        assert said is not None and (len(said.exchanges), len(server.requests)) == (asked, asked)
        (line,) = densities("Australia/Sydney")
        assert line.tokens == said.prompt_tokens + said.completion_tokens > 0
    page = here.client("agent").get(f"/questions/{question.pk}/").content.decode()
    assert ("Drafted twice by ollama" if samples == 2 else "Drafted by ollama") in page


def test_two_samples_that_disagree_are_refused_and_the_replay_refuses_too(
    here: KnownPractice, server: ModelServer, settings: Any
) -> None:
    settings.ASAT_GENERATION_SAMPLES = 2

    def wavering(body: dict[str, Any]) -> dict[str, Any]:
        lines = [json.loads(line) for line in user_text(body).split("\n")][1:]
        whole = [
            (each["source"], found[1]) for each in lines if "source" in each and (found := WHOLE.search(each["text"]))
        ]
        if not whole:
            return honest(body)
        source, text = whole[-1 if body["options"]["temperature"] else 0]
        return {"quotes": [{"source": source, "quote": text, "kind": "rule"}]}

    server.answers_with(wavering)
    with in_practice(here.practice):
        question, outcome = ask(here)
        assert (outcome.decision, outcome.reason) == (Decision.THIN_EVIDENCE, Reason.MODELS_DISAGREE)
        _, found = services.replay_row(AuditRow.objects.get(question_id=question.pk))
        assert (found.verdict, found.differences) == (replay.REPRODUCED, ())


@pytest.fixture
def another(settings: Any) -> Iterator[ModelServer]:
    """A second local model, of another provider, to compare with."""
    with model_server() as found:
        settings.ASAT_SECOND_PROVIDER = "openai_compatible"
        settings.ASAT_SECOND_ADDRESS = found.address("openai_compatible")
        settings.ASAT_SECOND_MODEL = "other-model"
        found.answers_with(honest)
        yield found


@pytest.mark.parametrize(("text", "year"), [(QUESTION, 2020), (TWO_TIMES, None)])
def test_two_models_that_agree_are_both_named_and_the_replay_asks_neither(
    here: KnownPractice, server: ModelServer, another: ModelServer, settings: Any, text: str, year: int | None
) -> None:
    with in_practice(here.practice):
        question, outcome = ask(here, text, year)
        assert outcome.decision is Decision.ANSWER
        asked = 2 * (len(outcome.sides) or 1)
        assert (len(server.requests), len(another.requests)) == (asked, asked)
        settings.ASAT_SECOND_PROVIDER = "none"
        row = AuditRow.objects.get(question_id=question.pk)
        said = recorded_in(row.payload).made_by
        assert said is not None and said.second is not None
        assert (said.second.provider, said.second.model, len(said.exchanges)) == (
            "openai_compatible", "other-model", 2 * asked,
        )  # fmt: skip
        _, found = services.replay_row(row)
        assert (found.verdict, found.moved, found.differences) == (replay.REPRODUCED, (), ())
        assert (len(server.requests), len(another.requests)) == (asked, asked)
    page = here.client("agent").get(f"/questions/{question.pk}/").content.decode()
    assert "Drafted by ollama · small-model" in page and "and, to compare, by openai_compatible · other-model" in page


def test_two_models_that_disagree_are_refused_and_the_replay_refuses_too(
    here: KnownPractice, server: ModelServer, another: ModelServer
) -> None:
    def from_the_other_end(body: dict[str, Any]) -> dict[str, Any]:
        lines = [json.loads(line) for line in user_text(body).split("\n")][1:]
        whole = [
            (each["source"], found[1]) for each in lines if "source" in each and (found := WHOLE.search(each["text"]))
        ]
        if not whole:
            return honest(body)
        return {"quotes": [{"source": whole[-1][0], "quote": whole[-1][1], "kind": "rule"}]}

    another.answers_with(from_the_other_end)
    with in_practice(here.practice):
        question, outcome = ask(here)
        assert (outcome.decision, outcome.reason) == (Decision.THIN_EVIDENCE, Reason.MODELS_DISAGREE)
        _, found = services.replay_row(AuditRow.objects.get(question_id=question.pk))
        assert (found.verdict, found.differences) == (replay.REPRODUCED, ())


def test_the_page_and_the_preview_name_all_that_are_asked(
    here: KnownPractice, server: ModelServer, settings: Any
) -> None:
    settings.ASAT_SECOND_PROVIDER, settings.ASAT_SECOND_MODEL = "anthropic", "elsewhere"
    settings.ASAT_SECOND_KEY = KEY
    with in_practice(here.practice):
        ModelSettings.objects.create(practice_id=here.id, allows_remote=True)
    owner = here.client("owner")
    page = owner.get("/settings/models/").content.decode()
    assert "this machine<br>and to" in page and "api.anthropic.com" in page and "this machine alone" not in page
    shown = owner.post("/settings/models/preview/", {"question": QUESTION, "year": "2020"}).content.decode()
    assert shown.count("This is the first request, whole.") == 2
    assert "small-model" in shown and "elsewhere" in shown and "api.anthropic.com" in shown
    assert KEY not in page + shown and not server.requests


def test_a_second_model_elsewhere_is_asked_where_remote_models_are_switched_on_and_nowhere_else(
    here: KnownPractice, server: ModelServer, settings: Any
) -> None:
    settings.ASAT_SECOND_PROVIDER, settings.ASAT_SECOND_MODEL = "anthropic", "elsewhere"
    with in_practice(here.practice):
        _, outcome = ask(here)
        assert outcome.provider == "extractive" and not server.requests
        told = composition.drafting().told
    assert told == composition.REMOTE_IS_OFF


def test_a_question_for_which_nothing_is_found_is_replayed_as_it_was(here: KnownPractice, server: ModelServer) -> None:
    with in_practice(here.practice):
        question, outcome = ask(here, "Is a zzyzxqua deductible?")
        assert outcome.decision is not Decision.ANSWER and outcome.provider in ("ollama", "")
        _, found = services.replay_row(AuditRow.objects.get(question_id=question.pk))
        assert (found.verdict, found.moved) == (replay.REPRODUCED, ())


def test_what_was_quoted_without_a_model_is_replayed_without_one(
    here: KnownPractice, server: ModelServer, settings: Any
) -> None:
    with in_practice(here.practice):
        settings.ASAT_GENERATION_PROVIDER = "extractive"
        question, outcome = ask(here)
        assert outcome.made_by is None
        settings.ASAT_GENERATION_PROVIDER = "ollama"
        _, found = services.replay_row(AuditRow.objects.get(question_id=question.pk))
        assert found.verdict == replay.REPRODUCED and not server.requests


@pytest.mark.parametrize(
    "trouble",
    [Trouble.CUT_STREAM, Trouble.TRUNCATED, Trouble.FENCED, Trouble.SCHEMA_IGNORED, Trouble.REDIRECT],
)
def test_a_model_that_does_not_reply_as_asked_is_an_error_with_its_reason(
    here: KnownPractice, server: ModelServer, trouble: Trouble
) -> None:
    server.will(trouble)
    with in_practice(here.practice):
        _, outcome = ask(here)
    assert (outcome.decision, outcome.reason) == (Decision.ERROR, Reason.MODEL_FAILED)
    assert outcome.message.startswith("Not answered: the language model could not be asked.") and outcome.next_step
    assert outcome.provider == "ollama" and not outcome.claims


# A practice's own model, elsewhere


def choose(here: KnownPractice, **more: Any) -> ModelSettings:
    choice = services_models.Choice("openai_compatible", "openai", "", "big-model", KEY, **more)
    return services_models.settle(here.users["owner"], choice)


def test_nothing_is_sent_elsewhere_until_an_owner_switches_it_on(here: KnownPractice, server: ModelServer) -> None:
    with in_practice(here.practice):
        choose(here)
        _, outcome = ask(here)
        assert (outcome.decision, outcome.provider) == (Decision.ANSWER, "extractive")
        assert composition.REMOTE_IS_OFF in outcome.cautions
        for text, year in ((TWO_TIMES, None), (PARTS, 2020)):
            assert composition.REMOTE_IS_OFF in ask(here, text, year)[1].cautions
        assert not server.requests


@pytest.fixture
def elsewhere(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    """The server on loopback, taken for one that stands elsewhere."""
    monkeypatch.setattr("research.adapters.generators.ollama.is_remote", lambda address: True)
    return server


@pytest.mark.security
def test_no_value_of_the_register_leaves_and_the_answer_is_whole(
    here: KnownPractice, other_practice: KnownPractice, elsewhere: ModelServer
) -> None:
    with in_practice(other_practice.practice):
        Client.objects.create(name="Zebedee")
    with in_practice(here.practice):
        services_models.settle(here.users["owner"], services_models.Choice("", allows_remote=True))
        client = Client.objects.create(
            name="Marigold Ferries Pty Ltd", abn="51824753556", emails=["mary@ferry.example"]
        )
        text = (
            f"{QUESTION} Marigold Ferries Pty Ltd (ABN 51 824 753 556, mary@ferry.example) paid Zebedee Quartz $8,400."
        )
        question = services.ask(user=here.users["agent"], text=text, year=2020)
        claimed = services.claim(question.pk, timezone.now())
        assert claimed is not None
        outcome = services.run(claimed)
        assert outcome.provider == "ollama" and outcome.question == text
        sent = "".join(json.dumps(request.body) for request in elsewhere.requests)
        assert len(elsewhere.requests) >= 1 and "[CLIENT-1]" in sent and "harbour pilot" in sent
        for value in ("Marigold", "51 824", "51824753556", "mary@", "8,400"):
            assert value not in sent
        assert "Zebedee" in sent  # another practice's register is not looked into
        seen = services_models.preview(text, 2020, timezone.localdate())
        assert "[CLIENT-1]" in seen.body and "Marigold" not in seen.body and seen.model == "small-model"
        asked = len(elsewhere.requests)
        Client.objects.filter(pk=client.pk).update(allows_remote=False)
        assert (
            services_models.preview(text, 2020, timezone.localdate(), client.pk).told == composition.CLIENT_STAYS_HERE
        )
        assert services_models.preview(text, 2020, timezone.localdate()).told == f"Nothing: {CLIENT_SWITCHED_OFF}"
        refused = services.try_question(text, 2020, timezone.localdate())
        assert refused.reason is Reason.MODEL_FAILED and len(elsewhere.requests) == asked


@pytest.mark.security
def test_a_key_is_sealed_and_opens_for_its_practice_alone(here: KnownPractice, other_practice: KnownPractice) -> None:
    with in_practice(here.practice):
        row = choose(here, allows_remote=True)
        assert KEY not in row.sealed_key and model_settings.of_this_practice().chosen.key == KEY
        assert KEY not in repr(model_settings.of_this_practice())
        assert KEY not in repr(services_models.Choice("openai_compatible", key=KEY))
        sealed = row.sealed_key
    with in_practice(other_practice.practice):
        assert model_settings.of_this_practice().chosen.key == ""
        stolen = ModelSettings(provider="openai_compatible", sealed_key=sealed)
        with pytest.raises(Exception, match="does not open"):
            model_settings.opened_key(stolen, other_practice.practice.id)


@pytest.mark.security
def test_a_key_is_forgotten_where_its_address_changes(here: KnownPractice) -> None:
    with in_practice(here.practice):
        choose(here)
        moved = services_models.Choice("openai_compatible", "custom", "https://models.example.com/v1", "m", None)
        assert services_models.settle(here.users["owner"], moved).sealed_key == ""
        choose(here)
        kept = services_models.Choice("openai_compatible", "openai", "", "another-model", None)
        assert services_models.settle(here.users["owner"], kept).sealed_key != ""


@pytest.mark.security
@pytest.mark.parametrize(
    "address",
    ["http://models.example.com/v1", "https://127.0.0.1/v1", "https://user:pass@models.example.com/v1", "ftp://x/",
     "https://localhost/v1", "not an address", "https://models.example.com/v1?key=1"],
)  # fmt: skip
def test_an_address_that_may_not_be_asked_is_not_saved(here: KnownPractice, address: str) -> None:
    with in_practice(here.practice):
        with pytest.raises(services_models.NotSettled) as refused:
            services_models.settle(
                here.users["owner"], services_models.Choice("openai_compatible", "custom", address, "m", KEY)
            )
        assert KEY not in refused.value.message and not ModelSettings.objects.exists()


@pytest.mark.security
@pytest.mark.parametrize("role", ["agent", "staff", "read_only"])
def test_only_an_owner_chooses(here: KnownPractice, role: str) -> None:
    client = here.client(role)
    for send in (client.get, client.post):
        assert send("/settings/models/").status_code == 403
    assert client.post("/settings/models/preview/", {"question": QUESTION}).status_code == 403


def test_the_page_saves_and_never_shows_a_key(here: KnownPractice) -> None:
    client = here.client("owner")
    sent = {
        "provider": "openai_compatible",
        "vendor": "openai",
        "model": "big-model",
        "key": KEY,
        "allows_remote": "on",
    }
    assert client.post("/settings/models/", sent).status_code == 302
    page = client.get("/settings/models/").content.decode()
    assert "big-model" in page and "A key is stored" in page and KEY not in page
    refused = client.post("/settings/models/", sent | {"address": "http://models.example.com/"})
    assert refused.status_code == 422 and KEY not in refused.content.decode()
    assert "big-model" in client.get("/settings/models/").content.decode()


def test_an_owner_tries_the_model_and_is_told_what_works(here: KnownPractice, server: ModelServer) -> None:
    client = here.client("owner")
    assert "Try the model" in client.get("/settings/models/").content.decode()
    server.answers_with(lambda body: {"quotes": []})
    page = client.post("/settings/models/probe/", headers={"hx-request": "true"}).content.decode()
    assert 'id="model-probe"' in page and "enum" in page and "seed" in page
    assert len(server.requests) >= 6 and not any(QUESTION in json.dumps(each.body) for each in server.requests)
    assert here.client("agent").post("/settings/models/probe/").status_code == 403


def test_a_model_that_drips_is_not_waited_for_by_whoever_serves_the_page(
    here: KnownPractice, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_models, "TRY_S", 1)
    server.answers_with(lambda body: {"quotes": []})
    server.will(Trouble.SLOW_DRIP, times=8)
    began = time.monotonic()
    page = here.client("owner").post("/settings/models/probe/", headers={"hx-request": "true"}).content.decode()
    assert "not waited for" in page and time.monotonic() - began < 30


def test_a_page_whose_installation_names_no_model_says_so_and_lets_an_owner_choose(
    here: KnownPractice, settings: Any
) -> None:
    settings.ASAT_GENERATION_PROVIDER, settings.ASAT_GENERATION_MODEL = "ollama", ""
    page = here.client("owner").get("/settings/models/").content.decode()
    assert "needs the name of a model" in page and "This installation uses no model" in page
