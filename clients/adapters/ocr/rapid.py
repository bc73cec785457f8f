"""RapidOCR behind the port: detection and recognition on ONNX Runtime, one thread, weights out of its own wheel.

The files of the weights are named, so that nothing is ever asked of a network.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PIL import Image

from clients.extraction.ports import Unreadable
from clients.extraction.terms import Box, Source, Word

logger = logging.getLogger(__name__)

_DETECTION, _RECOGNITION = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
LONGEST_SIDE = 2200  # pixels that detection sees; of 200 dots an inch, A4 has 2,339
LEAST_CONFIDENCE = 0.3  # of a line; below it is a pattern, no text


class RapidOcr:
    """The default engine."""

    name = "rapidocr"
    enough = 0.86

    def words(self, picture: Image.Image) -> tuple[tuple[Word, ...], float]:
        """Words in pixels of the picture, and the skew of its lines in degrees. Raises Unreadable."""
        try:
            read = _engine()(np.asarray(picture), use_cls=False, return_word_box=True, text_score=LEAST_CONFIDENCE)
        except Exception as error:
            logger.warning("RapidOCR failed: %s", type(error).__name__)
            raise Unreadable("The page could not be read by OCR.") from None
        if not read.txts:
            return (), 0.0
        words = [word for text, parts in zip(read.txts, read.word_results, strict=True) for word in _words(text, parts)]
        return tuple(words), _skew(read.boxes)


@cache
def _engine() -> Any:
    """The engine, loaded once for the process."""
    import cv2
    import rapidocr  # here, for a second passes until it is loaded, and most documents have a text layer

    cv2.setNumThreads(1)
    models = Path(rapidocr.__file__).parent / "models"
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.max_side_len": LONGEST_SIDE,
            "Det.model_path": str(models / _DETECTION),
            "Rec.model_path": str(models / _RECOGNITION),
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _words(line: str, parts: Any) -> Iterator[Word]:
    """The words of a line; parts that the line writes without a space between are one word."""
    at, text, box, sure = 0, "", None, 1.0
    for part, confidence, corners in parts:
        found = line.find(part, at)
        has_space = found < 0 or line[at:found].strip() != line[at:found]
        place = _box(corners)
        if box is not None and has_space:
            yield Word(text, box, sure, Source.OCR)
            text, box, sure = "", None, 1.0
        text, box, sure = text + part, place if box is None else box.joined(place), min(sure, float(confidence))
        at = found + len(part) if found >= 0 else at
    if box is not None and text.strip():
        yield Word(text, box, sure, Source.OCR)


def _box(corners: Any) -> Box:
    across, down = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return Box(min(across), min(down), max(across), max(down))


def _skew(boxes: Any) -> float:
    """The middle angle of the longer lines, in degrees; above nil where they fall to the right."""
    angles = []
    for (x0, y0), (x1, y1), *_ in boxes:
        if x1 - x0 > 60:
            angles.append(math.degrees(math.atan2(y1 - y0, x1 - x0)))
    return median(angles) if angles else 0.0
