"""`manage.py upgrade`: migrates public and every practice as the owner; safe to run again at any time."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from asat_site.tenancy.upgrades import NoOwner, Outcome, upgrade_all


class Command(BaseCommand):
    help = "Brings the database up to date: public, then every practice. Exit code 1 when any of them failed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        def tell(outcome: Outcome) -> None:
            if options["json"]:
                self.stdout.write(json.dumps(asdict(outcome)))
            else:
                done = f"{outcome.applied} migrations applied" if outcome.applied else "up to date"
                said = f"failed: {outcome.error}" if outcome.error else done
                self.stdout.write(f"{outcome.practice} ({outcome.schema}): {said}")
            self.stdout.flush()

        try:
            outcomes = upgrade_all(tell)
        except NoOwner as error:
            raise CommandError(str(error)) from None
        failed = [outcome.practice for outcome in outcomes if outcome.error]
        if failed:
            raise CommandError(f"Not upgraded: {', '.join(failed)}. Mend the cause and run it again; it resumes.")
