"""Loading that leaves no trace: everything of one test happens in a transaction of the owner that is rolled back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from research.adapters.embedders.wordpiece import count_tokens
from research.corpus.ingest.store import OWNER, Loader


@pytest.fixture
def loader() -> Iterator[Loader]:
    with transaction.atomic(using=OWNER):
        yield Loader(count_tokens)
        transaction.set_rollback(True, using=OWNER)
