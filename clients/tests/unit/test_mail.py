"""What an e-mail brings along."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from clients.adapters.readers.mail import LEAST_INLINE_BYTES, MOST_ATTACHMENTS, Attachment, attachments_of
from clients.extraction.ports import Unreadable

PDF = b"%PDF-1.7 of our own"


def mail(*names: str, text: str = "See attached.") -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Bill"
    message.set_content(text)
    for name in names:
        message.add_attachment(PDF, maintype="application", subtype="pdf", filename=name)
    return message


def test_attachments_come_in_order_with_their_names() -> None:
    found = attachments_of(mail("one.pdf", "zwei – ü.pdf").as_bytes())
    assert found == [Attachment("one.pdf", PDF), Attachment("zwei – ü.pdf", PDF)]


def test_a_forwarded_mail_gives_up_what_it_holds() -> None:
    outer = mail()
    outer.add_attachment(mail("inner.pdf"))
    assert attachments_of(outer.as_bytes()) == [Attachment("inner.pdf", PDF)]


def test_a_photograph_in_the_text_is_taken_and_a_sign_is_not() -> None:
    message = mail()
    message.make_mixed()
    for size in (LEAST_INLINE_BYTES - 1, LEAST_INLINE_BYTES):
        picture = EmailMessage()
        picture.set_content(b"x" * size, maintype="image", subtype="jpeg", disposition="inline", filename="p.jpg")
        message.attach(picture)
    assert [len(each.content) for each in attachments_of(message.as_bytes())] == [LEAST_INLINE_BYTES]


def test_a_pdf_is_taken_however_it_is_placed() -> None:
    message = EmailMessage()
    message.set_content(PDF, maintype="application", subtype="pdf", disposition="inline")
    assert attachments_of(message.as_bytes()) == [Attachment("", PDF)]


def nested(times: int) -> EmailMessage:
    message = mail("deep.pdf")
    for _ in range(times):
        outer = mail()
        outer.add_attachment(message)
        message = outer
    return message


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (mail().as_bytes(), "The e-mail has no attachment."),
        (b"", "The e-mail has no attachment."),
        (b"\xff\xfe\x00 no mail at all", "The e-mail has no attachment."),
        (nested(6).as_bytes(), "The e-mail holds messages within messages, deeper than AsAt looks."),
        (
            mail(*(f"{number}.pdf" for number in range(MOST_ATTACHMENTS + 1))).as_bytes(),
            "The e-mail has more than 50 attachments. Send it in parts.",
        ),
    ],
)
def test_a_mail_that_brings_nothing_or_too_much_is_refused(message: bytes, why: str) -> None:
    with pytest.raises(Unreadable) as refused:
        attachments_of(message)
    assert str(refused.value) == why


def test_a_mail_made_to_exhaust_its_reader_is_refused() -> None:
    boundary = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (at, at) for at in range(3000))
    with pytest.raises(Unreadable):
        attachments_of(boundary)
