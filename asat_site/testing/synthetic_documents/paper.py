"""Paper to print on: text, rules and pages, in points from the top left."""

from __future__ import annotations

from typing import Any

import pymupdf

A4 = (595.0, 842.0)
_BOLD = {"helv": "hebo", "tiro": "tibo", "cour": "cobo"}


class Paper:
    """A PDF under the pen. y: where the next line goes."""

    def __init__(self, font: str = "helv", size: tuple[float, float] = A4) -> None:
        self.document: Any = pymupdf.open()
        self.font, self.size, self.y = font, size, 50.0
        self.page: Any = self.document.new_page(width=size[0], height=size[1])

    def new_page(self) -> None:
        self.page = self.document.new_page(width=self.size[0], height=self.size[1])
        self.y = 50.0

    def width(self, text: str, size: float = 9.5, bold: bool = False) -> float:
        return float(pymupdf.get_text_length(text, self._font(bold), size))

    def text(
        self,
        x: float,
        text: str,
        size: float = 9.5,
        bold: bool = False,
        align: str = "left",
        y: float | None = None,
        colour: tuple[float, float, float] = (0, 0, 0),
    ) -> None:
        """Text whose left end, middle or right end is x."""
        shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[align] * self.width(text, size, bold)
        at = (x - shift, self.y if y is None else y)
        self.page.insert_text(at, text, fontsize=size, fontname=self._font(bold), color=colour)

    def lines(
        self, x: float, texts: list[str], size: float = 9.5, align: str = "left", first_bold: bool = False
    ) -> None:
        """One below the other; moves y."""
        for at, text in enumerate(texts):
            self.text(x, text, size, first_bold and at == 0, align)
            self.down(size * 1.35)

    def down(self, by: float) -> None:
        self.y += by

    def rule(self, left: float, right: float) -> None:
        self.page.draw_line((left, self.y - 8), (right, self.y - 8), width=0.6)

    def bar(self, top: float, bottom: float, colour: tuple[float, float, float]) -> None:
        """A band over the whole width."""
        self.page.draw_rect((0, top, self.size[0], bottom), color=colour, fill=colour)

    def box(self, left: float, top: float, right: float, bottom: float) -> None:
        self.page.draw_rect((left, top, right, bottom), width=0.6)

    def as_pdf(self) -> bytes:
        return bytes(self.document.tobytes(deflate=True, no_new_id=True))

    def _font(self, bold: bool) -> str:
        return _BOLD[self.font] if bold else self.font
