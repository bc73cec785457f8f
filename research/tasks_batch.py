"""The worker's side of a long workpaper: made there, so that no page waits for it, and kept for a while to be fetched.

What is kept is sealed, for it holds a practice's questions; lost, it is made again.
"""

from __future__ import annotations

import base64
import logging

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from asat_site.secrets import CannotOpen, open_sealed, seal
from asat_site.tenancy.models import Practice
from asat_site.tenancy.tasks import PracticeTask
from research import queries_batch
from research.adapters.workpaper_pdf import Written, pdf_of
from research.models import Batch
from research.presentation.workpaper import paper_of, worked_lines
from research.presentation.workpaper_pages import CSS, foot_of, sections_of
from research.tasks import OUT_OF_REACH

MOST_AT_ONCE = 50  # answers set within a request: a tenth of a second; 500 of them take some three
KEPT_S = 900
BEING_MADE_S = 120  # then whoever still waits asks for it again
TABLE, COLUMN = "workpaper", "pdf"  # what it is sealed for

logger = logging.getLogger(__name__)


def workpaper_pdf(practice_name: str, batch: Batch) -> bytes:
    """The workpaper of what has ended of the batch, as a PDF."""
    paper = paper_of(practice_name, batch, queries_batch.tally(batch), timezone.now())
    sections = sections_of(paper, worked_lines(batch, queries_batch.finished(batch)))
    written = (Written(section.title, section.html) for section in sections)
    return pdf_of(written, CSS, foot_of(paper), f"Workpaper of {batch.filename}", practice_name)


@shared_task(base=PracticeTask, name="research.make_workpaper", ignore_result=True)
def make_workpaper(practice_id: str, batch_id: str, done: int) -> None:
    """Makes the workpaper and keeps it. done: how many of its questions had ended when it was asked for."""
    batch = Batch.objects.select_related("uploaded_by").filter(pk=batch_id).first()
    if batch is None:
        return
    name = Practice.objects.get(pk=practice_id).name
    made = base64.b64encode(workpaper_pdf(name, batch)).decode()
    sealed = seal(made, practice=batch.practice_id, table=TABLE, column=COLUMN, row=batch.pk)
    cache.set(_key(batch, done), sealed, KEPT_S)


def kept_workpaper(batch: Batch, done: int) -> bytes | None:
    """The workpaper that was made when so many questions had ended; None where it is not there (yet)."""
    kept = cache.get(_key(batch, done))
    if kept is None:
        return None
    try:
        opened = open_sealed(kept, practice=batch.practice_id, table=TABLE, column=COLUMN, row=batch.pk)
    except CannotOpen:
        return None  # keys were changed meanwhile: it is made anew
    return base64.b64decode(opened)


def start_workpaper(batch: Batch, done: int) -> bool:
    """Whether the workpaper is being made; asked for once, however often this is called."""
    if not cache.add(f"{_key(batch, done)}:asked", True, BEING_MADE_S):
        return True
    try:
        make_workpaper.apply_async((str(batch.practice_id), str(batch.pk), done), retry=False)
    except OUT_OF_REACH as error:
        logger.warning("a workpaper waits, broker out of reach: %s", type(error).__name__)
        cache.delete(f"{_key(batch, done)}:asked")
        return False
    return True


def _key(batch: Batch, done: int) -> str:
    return f"workpaper:{batch.pk}:{done}"
