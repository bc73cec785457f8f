"""The Acts that AsAt knows by a short code: their titles, their ids in the Federal Register, how documents are named.

Facts, no law. An Act that is not here is loaded under the first part of its document ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownAct:
    """prefix: how its document ids begin ("itaa97/8-1"). title_id: names it in the Register for ever."""

    code: str
    title: str
    title_id: str
    prefix: str


ACTS = (
    KnownAct("ITAA97", "Income Tax Assessment Act 1997", "C2004A05138", "itaa97"),
    KnownAct("ITAA36", "Income Tax Assessment Act 1936", "C1936A00027", "itaa36"),
    KnownAct("ITTPA97", "Income Tax (Transitional Provisions) Act 1997", "C2004A05128", "ittpa97"),
    KnownAct("ITRA86", "Income Tax Rates Act 1986", "C2004A03348", "itra86"),
    KnownAct("GSTA99", "A New Tax System (Goods and Services Tax) Act 1999", "C2004A00446", "gst99"),
    KnownAct("TAA53", "Taxation Administration Act 1953", "C1953A00001", "taa53"),
    KnownAct("FBTAA86", "Fringe Benefits Tax Assessment Act 1986", "C2004A03280", "fbtaa86"),
    KnownAct("SISA93", "Superannuation Industry (Supervision) Act 1993", "C2004A04633", "sis93"),
    KnownAct("SGAA92", "Superannuation Guarantee (Administration) Act 1992", "C2004A04402", "sga92"),
    KnownAct("SGCA92", "Superannuation Guarantee Charge Act 1992", "C2004A04384", "sgc92"),
    KnownAct("TASA09", "Tax Agent Services Act 2009", "C2009A00013", "tasa09"),
    KnownAct("ABNA99", "A New Tax System (Australian Business Number) Act 1999", "", "abn99"),
    KnownAct("MLA86", "Medicare Levy Act 1986", "C2004A03351", "mla86"),
    KnownAct("FTA06", "Fuel Tax Act 2006", "C2006A00072", "fta06"),
    KnownAct("AIA01", "Acts Interpretation Act 1901", "", "aia01"),
)

_BY_PREFIX = {act.prefix: act for act in ACTS}
_BY_CODE = {act.code: act for act in ACTS}
_BY_TITLE = {act.title.casefold(): act for act in ACTS}
_BY_TITLE_ID = {act.title_id: act for act in ACTS if act.title_id}


def act_of_code(code: str) -> KnownAct | None:
    """The Act with this short code, in any case of letters."""
    return _BY_CODE.get(code.strip().upper())


def act_of_prefix(prefix: str) -> KnownAct | None:
    """The Act whose document ids begin so."""
    return _BY_PREFIX.get(prefix)


def act_of_title(title: str) -> KnownAct | None:
    """The Act of this title, white space and case of letters aside."""
    return _BY_TITLE.get(" ".join(title.split()).casefold())


def act_of_title_id(title_id: str) -> KnownAct | None:
    """The Act that the Register names by this title id."""
    return _BY_TITLE_ID.get(title_id)


def prefix_of(title: str) -> str:
    """How document ids of an Act of this title begin: its own prefix, else its title's words joined by hyphens."""
    known = act_of_title(title)
    if known:
        return known.prefix
    words = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")
    return words[:80].rstrip("-") or "document"
