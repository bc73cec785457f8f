"""Lanes of integration tests: two processes, each with the same files in the same order every time."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from asat_site.running.lanes import LANES

ROOT = Path(__file__).resolve().parents[3]

WHERE_IT_RAN = """
import os, pytest

@pytest.mark.parametrize("number", range(4))
def test_it(number):
    with open({log!r}, "a") as log:
        log.write(f"{{os.getpid()}} {name} {{number}}\\n")
"""


def test_a_lanes_files_run_in_one_process_in_their_order(tmp_path: Path) -> None:
    log, names = tmp_path / "log", ("asat_site/a", "clients/b", "research/tests/c", "research/tests/d", "research/e")
    for name in names:
        file = tmp_path / f"{name.rpartition('/')[0]}/test_{name[-1]}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(WHERE_IT_RAN.format(log=str(log), name=name))
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    command = [sys.executable, "-m", "pytest", str(tmp_path), "-q", "-p", "no:cacheprovider", "-p", "no:django"]
    command += ["-p", "asat_site.running.lanes", "-n", str(LANES)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert "20 passed" in done.stdout, done.stdout + done.stderr
    ran = defaultdict(list)
    for line in log.read_text().splitlines():
        process, name, number = line.split()
        ran[process].append((name, int(number)))
    lanes = [("asat_site/a", "clients/b", "research/e"), ("research/tests/c", "research/tests/d")]
    assert sorted(ran.values()) == [[(name, number) for name in lane for number in range(4)] for lane in lanes]
