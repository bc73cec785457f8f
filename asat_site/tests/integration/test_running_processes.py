"""Processes of a run: found by their mark, ended with what they started, started again after a crash."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from asat_site.running import checks, kept, processes
from asat_site.running.children import Child

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[3]


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    code = "import time; from pathlib import Path; from asat_site.running import kept\n"
    code += f"with kept.locked(Path({str(tmp_path / 'lock')!r})): print('held', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        holder.kill()
    with kept.locked(tmp_path / "lock", wait=False):
        pass


def test_a_process_is_found_by_the_mark_in_its_environment_and_so_is_its_child() -> None:
    mark = f"run-{os.getpid()}"
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    parent = subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"ASAT_TEST_MARK": mark})
    try:
        deadline = time.monotonic() + 10
        while len(found := processes.carrying("ASAT_TEST_MARK", mark)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(found) == 2
        assert processes.carrying("ASAT_TEST_MARK", "another") == []
        processes.end(found)
        assert processes.carrying("ASAT_TEST_MARK", mark) == []
    finally:
        parent.kill()
        parent.wait(10)


def test_last_words_are_those_of_this_start_and_not_of_an_earlier_one(tmp_path: Path) -> None:
    log = tmp_path / "steps.log"
    for word in ("earlier", "latest"):
        child = Child("step", [sys.executable, "-c", f"print('{word}')"], os.environ, log)
        child.start()
        assert child.process is not None
        child.process.wait(20)
    assert child.last_words() == f"\n    latest\n    (all of it: {log})"


def test_a_crashed_child_is_started_again_and_its_last_words_are_told(tmp_path: Path) -> None:
    code = "import sys; print('the reason'); sys.exit(3)"
    child = Child("web", [sys.executable, "-c", code], os.environ, tmp_path / "web.log")
    child.start()
    assert child.process is not None
    first = child.process.pid
    child.process.wait(10)
    told = child.watch()
    assert "web ended (exit code 3)" in told
    assert "the reason" in told
    assert child.watch() == "", "it waits before it starts again"
    time.sleep(0.6)
    child.watch()
    assert child.process is not None
    assert child.process.pid != first
    child.kill()


def test_killing_a_child_ends_what_it_started(tmp_path: Path) -> None:
    code = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    code += "print(p.pid, flush=True); p.wait()"
    child = Child("worker", [sys.executable, "-c", code], os.environ, tmp_path / "worker.log")
    child.start()
    deadline = time.monotonic() + 10
    while not (tmp_path / "worker.log").read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    grandchild = int((tmp_path / "worker.log").read_text())
    child.kill()
    assert not child.is_running()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _is_alive(grandchild):
        time.sleep(0.05)
    assert not _is_alive(grandchild)


def _is_alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and processes.is_alive(psutil.Process(pid))


@pytest.mark.security
def test_a_test_run_that_skips_a_security_test_fails(tmp_path: Path) -> None:
    (tmp_path / "test_walls.py").write_text(
        "import pytest\n@pytest.mark.security\n@pytest.mark.skip\ndef test_wall(): pass\ndef test_other(): pass\n"
    )
    options = ["-c", os.devnull, "-p", "no:django", "-W", "ignore", str(tmp_path)]
    check = checks.Check("walls", [*checks.PYTEST, *options], is_test=True)
    checks.run(check)
    assert "test_wall" in check.problem
    assert "FAILED" in checks.summary([check])


def test_a_test_run_without_a_test_fails(tmp_path: Path) -> None:
    (tmp_path / "test_none.py").write_text("import pytest\n@pytest.mark.skip\ndef test_a(): pass\n")
    check = checks.Check("none", [*checks.PYTEST, "-c", os.devnull, "-p", "no:django", str(tmp_path)], is_test=True)
    checks.run(check)
    assert check.problem == "no test ran"
