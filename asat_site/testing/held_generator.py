"""A generator that is held up in mid-call for as long as a file exists, for workers that are to be killed there.

Test workers include this module; it does something only where ASAT_TEST_HOLD names the file. While it is held up it
tells how far it has come, as an adapter of a language model does.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from research import composition
from research.adapters.generators.extractive import ExtractiveGenerator
from research.ports import Waiting, waiting_quietly
from research.terms import Draft, ParentGroup, Ranked

HOLD = os.environ.get("ASAT_TEST_HOLD", "")
TELLS_EVERY_S = 0.2


class HeldGenerator(ExtractiveGenerator):
    """Quotes as the real one does, once it is let go."""

    def draft(
        self,
        question: str,
        groups: Sequence[ParentGroup],
        ranked: Sequence[Ranked],
        waiting: Waiting = waiting_quietly,
    ) -> Draft:
        while Path(HOLD).exists():
            waiting("held up")
            time.sleep(TELLS_EVERY_S)
        return super().draft(question, groups, ranked, waiting)


if HOLD:
    vars(composition)["ExtractiveGenerator"] = HeldGenerator
