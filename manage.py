#!/usr/bin/env python
"""Runs a management command; the settings are the development ones unless the environment names others.

A wrong setting, or a database or broker that is down, ends the command with a sentence and exit code 4.
"""

import os
import sys

from django.core.management import execute_from_command_line

from asat_site.settings.env import BadSetting

EXIT_OUTAGE = 4


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asat_site.settings.dev")
    try:
        execute_from_command_line(sys.argv)
    except BadSetting as error:
        _end(str(error))
    except Exception as error:
        from asat_site.errors import DATABASE_DOWN, outage_of

        outage = outage_of(error)
        if outage is None or "--traceback" in sys.argv:
            raise
        where = "DATABASE_APP_URL and DATABASE_URL" if outage is DATABASE_DOWN else "REDIS_URL"
        reason = " ".join(str(error).split())
        if outage is DATABASE_DOWN and ("authentication failed" in reason or "does not exist" in reason):
            where += ", or make the roles and the database with `python -m asat_site.running.roles`"
        _end(f"{outage.title} ({reason}). Start it, or mend {where}; beside `make run`, first do: . var/environment")


def _end(words: str) -> None:
    print(words, file=sys.stderr)
    sys.exit(EXIT_OUTAGE)


if __name__ == "__main__":
    main()
