"""What is known of each provision found, as a handful of numbers: the ground that relevance is judged on.

Pure. A number is on a scale of its own, mostly 0 to 1, and means the same whatever was asked; those that compare with
the rest of what was found end in `_gap` (0 for the best, negative for others) or begin with `place_` (1 for the first,
then 1/2, 1/3 …).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from research.law.citation import mask_citations
from research.law.content_words import content_pairs, content_stems, rarity, weight
from research.terms import Measured, Passage, Pin, Role, Sought, SubjectEvidence

NO_EVIDENCE = SubjectEvidence()

_MEANING_ASKED = re.compile(
    r"\b(?:definition|meaning|define[ds]?|means?)\b|\bwhat (?:counts|qualifies) as\b"
    r"|\bwh(?:at|o)(?:'s| is| are| was) an?\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:fy ?)?(?:19|20)\d\d(?:[-–/]\d\d(?:\d\d)?)?\b", re.IGNORECASE)
_SECTION = re.compile(r"\b(?:\d{1,3}[A-Z]{0,3}-\d{1,3}[A-Z]{0,2}|\d{2,3}[A-Z]{1,4})\b")
_GUIDE = re.compile(r"\bguide to\b", re.IGNORECASE)
_MEANING_GIVEN = re.compile(r"^(?:Meanings? of|Definitions?\b|Interpretation\b|Dictionary\b|What (?:is|are) an?\b)")
# Words that tell which Act a question is about. An Act that they name is likelier, the others are less so.
_ACT_CUES = tuple(
    (re.compile(pattern, re.IGNORECASE), frozenset(codes.split()))
    for pattern, codes in (
        (r"\b(?:gst|input tax credits?|tax invoices?|bas\b(?! agent))", "GSTA99"),
        (r"\b(?:fbt|fringe benefits?)\b", "FBTAA86"),
        (r"\b(?:super(?:annuation)? guarantee|sgc?\b|late super|unpaid super|pay(?:ing)? super)", "SGAA92 SGCA92"),
        (r"\b(?:smsfs?|self[- ]managed|super(?:annuation)? fund trustees?|our (?:own )?super fund)\b", "SISA93"),
        (r"\b(?:(?:tax|bas) agents?|tax practitioners? board|tpb|tasa)\b", "TASA09"),
        (r"\babns?\b|\baustralian business numbers?\b", "ABNA99 TAA53"),
        (r"\bfuel\b", "FTA06"),
        (r"\bmedicare\b", "MLA86 ITAA36"),
        (r"\b(?:objections?|object to|payg|garnishee|director penalt|private ruling|penalt|withhold)", "TAA53"),
        (r"\b(?:div(?:ision)? ?7a|upes?|unpaid present|family trusts?|beneficiar)", "ITAA36"),
        (r"\b(?:cgt|capital gains?)\b", "ITAA97"),
    )
)

NAMES = (
    "cosine", "cosine_gap", "place_cosine", "lexical", "place_lexical", "subject_words", "subject_together",
    "subject_meaning", "subject_meaning_gap", "subject_middle", "subject_middle_gap", "subject_votes", "place_subject",
    "heading", "coverage", "pairs", "path", "act_named", "other_act_named", "guide", "definition", "definition_asked",
    "transitional", "section_named",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A provision found: its passages, nearest first, and what the subject index knows of it."""

    provision_id: int
    passages: tuple[Passage, ...]
    measured: tuple[Measured, ...]
    evidence: SubjectEvidence

    @property
    def cosine(self) -> float:
        return max((m.cosine for m in self.measured if m.cosine is not None), default=0.0)

    @property
    def lexical(self) -> float:
        return max(m.lexical for m in self.measured)


def candidates_of(
    passages: Sequence[Passage], measured: Mapping[int, Measured], evidence: Mapping[Pin, SubjectEvidence]
) -> list[Candidate]:
    """The provisions that `passages` belong to, in the order in which they come; each passage must be measured."""
    by_provision: dict[int, list[Passage]] = {}
    for passage in passages:
        by_provision.setdefault(passage.provision_id, []).append(passage)
    found = []
    for provision_id, own in by_provision.items():
        own.sort(key=lambda passage: (-_nearness(measured[passage.chunk_id]), passage.chunk_id))
        known = evidence.get((own[0].instrument, own[0].pin), NO_EVIDENCE)
        figures = tuple(measured[passage.chunk_id] for passage in own)
        found.append(Candidate(provision_id, tuple(own), figures, known))
    return found


def features_of(sought: Sought, found: Sequence[Candidate]) -> list[dict[str, float]]:
    """The numbers of each candidate, by the names in `NAMES`."""
    asked = _Asked.of(sought.question, found)
    best_cosine = max((candidate.cosine for candidate in found), default=0.0)
    best_lexical = max((candidate.lexical for candidate in found), default=0.0) or 1.0
    best_meaning = max((candidate.evidence.meaning for candidate in found), default=0.0)
    best_middle = max((candidate.evidence.middle for candidate in found), default=0.0)
    by_cosine = _places([candidate.cosine for candidate in found])
    by_lexical = _places([candidate.lexical for candidate in found])
    by_subject = _places([candidate.evidence.strength for candidate in found])
    return [
        {
            "cosine": candidate.cosine,
            "cosine_gap": candidate.cosine - best_cosine,
            "place_cosine": by_cosine[at],
            "lexical": candidate.lexical / best_lexical,
            "place_lexical": by_lexical[at],
            "subject_words": candidate.evidence.words,
            "subject_together": candidate.evidence.together,
            "subject_meaning": candidate.evidence.meaning,
            "subject_meaning_gap": candidate.evidence.meaning - best_meaning,
            "subject_middle": candidate.evidence.middle,
            "subject_middle_gap": candidate.evidence.middle - best_middle,
            "subject_votes": candidate.evidence.votes,
            "place_subject": by_subject[at],
            **asked.compared_with(candidate),
        }
        for at, candidate in enumerate(found)
    ]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question as its words are compared: what tells apart weighs most."""

    stems: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    weights: Mapping[str, float]
    whole: float
    is_meaning: bool
    acts: frozenset[str]
    sections: frozenset[str]

    @classmethod
    def of(cls, question: str, found: Sequence[Candidate]) -> _Asked:
        subject = _YEAR.sub(" ", mask_citations(question))
        stems = content_stems(subject)
        # Of the question's stems alone: no other's weight is ever asked for.
        weights = rarity(stems & _stems_of(passage) for candidate in found for passage in candidate.passages[:1])
        whole = sum(weights.get(stem, 1.5) for stem in sorted(stems))
        acts = frozenset(code for cue, codes in _ACT_CUES if cue.search(question) for code in codes)
        sections = frozenset(_SECTION.findall(_YEAR.sub(" ", question).upper()))
        is_meaning = bool(_MEANING_ASKED.search(question))
        return cls(stems, content_pairs(subject), weights, whole, is_meaning, acts, sections)

    def compared_with(self, candidate: Candidate) -> dict[str, float]:
        first = candidate.passages[0]
        heading = content_stems(first.heading)
        both = len(heading & self.stems)
        is_definition = first.role is Role.DEFINITION or bool(_MEANING_GIVEN.match(first.heading))
        pairs = content_pairs(f"{first.heading}\n{first.text}")
        return {
            "heading": 2 * both / (len(heading) + len(self.stems)) if both else 0.0,
            "coverage": self._share(_stems_of(first)),
            "pairs": len(self.pairs & pairs) / len(self.pairs) if self.pairs else 0.0,
            "path": self._share(content_stems(" ".join(first.path))),
            "act_named": float(first.instrument in self.acts),
            "other_act_named": float(bool(self.acts) and first.instrument not in self.acts),
            "guide": float(first.role is Role.GUIDE or any(_GUIDE.search(step) for step in first.path)),
            "definition": float(is_definition),
            "definition_asked": float(is_definition and self.is_meaning),
            "transitional": float("Transitional" in first.instrument_title),
            "section_named": float(first.section.upper() in self.sections),
        }

    def _share(self, stems: frozenset[str]) -> float:
        """The weighted share of the question's words among `stems`."""
        return weight(self.stems & stems, self.weights) / self.whole if self.whole else 0.0


def _stems_of(passage: Passage) -> frozenset[str]:
    return content_stems(passage.text) | content_stems(passage.heading)


def _nearness(measured: Measured) -> float:
    return measured.cosine if measured.cosine is not None else measured.lexical


def _places(scores: Iterable[float]) -> list[float]:
    """1 / rank of each score, the best first; 0 for a score of 0, equal ones in their order."""
    listed = list(scores)
    order = sorted(range(len(listed)), key=lambda at: (-listed[at], at))
    found = [0.0] * len(listed)
    for place, at in enumerate(order, 1):
        found[at] = 1.0 / place if listed[at] > 0 else 0.0
    return found
