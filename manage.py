#!/usr/bin/env python
"""Runs a management command; the settings are the development ones unless the environment names others."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asat_site.settings.dev")
    execute_from_command_line(sys.argv)
