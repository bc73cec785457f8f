"""The law in the platform's administration: each list opens, each row of it opens, and nothing can be changed."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.contrib import admin

from asat_site.testing.practices import KnownPractice
from research.corpus.ingest.store import OWNER, Loader

pytestmark = pytest.mark.integration

SHOWN = sorted(
    model._meta.model_name or ""
    for model in admin.site._registry
    if model in set(apps.get_app_config("corpus").get_models())
)


def test_imports_and_licences_and_dates_are_among_what_is_shown() -> None:
    wanted = {"instrument", "compilation", "amendment", "versiondates", "importrun", "licence", "registercheck"}
    assert wanted <= set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_a_list_and_a_row_of_it_open_and_neither_can_be_changed(platform: KnownPractice, law: str, name: str) -> None:
    Loader(len, using=OWNER).show_licences()  # type: ignore[arg-type]
    browser = platform.client("owner")
    listed = browser.get(f"/admin/corpus/{name}/")
    assert listed.status_code == 200
    assert browser.get(f"/admin/corpus/{name}/add/").status_code == 403
    rows = re.findall(rf'href="(/admin/corpus/{name}/[^"/]+/change/)', listed.content.decode())
    if name in ("instrument", "compilation", "versiondates", "importrun", "licence"):
        assert rows
    for row in rows[:2]:
        assert browser.get(row).status_code == 200
        assert browser.post(row, {"code": "changed"}).status_code == 403


@pytest.mark.security
@pytest.mark.parametrize("name", SHOWN)
def test_a_practice_has_no_such_page(practice: KnownPractice, law: str, name: str) -> None:
    assert practice.client("owner").get(f"/admin/corpus/{name}/").status_code in (302, 403, 404)
