"""What a worker reads before its first question: files once, before its processes are made; the law in each of them.

Files are read by the parent, and its processes share the memory. The database is asked by the processes alone: a
connection that two of them inherit would mix up their answers.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from celery.signals import worker_init, worker_process_init
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from research import composition, services
from research.adapters.outside_index import outside_index
from research.adapters.subject_index import subject_index
from research.adapters.waiting_line import queue_of_questions

logger = logging.getLogger(__name__)

_takes_questions = False


@worker_init.connect
def read_files(sender: Any = None, **_: Any) -> None:
    """In the parent: the indexes and the figures, a second's reading. Leaves no connection for a child to inherit."""
    global _takes_questions
    began = time.perf_counter()
    subject_index()
    outside_index()
    composition.figures()
    try:
        composition.refuse_unmeasured()
    except ImproperlyConfigured as error:
        raise SystemExit(f"The worker does not start. {error}") from error  # what else a signal raises is only logged
    if sender is not None:
        _takes_questions = queue_of_questions() in sender.app.amqp.queues.consume_from
    connections.close_all()
    logger.info("indexes and figures read in %.1f s", time.perf_counter() - began)


@worker_process_init.connect
def read_law(**_: Any) -> None:
    """In each process that will answer questions: models, vectors and whatever is read once. It may fail: a question
    then reads what is missing, and says what is wrong.
    """
    if not _takes_questions:
        return
    try:
        logger.info("ready to answer after %.1f s", services.warm_up())
    except Exception as error:
        logger.warning("not ready yet: %s", type(error).__name__)
    finally:
        connections.close_all()
