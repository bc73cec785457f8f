"""Builds the adapters from the settings; an unknown value raises, nothing falls back silently.

One set per process: models are loaded once, on first use.
"""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

import redis
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from clients.models import Client
from research.adapters import model_settings, thresholds_file
from research.adapters.audit_store import PostgresAuditStore
from research.adapters.client_register import read_register
from research.adapters.corpus_store import PostgresCorpusStore
from research.adapters.cross_encoder import CrossEncoderReranker
from research.adapters.embedders.sentence_transformer import SentenceTransformerEmbedder
from research.adapters.figure_ledger import LedgerRejected, ledger
from research.adapters.generators.build import build
from research.adapters.generators.by_model import ModelGenerator
from research.adapters.generators.extractive import ExtractiveGenerator
from research.adapters.generators.masked import MaskedModel
from research.adapters.generators.recorded import RecordedModel
from research.adapters.generators.transport import Limits
from research.adapters.groundedness import HhemScorer
from research.adapters.law_sql import NOW, View
from research.adapters.model_folder import EMBEDDERS, GROUNDEDNESS, RERANKERS, ModelFolder, model_folder, pins_of
from research.adapters.model_refusals import ModelRefused
from research.adapters.model_settings import ChosenModel
from research.adapters.outside_index import OutsideIndexReader, outside_index
from research.adapters.rerankers import CosineReranker, LearnedReranker, OverlapReranker
from research.adapters.subject_index import SubjectIndexReader, subject_index
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.hosts import RegisterHosts
from research.corpus.ingest.fetch.transport import Manners
from research.decision import thresholds
from research.drafted import Bounds
from research.figures.names import FigureIndex
from research.flow import Ports
from research.generation.offered import estimated_tokens
from research.model_terms import ModelRecord
from research.ports import (
    AuditStore,
    Embedder,
    Generator,
    GroundednessScorer,
    Grounding,
    LanguageModel,
    OutsideReader,
    Reranker,
)
from research.privacy.register import Register
from research.verification.overlap import OverlapScorer


@functools.cache
def embedder() -> Embedder | None:
    """The embedder that ASAT_EMBEDDER names; None for "none": search by words only."""
    name = settings.ASAT_EMBEDDER
    if name == "none":
        return None
    if name == "minilm-int8":
        from research.adapters.embedders.onnx_minilm import OnnxMiniLM

        return OnnxMiniLM(threads=settings.ASAT_THREADS)
    if name in EMBEDDERS:
        return SentenceTransformerEmbedder(_model(name), settings.ASAT_TORCH_DEVICE, settings.ASAT_THREADS)
    raise ImproperlyConfigured(f"ASAT_EMBEDDER is {name!r}; give minilm-int8, {', '.join(EMBEDDERS)} or none.")


def _model(name: str) -> ModelFolder:
    try:
        return model_folder(settings.ASAT_MODEL_DIRECTORY, name, pins_of(settings.ASAT_MODEL_PINS))
    except (ModelRefused, ValueError) as error:
        raise ImproperlyConfigured(f"{name} cannot be used. {error}") from error


# Who drafts


def language_model(chosen: ChosenModel | None = None) -> LanguageModel | None:
    """The model that `chosen` names, None for one that quotes alone. chosen: None for the installation's settings."""
    wanted = chosen or model_settings.installation()
    if wanted.provider in ("extractive", ""):
        return None
    try:
        limits = Limits(total_s=settings.ASAT_GENERATION_TIMEOUT_S)
        return build(wanted, limits, settings.ASAT_GENERATION_CONTEXT_TOKENS)
    except ValueError as error:
        raise ImproperlyConfigured(f"The model that drafts cannot be used. {error}") from error


@dataclass(frozen=True, slots=True)
class Drafting:
    """Who drafts for a practice's question. told: why the model chosen does not, in a sentence; "" where it does."""

    generator: Generator
    model: LanguageModel | None = None
    told: str = ""

    @property
    def models(self) -> tuple[LanguageModel, ...]:
        """All that are asked: the model, and the one that it is compared with where there is one."""
        second = self.generator.second if isinstance(self.generator, ModelGenerator) else None
        return tuple(each for each in (self.model, second) if each is not None)


def drafting(client_id: UUID | None = None) -> Drafting:
    """Who drafts for the practice that this connection speaks for, and for a client of it where one is named.

    A model elsewhere is asked only where an owner switched it on, with all that names a client taken out; where it was
    not, the law is quoted without a model, and the answer says so. A model on this machine is sent what was asked.
    Where two are to be compared, both are asked or neither.
    """
    choice = model_settings.of_this_practice()
    model, compared_with = language_model(choice.chosen), model_settings.to_compare_with()
    if model is None:
        return Drafting(ExtractiveGenerator())
    second = language_model(compared_with) if compared_with else None
    if any(each.identity.is_remote for each in (model, second) if each):
        if not choice.allows_remote:
            return Drafting(ExtractiveGenerator(), told=REMOTE_IS_OFF)
        if client_id is not None and not Client.objects.filter(pk=client_id, allows_remote=True).exists():
            return Drafting(ExtractiveGenerator(), told=CLIENT_STAYS_HERE)
        register = read_register()
        model = _masked(model, register, client_id)
        second = _masked(second, register, client_id) if second else None
    return Drafting(ModelGenerator(model, _bounds(), choice.chosen.samples, second), model)


def _masked(model: LanguageModel, register: Register, client_id: UUID | None) -> LanguageModel:
    """The model; one elsewhere hears of no client."""
    if not model.identity.is_remote:
        return model
    return MaskedModel(model, register, practice_allows=True, has_client=client_id is not None)


def _bounds() -> Bounds:
    count = embedder()
    tokens = count.count_tokens if count else estimated_tokens
    return Bounds(settings.ASAT_GENERATION_CONTEXT_TOKENS, tokens)


def rerankers(store: PostgresCorpusStore) -> dict[str, Reranker]:
    """The reranker for each mode of search.

    Raises ImproperlyConfigured for one that nothing was measured of: a number of another scale would decide by chance.
    """
    _thresholds_measured_here()
    built = rerankers_unmeasured(store)
    for reranker in built.values():
        try:
            thresholds.for_reranker(reranker.identity)
        except LookupError as error:
            raise ImproperlyConfigured(f"{error} {MEASURE.format(what='confidence', cases='CASES')}") from error
    return built


def rerankers_unmeasured(store: PostgresCorpusStore) -> dict[str, Reranker]:
    """The same, whether measured or not: for whoever measures. Without vectors only word overlap is a plain one."""
    name = settings.ASAT_RERANKER
    if name == "learned":
        return {mode: LearnedReranker(store, mode) for mode in ("hybrid", "lexical")}
    if name in RERANKERS:
        return dict.fromkeys(("hybrid", "lexical"), _cross_encoder(name))
    if name not in ("cosine", "overlap"):
        known = ", ".join(("learned", *RERANKERS, "cosine"))
        raise ImproperlyConfigured(f"ASAT_RERANKER is {name!r}; give {known} or overlap.")
    overlap = OverlapReranker()
    by_meaning: Reranker = CosineReranker(store) if name == "cosine" and store.embedder is not None else overlap
    return {"hybrid": by_meaning, "lexical": overlap}


@functools.cache
def _cross_encoder(name: str) -> Reranker:
    most = settings.ASAT_RERANK_TOP_K
    return CrossEncoderReranker(_model(name), settings.ASAT_TORCH_DEVICE, settings.ASAT_THREADS, most)


@functools.cache
def groundedness_scorer() -> GroundednessScorer:
    """Who holds a model's prose against its quotes, as ASAT_GROUNDEDNESS names it."""
    name = settings.ASAT_GROUNDEDNESS
    if name == "overlap":
        return OverlapScorer()
    if name in GROUNDEDNESS:
        return HhemScorer(_model(name), settings.ASAT_TORCH_DEVICE, settings.ASAT_THREADS)
    raise ImproperlyConfigured(f"ASAT_GROUNDEDNESS is {name!r}; give overlap or {', '.join(GROUNDEDNESS)}.")


def groundedness() -> Grounding:
    """The scorer with the bar of its own scale. Raises ImproperlyConfigured where none was measured."""
    _thresholds_measured_here()
    scorer = groundedness_scorer()
    try:
        return Grounding(scorer, thresholds.for_groundedness(scorer.identity).bar)
    except LookupError as error:
        how = MEASURE.format(what="groundedness", cases="gold_set/groundedness.yaml")
        raise ImproperlyConfigured(f"{error} {how}") from error


MEASURE = "Measure it: `manage.py calibrate {what} {cases} --thresholds FILE`; then name that file by ASAT_THRESHOLDS."


@functools.cache
def _thresholds_measured_here() -> None:
    """Read, once, what ASAT_THRESHOLDS names. Raises ImproperlyConfigured."""
    if settings.ASAT_THRESHOLDS:
        try:
            thresholds_file.put_all(thresholds_file.read(Path(settings.ASAT_THRESHOLDS)))
        except thresholds_file.ThresholdsRefused as error:
            raise ImproperlyConfigured(f"ASAT_THRESHOLDS cannot be used. {error}") from error


def refuse_unmeasured() -> None:
    """Raise ImproperlyConfigured for models that are missing or unmeasured, at the start of a program. Loads none."""
    groundedness()
    is_default = settings.ASAT_EMBEDDER == "minilm-int8"
    rerankers(PostgresCorpusStore(None if is_default else embedder()))


@functools.cache
def store() -> PostgresCorpusStore:
    return PostgresCorpusStore(embedder())


VIEWS_KEPT = 16
PROVISIONS_FOR_A_MODEL = 8  # it writes across provisions; the extractive generator quotes up to three
REMOTE_IS_OFF = "Quoted without a model: this practice has not switched on models that are asked elsewhere."
CLIENT_STAYS_HERE = "Quoted without a model: nothing of this client may be sent elsewhere."


@functools.lru_cache(maxsize=VIEWS_KEPT)
def ports(view: View = NOW, uses_subject_index: bool = True) -> Ports:
    """Everything the flow asks of the world. view: which frameworks, and as known when."""
    corpus = store() if view == NOW else store().seeing(view)
    return Ports(
        store=corpus,
        rerankers=rerankers(corpus),
        generator=ExtractiveGenerator(),
        timer=time.perf_counter,
        subjects=subjects() if uses_subject_index else None,
        figures=figures(),
        outside=outside(),
    )


def ports_of_practice(
    view: View = NOW, uses_subject_index: bool = True, client_id: UUID | None = None
) -> tuple[Ports, str]:
    """(everything the flow asks of the world for this practice, why its model does not draft: "" where it does)."""
    base, who = ports(view, uses_subject_index), drafting(client_id)
    if isinstance(who.generator, ExtractiveGenerator):
        return base, who.told
    return with_model(base, who.generator), ""


def ports_of_record(record: ModelRecord, view: View, uses_subject_index: bool) -> Ports:
    """What a replay of a model's answer asks: the same world, and what the model said then."""
    recorded = RecordedModel(record.identity, record.exchanges)
    now = _bounds()
    bounds = replace(now, context_tokens=record.context_tokens or now.context_tokens)
    second = recorded.as_said_by(record.second) if record.second else None
    return with_model(ports(view, uses_subject_index), ModelGenerator(recorded, bounds, record.samples, second))


def with_model(base: Ports, drafts: Generator) -> Ports:
    """`base` where a model drafts: it is shown more provisions, and its prose is held against its quotes."""
    return replace(base, generator=drafts, grounding=groundedness(), provisions=PROVISIONS_FOR_A_MODEL)


@functools.cache
def figures() -> FigureIndex:
    """The figure ledger, by name. Raises ImproperlyConfigured naming file, row and field where it cannot be used."""
    try:
        return FigureIndex(ledger())
    except LedgerRejected as error:
        raise ImproperlyConfigured(f"The figure ledger cannot be used. {error}") from error


@functools.cache
def outside() -> OutsideReader:
    """What lies outside the Acts held, read by meaning too where the subject index is."""
    return OutsideIndexReader(subjects())


@functools.cache
def subjects() -> SubjectIndexReader:
    """The subject index, read by meaning too where there is an embedder and the phrases have vectors."""
    return SubjectIndexReader(embedder(), store().vector_of if embedder() else None)


def phrases() -> tuple[str, ...]:
    """What of the subject index and of the outside index is given to the embedder."""
    return (*subject_index().phrases, *outside_index().phrases)


def audit_store() -> AuditStore:
    return PostgresAuditStore()


def register_client(manners: Manners | None = None) -> RegisterClient:
    """A client of the Federal Register of Legislation, to be closed. manners: how it asks, None for a fetch's."""
    try:
        hosts = RegisterHosts(api=settings.ASAT_REGISTER_URL) if settings.ASAT_REGISTER_URL else RegisterHosts()
    except ValueError as error:
        raise ImproperlyConfigured(f"ASAT_REGISTER_URL cannot be used. {error}") from error
    proxy = settings.ASAT_REGISTER_PROXY or None
    return RegisterClient(hosts, manners, contact=settings.ASAT_REGISTER_CONTACT, proxy=proxy)


@functools.cache
def redis_client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
