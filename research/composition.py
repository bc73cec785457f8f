"""Builds the adapters from the settings; an unknown value raises, nothing falls back silently.

One set per process: models are loaded once, on first use.
"""

from __future__ import annotations

import functools
import time

import redis
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from research.adapters.audit_store import PostgresAuditStore
from research.adapters.corpus_store import PostgresCorpusStore
from research.adapters.figure_ledger import LedgerRejected, ledger
from research.adapters.generators.extractive import ExtractiveGenerator
from research.adapters.law_sql import NOW, View
from research.adapters.outside_index import OutsideIndexReader, outside_index
from research.adapters.rerankers import CosineReranker, LearnedReranker, OverlapReranker
from research.adapters.subject_index import SubjectIndexReader, subject_index
from research.corpus.ingest.fetch.client import RegisterClient
from research.corpus.ingest.fetch.hosts import RegisterHosts
from research.corpus.ingest.fetch.transport import Manners
from research.figures.names import FigureIndex
from research.flow import Ports
from research.ports import AuditStore, Embedder, Generator, OutsideReader, Reranker


@functools.cache
def embedder() -> Embedder | None:
    """The embedder that ASAT_EMBEDDER names; None for "none": search by words only."""
    name = settings.ASAT_EMBEDDER
    if name == "none":
        return None
    if name == "minilm-int8":
        from research.adapters.embedders.onnx_minilm import OnnxMiniLM

        return OnnxMiniLM(threads=settings.ASAT_THREADS)
    raise ImproperlyConfigured(f"ASAT_EMBEDDER is {name!r}; give minilm-int8 or none.")


def generator() -> Generator:
    name = settings.ASAT_GENERATION_PROVIDER
    if name == "extractive":
        return ExtractiveGenerator()
    raise ImproperlyConfigured(f"ASAT_GENERATION_PROVIDER is {name!r}; this version has: extractive.")


def rerankers(store: PostgresCorpusStore) -> dict[str, Reranker]:
    """The reranker for each mode of search. Of the plain ones, without vectors only word overlap can score."""
    name = settings.ASAT_RERANKER
    if name == "learned":
        return {mode: LearnedReranker(store, mode) for mode in ("hybrid", "lexical")}
    if name not in ("cosine", "overlap"):
        raise ImproperlyConfigured(f"ASAT_RERANKER is {name!r}; give learned, cosine or overlap.")
    overlap = OverlapReranker()
    by_meaning: Reranker = CosineReranker(store) if name == "cosine" and store.embedder is not None else overlap
    return {"hybrid": by_meaning, "lexical": overlap}


@functools.cache
def store() -> PostgresCorpusStore:
    return PostgresCorpusStore(embedder())


VIEWS_KEPT = 16


@functools.lru_cache(maxsize=VIEWS_KEPT)
def ports(view: View = NOW, uses_subject_index: bool = True) -> Ports:
    """Everything the flow asks of the world. view: which frameworks, and as known when."""
    corpus = store() if view == NOW else store().seeing(view)
    return Ports(
        store=corpus,
        rerankers=rerankers(corpus),
        generator=generator(),
        timer=time.perf_counter,
        subjects=subjects() if uses_subject_index else None,
        figures=figures(),
        outside=outside(),
    )


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
