"""`python -m asat_site.running`: what `make run` and `make stop` call."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from asat_site.running import postgres, servers, supervisor, valkey


def main() -> int:
    """Run, or stop what runs; 0 when it ended as asked, 1 with a reason otherwise."""
    parser = argparse.ArgumentParser(prog="python -m asat_site.running", description="Runs AsAt on this machine.")
    parser.add_argument("--port", type=int, default=8000, help="port of the web server (default 8000)")
    parser.add_argument("--corpus", type=Path, help="a folder or file of law to load beside the fictional Act")
    parser.add_argument("--var", type=Path, default=supervisor.ROOT / "var", help="where the run keeps its files")
    parser.add_argument("--stop", action="store_true", help="stop what runs there")
    arguments = parser.parse_args()
    if arguments.stop:
        supervisor.stop(arguments.var)
        return 0
    if arguments.corpus is not None and not arguments.corpus.exists():
        print(f"CORPUS is {arguments.corpus}, which does not exist.", file=sys.stderr)
        return 1
    try:
        supervisor.run(supervisor.Options(arguments.var, arguments.port, arguments.corpus), os.environ)
    except (supervisor.RunFailed, servers.WrongEnvironment, postgres.PostgresFailed, valkey.ValkeyFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
