"""`make bench`: loads law into a database of its own under var/bench, measures, and writes docs/benchmarks.md.

What is measured, and how, is `manage.py bench`'s business; this starts the servers, times loading and embedding,
and keeps the run's own database and the trial run's apart.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from asat_site.running import demo, demo_logins, environment, servers
from asat_site.running.supervisor import ROOT

REPORT = ROOT / "docs" / "benchmarks.md"
SHARED_CORPUS = ROOT.parent / "shared" / "corpus"
HEAD = """# Benchmarks

Written by `make bench`; every section says on which machine and when. Loading and embedding times are those of this
run: a database that held the law already loads nothing.

Milliseconds of a search are database time: from sending each statement to its last row, as the connection sees it.
Hybrid is both searches, the passages, their vectors and their siblings; what a whole answer asks beside them is in
its table of stages. The yardsticks search the same chunks in memory in the same run: bm25s the words, one numpy
product the vectors. The aims at 40,000 chunks on 2 cores are hybrid p95 within 30 ms, lexical within 3 times bm25s,
and a whole extractive answer within 60 ms (p50) and 150 ms (p95).

One question of a second practice waits for the question that runs, for one of the first practice whose turn it is, and
for its own run: 2.5 times the empty line's time is what taking turns costs, however long the other's line is.

Lexical search misses its aim on a corpus of this size. It costs three statements, and PostgreSQL takes some 150 ns to
add one posting to its sum, where bm25s adds arrays. Adding the rare words first and looking the common ones up for
likely chunks alone (MaxScore) was tried and took as long. With more law the distance shrinks: with `SCALE=` a run at
266,000 chunks, before words and their dates were parted (30 November 2026), took 2.0 times as long as bm25s.
"""


def main() -> int:
    """0 when everything was measured."""
    parser = argparse.ArgumentParser(prog="python -m asat_site.running.bench", description="Measures AsAt.")
    parser.add_argument("--corpus", type=Path, default=SHARED_CORPUS, help="the law to measure on")
    parser.add_argument("--scale", type=Path, help="more law, added for a second measurement")
    parser.add_argument("--var", type=Path, default=ROOT / "var" / "bench", help="where the databases are kept")
    arguments = parser.parse_args()
    for path in (arguments.corpus, *([arguments.scale] if arguments.scale else [])):
        if not path.exists():
            print(f"{path} does not exist; give a folder of law: make bench CORPUS=…", file=sys.stderr)
            return 1
    var = arguments.var.resolve()
    var.mkdir(parents=True, exist_ok=True)
    found = servers.start(var, servers.read(os.environ, var))
    try:
        owner = environment.of_owner(os.environ, found, var)
        _run(owner, [sys.executable, "manage.py", "upgrade"])
        _run(owner, [sys.executable, "-m", demo.__name__, demo_logins.read_or_make(var / "demo.json").path])
        REPORT.parent.mkdir(exist_ok=True)
        REPORT.write_text(HEAD, encoding="utf-8")
        _measure(owner, arguments.corpus, arguments.corpus.name)
        line = ["bench_line", "--practice", "localhost", "--other", "other.localhost", "--append", str(REPORT)]
        _run(owner, [sys.executable, "manage.py", *line])
        _run(owner, [sys.executable, "manage.py", "bench_practice", "--append", str(REPORT)])
        _measure_loading(var, arguments.corpus)
        if arguments.scale:
            _measure(owner, arguments.scale, f"{arguments.corpus.name} with {arguments.scale.name}", is_embedded=False)
    finally:
        if found.identity:
            servers.stop(var)
    print(f"Written to {REPORT}.")
    return 0


def _measure(owner: dict[str, str], law: Path, title: str, is_embedded: bool = True) -> None:
    """Load the law, embed it unless that would take hours, and add a section about what is in the database then."""
    manage = [sys.executable, "manage.py"]
    loading_s = _run(owner, [*manage, "corpus", "import", "--no-embed", str(law.resolve())])
    embedding_s = _run(owner, [*manage, "corpus", "embed"]) if is_embedded else None
    _run(owner, [*manage, "bench", "--practice", "localhost", "--title", title, "--append", str(REPORT)])
    with REPORT.open("a", encoding="utf-8") as report:
        embedding = f" and embedding {embedding_s:,.0f} s" if embedding_s is not None else "; it was not embedded"
        report.write(f"\nLoading took {loading_s:,.0f} s{embedding}.\n")


def _measure_loading(var: Path, law: Path) -> None:
    """Reading and loading, in servers of their own: the made-up Acts that it loads are not to be searched beside."""
    own = var / "loading"
    own.mkdir(parents=True, exist_ok=True)
    found = servers.start(own, servers.read({}, own))
    try:
        owner = environment.of_owner(os.environ, found, own)
        manage = [sys.executable, "manage.py"]
        _run(owner, [*manage, "upgrade"])
        _run(owner, [*manage, "bench_import", "--corpus", str(law.resolve()), "--append", str(REPORT)])
    finally:
        servers.stop(own)
        shutil.rmtree(own, ignore_errors=True)


def _run(owner: dict[str, str], command: list[str]) -> float:
    """Run it with its output on the console; the seconds it took. Raises CalledProcessError."""
    began = time.monotonic()
    subprocess.run(command, cwd=ROOT, env=owner, stdin=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
