"""The embedded servers: started, found again, and recovered from every state that a kill can leave."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from asat_site.running import postgres, processes, roles, servers, valkey
from asat_site.tests.integration.own_folder import own_folder

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def database() -> Iterator[Path]:
    """A folder of this module's own with a server in it."""
    with own_folder() as directory:
        postgres.start(directory)
        yield directory
        postgres.stop(directory)


@pytest.fixture
def directory() -> Iterator[Path]:
    """An empty folder for a server; none runs there afterwards."""
    with own_folder() as found:
        yield found
        postgres.stop(found)


@pytest.fixture
def broker() -> Iterator[Path]:
    with own_folder() as found:
        valkey.start(found)
        yield found
        valkey.stop(found)


def _postmaster(directory: Path) -> int:
    return int((directory / "data" / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])


def _answers(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT 1").fetchone() == (1,)


def test_a_server_that_runs_is_used_again(database: Path) -> None:
    first, pid = postgres.start(database), _postmaster(database)
    assert postgres.start(database) == first
    assert _postmaster(database) == pid


@pytest.mark.security
def test_the_database_listens_on_this_machine_alone_and_asks_for_a_password(database: Path) -> None:
    url = postgres.start(database)
    with psycopg.connect(url) as connection:
        settings = dict(connection.execute("SELECT name, setting FROM pg_settings").fetchall())
        rules = connection.execute("SELECT DISTINCT auth_method FROM pg_hba_file_rules").fetchall()
    assert settings["listen_addresses"] == "127.0.0.1"
    assert settings["unix_socket_directories"] == ""
    assert rules == [("scram-sha-256",)]
    port = urlsplit(url).port
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(f"postgresql://postgres:wrong@127.0.0.1:{port}/postgres")
    assert (database / "password").stat().st_mode & 0o777 == 0o600
    assert (database / "data").stat().st_mode & 0o077 == 0


def test_the_database_is_utf8_with_rules_that_do_not_hang_on_the_machine(database: Path) -> None:
    with psycopg.connect(postgres.start(database)) as connection:
        row = connection.execute(
            "SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale FROM pg_database"
            " WHERE datname = 'template0'"
        ).fetchone()
        jit = connection.execute("SHOW jit").fetchone()
    assert row == ("UTF8", "b", "C.UTF-8")
    assert jit == ("off",)


def test_what_was_committed_survives_a_kill_of_the_server(database: Path) -> None:
    with psycopg.connect(postgres.start(database), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('here')")
    os.kill(_postmaster(database), signal.SIGKILL)
    with psycopg.connect(postgres.start(database)) as connection:
        assert connection.execute("SELECT DISTINCT word FROM kept").fetchall() == [("here",)]


def test_a_kill_of_every_server_process_is_recovered(database: Path) -> None:
    for process in processes.running_in(database / "data", "postgres"):
        process.kill()
    assert _answers(postgres.start(database))


@pytest.mark.parametrize("content", ["", "not a number\n", "{own}\n{data}\n1\n5432\n\n127.0.0.1\n1 1\nready\n"])
def test_a_lock_file_that_names_no_server_of_ours_is_no_obstacle(database: Path, content: str) -> None:
    postgres.stop(database)
    text = content.format(own=os.getpid(), data=database / "data")  # our own process: alive, and no server
    (database / "data" / "postmaster.pid").write_text(text, encoding="utf-8")
    assert _answers(postgres.start(database))


def test_stop_leaves_no_process(database: Path) -> None:
    postgres.stop(database)
    assert list(processes.running_in(database / "data", "postgres")) == []
    postgres.stop(database)
    assert _answers(postgres.start(database))


def test_a_port_that_another_program_took_is_given_up(database: Path) -> None:
    postgres.stop(database)
    port = int((database / "port").read_text(encoding="utf-8"))
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        url = postgres.start(database)
        assert urlsplit(url).port != port
        assert _answers(url)


@pytest.mark.parametrize("delay_s", [0.1, 0.25, 0.45])
def test_a_first_start_killed_half_way_is_made_anew(directory: Path, delay_s: float) -> None:
    code = "import sys; from pathlib import Path; from asat_site.running import postgres; print(flush=True); "
    code += f"postgres.start(Path({str(directory)!r}))"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        starter.stdout.readline()
        time.sleep(delay_s)
        starter.kill()
    assert _answers(postgres.start(directory))


def test_two_starts_at_once_make_one_server(directory: Path) -> None:
    code = "from pathlib import Path; from asat_site.running import postgres; "
    code += f"print(postgres.start(Path({str(directory)!r})))"
    starters = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = {starter.communicate(timeout=60)[0] for starter in starters}
    assert len(said) == 1
    assert _answers(said.pop().strip())


@pytest.mark.security
def test_the_roles_are_made_on_a_real_server_and_are_bound_by_its_policies(database: Path) -> None:
    superuser = postgres.start(database)
    host = f"127.0.0.1:{urlsplit(superuser).port}"
    values = {
        "ASAT_SUPERUSER_URL": superuser,
        "DATABASE_URL": f"postgresql://asat_owner:first@{host}/elsewhere",
        "DATABASE_APP_URL": f"postgresql://asat_app:second@{host}/elsewhere",
    }
    assert roles.make_roles(values) == "elsewhere"
    assert roles.make_roles(values) == "elsewhere"
    with psycopg.connect(values["DATABASE_APP_URL"]) as connection:
        row = connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        extensions = connection.execute(
            "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"
        ).fetchall()
    assert row == (False, False, False, False)
    assert extensions == [("public",)]


def test_the_broker_that_runs_is_used_again_and_a_killed_one_is_replaced(broker: Path) -> None:
    url = valkey.start(broker)
    assert valkey.start(broker) == url
    for process in processes.running_in(broker, "valkey-server"):
        process.kill()
    assert valkey.start(broker) == url
    with redis.Redis.from_url(url) as client:
        assert client.ping()


@pytest.mark.security
def test_the_broker_listens_on_this_machine_alone_and_asks_for_a_password(broker: Path) -> None:
    url = valkey.start(broker)
    with redis.Redis.from_url(url, decode_responses=True) as client:
        assert client.config_get("bind") == {"bind": "127.0.0.1"}
        assert client.config_get("protected-mode") == {"protected-mode": "yes"}
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    port = urlsplit(url).port or 0
    once = Retry(NoBackoff(), 0)
    with redis.Redis(host="127.0.0.1", port=port, retry=once) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
    assert (broker / "password").stat().st_mode & 0o777 == 0o600
    assert (broker / "valkey.conf").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "nonsense"])
def test_a_broker_that_is_given_and_does_not_answer_is_refused_before_anything_starts(
    directory: Path, url: str
) -> None:
    with pytest.raises(servers.WrongEnvironment, match=r"REDIS_URL cannot be used .* or mend it\."):
        servers.start(directory, servers.Given("", "", url))
    assert list(directory.iterdir()) == []


def test_a_broker_that_refuses_the_password_given_is_refused(broker: Path) -> None:
    port = urlsplit(valkey.start(broker)).port
    with pytest.raises(servers.WrongEnvironment, match="REDIS_URL cannot be used"):
        servers.start(broker, servers.Given("", "", f"redis://:wrong@127.0.0.1:{port}/0"))


def test_servers_that_had_to_move_are_found_where_they_are_now(directory: Path) -> None:
    nothing_given = servers.Given("", "", "")
    before = servers.start(directory, nothing_given)
    assert servers.keep_running(directory, nothing_given, before) == before
    servers.stop(directory)
    with socket.socket() as one, socket.socket() as other:
        for taker, url in ((one, before.app_url), (other, before.redis_url)):
            taker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taker.bind(("127.0.0.1", urlsplit(url).port or 0))
            taker.listen()
        after = servers.keep_running(directory, nothing_given, before)
    assert {urlsplit(after.app_url).port, urlsplit(after.redis_url).port}.isdisjoint(
        {urlsplit(before.app_url).port, urlsplit(before.redis_url).port}
    )
    assert _answers(after.owner_url)
    assert _answers(after.app_url)
    servers.stop(directory)


def test_a_stopped_broker_leaves_no_process(broker: Path) -> None:
    valkey.stop(broker)
    assert list(processes.running_in(broker, "valkey-server")) == []


def _python_for_anyone() -> str:
    """An interpreter of our version that another user may run; "" when there is none (root's own, for one)."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (Path(sys.executable).resolve(), Path(f"/usr/bin/python{version}")):
        if candidate.exists() and all(folder.stat().st_mode & 0o001 for folder in candidate.parents):
            return str(candidate)
    return ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.skipif(not _python_for_anyone(), reason="no Python here that an ordinary user may run")
def test_an_ordinary_user_can_start_both_servers() -> None:
    directory = Path("/tmp") / f"asat-ordinary-{os.getpid()}"
    directory.mkdir(mode=0o755)
    nobody = 65534
    packages = Path(psycopg.__file__).parent.parent
    # Asked for by Python before 3.11.3, which another environment than ours may be; only imported here.
    (directory / "async_timeout.py").write_text("from asyncio import timeout\n", encoding="utf-8")
    os.chown(directory, nobody, nobody)
    code = f"""
from pathlib import Path
from asat_site.running import postgres, valkey
import psycopg, redis
folder = Path({str(directory)!r})
print(psycopg.connect(postgres.start(folder / "postgres")).execute("SELECT 1").fetchone()[0])
print(redis.Redis.from_url(valkey.start(folder / "valkey")).ping())
postgres.stop(folder / "postgres")
valkey.stop(folder / "valkey")
"""
    try:
        done = subprocess.run(
            [_python_for_anyone(), "-c", code],
            cwd=directory,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}:{packages}:{directory}", "HOME": str(directory)},
            user=nobody,
            group=nobody,
            extra_groups=[],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "1\nTrue\n", done.stderr
    finally:
        shutil.rmtree(directory)
