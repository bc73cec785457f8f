"""A practice's choice of who drafts its answers, and the sight of what would be sent to it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from asat_site.secrets import CannotOpen
from asat_site.tenancy.context import current_practice_id
from research import composition, flow
from research.adapters.generators.addresses import place_of
from research.adapters.generators.by_model import ModelGenerator
from research.adapters.generators.extractive import ExtractiveGenerator
from research.adapters.generators.masked import MaskedModel
from research.adapters.generators.probe import Report, probe
from research.adapters.generators.vendors import vendor_named
from research.adapters.law_sql import NOW
from research.adapters.model_settings import sealed_key
from research.drafted import Bounds
from research.law.income_year import IncomeYear
from research.model_terms import ModelFailed, ModelIdentity, ModelProblem, ModelReply, ModelRequest
from research.models import ModelSettings
from research.ports import LanguageModel, Waiting, waiting_quietly
from research.question.route import QuestionRefused, clean_question

PROVIDERS = ("", "extractive", "ollama", "openai_compatible", "aggregator", "anthropic")
TRY_S = 100  # in which whoever serves the page serves nobody else


class NotSettled(Exception):
    """The choice cannot stand; `message` says why, in words for the person who made it. Nothing was saved."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Choice:
    """What an owner chose. provider "": the installation's own. key: None to leave the stored one, "" to forget it."""

    provider: str
    vendor: str = ""
    address: str = ""
    model: str = ""
    key: str | None = field(default=None, repr=False)
    samples: int = 1
    allows_remote: bool = False


def settings_of_practice() -> ModelSettings:
    """The practice's row, or one that is not saved yet and says what holds without one."""
    return ModelSettings.objects.first() or ModelSettings()


def settle(user: Any, choice: Choice) -> ModelSettings:
    """Saves the choice. Raises NotSettled for one that names no model, or an address that may not be asked.

    A stored key belongs to the address that it was given for: where that changes, the key is forgotten, so that nobody
    can have it sent elsewhere.
    """
    _refuse_what_cannot_be(choice)
    practice = current_practice_id()
    assert practice is not None
    with transaction.atomic():
        row = ModelSettings.objects.select_for_update().first() or ModelSettings()
        before = (row.provider, row.vendor, row.url)
        row.provider, row.vendor, row.url = choice.provider, choice.vendor, choice.address
        row.model, row.samples, row.allows_remote = choice.model, choice.samples, choice.allows_remote
        if choice.key is not None:
            row.sealed_key = sealed_key(choice.key, practice)
        elif before != (row.provider, row.vendor, row.url):
            row.sealed_key = ""
        row.changed_by = user
        row.save()
    return row


def _refuse_what_cannot_be(choice: Choice) -> None:
    if choice.provider not in PROVIDERS:
        raise NotSettled("Choose one of the providers listed.")
    if choice.samples not in (1, 2):
        raise NotSettled("A question can be drafted once or twice.")
    if choice.provider in ("", "extractive"):
        return
    if choice.provider == "ollama":
        raise NotSettled("Only the installation can name a model on its own machine; ask who runs it.")
    if not choice.model:
        raise NotSettled("Give the model's name, as its vendor writes it.")
    if choice.vendor and choice.provider != "anthropic":
        try:
            vendor = vendor_named(choice.vendor)
        except ValueError:
            raise NotSettled("Choose one of the vendors listed.") from None
        if not (choice.address or vendor.base_url.startswith("https://")):
            raise NotSettled(f"{vendor.title} has no address of its own; give the one where it runs, with https.")
    if choice.address:
        try:
            place_of(choice.address, True)
        except ModelFailed as refused:
            raise NotSettled(refused.message) from None


def drafting_now(client_id: UUID | None = None) -> composition.Drafting:
    """Who drafts for this practice now; nobody, with the reason, where its settings or its register cannot be used."""
    try:
        return composition.drafting(client_id)
    except (ModelFailed, CannotOpen, ImproperlyConfigured) as error:
        return composition.Drafting(ExtractiveGenerator(), told=str(error))


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be sent for a question. body: the very JSON of the first request, laid out; host: to whom.

    told: why nothing would be sent, in a sentence; "" where something would. second: what would be sent to the model
    that is asked as well, to compare; None where there is none.
    """

    host: str = ""
    provider: str = ""
    model: str = ""
    body: str = ""
    told: str = ""
    second: Preview | None = None


def preview(text: str, year: int | None, today: date, client_id: UUID | None = None) -> Preview:
    """What would be sent to the practice's models for this question, without sending anything."""
    cleaned = clean_question(text)
    if isinstance(cleaned, QuestionRefused):
        return Preview(told=cleaned.message)
    who = drafting_now(client_id)
    if not isinstance(who.generator, ModelGenerator):
        return Preview(told=who.told or "Nothing: the law is quoted without a model.")
    bounds, asked = who.generator.bounds, IncomeYear(year) if year else None
    first, *others = (_preview_of(model, bounds, cleaned.text, asked, today) for model in who.models)
    return replace(first, second=others[0]) if others else first


def _preview_of(model: LanguageModel, bounds: Bounds, text: str, year: IncomeYear | None, today: date) -> Preview:
    unsent = Unsent(model)
    ports = composition.with_model(composition.ports(NOW, True), ModelGenerator(unsent, bounds))
    try:
        outcome = flow.answer_question(text, year, today, ports)
    except _Seen:
        identity = unsent.identity
        body = json.dumps(unsent.body_seen, ensure_ascii=False, indent=2)
        return Preview(identity.host, identity.provider, identity.model, body)
    except ModelFailed as refused:
        return Preview(told=f"Nothing: {refused.message}")
    return Preview(told=f"Nothing: this question ends before a model is asked. {outcome.message}")


def installation_model() -> ModelIdentity | None:
    """The model that the installation's settings name; None for none, or one that cannot be used."""
    try:
        model = composition.language_model()
    except ImproperlyConfigured:
        return None
    return model.identity if model else None


def try_model() -> Report | None:
    """What the practice's model makes of our requests; None where none drafts. Nothing of the practice is sent.

    Asked within a request of the site: what has not come after TRY_S seconds is not waited for.
    """
    model, ends_at = drafting_now().model, time.monotonic() + TRY_S

    def waiting(how_far: str) -> None:
        if time.monotonic() > ends_at:
            raise ModelFailed(ModelProblem.TIMEOUT, f"not waited for: all of it took more than {TRY_S} seconds")

    return probe(model, waiting) if model is not None else None


class _Seen(Exception):
    """The request was seen, and goes no further."""


class Unsent:
    """A model that is shown a request and never asked: it keeps the body that would have gone out."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.body_seen: Mapping[str, Any] = {}

    @property
    def identity(self) -> ModelIdentity:
        return self._model.identity

    def ask(self, request: ModelRequest, waiting: Waiting = waiting_quietly) -> ModelReply:
        if isinstance(self._model, MaskedModel):
            self._model.refuse_if_not_allowed(request)
        self.body_seen = self._model.body(request)
        raise _Seen

    def body(self, request: ModelRequest) -> Mapping[str, Any]:
        return self._model.body(request)
