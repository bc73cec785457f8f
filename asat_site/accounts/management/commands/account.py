"""`manage.py account`: lets somebody in again whom no owner of the practice can help, such as its only owner.

For whoever looks after the server. What is done is recorded in the practice's events, as nobody's of the practice.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from asat_site.accounts import events, factors, invitations
from asat_site.accounts.models import User
from asat_site.tenancy.checks import UnsafeDatabase, refuse_unsafe_role
from asat_site.tenancy.context import NoSuchPractice, find_practice_by_host, in_practice


class Command(BaseCommand):
    help = "Make a link for a new password, or take a lost second factor away. Exit 0: done; 1: nothing was changed."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        link = actions.add_parser("password-link", help="print a link by which the user chooses a new password")
        link.add_argument("--http", action="store_true", help="where the site is reached without TLS")
        lost = actions.add_parser("take-factor-away", help="the password alone lets the user in, or to a new factor")
        for action in (link, lost):
            action.add_argument("host", help="where the user signs in, such as smith.example.com")
            action.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        host, _, port = str(options["host"]).partition(":")
        try:
            refuse_unsafe_role()
            practice = find_practice_by_host(host)
        except (NoSuchPractice, UnsafeDatabase) as error:
            raise CommandError(str(error)) from None
        with in_practice(practice):
            user = User.objects.filter(email__iexact=options["email"]).first()
            if user is None:
                raise CommandError(f"Nobody at {host} has that address.")
            if options["action"] == "take-factor-away":
                self._take_factor_away(user)
            else:
                scheme = "http" if options["http"] else "https"
                self._make_link(user, f"{scheme}://{host}{':' + port if port else ''}")

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
