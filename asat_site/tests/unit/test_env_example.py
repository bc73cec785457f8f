"""`.env.example` names every variable that is read, with the defaults that the code has, and no other."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")

READ_ELSEWHERE = {
    "DJANGO_SETTINGS_MODULE": "asat_site.settings.dev",  # Django itself; the default stands in manage.py
    "ASAT_WORKER_PROCESSES": "2",  # asat_site/running/supervisor.py and docker/entrypoint.sh
    "ASAT_WORKER_QUEUES": "interactive,default,gpu",  # docker/entrypoint.sh
    "ASAT_WEB_PROCESSES": "2",  # docker/entrypoint.sh
    "ASAT_SUPERUSER_URL": "",  # asat_site/running/roles.py
    "ASAT_SUPERUSER_URL_FILE": "",
}
ONLY_IN_COMPOSE = {"ASAT_PROXY_SITES", "ASAT_CORPUS_DIRECTORY", "ASAT_POSTGRES_SHARED_BUFFERS"}
OTHER_DEFAULT_IN_COMPOSE = {
    "ASAT_DATABASE_POOL": "8",  # the web service shares connections; asgi.py does the same
    "ASAT_TRUSTED_PROXIES": "1",  # its own proxy stands in front
    "ASAT_MODEL_DIRECTORY": "./models",  # seen at /models, there or not
    "ASAT_DROP_DIRECTORY": "./drop",  # seen at /drop, there or not
}
# Settled by the image and by production, whatever .env says.
FIXED_IN_COMPOSE = {"DJANGO_SETTINGS_MODULE", "ASAT_ENV", "ASAT_DEBUG", "ASAT_STATIC_ROOT"}

_DUMP = """
import importlib, json, sys
module = importlib.import_module(sys.argv[1])
print(json.dumps({name: found.default for name, found in module.environment.declared.items()}))
"""


def _example() -> dict[str, str]:
    found = re.findall(r"^#?([A-Z][A-Z0-9_]+)=(.*)$", EXAMPLE, flags=re.MULTILINE)
    assert len(found) == len(dict(found)), "a variable stands twice in .env.example"
    return dict(found)


def _declared(settings: str) -> dict[str, str | None]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ASAT_", "DATABASE_"))}
    environment |= {
        "ASAT_SECRET_KEY": "for this test",
        "ASAT_ENCRYPTION_KEYS": f"test:{'A' * 43}=",
        "DATABASE_URL": "postgresql://asat_owner:x@nowhere/asat",
        "DATABASE_APP_URL": "postgresql://asat_app:x@nowhere/asat",
        "REDIS_URL": "redis://nowhere",
    }
    command = [sys.executable, "-c", _DUMP, settings]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, str | None] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def declared() -> dict[str, str | None]:
    return _declared("asat_site.settings.dev") | _declared("asat_site.settings.production")


def test_every_variable_that_the_settings_read_is_explained(declared: dict[str, str | None]) -> None:
    assert set(declared) | set(READ_ELSEWHERE) | ONLY_IN_COMPOSE == set(_example())


def test_every_default_is_the_one_in_the_code(declared: dict[str, str | None]) -> None:
    wanted = {name: default or "" for name, default in declared.items()} | READ_ELSEWHERE
    wanted["ASAT_STATIC_ROOT"] = str(Path(wanted["ASAT_STATIC_ROOT"]).relative_to(ROOT))
    found = {name: value for name, value in _example().items() if name not in ONLY_IN_COMPOSE}
    assert found == wanted


def test_every_default_in_compose_is_the_one_in_the_example() -> None:
    in_compose = dict(re.findall(r"\$\{([A-Z0-9_]+):-([^}]*)\}", COMPOSE))
    wanted = _example() | OTHER_DEFAULT_IN_COMPOSE
    assert in_compose
    assert in_compose == {name: wanted[name] for name in in_compose}


def test_compose_hands_on_every_variable_that_can_be_set_there() -> None:
    handed_on = set(re.findall(r"\$\{([A-Z0-9_]+):", COMPOSE))
    by_secret = {name for name in _example() if re.search(r"_KEYS?$|_URL$|_FILE$", name)}
    assert set(_example()) - by_secret - FIXED_IN_COMPOSE == handed_on


def test_every_variable_is_preceded_by_words_about_it() -> None:
    lines = EXAMPLE.splitlines()
    variable = re.compile(r"^#?[A-Z][A-Z0-9_]+=")
    bare = [
        line
        for before, line in itertools.pairwise(lines)
        if variable.match(line) and not before.startswith("#") and not variable.match(before)
    ]
    assert bare == []


def test_no_secret_has_a_value_in_the_example() -> None:
    secrets = {name: value for name, value in _example().items() if re.search(r"SECRET|_KEYS|_URL|PASSWORD", name)}
    assert set(secrets.values()) == {""}
