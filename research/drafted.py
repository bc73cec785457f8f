"""An answer drafted by a language model in two passes: quotes first, then prose from the quotes that held.

Pure: the model stands behind its port. Between the passes code checks every quote, so that prose is never written from
words that do not stand in the law; what the prose says is checked by the flow, which also checks each quote again.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from research.generation import prompt, reply
from research.generation.offered import CountTokens, Offered, estimated_tokens, offer
from research.law.citing import is_ruling
from research.model_terms import Exchange, ModelFailed, ModelProblem, ModelRecord, ModelReply, ModelRequest
from research.ports import Grounding, LanguageModel, Waiting, waiting_quietly
from research.terms import CheckedClaim, CheckedQuote, Claim, ClaimKind, Draft, ParentGroup, Passage, Quote, Role
from research.verification.claims import stands_alone, ungrounded, verify
from research.verification.quotes import check_quote

BESIDE_THE_LAW = (Role.NOTE, Role.EXAMPLE, Role.GUIDE)
NOWHERE = 0  # the chunk of a quote whose source was never offered
MOST_REPLY_CHARS = 200_000  # many times what a reply of the most tokens has; all of it goes into the record


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a draft may cost. context_tokens: of the sources shown; temperature: of the second sample, where asked."""

    context_tokens: int = 6000
    count_tokens: CountTokens = estimated_tokens
    temperature: float = 0.0


def two_passes(
    model: LanguageModel,
    question: str,
    groups: Sequence[ParentGroup],
    bounds: Bounds,
    waiting: Waiting = waiting_quietly,
) -> Draft:
    """The draft: sentences with the quotes they rest on, then the quotes that failed, so that they are seen to fail.

    Raises ModelFailed where the model cannot be asked or does not reply in the shape asked for.
    """
    offered = offer(groups, bounds.context_tokens, bounds.count_tokens)
    if not offered.by_id:
        nothing = ModelRecord(model.identity, context_tokens=bounds.context_tokens)
        return Draft((), model.identity.provider, model.identity.model, nothing)
    asking = _Asking(model, waiting, [])
    seed = model.identity.seed
    first = asking.ask(prompt.choose_quotes(question, offered, seed, bounds.temperature))
    proposed = reply.chosen_quotes(first.text)
    kept, failed = _checked(proposed, offered)
    sentences: tuple[reply.ProposedSentence, ...] = ()
    if kept:
        shown = [prompt.NumberedQuote(key, kept_quote.passage, kept_quote.words) for key, kept_quote in kept.items()]
        second = asking.ask(prompt.write_prose(question, shown, seed, bounds.temperature))
        sentences = reply.written_sentences(second.text)
    claims = [_claim(sentence, kept) for sentence in sentences]
    record = ModelRecord(
        identity=replace(model.identity, model=first.model or model.identity.model),
        offered=offered.chunk_ids,
        chosen=tuple(_chunk_of(each.source, offered) for each in proposed),
        verified=tuple(each.passage.chunk_id for each in kept.values()),
        dropped=_left_out(offered),
        exchanges=tuple(asking.exchanges),
        context_tokens=bounds.context_tokens,
    )
    return Draft(_rule_first(claims) + failed, record.identity.provider, record.identity.model, record)


def check(
    draft: Draft, sources: Mapping[int, Passage], grounding: Grounding | None
) -> tuple[tuple[CheckedClaim, ...], ModelRecord | None]:
    """The draft's claims, checked; and its record with who held the prose against the quotes.

    A quote that holds stays, in fixed words, where the sentence around it does not: prose goes, the law stays. Only one
    that can be read alone: cut off before its "unless", it would mislead by itself.
    """
    checked = verify(draft, sources)
    if draft.record is None:
        return checked, None
    if grounding is None:
        return checked + _bare_quotes(checked, sources), draft.record
    scores: list[float] = []

    def score(prose: str, quotes: Sequence[str]) -> float:
        found = grounding.scorer.score(prose, quotes)
        scores.append(found)
        return found

    checked = ungrounded(checked, score, grounding.bar)
    passed = [found for found in scores if found >= grounding.bar]
    record = replace(draft.record, grounded_by=grounding.scorer.identity, lowest=min(passed, default=None))
    return checked + _bare_quotes(checked, sources), record


def disagree(first: Sequence[CheckedClaim], second: Sequence[CheckedClaim], sources: Mapping[int, Passage]) -> bool:
    """Whether two drafts rest on different provisions; limits aside, which one may mention and the other not."""
    return _authorities(first, sources) != _authorities(second, sources)


def _authorities(checked: Sequence[CheckedClaim], sources: Mapping[int, Passage]) -> set[int]:
    claims = [claim for claim in checked if claim.is_verified and claim.claim.kind is not ClaimKind.LIMIT]
    return {sources[quote.quote.chunk_id].provision_id for claim in claims for quote in claim.quotes}


def _bare_quotes(checked: Sequence[CheckedClaim], sources: Mapping[int, Passage]) -> tuple[CheckedClaim, ...]:
    said = {quote.quote for claim in checked if claim.is_verified for quote in claim.quotes}
    bare: dict[Quote, CheckedClaim] = {}
    for claim in checked:
        if claim.claim.is_composed and not claim.is_verified:
            for quote in claim.quotes:
                if quote.is_verified and quote.quote not in said and stands_alone(quote, sources):
                    bare.setdefault(quote.quote, CheckedClaim(_bare(quote, claim.claim.kind, sources), (quote,)))
    return tuple(bare.values())


class _Asking:
    """Asks the model and keeps what was said, for the record."""

    def __init__(self, model: LanguageModel, waiting: Waiting, exchanges: list[Exchange]) -> None:
        self._model = model
        self._waiting = waiting
        self.exchanges = exchanges

    def ask(self, request: ModelRequest) -> ModelReply:
        said = self._model.ask(request, self._waiting)
        said = replace(said, text=unicodedata.normalize("NFC", said.text))  # as the record will have it
        if len(said.text) > MOST_REPLY_CHARS:
            raise ModelFailed(ModelProblem.TOO_LARGE, f"Its reply has more than {MOST_REPLY_CHARS:,} characters.")
        self.exchanges.append(
            Exchange(request.purpose, request.digest, said.text, said.model, said.prompt_tokens, said.completion_tokens)
        )
        return said


@dataclass(frozen=True, slots=True)
class _Kept:
    """A quote that stands in its source. words: the source's own characters."""

    passage: Passage
    words: str
    kind: ClaimKind


def _checked(proposed: Sequence[reply.ProposedQuote], offered: Offered) -> tuple[dict[str, _Kept], tuple[Claim, ...]]:
    """(the quotes that hold, by the id that the second pass knows them by; a claim for each that does not)."""
    sources = {passage.chunk_id: passage for passage in offered.by_id.values()}
    kept: dict[tuple[int, str], _Kept] = {}
    failed = []
    for each in proposed:
        found = check_quote(Quote(_chunk_of(each.source, offered), each.text), sources)
        if found.is_verified:
            passage = sources[found.quote.chunk_id]
            kept.setdefault((passage.chunk_id, found.matched), _Kept(passage, found.matched, each.kind))
        else:
            failed.append(Claim("", (found.quote,), each.kind))
    return {f"q{number}": each for number, each in enumerate(kept.values(), 1)}, tuple(failed)


def _chunk_of(source: str, offered: Offered) -> int:
    passage = offered.by_id.get(source)
    return passage.chunk_id if passage else NOWHERE


def _claim(sentence: reply.ProposedSentence, kept: Mapping[str, _Kept]) -> Claim:
    """The sentence with its quotes, in the source's own characters; one that was never shown stands nowhere."""
    quotes = [
        Quote(kept[key].passage.chunk_id, kept[key].words) if key in kept else Quote(NOWHERE, "")
        for key in sentence.quotes
    ]
    passages = [kept[key].passage for key in sentence.quotes if key in kept]
    return Claim(sentence.text.strip(), tuple(quotes), _kind_of(passages, sentence.kind), is_composed=True)


def _kind_of(passages: Sequence[Passage], said: ClaimKind) -> ClaimKind:
    """What a claim on these passages is: whether they are law, a ruling's view of it, a note or an example is not for
    the model to say. A rule of an example or a guide bears the name of that where it is shown.
    """
    if passages and all(is_ruling(passage.instrument) for passage in passages):
        return ClaimKind.RULING
    if passages and all(passage.role in BESIDE_THE_LAW for passage in passages):
        return ClaimKind.NOTE if passages[0].role is Role.NOTE else ClaimKind.RULE
    return ClaimKind.RULE if said is ClaimKind.RULING else said


def _rule_first(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with a rule in front: a limit is read after what it limits, a ruling after what it is on."""
    rules = [claim for claim in claims if claim.kind not in (ClaimKind.LIMIT, ClaimKind.RULING)]
    first = next((claim for claim in (*rules, *claims) if claim.kind is not ClaimKind.LIMIT), None)
    return (first, *(claim for claim in claims if claim is not first)) if first else tuple(claims)


def _bare(quote: CheckedQuote, kind: ClaimKind, sources: Mapping[int, Passage]) -> Claim:
    passage = sources[quote.quote.chunk_id]
    place, kind = passage.authority, _kind_of([passage], kind)
    prose = {ClaimKind.LIMIT: f"Limit in {place}:", ClaimKind.DEFINITION: f"Definition in {place}:"}
    return Claim(prose.get(kind, f"{place} says:"), (quote.quote,), kind)


def _left_out(offered: Offered) -> tuple[str, ...]:
    number = offered.left_out
    passages = "passage was" if number == 1 else "passages were"
    return (f"{number} {passages} not shown to the model: no room",) if number else ()
