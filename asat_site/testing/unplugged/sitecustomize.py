"""Python imports this by itself in child processes of the tests (PYTHONPATH names the folder): no way out there either."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent.parent.parent))

from asat_site.testing.sockets import forbid_outbound

forbid_outbound()
