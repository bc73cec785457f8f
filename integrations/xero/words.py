"""What Xero says, in words that tell an accountant what to do. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAID: tuple[tuple[str, str], ...] = (
    (
        r"has been archived|un-?archived",
        "The supplier’s contact is archived in Xero. Restore it there (Contacts, Archived), then try again.",
    ),
    (
        r"already assigned to another contact|must be unique across all active contacts",
        "Xero says that another contact has this supplier’s name, and does not show it to us. Look for it among "
        "Xero’s contacts, then try again.",
    ),
    (
        r"end of year lock date",
        "The year of this bill is locked in Xero. Change the lock date there, or the bill’s date here, then try again.",
    ),
    (
        r"lock date",
        "The period of this bill is locked in Xero. Change the lock date there, or the bill’s date here, then try "
        "again.",
    ),
    (
        r"not subscribed to currency",
        "This organisation does not keep the bill’s currency in Xero. Add the currency there, then try again.",
    ),
    (
        r"tax ?type|tax ?rate|tax code",
        "Xero does not take the bill’s GST code for this organisation. Look whether it is registered for GST there, "
        "then try again.",
    ),
    (r"is used with a different request", "Xero saw this sending before, with other contents. It was not sent again."),
    (
        r"file.{0,20}(size|large)|too large|exceed",
        "The original is larger than Xero takes. Attach a smaller copy in Xero yourself.",
    ),
    (r"supported file type|file type", "Xero does not take a file of this kind. Attach another copy in Xero yourself."),
)
LONGEST = 300


def said(messages: Iterable[str]) -> str:
    """What to show for Xero's own messages: the known ones in plain words with the original behind, others as said.

    Never empty, at most a few sentences.
    """
    shown = [_one(message) for message in dict.fromkeys(filter(None, (" ".join(m.split()) for m in messages)))]
    return " ".join(shown) if shown else "Xero did not take it, and did not say why."


def _one(message: str) -> str:
    quoted = message[:LONGEST] + ("…" if len(message) > LONGEST else "")
    for pattern, words in _SAID:
        if re.search(pattern, message, re.IGNORECASE):
            return f"{words} (Xero: “{quoted}”)"
    return f"Xero: “{quoted}”"


NO_APP = "The practice’s Xero app is not set up. An owner does that under Settings, Connections."
APP_REFUSED = (
    "Xero does not know the practice’s app, or its secret is wrong. Look at the app on Xero’s developer site, and "
    "enter the client id and secret again under Settings, Connections. The clients’ connections stay as they are."
)
NOT_CONNECTED = "This client’s organisation is not connected with Xero. Connect it under Settings, Connections."
CONNECT_AGAIN = "Xero does not take the stored access any more. Connect this client’s organisation again."
LAPSED = "The access to Xero was not used for 60 days and has lapsed. Connect this client’s organisation again."
REMOVED = "The connection was removed in Xero. Connect this client’s organisation again."
SCOPES_MISSING = (
    "Xero does not let us do this: a permission is missing, or the person who connected may not do it in Xero. Connect "
    "again as somebody who may."
)
LAPSES_SOON = "Xero was not reached with this access for a long time; it lapses on its own 60 days after the last use."
ARCHIVED = (
    "A contact named “{name}” is archived in Xero. Restore it there (Contacts, Archived), or name the supplier "
    "otherwise here, then try again."
)
SEVERAL = "Xero has several contacts named “{name}”. Merge or rename them there, then try again."
DELETED = (
    "This bill was sent before and was then {status} in Xero. It is not made again by itself; send it once more only "
    "if that is meant."
)
SEVERAL_BILLS = (
    "Xero may have taken this bill, and has several that look like it. Look at the supplier’s bills in Xero; nothing "
    "was sent again."
)
TOTAL_DIFFERS = "Xero’s total is {theirs}, and ours {ours}. Look at the draft before it is approved."
DAY_USED_UP = "Xero’s calls of the day for this organisation are used up. What is left goes on by itself later."
UNKNOWN_OUTCOME = "Xero did not answer. Whether it has the bill is looked up before anything is sent again."
