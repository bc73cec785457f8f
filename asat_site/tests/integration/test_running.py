"""A whole run, as `make run` starts it, in a folder and on a port of its own: killed, started again, stopped."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
import redis

from asat_site import heartbeat
from asat_site.running import environment, postgres, processes, supervisor, valkey
from asat_site.tests.integration.own_folder import own_folder

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[3]
FIRST_RUN_S, SECOND_RUN_S = 150.0, 60.0  # what a test waits for; `make run` itself is quicker on a quiet machine


class Run:
    """A supervisor started for a test, and what can be asked of it."""

    def __init__(self, var: Path, port: int, extra: dict[str, str] | None = None) -> None:
        self.var, self.port = var, port
        self.output = var.parent / f"output-{time.monotonic_ns()}"
        outside = {name: value for name, value in os.environ.items() if not name.startswith(("DATABASE_", "REDIS_"))}
        outside.pop("DJANGO_SETTINGS_MODULE", None)
        command = [sys.executable, "-m", "asat_site.running", "--var", str(var), "--port", str(port)]
        with self.output.open("w", encoding="utf-8") as file:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=outside | (extra or {}), stdout=file, stderr=subprocess.STDOUT
            )

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def wait_until_ready(self, within_s: float) -> None:
        until(lambda: "AsAt is running." in self.said() or self.process.poll() is not None, within_s, self.said)
        assert self.process.poll() is None, self.said()

    def get(self, path: str, host: str = "localhost") -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", path, headers={"Host": f"{host}:{self.port}"})
            response = connection.getresponse()
            return response.status, response.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def everyone(self) -> list[psutil.Process]:
        """The supervisor's own processes, servers aside."""
        return processes.carrying(environment.MARK, str(self.var))

    def child(self, word: str) -> psutil.Process:
        """The process whose command holds the word and whose parent is the supervisor."""
        return next(p for p in self.everyone() if word in " ".join(p.cmdline()) and p.ppid() == self.process.pid)


def until(reached: Callable[[], object], within_s: float, explain: Callable[[], str] = str) -> None:
    deadline = time.monotonic() + within_s
    while not reached():
        assert time.monotonic() < deadline, f"not within {within_s:g} s: {explain()}"
        time.sleep(0.1)


@contextmanager
def running(var: Path, extra: dict[str, str] | None = None) -> Iterator[Run]:
    run = Run(var, processes.free_port(), extra)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            run.process.kill()
            run.process.wait(10)
        supervisor.stop(var)


class Site:
    """One var folder for the whole module, with a run in it whenever a test needs one: starting takes seconds."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self._run: Run | None = None

    def running(self) -> Run:
        """The run that is going on, or a new one."""
        if self._run is None or self._run.process.poll() is not None:
            self._run = Run(self.var, processes.free_port())
            self._run.wait_until_ready(FIRST_RUN_S)
        return self._run


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """The first run in it was killed at four different moments before one was left to finish."""
    with own_folder() as parent:
        var = parent / "var"
        for seconds in (0.4, 1.0, 2.0, 4.0):
            run = Run(var, processes.free_port())
            time.sleep(seconds)
            run.process.kill()
            run.process.wait(10)
        yield Site(var)
        supervisor.stop(var)


@pytest.fixture
def folder() -> Iterator[Path]:
    with own_folder() as found:
        yield found


def nothing_is_left(folder: Path) -> bool:
    return not (
        processes.carrying(environment.MARK, str(folder))
        or list(processes.running_in(folder / "postgres" / "data", "postgres"))
        or list(processes.running_in(folder / "valkey", "valkey-server"))
    )


def worker_has_worked_since(var: Path, moment: float) -> bool:
    with redis.Redis.from_url(valkey.start(var / "valkey"), decode_responses=True) as client:
        return float(client.hget(heartbeat.KEY, "at") or 0) > moment


def is_healthy(run: Run) -> bool:
    try:
        return run.get("/health/")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def test_after_kills_during_the_first_run_the_next_makes_everything_good(site: Site) -> None:
    began = time.time()
    run = site.running()
    for host in ("localhost", "other.localhost", "platform.localhost"):
        assert run.get("/sign-in/", host)[0] == 200
        assert f"http://{host}:{run.port}/" in run.said()
    assert run.get("/health/")[0] == 200
    until(lambda: worker_has_worked_since(site.var, began), 60, run.said)


@pytest.mark.security
def test_web_worker_and_beat_never_see_the_owners_address(site: Site) -> None:
    run = site.running()
    until(lambda: len(run.everyone()) >= 4, 30)  # web, beat, and the worker with a process of its own
    for process in run.everyone():
        with contextlib.suppress(psutil.NoSuchProcess):
            seen = process.environ()
            assert "DATABASE_URL" not in seen
            assert "asat_app:" in seen["DATABASE_APP_URL"]
            assert (seen["OMP_NUM_THREADS"], seen["OPENBLAS_NUM_THREADS"]) == ("1", "1")
            assert not any("asat_owner" in value for value in seen.values())


@pytest.mark.security
def test_what_is_kept_for_the_next_run_is_private(site: Site) -> None:
    site.running()
    for name in ("demo.json", "environment", "secret-key", "postgres/password", "postgres/owner-password"):
        assert (site.var / name).stat().st_mode & 0o077 == 0, name


def test_the_environment_file_lets_a_shell_run_management_commands(site: Site) -> None:
    run = site.running()
    script = f". {site.var}/environment && {sys.executable} manage.py practice list"
    outside = {
        name: value for name, value in os.environ.items() if not name.startswith(("DATABASE_", "REDIS_", "DJANGO"))
    }
    done = subprocess.run(["sh", "-c", script], cwd=ROOT, env=outside, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Demo Practice  localhost" in done.stdout
    assert "Other Practice  other.localhost" in done.stdout
    assert run.process.poll() is None


def test_a_second_supervisor_in_the_same_folder_and_one_on_the_same_port_are_refused(site: Site) -> None:
    run = site.running()
    second = Run(site.var, processes.free_port())
    assert second.process.wait(30) == 1
    assert "already runs" in second.said()
    with own_folder() as elsewhere:
        third = Run(elsewhere / "var", run.port)
        assert third.process.wait(30) == 1
        assert f"Port {run.port} is in use" in third.said()
    assert run.get("/sign-in/")[0] == 200


def test_a_killed_worker_and_a_killed_web_server_are_started_again(site: Site) -> None:
    run = site.running()
    before = [run.child("worker"), run.child("uvicorn")]
    for process in before:
        process.kill()
    until(lambda: is_healthy(run), 60, run.said)
    assert "worker ended (signal SIGKILL)" in run.said()
    assert "web ended (signal SIGKILL)" in run.said()
    moment = time.time()
    until(lambda: worker_has_worked_since(site.var, moment), 60, run.said)
    assert not any(process.is_running() for process in before)


def test_killed_servers_are_started_again_and_the_site_recovers(site: Site) -> None:
    run = site.running()
    postmaster = int((site.var / "postgres" / "data" / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
    os.kill(postmaster, signal.SIGKILL)
    os.kill(int((site.var / "valkey" / "pid").read_text(encoding="utf-8")), signal.SIGKILL)
    time.sleep(1)
    until(lambda: is_healthy(run), 60, run.said)
    moment = time.time()
    until(lambda: worker_has_worked_since(site.var, moment), 90, run.said)


def test_after_a_kill_of_the_supervisor_the_next_run_works_and_repeats_no_step(site: Site) -> None:
    first = site.running()
    first.process.kill()
    first.process.wait(10)
    second = site.running()
    assert second is not first
    assert second.get("/sign-in/")[0] == 200
    for words in ("up to date", "demo practices", "fictional Act"):
        assert words not in second.said()


def test_a_run_begun_while_the_last_one_stops_waits_and_make_stop_leaves_nothing(site: Site) -> None:
    first = site.running()
    first.process.send_signal(signal.SIGINT)  # what Ctrl-C sends
    until(lambda: "Stopping" in first.said(), 10)
    second = Run(site.var, processes.free_port())
    second.wait_until_ready(SECOND_RUN_S)
    assert first.process.wait(1) == 0
    assert second.get("/sign-in/")[0] == 200
    command = [sys.executable, "-m", "asat_site.running", "--var", str(site.var), "--stop"]
    assert subprocess.run(command, cwd=ROOT, timeout=60, check=False).returncode == 0
    assert second.process.wait(10) == 0, second.said()
    assert nothing_is_left(site.var)


def test_a_missing_corpus_is_refused_before_anything_starts(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "asat_site.running", "--var", str(tmp_path / "var"), "--corpus", "/not/there"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "/not/there, which does not exist" in done.stderr
    assert not (tmp_path / "var").exists()


def test_real_servers_take_the_place_of_the_embedded_ones(folder: Path) -> None:
    """Debian's redis-server and a PostgreSQL of this test's own, both given by their addresses."""
    program = shutil.which("redis-server")
    if program is None:
        assert not os.environ.get("CI"), "CI installs redis-server; .ci/run did not"
        pytest.skip("redis-server is not installed; `apt-get install redis-server`")
    port = processes.free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--requirepass", "secret", "--save", ""]
    broker = subprocess.Popen([*command, "--dir", str(folder)], stdout=subprocess.DEVNULL)
    from asat_site.tenancy.bootstrap import bootstrap

    addresses = bootstrap(
        postgres.start(folder / "server", durable=False), owner_password="owner pass/word", app_password="app@word"
    )
    redis_url = f"redis://:secret@127.0.0.1:{port}/0"
    extra = {"DATABASE_URL": addresses.owner, "DATABASE_APP_URL": addresses.app, "REDIS_URL": redis_url}
    began = time.time()
    try:
        with running(folder / "var", extra) as run:
            run.wait_until_ready(FIRST_RUN_S)
            assert run.get("/sign-in/")[0] == 200
            assert not (folder / "var" / "postgres").exists()
            assert not (folder / "var" / "valkey").exists()
            with redis.Redis.from_url(redis_url, decode_responses=True) as client:
                until(lambda: float(client.hget(heartbeat.KEY, "at") or 0) > began, 60, run.said)
                assert "valkey" not in str(client.info("server")).lower()
            run.process.send_signal(signal.SIGINT)
            assert run.process.wait(40) == 0
        assert broker.poll() is None, "a real server is not ours to stop"
    finally:
        broker.terminate()
        broker.wait(10)
        postgres.stop(folder / "server")
