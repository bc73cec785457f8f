"""A practice is made whole or not at all, whatever fails on the way; upgrades resume where they were stopped."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections

from asat_site.accounts.models import User
from asat_site.tenancy import practices, upgrades
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import PLATFORM_ID, Domain, Practice, Upgrade
from asat_site.tenancy.practices import NewOwner, PracticeRefused, create_practice
from asat_site.testing.practices import PASSWORD, KnownPractice
from asat_site.testing.processes import child_environment
from asat_site.testing.servers import Services

pytestmark = pytest.mark.security


def run(*arguments: str) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output)
    return output.getvalue()


def everything() -> tuple[set[str], set[str], set[str]]:
    """Schemas, practices and hosts as the owner sees them."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'p\\_%%'")
        schemas = {row[0] for row in cursor.fetchall()}
    return (
        schemas,
        set(Practice.objects.using("owner").values_list("name", flat=True)),
        set(Domain.objects.using("owner").values_list("domain", flat=True)),
    )


@pytest.fixture
def host(services: Services) -> str:
    return f"{uuid4().hex[:10]}.localhost"


@pytest.mark.parametrize("failing", ["practice", "host", "schema", "tables", "owner"])
def test_a_practice_that_fails_half_way_leaves_nothing(host: str, failing: str) -> None:
    before = everything()

    def step(name: str) -> None:
        if name == failing:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        create_practice("Half Made", host, NewOwner("ann@half.example", PASSWORD), step=step)
    assert everything() == before
    made = create_practice(
        "Half Made " + host, host, NewOwner("ann@half.example", PASSWORD)
    )  # and nothing is in the way
    with in_practice(made):
        assert list(User.objects.values_list("email", "role")) == [("ann@half.example", "owner")]


def test_a_process_killed_half_way_leaves_nothing(services: Services, host: str) -> None:
    before = everything()
    script = (
        "import django, os; django.setup()\n"
        "from asat_site.tenancy.practices import create_practice\n"
        f"create_practice('Killed', {host!r}, step=lambda name: os._exit(9) if name == 'tables' else None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=settings.BASE_DIR,
        env=child_environment(DATABASE_URL=services.owner_url),
        check=False,
        timeout=60,
    )
    assert done.returncode == 9
    assert everything() == before


def test_a_migration_that_fails_leaves_nothing(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything()
    from django.db.migrations.executor import MigrationExecutor

    real, seen = MigrationExecutor.apply_migration, []

    def failing(self: MigrationExecutor, state: object, migration: object, *rest: object, **named: object) -> object:
        seen.append(migration)
        if len(seen) == 12:
            raise ZeroDivisionError
        return real(self, state, migration, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(MigrationExecutor, "apply_migration", failing)
    with pytest.raises(ZeroDivisionError):
        create_practice("Half Made", host)
    assert everything() == before


def test_the_command_makes_a_practice_whose_owner_can_sign_in(host: str) -> None:
    made = json.loads(
        run("practice", "create", "Carver & Sons", "--host", host, "--owner-email", "Ann@Carver.Example", "--json")
    )
    assert (made["name"], made["host"], made["owner_email"]) == ("Carver & Sons", host, "ann@carver.example")
    from django.test import Client

    response = Client(headers={"host": host}).post(
        "/sign-in/", {"username": "ann@carver.example", "password": made["owner_password"]}
    )
    assert (response.status_code, response["Location"]) == (302, "/")
    assert any(json.loads(line)["hosts"] == [host] for line in run("practice", "list", "--json").splitlines())
    assert "owner_password" not in run("practice", "list", "--json")


def test_a_password_comes_from_a_file_and_a_weak_one_is_refused(host: str, tmp_path: Path) -> None:
    file = tmp_path / "password"
    arguments = ("practice", "create", f"File {host}", "--host", host, "--owner-email", "a@b.example")
    before = everything()
    for bad in ("short", "password12345"):
        file.write_text(bad)
        with pytest.raises(CommandError, match="refused"):
            run(*arguments, "--owner-password-file", str(file))
    with pytest.raises(CommandError, match="cannot be read"):
        run(*arguments, "--owner-password-file", str(tmp_path / "nothing"))
    assert everything() == before
    file.write_text("violet-anchor-thirty\n")
    said = run(*arguments, "--owner-password-file", str(file))
    assert "violet" not in said
    with in_practice(Practice.objects.get(domains__domain=host)):
        assert User.objects.get().check_password("violet-anchor-thirty")


@pytest.mark.parametrize(
    "bad",
    [
        "",
        " ",
        "http://x.example.com",
        "x.example.com:80",
        "x/y",
        "x y",
        "-x.com",
        "x-.com",
        "a..b",
        "x" * 64,
        "ü.example",
        "x_y.com",
        "x;DROP SCHEMA public",
    ],
)
def test_a_bad_host_is_refused_and_nothing_made(services: Services, bad: str) -> None:
    before = everything()
    with pytest.raises(PracticeRefused, match="give a host name"):
        create_practice("Bad Host", bad)
    assert everything() == before


@pytest.mark.parametrize("bad", ["", "   ", "x" * 201, "nul\x00", "bell\x07"])
def test_a_bad_name_is_refused_and_nothing_made(host: str, bad: str) -> None:
    before = everything()
    with pytest.raises(PracticeRefused, match="printable characters"):
        create_practice(bad, host)
    assert everything() == before


def test_duplicates_are_refused_in_words(practice: KnownPractice, host: str) -> None:
    before = everything()
    for name, where, said in (
        ("Another", practice.host.upper(), "already a practice at"),
        ("ashby TAX", host, "already a practice named"),
        ("Another", practice.host.replace(".", "-"), "is taken by another host"),
        ("Another", settings.PLATFORM_HOST, "platform's own host"),
    ):
        with pytest.raises(PracticeRefused, match=said):
            create_practice(name, where)
    with pytest.raises(PracticeRefused, match="e-mail"):
        create_practice("Another", host, NewOwner("nobody", PASSWORD))
    assert everything() == before


def test_without_the_owners_address_the_remedy_is_named(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrades, "OWNER_ALIAS", "absent")
    for arguments in (("practice", "create", "X", "--host", host), ("upgrade",)):
        with pytest.raises(CommandError, match="DATABASE_URL is not set"):
            run(*arguments)


def test_migrate_itself_is_refused_with_the_right_command(services: Services) -> None:
    for command in ("migrate", "migrate_schemas"):
        with pytest.raises(CommandError, match=r"manage.py upgrade"):
            run(command)


# Upgrades.


def test_an_upgrade_with_nothing_to_do_says_so_for_each(practice: KnownPractice, other_practice: KnownPractice) -> None:
    lines = [json.loads(line) for line in run("upgrade", "--json").splitlines()]
    assert {line["schema"] for line in lines} >= {"public", practice.practice.schema_name}
    assert all((line["applied"], line["error"]) == (0, "") for line in lines)
    assert "up to date" in run("upgrade")


def test_one_practice_that_fails_does_not_stop_the_next_and_resumes(
    practice: KnownPractice, other_practice: KnownPractice, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_pending, real_migrate = upgrades.pending_migrations, upgrades.migrate_here
    waiting = {practice.id, other_practice.id}
    ran = []

    def pending(known: Practice, *rest: object, **named: object) -> frozenset[tuple[str, str]]:
        found = real_pending(known, *rest, **named)  # type: ignore[arg-type]
        return frozenset({("research", "0099_next")}) if known.id in waiting else found

    def migrate(alias: str) -> None:
        schema = connections[alias].schema_name
        ran.append(schema)
        if len(ran) == 1:
            raise ZeroDivisionError("broken")
        real_migrate(alias)

    monkeypatch.setattr(upgrades, "pending_migrations", pending)
    monkeypatch.setattr(upgrades, "migrate_here", migrate)
    with pytest.raises(CommandError, match="it resumes"):
        run("upgrade")
    first, second = ran
    assert {first, second} == {practice.practice.schema_name, other_practice.practice.schema_name}
    noted = {row.practice.schema_name: (row.status, row.detail) for row in Upgrade.objects.select_related("practice")}
    assert noted[first] == ("failed", "ZeroDivisionError: broken")
    assert noted[second] == ("done", "")
    waiting.discard(Practice.objects.get(schema_name=second).id)
    run("upgrade")
    assert ran == [first, second, first]
    assert Upgrade.objects.get(practice__schema_name=first).status == "done"


def test_the_platform_has_its_host(services: Services) -> None:
    assert Domain.objects.get(domain=settings.PLATFORM_HOST).tenant_id == PLATFORM_ID


@pytest.mark.parametrize("wanted", [True, False])
def test_a_platform_that_is_made_requires_a_second_factor_where_the_setting_says_so(
    services: Services, settings: Any, wanted: bool
) -> None:
    settings.ASAT_REQUIRE_SECOND_FACTOR = wanted
    platform = Practice.objects.using(upgrades.OWNER_ALIAS).filter(id=PLATFORM_ID)
    try:
        upgrades._host_the_platform(upgrades.OWNER_ALIAS)  # it has a host already, so what was decided stays
        assert platform.get().requires_second_factor is False
        Domain.objects.using(upgrades.OWNER_ALIAS).filter(tenant_id=PLATFORM_ID).delete()
        upgrades._host_the_platform(upgrades.OWNER_ALIAS)
        assert platform.get().requires_second_factor is wanted
        assert Domain.objects.get(domain=settings.PLATFORM_HOST).tenant_id == PLATFORM_ID
    finally:
        platform.update(requires_second_factor=False)


def test_upgrading_twice_at_once_is_taken_in_turns(services: Services) -> None:
    command = [sys.executable, "manage.py", "upgrade", "--json"]
    environment = child_environment(DATABASE_URL=services.owner_url)
    both = [
        subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert json.loads(output.splitlines()[0]) == {
            "practice": "Platform",
            "schema": "public",
            "applied": 0,
            "error": "",
        }


def test_schema_names_are_plain() -> None:
    for host in ("a.example.com", "x" * 63 + "." + "y" * 63, "1-2-3.localhost"):
        schema = practices.schema_for(host)
        assert schema.startswith("p_")
        assert len(schema) <= 61
        assert schema.replace("_", "").isalnum()
