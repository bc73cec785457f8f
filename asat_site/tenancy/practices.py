"""Making a practice: its row, host, schema, tables and owner, in one transaction or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import connections, transaction
from django_tenants.utils import quote_schema_name

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Domain, Practice
from asat_site.tenancy.upgrades import migrate_here, require_owner

_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_NAME_MAX = 200


class PracticeRefused(Exception):
    """The practice cannot be made as asked; the message says what to change. Nothing was made."""


@dataclass(frozen=True, slots=True)
class NewOwner:
    """Who will look after the practice, and the password they first sign in with."""

    email: str
    password: str


def create_practice(
    name: str,
    host: str,
    owner: NewOwner | None = None,
    *,
    step: Callable[[str], None] = lambda name: None,
    make_tables: Callable[[str], None] = migrate_here,
) -> Practice:
    """The new practice, complete and committed; raises PracticeRefused, or whatever failed, having made nothing.

    owner: None for a practice that nobody can sign in to yet. step: told the name of each step as it is done.
    make_tables: fills the new schema, given the owner's alias, whose connection is in the practice.
    """
    alias = require_owner()
    name, host = checked_name(name), checked_host(host)
    if owner is not None:
        owner = NewOwner(checked_email(owner.email), owner.password)
    practice = Practice(
        name=name, schema_name=schema_for(host), requires_second_factor=settings.ASAT_REQUIRE_SECOND_FACTOR
    )
    with transaction.atomic(using=alias):
        _refuse_duplicates(practice, host, alias)
        Practice.objects.using(alias).bulk_create([practice])  # save() would look in the default database
        step("practice")
        Domain.objects.using(alias).bulk_create([Domain(domain=host, tenant=practice, is_primary=True)])
        step("host")
        with connections[alias].cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {quote_schema_name(practice.schema_name)}")
        step("schema")
        with in_practice(practice, using=alias):
            make_tables(alias)
            step("tables")
            if owner is not None:
                add_user(owner, role="owner", alias=alias)
                step("owner")
    return practice


def add_user(user: NewOwner, *, role: str, alias: str) -> None:
    """Add a user to the practice that the connection is in."""
    User = get_user_model()
    row = User(username=user.email, email=user.email, role=role)
    row.set_password(user.password)
    row.save(using=alias)


def checked_name(name: str) -> str:
    """The name without outer blanks; raises PracticeRefused when it is empty, too long or not printable."""
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > _NAME_MAX or not tidy.isprintable():
        raise PracticeRefused(f"The name is {name!r}; give 1 to {_NAME_MAX} printable characters.")
    return tidy


def checked_host(host: str) -> str:
    """The host in lower case; raises PracticeRefused for a URL, a port, the platform's own host or bad characters."""
    tidy = host.strip().lower().rstrip(".")
    if len(tidy) > 253 or not _HOST.fullmatch(tidy):
        raise PracticeRefused(
            f"The host is {host!r}; give a host name such as smith.example.com, without scheme or port."
        )
    if tidy == settings.PLATFORM_HOST:
        raise PracticeRefused(f"{tidy} is the platform's own host (ASAT_PLATFORM_HOST); give another.")
    return tidy


def checked_email(email: str) -> str:
    """The address in lower case; raises PracticeRefused when it is not one."""
    tidy = email.strip().lower()
    try:
        validate_email(tidy if tidy.isascii() else "")  # as the sign-in takes it
    except ValidationError:
        raise PracticeRefused(f"The owner's e-mail address is {email!r}; give one such as ann@example.com.") from None
    return tidy


def schema_for(host: str) -> str:
    """The schema's name: "p_" and the host with everything but letters and digits as underscores, 61 characters."""
    return ("p_" + re.sub(r"[^a-z0-9]", "_", host))[:61]


def _refuse_duplicates(practice: Practice, host: str, alias: str) -> None:
    if Domain.objects.using(alias).filter(domain=host).exists():
        raise PracticeRefused(f"There is already a practice at {host}; give another host.")
    others = Practice.objects.using(alias)
    if others.filter(name__iexact=practice.name).exists():
        raise PracticeRefused(f"There is already a practice named {practice.name!r}; give another name.")
    if others.filter(schema_name=practice.schema_name).exists():
        raise PracticeRefused(
            f"The schema {practice.schema_name} is taken by another host; give a host that differs more."
        )
