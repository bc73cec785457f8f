"""What an e-mail brings along: its attachments, those of messages within it among them. Nothing is opened here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from clients.extraction.ports import Unreadable

MOST_ATTACHMENTS = 50
DEEPEST = 10  # parts within parts; a forwarded mail with an attachment has four
LEAST_INLINE_BYTES = 50 * 1024  # a picture in the text of a mail: a photograph is larger, a firm's sign smaller


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a mail, by the name that it has there; "" where it has none."""

    name: str
    content: bytes


def attachments_of(message: bytes) -> list[Attachment]:
    """The files that a mail (.eml) brings, in order. Raises Unreadable for one with none, too many, or too deep.

    A file is what is attached, what is a PDF, and a picture in the text of LEAST_INLINE_BYTES or more.
    """
    try:
        found = list(_parts(BytesParser(EmailMessage, policy=policy.default).parsebytes(message), 0))
    except Unreadable:
        raise
    except Exception:  # the parser fails on broken headers in many ways
        raise Unreadable("The e-mail is damaged. Save its attachments and send those.") from None
    if not found:
        raise Unreadable("The e-mail has no attachment.")
    return found


def _parts(part: EmailMessage, depth: int) -> Iterator[Attachment]:
    if depth > DEEPEST:
        raise Unreadable("The e-mail holds messages within messages, deeper than AsAt looks.")
    if part.is_multipart():
        found = 0
        for inner in part.iter_parts() if part.get_content_maintype() == "multipart" else part.get_payload():
            for each in _parts(inner, depth + 1):  # type: ignore[arg-type]
                found += 1
                if found > MOST_ATTACHMENTS:
                    raise Unreadable(f"The e-mail has more than {MOST_ATTACHMENTS} attachments. Send it in parts.")
                yield each
        return
    content = part.get_payload(decode=True)
    if isinstance(content, bytes) and _is_file(part, content):
        yield Attachment(part.get_filename() or "", content)


def _is_file(part: EmailMessage, content: bytes) -> bool:
    if part.get_content_disposition() == "attachment" or part.get_content_type() == "application/pdf":
        return True
    return part.get_content_maintype() == "image" and len(content) >= LEAST_INLINE_BYTES
