"""Each place's settings, in a fresh interpreter: production has no defaults for secrets, and the numbers agree."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clients.adapters.readers.limits import Limits
from clients.documents.scanning import Clamd

ROOT = Path(__file__).resolve().parent.parent.parent.parent
WHOLE = {
    "ASAT_SECRET_KEY": "x" * 50,
    "ASAT_ENCRYPTION_KEYS": f"test:{'A' * 43}=",
    "DATABASE_APP_URL": "postgresql://asat_app:p@db/asat",
    "REDIS_URL": "redis://broker/0",
    "ASAT_ALLOWED_HOSTS": ".example.com",
}


def load(place: str, environment: dict[str, str]) -> dict[str, Any] | str:
    """The settings in capitals, or the last line of the error."""
    script = (
        f"import json, asat_site.settings.{place} as s\n"
        "print(json.dumps({k: v for k, v in vars(s).items() if k.isupper()}, default=str))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("missing", ["ASAT_SECRET_KEY", "ASAT_ENCRYPTION_KEYS", "DATABASE_APP_URL", "REDIS_URL"])
def test_production_does_not_start_without_its_secrets(missing: str) -> None:
    said = load("production", {name: value for name, value in WHOLE.items() if name != missing})
    assert isinstance(said, str)
    assert f"{missing} is not set" in said


def test_production_is_closed() -> None:
    found = load("production", {**WHOLE, "ASAT_DEBUG": "1"})
    assert isinstance(found, dict), found
    assert found["DEBUG"] is False
    assert found["SESSION_COOKIE_SECURE"] and found["CSRF_COOKIE_SECURE"]
    assert found["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert found["SESSION_COOKIE_AGE"] <= 24 * 3600
    assert found["ALLOWED_HOSTS"] == [".example.com"]
    assert found["SECURE_HSTS_SECONDS"] > 0
    assert "owner" not in found["DATABASES"]  # only where DATABASE_URL is given


@pytest.mark.parametrize(
    ("place", "given", "looks"),
    [("production", {}, True), ("production", {"ASAT_REGISTER_CHECK": "off"}, False), ("dev", {}, False)],
)
def test_only_production_looks_at_the_register_unasked(place: str, given: dict[str, str], looks: bool) -> None:
    found = load(place, {**WHOLE, **given})
    assert isinstance(found, dict), found
    tasks = [entry["task"] for entry in found["CELERY_BEAT_SCHEDULE"].values()]
    assert ("corpus.check_register" in tasks) is looks


def test_the_owners_address_makes_the_owners_connection() -> None:
    found = load("production", {**WHOLE, "DATABASE_URL": "postgresql://asat_owner:p@db/asat"})
    assert isinstance(found, dict), found
    assert found["DATABASES"]["default"]["USER"] == "asat_app"
    assert found["DATABASES"]["owner"]["USER"] == "asat_owner"
    assert found["TENANT_DB_ALIAS"] == "owner"


def test_a_task_ends_before_the_broker_would_give_it_away_again() -> None:
    for limit in ("10", "540", "7200"):
        found = load("production", {**WHOLE, "ASAT_TASK_SOFT_LIMIT_S": limit})
        assert isinstance(found, dict), found
        assert int(limit) < found["CELERY_TASK_TIME_LIMIT"]
        assert found["CELERY_TASK_TIME_LIMIT"] < found["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"]
        assert found["CELERY_ACCEPT_CONTENT"] == ["json"]
        assert found["CELERY_TIMEZONE"] == "UTC"


def test_a_document_is_given_up_by_its_reader_then_by_its_task_then_by_the_broker() -> None:
    for limit in ("10", "540"):
        found = load("production", {**WHOLE, "ASAT_TASK_SOFT_LIMIT_S": limit, "ASAT_QUESTION_LIMIT_S": "10"})
        assert isinstance(found, dict), found
        longest = Limits().seconds + Clamd(("", 0)).connect_s + Clamd(("", 0)).answer_s
        assert longest < found["ASAT_READ_LIMIT_S"] == 1080
        assert found["ASAT_READ_LIMIT_S"] + 60 < found["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"]


@pytest.mark.parametrize(
    ("given", "limit", "lost_after"),
    [
        ({}, 300, 20),
        ({"ASAT_QUESTION_LIMIT_S": "45"}, 45, 20),
        ({"ASAT_QUESTION_LIMIT_S": "3600"}, 3600, 20),
        ({"ASAT_GENERATION_PROVIDER": "ollama"}, 300, 20),
        ({"ASAT_RERANKER": "bge-reranker-v2-m3"}, 300, 310),
        ({"ASAT_EMBEDDER": "bge-m3"}, 300, 310),
        ({"ASAT_GROUNDEDNESS": "hhem-2.1-open", "ASAT_QUESTION_LIMIT_S": "90"}, 90, 100),
    ],
)
def test_a_question_ends_before_the_broker_or_another_worker_takes_it(
    given: dict[str, str], limit: int, lost_after: int
) -> None:
    found = load("production", {**WHOLE, "ASAT_TASK_SOFT_LIMIT_S": "10", **given})
    assert isinstance(found, dict), found
    assert (found["ASAT_QUESTION_LIMIT_S"], found["ASAT_LOST_AFTER_S"]) == (limit, lost_after)
    assert max(limit, lost_after) < found["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"]


def test_what_nobody_waits_for_comes_after_questions() -> None:
    found = load("production", WHOLE)
    assert isinstance(found, dict), found
    assert found["CELERY_BROKER_TRANSPORT_OPTIONS"]["priority_steps"] == [0, 3, 6, 9]
    assert found["CELERY_TASK_ROUTES"] == {"corpus.embed_pending": {"queue": "gpu", "priority": 9}}
    beats = {name: entry["options"].get("priority", 6) for name, entry in found["CELERY_BEAT_SCHEDULE"].items()}
    signs = {"heartbeat of default", "heartbeat of interactive", "heartbeat of gpu", "sweep questions"}
    assert {name for name, priority in beats.items() if priority < 3} == signs


def test_development_needs_nothing() -> None:
    found = load("dev", {})
    assert isinstance(found, dict), found
    assert found["DEBUG"] is False


def test_a_pool_gives_up_reconnecting_before_a_request_gives_up_waiting() -> None:
    # Otherwise its retries grow apart to minutes, and an outage outlasts the database's return.
    found = load("production", {**WHOLE, "ASAT_DATABASE_POOL": "8"})
    assert isinstance(found, dict), found
    pool = found["DATABASES"]["default"]["OPTIONS"]["pool"]
    assert 0 < pool["reconnect_timeout"] < pool["timeout"]
