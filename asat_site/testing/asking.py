"""Asks through the command line, as a test of what it prints."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command

from asat_site.testing.practices import KnownPractice


def ask(here: KnownPractice, *words: str) -> tuple[int, str]:
    """(exit code, what was printed)."""
    out, code = StringIO(), 0
    try:
        call_command("ask", *words, "--practice", here.practice.schema_name, stdout=out)
    except SystemExit as stopped:
        code = int(str(stopped.code))
    return code, out.getvalue()
