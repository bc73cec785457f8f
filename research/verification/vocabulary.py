"""The words that tell a rule in other words and are no subject of one: what prose may say without a quote for it.

A word that is not here, and of which no quote holds a form, is a subject that the prose brought along. Words that turn,
widen or bound a rule stand here too: what they do is for `turning`, and numbers for `values`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from research.law.citation import fold
from research.law.numbers import ORDINALS, SMALL
from research.verification.overlap import stem

_TELLING = """
    able about above accordingly account across act actually additional after again against age aged ago all allow
    allowed alone along already also although always among amount amounts and another answer any anyone anything
    apart applicable applies apply april are around aside august australia australian available away back based
    basis bear because become been before begin beginning behalf being below beneath between beyond billion both
    bring brought but call called came can cannot capped carried carries carry case cases cause cent cents certain
    change circumstances come comes commence complete comply concern concerned condition conditional conditions
    connected consider consist contain continue cost costs count counted counts cover covered day days deal december
    denied deny depend depends despite detail determine did different direct directly division do does dollar
    dollars done double down due during each earlier earliest effect either eligible else end ended ending ends
    enough ensure entire entirely entitle entitled entitlement equal especially even event ever every everyone
    everything exceed exceeded exceeding exceeds except exception exclude excluded excluding exist exists expressly
    extent extra fact fail fails fall falls far february few fewer find first fixed follow following follows for
    form forms forward found from full fully further gave general generally get gets getting give given gives giving
    go goes going gone greater had half happen happens has have having he held hence her here high higher his hold
    holds how however hundred i if in include included includes including ineligible instead into involve is it item
    its itself january july june just keep keeps kept kind know known lack lacks largest last late later latest law
    lead least leave leaves left less lesser let lets lie lies like likewise limit limited limits line list listed
    little long longer look lose loses lost low lower made main mainly make makes making manner many march mark
    matter maximum may mean means meant meet meets mention merely met might million minimum month months more most
    mostly move much must name named namely nearest necessary need needed needs neither never nevertheless next no
    nobody none nor not nothing november now number obligation obliged obtain occur october of off often on once one
    only onto open option or order other others otherwise ought our out outside over overall own paid paragraph
    paragraphs part partial particular partly parts pass passes pay payable paying payment pays per percent
    percentage period permit permitted person place plus point points portion position possible prevent previous
    primarily principally prior probably proportion proportionate provide provided provides provision provisions
    purpose purposes put puts quarter question rather reach reached reaches read reason receive recognised refer
    refers refused regard regardless relate related relates relating relation relevant remain remains require
    required requirement requirements requires respect rest result results right rise row rule rules run runs said
    same satisfied satisfies satisfy save say says schedule second section sections see seek separate separately
    september serve set sets several shall share she should show shown shows side similar simply since single
    situation size small smaller so sole solely some soon sort specific stand stands start started starting starts
    state stated states still stop stops subdivision subject subsection subsections such sum take taken takes taking
    tell tells term terms than that the their them then there therefore these they thing third this those though
    thousand through throughout thus till time times to together too total toward treat treated treats true turn
    twice two type under unless unlike until up upon use used user users uses using usual value various very want
    was way ways we week weeks well went were what whatever when whenever where whether which whichever while who
    whole whom whose why will with within without work worked works would write writing written year years yet you
    your
"""
_KNOWN = frozenset(stem(word) for word in (*_TELLING.split(), *SMALL, *ORDINALS)) | frozenset(_TELLING.split())
_SHORT = 2  # letters: "s", "kg"
_MOST_SHARED = 6
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def strangers(prose: str, held: Iterable[str]) -> tuple[str, ...]:
    """The words of `prose` that are neither words of telling nor a form of a word that `held` holds, in lower case."""
    forms = frozenset(_words(" ".join(held)))
    stems = frozenset(stem(word) for word in forms)
    found = [word for word in _words(prose) if not _is_telling(word) and stem(word) not in stems]
    if not found:
        return ()
    beginnings = frozenset(word[:size] for word in forms for size in range(3, _MOST_SHARED + 1))
    return tuple(dict.fromkeys(word for word in found if _beginning(word) not in beginnings))


def _words(text: str) -> Sequence[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(fold(text).lower())]


def _is_telling(word: str) -> bool:
    return len(word) <= _SHORT or word in _KNOWN or stem(word) in _KNOWN or word.endswith("n't")


def _beginning(word: str) -> str:
    """What a form of the word shares with it: all but its last three letters, four at least and six at most."""
    return word[: min(max(4, len(word) - 3), _MOST_SHARED)] if len(word) > 4 else word[: max(3, len(word) - 1)]
