"""Two practices to test walls with, each with a user of every role, and browsers signed in to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.conf import settings
from django.test import Client

from asat_site.accounts.models import User
from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import PLATFORM_ID, Practice
from asat_site.tenancy.practices import NewOwner, add_user, create_practice
from asat_site.tenancy.upgrades import require_owner
from asat_site.testing.tables import Tables

PASSWORD = "correct horse battery"
ROLES = ("owner", "agent", "staff", "read_only")
_TABLES = Tables()


@dataclass(frozen=True, slots=True)
class KnownPractice:
    """A practice with its host and its users by role; every password is PASSWORD."""

    practice: Practice
    host: str
    users: dict[str, User] = field(default_factory=dict)

    @property
    def id(self) -> UUID:
        return self.practice.id

    def client(self, role: str | None = "staff") -> Client:
        """A browser at the practice's host, signed in as its user of that role; None: signed in as nobody."""
        browser = Client(headers={"host": self.host})
        if role is not None:
            with in_practice(self.practice):
                browser.force_login(self.users[role])
        return browser


def make_practice(name: str, host: str) -> KnownPractice:
    """A new practice, really committed, with its four users."""
    practice = create_practice(name, host, NewOwner(f"owner@{host}.example", PASSWORD), make_tables=_TABLES.make)
    alias = require_owner()
    with in_practice(practice, using=alias):
        for role in ROLES[1:]:
            add_user(NewOwner(f"{role.replace('_', '-')}@{host}.example", PASSWORD), role=role, alias=alias)
    return with_users(practice, host)


def make_throwaway(name: str = "Passing") -> KnownPractice:
    """A practice for one test that would leave marks, such as audit rows, which can never be removed."""
    mark = uuid4().hex[:8]
    return make_practice(f"{name} {mark}", f"{mark}.localhost")


def make_platform() -> KnownPractice:
    """The platform with an administrator of its own."""
    alias = require_owner()
    platform = Practice.objects.using(alias).get(id=PLATFORM_ID)
    with in_practice(platform, using=alias):
        add_user(NewOwner("admin@platform.example", PASSWORD), role="owner", alias=alias)
    return with_users(platform, settings.PLATFORM_HOST)


def with_users(practice: Practice, host: str) -> KnownPractice:
    """The practice with the users that it has, by role."""
    with in_practice(practice):
        return KnownPractice(practice, host, {user.role: user for user in User.objects.all()})
