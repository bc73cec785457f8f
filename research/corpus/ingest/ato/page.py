"""A page of the ATO's legal database taken apart: title, notices about it, history, body; and what of it is furniture.

Reads bytes, no file. What the words of the notices mean is `status.py`'s. Everything that is left out is left out here,
by name, and counted: `DROPPED` lists the names.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import lxml.html
from lxml import etree
from lxml.html import HtmlElement

from research.corpus.ingest.ato.docid import docid_of, version_day_of
from research.corpus.ingest.ato.lines import Line, Lines, cells_of, rows_of
from research.corpus.ingest.visible import UNSEEN, folded, solid, visible_characters

CONTAINERS = ("LawContent", "lawContents", "LawContents", "contents")
DROPPED = (
    "title page",
    "menus",
    "contents",
    "notes of the database",
    "history panel",
    "history notes",
    "level of protection",
    "references",
    "signature",
    "copyright",
)
# C1 control characters are Windows-1252 punctuation in these pages: 0x92 is a right quote.
_C1 = {code: bytes([code]).decode("cp1252", "replace") for code in range(0x80, 0xA0)}
_C1 = {code: text for code, text in _C1.items() if text != "\ufffd"}
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\ufffe\uffff]")
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_\-]+)", re.IGNORECASE)
_LATIN = frozenset(("windows-1252", "cp1252", "iso-8859-1", "latin1", "us-ascii", "ascii"))
_SAVED_FROM = re.compile(r"saved from url=(?:\(\d+\))?(\S+)", re.IGNORECASE)


class BadPage(ValueError):
    """A page that is not read; the message says what was found and what to do."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One row of the history panel. is_here: the version that the page shows."""

    text: str
    is_here: bool


@dataclass(slots=True)
class Page:
    """A page's parts. address: of the page, as far as it says. front: lines of its head. notes: what the database says
    about the document. preamble: the box on the level of protection. body: lines of the document itself, in order.

    read: characters of the document's part of the page; dropped: by name, see DROPPED. added: see lines.Lines.
    """

    address: str = ""
    front: list[Line] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    history: list[HistoryRow] = field(default_factory=list)
    preamble: list[str] = field(default_factory=list)
    body: list[Line] = field(default_factory=list)
    read: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    added: Counter[str] = field(default_factory=Counter)

    @property
    def docid(self) -> str:
        return docid_of(self.address) if self.address else ""

    @property
    def version_day(self) -> str:
        return version_day_of(self.address)


def decoded(raw: bytes) -> str:
    """The page's text. Raises BadPage for an encoding that is not UTF-8 or Windows-1252, and for binary data."""
    if b"\x00" in raw:
        raise BadPage("the page holds NUL bytes, so it is UTF-16 or no text; save it again as UTF-8")
    charset = _CHARSET.search(raw[:4096])
    named = charset.group(1).decode().lower() if charset else ""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if named and named not in _LATIN and named not in ("utf-8", "utf8"):
            raise BadPage(f"the page says it is in {named}; save it again as UTF-8") from None
        text = _mended(raw, error.start)
    return text.translate(_C1)


def _mended(raw: bytes, at: int) -> str:
    """Bytes that are no UTF-8: Windows-1252 throughout, or UTF-8 into which single bytes of it got."""
    if re.search(rb"[\xc3-\xef][\x80-\xbf]", raw):
        mended = raw.decode("utf-8", "surrogateescape")
        mended = re.sub("[\udc80-\udc9f]", lambda m: chr(ord(m.group()) - 0xDC00), mended)
        if not re.search("[\udca0-\udcff]", mended):
            return mended
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        raise BadPage(f"byte {at + 1} is neither UTF-8 nor Windows-1252; save the page again as UTF-8") from None


def page_of(raw: bytes) -> Page:
    """The page that `raw` holds. Raises BadPage for what is cut short, nested too deep, or no page of the database."""
    text = decoded(raw)
    if "</html" not in text[-20_000:].lower():
        raise BadPage("the page has no end (</html>), so it was cut short; save it again")
    parser = lxml.html.HTMLParser(no_network=True, remove_pis=True, encoding="utf-8")
    try:
        root = lxml.html.document_fromstring(text.encode("utf-8"), parser=parser)
    except (etree.ParserError, ValueError) as error:
        raise BadPage(f"the page is no HTML ({error}); save it again") from None
    fatal = [entry.message for entry in parser.error_log if entry.level_name == "FATAL"]
    if fatal:
        raise BadPage(f"the page cannot be read to its end ({fatal[0]}); save it again")
    if strange := _CONTROL.search("".join(map(str, root.itertext()))):  # raw, or as a reference such as &#1;
        raise BadPage(f"the page holds the control character {strange.group()!r}; take it out, or save the page again")
    page = Page(address=_address(root))
    seen = visible_characters(text)
    for element in [each for each in root.iter(*UNSEEN - {"head"}) if isinstance(each, HtmlElement)]:
        element.drop_tree()
    body = root.find("body")
    if body is None:
        raise BadPage("the page has no body; save it again")
    _take_apart(body, page, seen)
    return page


def _take_apart(body: HtmlElement, page: Page, seen: int) -> None:
    content = _content(body)
    site = solid(body.text_content()) - solid(content.text_content())
    page.read = seen - site
    panel = _history_panel(body)
    if panel is not None:
        page.history = _history(panel)
        if panel is not content and content in panel.iterancestors():
            _drop(panel, page.dropped, "history panel")
    _drop_furniture(content, page)
    reader = Lines()
    front, preamble = _by_id(content, "LawFront"), _by_id(content, "LawPreamble")
    if front is not None:
        page.front = list(reader.of(front))
        _drop(front, page.dropped, "title page")
    if preamble is not None:
        page.preamble = [line.text for line in reader.of(preamble)]
        _drop(preamble, page.dropped, "level of protection")
    page.body = list(reader.of(content))
    page.added = reader.added


def _content(body: HtmlElement) -> HtmlElement:
    """The element that holds the document; the whole body where none says that it does."""
    for name in CONTAINERS:
        found = _by_id(body, name)
        if found is not None and solid(found.text_content()) > solid(body.text_content()) // 3:
            return found
    for tag in ("article", "main"):
        inside = next(body.iter(tag), None)
        if inside is not None:
            return inside
    return body


def _by_id(element: HtmlElement, name: str) -> HtmlElement | None:
    return next((each for each in element.iter() if isinstance(each.tag, str) and each.get("id") == name), None)


def _drop(element: HtmlElement, dropped: Counter[str], name: str) -> None:
    dropped[name] += solid(element.text_content())
    element.drop_tree()


def _address(root: HtmlElement) -> str:
    """The page's own address: where it says it stands, or where a browser says it was saved from."""
    for link in root.iter("link"):
        if (link.get("rel") or "").lower() == "canonical" and docid_of(link.get("href") or ""):
            return link.get("href") or ""
    for meta in root.iter("meta"):
        if (meta.get("property") or meta.get("name") or "").lower() == "og:url" and docid_of(meta.get("content") or ""):
            return meta.get("content") or ""
    before = [root, *root.itersiblings(preceding=True), *root.iter(etree.Comment)]
    for comment in before:
        found = _SAVED_FROM.search(comment.text or "") if comment.tag is etree.Comment else None
        if found and docid_of(found.group(1)):
            return found.group(1)
    return ""


def _history_panel(body: HtmlElement) -> HtmlElement | None:
    """The table of versions, or what is around it: by its anchor, else by its heads."""
    for table in body.iter("table"):
        rows = rows_of(table)
        heads = [cell.text_content().strip().lower() for cell in cells_of(rows[0])] if rows else []
        if heads[-3:] == ["date", "version", "change"]:
            parent = table.getparent()
            is_named = parent is not None and "LawTimeLine" in (parent.get("id"), parent.get("name"))
            return parent if is_named and parent is not None else table
    return None


def _history(panel: HtmlElement) -> list[HistoryRow]:
    table = panel if panel.tag == "table" else next(panel.iter("table"))
    found = []
    for row in rows_of(table)[1:]:
        text = folded(" ".join(cell.text_content() for cell in cells_of(row)))
        found.append(HistoryRow(text, "you are here" in text.lower()))
    return found


def _drop_furniture(content: HtmlElement, page: Page) -> None:
    for element in list(content.iterdescendants()):
        name = _furniture(element) if isinstance(element.tag, str) else ""
        if not name or element.getparent() is None or not _is_in(element, content):
            continue
        if name == "notes of the database":
            page.notes += [line.text for line in Lines().of(element)]
        _drop(element, page.dropped, name)


def _is_in(element: HtmlElement, content: HtmlElement) -> bool:
    return any(above is content for above in element.iterancestors())


def _furniture(element: HtmlElement) -> str:
    """The name under which this element is left out, "" for one that is kept."""
    called = element.get("id") or ""
    classes = (element.get("class") or "").lower().split()
    if element.tag in ("nav", "form", "button", "select") or any(
        "minimenu" in name for name in (called.lower(), *classes)
    ):
        return "menus"
    if called == "LawReference":
        return "references"
    if called == "LawContents" or "toc" in classes or (element.tag == "table" and _is_contents(element)):
        return "contents"
    if any(name.startswith("alert") for name in classes):
        return "notes of the database"
    if any(name.replace("-", "") == "historynote" for name in classes):
        return "history notes"
    return ""


def _is_contents(table: HtmlElement) -> bool:
    rows = rows_of(table)
    heads = [cell.text_content().strip().lower() for cell in cells_of(rows[0])] if rows else []
    return len(heads) >= 2 and heads[0] in ("contents", "table of contents") and heads[1].startswith("para")
