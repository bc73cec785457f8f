"""What a provider makes of the requests that AsAt sends: whether schema, enum, seed and stop work with this model.

Nothing rests on the findings. Code verifies every quote whatever a model says, so that a provider that fails here costs
answers and not correctness; the report says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from research.model_terms import ModelFailed, ModelIdentity, ModelProblem, ModelRequest
from research.ports import LanguageModel, Waiting, waiting_quietly

SAFE_ANYWAY = (
    "A provider that fails here stays usable: AsAt checks every quote against the law itself, whatever a model says. "
    "What fails costs answers, not their correctness."
)
SYSTEM = (
    "You select quotes from numbered sources. Reply with JSON only. Copy each quote exactly. "
    "Where no source says anything on the question, the list of quotes is empty."
)
SOURCES = (
    "[s1] A ferry master must keep a log of every crossing and show it to an inspector who asks for it.\n"
    "[s2] A harbour pilot must hold a licence that is in force on the day of the passage."
)
LONG = " ".join(f"Paragraph {number} says that ferry number {number} leaves at dawn." for number in range(1, 41))
NOT_TO_BE_ASKED = frozenset(  # what would go wrong with every other request as well
    {
        ModelProblem.UNREACHABLE,
        ModelProblem.UNAUTHORISED,
        ModelProblem.ADDRESS_REFUSED,
        ModelProblem.REDIRECTED,
        ModelProblem.RATE_LIMITED,
        ModelProblem.NOT_ALLOWED,
    }
)
KINDS = ("schema", "enum", "seed", "stop")
ENOUGH_TOKENS, LONG_TOKENS, FEW_TOKENS = 400, 3000, 24
SEED = 7


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. kind: "schema", "enum", "seed" or "stop". works: None where it could not be told. found: in words."""

    kind: str
    asked: str
    works: bool | None
    found: str


@dataclass(frozen=True, slots=True)
class Report:
    """What was found. failed: why nothing more was asked, "" where all was."""

    identity: ModelIdentity
    findings: tuple[Finding, ...]
    failed: str = ""

    def works(self, kind: str) -> bool | None:
        """Whether every check of a kind went well; None where one could not be told, or none was made."""
        told = [finding.works for finding in self.findings if finding.kind == kind]
        if False in told:
            return False
        return None if None in told or not told else True

    def as_json(self) -> dict[str, Any]:
        kinds = {kind: self.works(kind) for kind in KINDS}
        return {
            "provider": asdict(self.identity),
            "works": kinds,
            "findings": [asdict(finding) for finding in self.findings],
            "failed": self.failed,
            "note": SAFE_ANYWAY,
        }


def schema_for(ids: Sequence[str]) -> dict[str, Any]:
    """The schema of a selection of quotes, the source being one of `ids`."""
    quote = {
        "type": "object",
        "properties": {"source": {"type": "string", "enum": list(ids)}, "quote": {"type": "string"}},
        "required": ["source", "quote"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"quotes": {"type": "array", "items": quote}},
        "required": ["quotes"],
        "additionalProperties": False,
    }


def probe(model: LanguageModel, waiting: Waiting = waiting_quietly) -> Report:
    """Ask the model six things, a few hundred tokens each, and say what came. Raises what `waiting` raises."""
    findings: list[Finding] = []
    for check in (_never_offered, _capitalised, _empty, _long, _seed, _stop):
        try:
            findings.append(check(model, waiting))
        except ModelFailed as error:
            if error.problem in NOT_TO_BE_ASKED:
                return Report(model.identity, tuple(findings), error.message)
            kind, asked = ABOUT[check]
            findings.append(Finding(kind, asked, False, error.message))
    return Report(model.identity, tuple(findings))


def _never_offered(model: LanguageModel, waiting: Waiting) -> Finding:
    wanted = "Which words say that a log must be kept? Give source s9 for the quote."
    return _sources_kept(ABOUT[_never_offered], model, wanted, waiting)


def _capitalised(model: LanguageModel, waiting: Waiting) -> Finding:
    wanted = "Which words say that a pilot needs a licence? Write the source as S2, with a capital letter."
    return _sources_kept(ABOUT[_capitalised], model, wanted, waiting)


def _sources_kept(about: tuple[str, str], model: LanguageModel, wanted: str, waiting: Waiting) -> Finding:
    quotes = _quotes_in(model.ask(_request(f"{SOURCES}\n\n{wanted}"), waiting).text)
    if quotes is None:
        return Finding(*about, False, "the reply has another shape than the schema")
    strange = sorted({quote["source"] for quote in quotes} - {"s1", "s2"})
    if strange:
        return Finding(*about, False, f"it named {', '.join(map(repr, strange))[:80]}, which was not offered")
    return Finding(*about, True, "it named only sources that were offered" if quotes else "it named no source")


def _empty(model: LanguageModel, waiting: Waiting) -> Finding:
    about = ABOUT[_empty]
    wanted = "Which words say how many teeth a shark has?"
    quotes = _quotes_in(model.ask(_request(f"{SOURCES}\n\n{wanted}"), waiting).text)
    if quotes is None:
        return Finding(*about, False, "the reply has another shape than the schema")
    # Too many quotes are no fault of the provider's: that the words are there is checked by code.
    return Finding(*about, True, f"it gave {len(quotes)} quotes" if quotes else "it gave an empty list")


def _long(model: LanguageModel, waiting: Waiting) -> Finding:
    about = ABOUT[_long]
    wanted = f"[s1] {LONG}\n\nCopy source s1 from its first word to its last, as one quote."
    quotes = _quotes_in(model.ask(_request(wanted, LONG_TOKENS), waiting).text)
    if quotes is None:
        return Finding(*about, False, "the reply has another shape than the schema")
    length = sum(len(quote["quote"]) for quote in quotes)
    # A short one is the model's choice, and says nothing of how a long one would have come.
    return Finding(*about, length >= len(LONG) // 2 or None, f"it gave {length:,} characters of {len(LONG):,}")


def _seed(model: LanguageModel, waiting: Waiting) -> Finding:
    about = ABOUT[_seed]
    if model.identity.seed is None:
        return Finding(*about, None, "no seed is sent to it")
    wanted = f"{SOURCES}\n\nQuote any duty, and add a remark of your own as a second quote."
    request = _request(wanted, seed=SEED, heat=0.8)
    first, second = (model.ask(request, waiting).text for _ in range(2))
    same = first == second
    return Finding(*about, same, "it said the same twice" if same else "it said two things")


def _stop(model: LanguageModel, waiting: Waiting) -> Finding:
    about = ABOUT[_stop]
    try:
        reply = model.ask(_request(f"[s1] {LONG}\n\nCopy all of source s1 as one quote.", FEW_TOKENS), waiting)
    except ModelFailed as error:
        if error.problem is not ModelProblem.TRUNCATED:
            raise
        return Finding(*about, True, "it stopped, and said that it did")
    if reply.completion_tokens > FEW_TOKENS:
        return Finding(*about, False, f"it went on to {reply.completion_tokens:,} tokens")
    return Finding(*about, None, "it had less to say than it was allowed")


def _request(user: str, max_tokens: int = ENOUGH_TOKENS, seed: int | None = None, heat: float = 0.0) -> ModelRequest:
    return ModelRequest("quotes", SYSTEM, user, schema_for(("s1", "s2")), max_tokens, seed, heat)


def _quotes_in(text: str) -> list[Mapping[str, str]] | None:
    """The quotes of a reply that has exactly the schema's shape, whatever sources it names; None for another."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or value.keys() != {"quotes"} or not isinstance(value["quotes"], list):
        return None
    for quote in value["quotes"]:
        if not isinstance(quote, dict) or quote.keys() != {"source", "quote"}:
            return None
        if not all(isinstance(part, str) for part in quote.values()):
            return None
    return value["quotes"]


Check = Callable[[LanguageModel, Waiting], Finding]
ABOUT: dict[Check, tuple[str, str]] = {
    _never_offered: ("enum", "a source that was never offered"),
    _capitalised: ("enum", "a source with a capital letter"),
    _empty: ("schema", "a question that no source answers"),
    _long: ("schema", "a long quote"),
    _seed: ("seed", "the same seed twice"),
    _stop: ("stop", f"more than {FEW_TOKENS} tokens, allowed no more"),
}
