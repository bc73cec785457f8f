"""A whole run, as `make run` starts it, in a folder and on a port of its own: killed, started again, stopped."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    """A var folder that one first run has filled; its servers are stopped between the tests."""
    with own_folder() as parent:
        folder = parent / "var"
        with running(folder) as run:
            run.wait_until_ready(FIRST_RUN_S)
            run.process.send_signal(signal.SIGINT)
            assert run.process.wait(40) == 0, run.said()
        yield folder
        supervisor.stop(folder)


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


def test_after_ctrl_c_nothing_is_left_running(var: Path) -> None:
    assert nothing_is_left(var)


def test_both_practices_and_the_platform_answer_and_the_worker_works(var: Path) -> None:
    began = time.time()
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        for host in ("localhost", "other.localhost", "platform.localhost"):
            assert run.get("/sign-in/", host)[0] == 200
            assert f"http://{host}:{run.port}/" in run.said()
        assert run.get("/health/")[0] == 200
        until(lambda: worker_has_worked_since(var, began), 60)


def test_the_second_run_repeats_no_step(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        for words in ("up to date", "demo practices", "fictional Act"):
            assert words not in run.said()


@pytest.mark.security
def test_web_worker_and_beat_never_see_the_owners_address(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        found = run.everyone()
        assert len(found) >= 4  # web, beat, and the worker with its processes
        for process in found:
            seen = process.environ()
            assert "DATABASE_URL" not in seen
            assert "asat_app:" in seen["DATABASE_APP_URL"]
            assert (seen["OMP_NUM_THREADS"], seen["OPENBLAS_NUM_THREADS"]) == ("1", "1")
            assert not any("asat_owner" in value for value in seen.values())


@pytest.mark.security
def test_what_is_kept_for_the_next_run_is_private(var: Path) -> None:
    for name in ("demo.json", "environment", "secret-key", "postgres/password", "postgres/owner-password"):
        assert (var / name).stat().st_mode & 0o077 == 0, name


def test_a_kill_of_the_supervisor_leaves_nothing_in_the_way_of_the_next_run(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        run.process.kill()
        run.process.wait(10)
        with running(var) as again:
            again.wait_until_ready(SECOND_RUN_S)
            assert again.get("/sign-in/")[0] == 200
            again.process.send_signal(signal.SIGTERM)
            assert again.process.wait(40) == 0, again.said()
        until(lambda: nothing_is_left(var), 10)


@pytest.mark.parametrize("seconds", [0.5, 1.5, 3.0, 6.0])
def test_a_kill_during_the_first_run_is_made_good_by_the_next(folder: Path, seconds: float) -> None:
    var = folder / "var"
    with running(var) as run:
        time.sleep(seconds)
        run.process.kill()
        run.process.wait(10)
    with running(var) as again:
        again.wait_until_ready(FIRST_RUN_S)
        assert again.get("/sign-in/")[0] == 200
        assert again.get("/sign-in/", "other.localhost")[0] == 200


def test_a_killed_worker_and_a_killed_web_server_are_started_again(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        for word in ("worker", "uvicorn"):
            killed = run.child(word)
            killed.kill()
            until(lambda: any(word in " ".join(p.cmdline()) and p != killed for p in run.everyone()), 30, run.said)  # noqa: B023
        until(lambda: _answers(run), 30, run.said)
        assert "worker ended (signal SIGKILL)" in run.said()
        moment = time.time()
        until(lambda: worker_has_worked_since(var, moment), 60, run.said)


def _answers(run: Run) -> bool:
    try:
        return run.get("/health/")[0] == 200
    except OSError:
        return False


def test_killed_servers_are_started_again_and_the_site_recovers(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        postmaster = int((var / "postgres" / "data" / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
        os.kill(postmaster, signal.SIGKILL)
        os.kill(int((var / "valkey" / "pid").read_text(encoding="utf-8")), signal.SIGKILL)
        time.sleep(1)
        until(lambda: _answers(run), 60, run.said)
        moment = time.time()
        until(lambda: worker_has_worked_since(var, moment), 90, run.said)


def test_a_second_supervisor_in_the_same_folder_is_refused(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        second = Run(var, processes.free_port())
        assert second.process.wait(30) == 1
        assert "already runs" in second.said()
        assert run.get("/sign-in/")[0] == 200


def test_a_run_begun_while_the_last_one_stops_waits_for_it(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        run.process.send_signal(signal.SIGINT)
        until(lambda: "Stopping" in run.said(), 10)
        with running(var) as again:
            again.wait_until_ready(SECOND_RUN_S)
            assert run.process.wait(1) == 0
            assert again.get("/sign-in/")[0] == 200


def test_a_port_in_use_is_named(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        other = var.parent / "other-var"
        second = Run(other, run.port)
        assert second.process.wait(30) == 1
        assert f"Port {run.port} is in use" in second.said()


def test_make_stop_ends_a_run_from_outside(var: Path) -> None:
    with running(var) as run:
        run.wait_until_ready(SECOND_RUN_S)
        command = [sys.executable, "-m", "asat_site.running", "--var", str(var), "--stop"]
        assert subprocess.run(command, cwd=ROOT, timeout=60, check=False).returncode == 0
        assert run.process.wait(10) == 0
        assert nothing_is_left(var)


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
