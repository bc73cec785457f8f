"""`python -m asat_site.running.demo FILE`: the practices and users of a trial run, made as the file of logins says.

Uses the same functions as `manage.py practice create`. What exists already is left as it is, so that a run cut
short is completed by the next.
"""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import UUID

import django
from django.apps import apps

from asat_site.running.demo_logins import DemoLogins, Login, read_or_make


def make(demo: DemoLogins) -> None:
    """Make the practices and users that are missing. Needs Django ready and the owner's address."""
    from asat_site.tenancy.models import PLATFORM_ID, Practice
    from asat_site.tenancy.practices import create_practice
    from asat_site.tenancy.upgrades import require_owner

    alias = require_owner()
    for login in demo.logins:
        if not login.practice:
            practice = Practice.objects.using(alias).get(id=PLATFORM_ID)
        else:
            found = Practice.objects.using(alias).filter(domains__domain=login.host).first()
            practice = found or create_practice(login.practice, login.host)
        _make_user(practice.pk, login, alias)


def _make_user(practice_id: UUID, login: Login, alias: str) -> None:
    from asat_site.tenancy.context import in_practice
    from asat_site.tenancy.practices import NewOwner, add_user

    role = login.role if login.practice else "owner"  # the owners of `public` are the platform's administrators
    users = apps.get_model("accounts", "User").objects.using(alias)
    with in_practice(practice_id, using=alias):
        if not users.filter(email=login.email).exists():
            add_user(NewOwner(login.email, login.password), role=role, alias=alias)


def main() -> int:
    """0 when everybody is there."""
    django.setup()
    make(read_or_make(Path(sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
