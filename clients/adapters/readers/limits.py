"""How much of a file is read, and the refusals beyond it. Every limit is applied before anything is rendered.

A page of A4 at 200 dots an inch has 3.9 million pixels, one of A3 at 300 has 17 million, a photograph of a telephone
12 to 50 million. A picture beyond the limit is never decoded; a page beyond it is rendered smaller.
"""

from __future__ import annotations

from dataclasses import dataclass

from clients.extraction.ports import Unreadable


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of a file, its pages, pixels of a picture in it and of a page as rendered, and what a child may use."""

    most_bytes: int = 50 * 1024 * 1024
    most_pages: int = 100
    most_picture_pixels: int = 60_000_000
    most_rendered_pixels: int = 12_000_000
    dpi: int = 200
    lowest_dpi: int = 60  # below it no text of ordinary size can be read
    seconds: int = 900  # for the whole; a hundred pages of scans take some ten minutes on one core
    seconds_a_page: int = 90  # without a page done: the reader hangs
    memory_bytes: int = 4 * 1024**3  # of address space: the OCR's libraries map 1.5 GiB before they use any

    def check_pages(self, count: int) -> None:
        """Raises Unreadable for too many pages, or none."""
        if not count:
            raise Unreadable("The file has no pages.")
        if count > self.most_pages:
            raise Unreadable(f"The file has {count:,} pages; AsAt reads up to {self.most_pages}. Split it.")

    def check_picture(self, width: int, height: int) -> None:
        """Raises Unreadable for a picture of more pixels than are decoded, from what its header says."""
        if width < 1 or height < 1 or width * height > self.most_picture_pixels:
            raise Unreadable(
                f"A picture in the file has {width:,} by {height:,} pixels; AsAt opens up to "
                f"{self.most_picture_pixels:,} pixels. Save it smaller."
            )

    def dpi_for(self, width_pt: float, height_pt: float) -> int:
        """The resolution to render a page of that size at, so that it stays within its pixels.

        Raises Unreadable where the page is so large that it could not be read at what is left.
        """
        inches = (width_pt / 72) * (height_pt / 72)
        if not inches > 0:
            raise Unreadable("A page of the file has no size.")
        fits = int((self.most_rendered_pixels / inches) ** 0.5)
        if min(fits, self.dpi) < self.lowest_dpi:
            raise Unreadable(
                f"A page is {width_pt / 72:,.0f} by {height_pt / 72:,.0f} inches, more than AsAt renders. "
                "Print it smaller."
            )
        return min(fits, self.dpi)
