"""Measures what checking an answer costs: composed sentences and their quotes against the chunks that were shown."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from research.adapters.corpus_store import PostgresCorpusStore
from research.evaluation.bench import Timing
from research.terms import Claim, Draft, Passage, Quote, Window
from research.verification.claims import verify

SENTENCE = re.compile(r"[A-Z][^.;\n]{40,400}[.;:]")
WARMING = 3  # answers whose time is not counted


def verifying(
    store: PostgresCorpusStore, window: Window, questions: Sequence[str], quotes: int, chunks: int, is_composed: bool
) -> Timing:
    """CPU milliseconds to verify an answer of `quotes` sentences, each with its quote, against `chunks` chunks.

    is_composed: of a model's own words, which every check is run on; else of fixed ones. One answer to each question
    that finds so many chunks; each is verified once, so that nothing is remembered of its words.
    """
    samples = []
    for question in questions:
        passages = store.passages([hit.chunk_id for hit in store.search_lexical(question, window, chunks)], window)
        draft = _draft(passages, quotes, is_composed)
        if len(passages) < chunks or len(draft.claims) < quotes:
            continue
        sources = {passage.chunk_id: passage for passage in passages}
        began = time.thread_time()
        verify(draft, sources)
        samples.append((time.thread_time() - began) * 1000)
    return Timing(f"{quotes} quotes, {chunks} chunks", 1, tuple(samples[WARMING:]))


def _draft(passages: Sequence[Passage], quotes: int, is_composed: bool) -> Draft:
    """A claim for each sentence, from the passages in turn, whose prose is the sentence: every check is run on it."""
    found = [[match[0] for match in SENTENCE.finditer(passage.text)] for passage in passages]
    turns = max((len(sentences) for sentences in found), default=0)
    claims = [
        Claim(sentences[turn], (Quote(passage.chunk_id, sentences[turn]),), is_composed=is_composed)
        for turn in range(turns)
        for passage, sentences in zip(passages, found, strict=True)
        if turn < len(sentences)
    ]
    return Draft(tuple(claims[:quotes]), "bench", "")
