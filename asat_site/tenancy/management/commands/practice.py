"""`manage.py practice create|list`: makes practices and shows which there are."""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from asat_site.tenancy.models import PLATFORM_ID, Practice
from asat_site.tenancy.practices import NewOwner, PracticeRefused, create_practice
from asat_site.tenancy.upgrades import NoOwner


class Command(BaseCommand):
    help = (
        "Makes a practice (schema, tables, owner) in one transaction, or lists the practices. Exit 0: done; "
        "1: refused, with the reason, and nothing was made; 2: wrong use."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="make a practice")
        create.add_argument("name")
        create.add_argument("--host", required=True, help="the host name that leads to it, such as smith.example.com")
        create.add_argument("--owner-email", help="who looks after it; without it nobody can sign in yet")
        password = create.add_mutually_exclusive_group()
        password.add_argument("--owner-password-file", type=Path, help="a file holding the owner's first password")
        password.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
        listing = verbs.add_parser("list", help="list practices and their hosts")
        for verb in (create, listing):
            verb.add_argument("--json", action="store_true", help="print JSON, one object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "list":
            self._list(options["json"])
        else:
            self._create(options)

    def _create(self, options: dict[str, Any]) -> None:
        owner, generated = self._owner(options)
        try:
            practice = create_practice(options["name"], options["host"], owner)
        except (PracticeRefused, NoOwner) as error:
            raise CommandError(str(error)) from None
        made = {"id": str(practice.id), "name": practice.name, "schema": practice.schema_name, "host": options["host"]}
        if owner is not None:
            made["owner_email"] = owner.email.strip().lower()
        if generated:
            made["owner_password"] = generated
        if options["json"]:
            self.stdout.write(json.dumps(made))
            return
        self.stdout.write(f"Made {practice.name} at {options['host']} (schema {practice.schema_name}).")
        if generated and owner is not None:
            self.stdout.write(f"{owner.email} signs in first with this password, shown only now: {generated}")

    def _owner(self, options: dict[str, Any]) -> tuple[NewOwner | None, str]:
        """The owner to be made, and the password if it was generated here and must be shown."""
        email = options["owner_email"]
        if not email:
            if options["owner_password_file"] or options["password_stdin"]:
                raise CommandError("A password was given without --owner-email; give both.")
            return None, ""
        if options["owner_password_file"]:
            try:
                given = options["owner_password_file"].read_text(encoding="utf-8").strip()
            except OSError as error:
                raise CommandError(f"{options['owner_password_file']} cannot be read: {error.strerror}.") from None
        elif options["password_stdin"]:
            given = sys.stdin.readline().rstrip("\r\n")
        else:
            generated = secrets.token_urlsafe(15)
            return NewOwner(email, generated), generated
        try:
            validate_password(given)
        except ValidationError as error:
            raise CommandError(f"The owner's password is refused: {' '.join(error.messages)}") from None
        return NewOwner(email, given), ""

    def _list(self, as_json: bool) -> None:
        for practice in Practice.objects.exclude(id=PLATFORM_ID).prefetch_related("domains"):
            hosts = [domain.domain for domain in practice.domains.all()]
            if as_json:
                row = {"id": str(practice.id), "name": practice.name, "schema": practice.schema_name, "hosts": hosts}
                self.stdout.write(json.dumps(row))
            else:
                self.stdout.write(f"{practice.name}  {', '.join(hosts)}  {practice.schema_name}  {practice.id}")
