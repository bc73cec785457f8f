"""Exit code 0 while the web server in this container says that questions can be asked."""

import os
import sys
from http.client import HTTPConnection, HTTPException

connection = HTTPConnection("127.0.0.1", 8000, timeout=5)
host = os.environ.get("ASAT_PLATFORM_HOST", "platform.localhost")
try:
    connection.request("GET", "/health/", headers={"Host": host, "X-Forwarded-Proto": "https"})
    sys.exit(0 if connection.getresponse().status == 200 else 1)
except (OSError, HTTPException) as failure:
    print(failure, file=sys.stderr)
    sys.exit(1)
