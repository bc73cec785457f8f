"""`manage.py secrets`: a new key in front, everything sealed under it, and the old one is no longer needed."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from asat_site import secrets
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients.models import Client
from research.adapters.model_settings import sealed_key
from research.models import ModelSettings

pytestmark = pytest.mark.security

NEW = ("newer", b"n" * 32)
KEY = "sk-a-key-of-nobody"


def run(action: str) -> tuple[str, str, int]:
    out, err = StringIO(), StringIO()
    code = 0
    try:
        call_command("secrets", action, stdout=out, stderr=err)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return out.getvalue(), err.getvalue(), code


def line_of(known: KnownPractice, said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith(known.practice.schema_name))


def test_every_secret_is_sealed_anew_and_opens_without_the_old_key(
    throwaway: Callable[[], KnownPractice], settings: Any
) -> None:
    known = throwaway()
    with in_practice(known.practice):
        client = Client(name="One")
        client.set_tfn("123456782")
        client.save()
        ModelSettings.objects.create(sealed_key=sealed_key(KEY, known.id))
    old = settings.ENCRYPTION_KEYS
    settings.ENCRYPTION_KEYS = (NEW, *old)
    said, _, _ = run("check")
    assert line_of(known, said).endswith(": 0 under the first key, 2 under another, 0 cannot be opened.")
    said, _, _ = run("rotate")
    assert line_of(known, said).endswith(": 0 under the first key, 2 sealed anew, 0 cannot be opened.")
    said, _, _ = run("rotate")
    assert line_of(known, said).endswith(": 2 under the first key, 0 sealed anew, 0 cannot be opened.")
    assert KEY not in said and "123456782" not in said
    settings.ENCRYPTION_KEYS = (NEW,)
    with in_practice(known.practice):
        assert Client.objects.get(name="One").tfn() == "123456782"
        sealed = ModelSettings.objects.get().sealed_key
        place = {"practice": known.id, "table": "research_modelsettings", "column": "sealed_key", "row": known.id}
        assert secrets.open_sealed(sealed, **place) == KEY
    settings.ENCRYPTION_KEYS = (*old, NEW)
    run("rotate")  # back under the key that other tests have


def test_a_secret_that_does_not_open_is_named_by_its_row_and_left_as_it_is(
    throwaway: Callable[[], KnownPractice],
) -> None:
    known = throwaway()
    with in_practice(known.practice):
        other = Client.objects.create(name="Other", sealed_tfn="1.dev.AAAA")
    said, complained, code = run("rotate")
    assert code == 1
    assert line_of(known, said).endswith(": 0 under the first key, 0 sealed anew, 1 cannot be opened.")
    assert f"{known.practice.schema_name}: row {other.pk}: clients_client.sealed_tfn does not open here" in complained
    with in_practice(known.practice):
        assert Client.objects.get().sealed_tfn == "1.dev.AAAA"
