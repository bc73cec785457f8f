"""`manage.py account`: lets somebody in again whom no owner of the practice can help, such as its only owner; and
requires a second factor where no page does, such as of the platform's administrators.

For whoever looks after the server. What is done is recorded in the practice's events, as nobody's of the practice.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from asat_site.accounts import events, factors, invitations, people
from asat_site.accounts.models import User
from asat_site.tenancy.checks import UnsafeDatabase, refuse_unsafe_role
from asat_site.tenancy.context import NoSuchPractice, find_practice_by_host, in_practice
from asat_site.tenancy.models import Practice


class Command(BaseCommand):
    help = (
        "Make a link for a new password, take a lost second factor away, or require one of everybody. Exit 0: done; 1: "
        "nothing was changed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        link = actions.add_parser("password-link", help="print a link by which the user chooses a new password")
        link.add_argument("--http", action="store_true", help="where the site is reached without TLS")
        lost = actions.add_parser("take-factor-away", help="the password alone lets the user in, or to a new factor")
        for action in (link, lost):
            action.add_argument("host", help="where the user signs in, such as smith.example.com")
            action.add_argument("email")
        everybody = actions.add_parser("require-second-factor", help="of everybody at a host, such as the platform's")
        everybody.add_argument("--off", action="store_true", help="leave it to each person again")
        everybody.add_argument("host", help="where they sign in")

    def handle(self, *args: Any, **options: Any) -> None:
        host, _, port = str(options["host"]).partition(":")
        try:
            refuse_unsafe_role()
            practice = find_practice_by_host(host)
        except (NoSuchPractice, UnsafeDatabase) as error:
            raise CommandError(str(error)) from None
        with in_practice(practice):
            if options["action"] == "require-second-factor":
                self._require_factor(practice, not options["off"])
                return
            user = User.objects.filter(email__iexact=options["email"]).first()
            if user is None:
                raise CommandError(f"Nobody at {host} has that address.")
            if options["action"] == "take-factor-away":
                self._take_factor_away(user)
            else:
                scheme = "http" if options["http"] else "https"
                self._make_link(user, f"{scheme}://{host}{':' + port if port else ''}")

    def _require_factor(self, practice: Practice, wanted: bool) -> None:
        if not people.set_required(practice, wanted):
            raise CommandError("It was so already.")
        said = "required" if wanted else "not required"
        events.record(None, events.Kind.REQUIREMENT_CHANGED, detail=f"{said}, on the server")
        self.stdout.write(f"A second factor is {said} at {practice.name} now.")

    def _take_factor_away(self, user: User) -> None:
        if not factors.remove(user):
            raise CommandError("That user has no second factor.")
        events.record(None, events.Kind.FACTOR_REMOVED, about=user, detail="on the server")
        self.stdout.write("Taken away. Be sure that it was the user who asked.")

    def _make_link(self, user: User, origin: str) -> None:
        try:
            made = invitations.for_password(None, user)
        except invitations.InvitationRefused as refused:
            raise CommandError(refused.message) from None
        self.stdout.write(f"{invitations.link_to(made, origin)}\nIt works once, for {invitations.DAYS} days.")
