"""A volume's bytes to a tree: which encoding they are in, and a parser that expands, fetches and runs nothing.

Leaves the meaning of elements to `paragraphs.py`.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from html import unescape

from lxml import etree
from lxml import html as lxml_html

_DECLARED = re.compile(rb"""(?:encoding|charset)\s*=\s*["']?([A-Za-z0-9_.:\-]+)""")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_SELF_CLOSED = re.compile(r"<(p|span|a|td|th|div|h[1-6]|b|i|u)(\s[^<>]*?)?/>", re.IGNORECASE)
_NO_TEXT = re.compile(r"<!--.{0,20000}?-->|<[^>]*>", re.DOTALL)
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.IGNORECASE | re.DOTALL)
MAX_LOST_SHARE = 0.005


class Unreadable(ValueError):
    """Bytes that are not the text they say they are: what was found and what to do."""


def decoded(content: bytes) -> tuple[str, str]:
    """The text of a volume and, where its declaration is wrong, a warning ("" for none). Raises Unreadable.

    UTF-8 is tried first, whatever is declared: text in another encoding is hardly ever valid UTF-8 by chance.
    """
    for mark, name in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if content.startswith(mark):
            return _strict(content.removeprefix(codecs.BOM_UTF8), name), ""
    found = _DECLARED.search(content[:2000])
    declared = found.group(1).decode("ascii").lower() if found else "utf-8"
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        if declared in ("utf-8", "utf8"):
            at = f"byte {error.start + 1:,}"
            raise Unreadable(f"it says it is UTF-8, but {at} is not; fetch the file again") from error
        # Browsers read what is declared as Latin 1 as Windows-1252, and so do those who write it.
        return _strict(content, "windows-1252" if declared in ("iso-8859-1", "latin1", "us-ascii") else declared), ""
    wrong = declared not in ("utf-8", "utf8", "us-ascii") and not text.isascii()
    return text, f"declared as {declared}, but UTF-8, and read so" if wrong else ""


def _strict(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not {encoding} from byte {error.start + 1:,} on; fetch the file again") from error
    except LookupError as error:
        raise Unreadable(f"it declares an unknown encoding, {encoding!r}; give UTF-8") from error


def parsed_xml(text: str) -> etree._Element:
    """The root. Nothing is expanded or loaded: declarations of entities go before anything is parsed.

    Raises etree.XMLSyntaxError, also for a use of what was declared there, or Unreadable.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        return etree.fromstring(_bare(text), parser)
    except ValueError as error:  # a second declaration, or what no document may hold
        raise Unreadable("it cannot be parsed: it holds a second XML declaration; fetch the file again") from error


def parsed_page(text: str) -> etree._Element:
    """The root of a page: as XML where it is well-formed, else as a browser would read it. Raises Unreadable.

    XML first, because there a self-closed `<p class="x"/>` is empty; in HTML it would swallow what follows.
    """
    try:
        return parsed_xml(text)
    except etree.XMLSyntaxError:  # "&nbsp;", for one, has no meaning in XML without a DTD
        pass
    bare = _bare(text)
    if "</html>" not in bare[-2_000:].lower():
        raise Unreadable("it breaks off before its end (there is no </html>); fetch the file again")
    closed = _SELF_CLOSED.sub(lambda m: f"<{m.group(1)}{m.group(2) or ''}></{m.group(1)}>", bare)
    try:
        page = lxml_html.document_fromstring(closed, parser=lxml_html.HTMLParser(no_network=True, huge_tree=False))
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise Unreadable(f"it is no page of text ({error}); fetch the file again") from error
    _check_nothing_lost(closed, page)
    return page


def _bare(text: str) -> str:
    return _DOCTYPE.sub("", _DECLARATION.sub("", text.lstrip("\ufeff"), count=1), count=1).lstrip()


def _check_nothing_lost(text: str, page: etree._Element) -> None:
    """A browser's parser forgives everything, and may stop in silence. Compares with the text between the tags."""
    expected = len("".join(unescape(_NO_TEXT.sub("", text)).split()))
    found = len("".join(str(etree.tostring(page, method="text", encoding="unicode")).split()))
    if abs(expected - found) > MAX_LOST_SHARE * max(expected, 1):
        raise Unreadable(f"of its {expected:,} characters the parser gave {found:,}; fetch the file again")


def words_in(element: etree._Element) -> str:
    """All that an element says: its text, and the descriptions of its images."""
    images = (e.get("alt") or "" for e in element.iter() if tag_of(e) in ("img", "image"))
    return str(etree.tostring(element, method="text", encoding="unicode", with_tail=False)) + "".join(images)


def tag_of(element: etree._Element) -> str:
    """The tag without its namespace, in lower case but for XML vocabularies; "" for comments and the like."""
    tag = element.tag
    return _local(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=2_000)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
