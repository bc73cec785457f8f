"""Stands in for `migrate`, which would migrate without a practice set and see no applied migration."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as DjangoMigrate


class Command(DjangoMigrate):
    help = "Not used here; run `manage.py upgrade`."
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        raise SystemExit("Run `manage.py upgrade`: it migrates public and every practice, each within its walls.")

    def handle(self, *args: Any, **options: Any) -> None:
        raise CommandError("Run `manage.py upgrade`: it migrates public and every practice, each within its walls.")
