"""Python imports this by itself in the tests' child processes (PYTHONPATH names the folder): no way out there."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent.parent.parent))

from asat_site.testing.sockets import forbid_outbound

forbid_outbound()
