"""Which practice a command is for: `--practice` as a host, schema, id or name, or the only one there is."""

from __future__ import annotations

from django.core.management.base import CommandError

from asat_site.tenancy.checks import UnsafeDatabase, refuse_unsafe_role
from asat_site.tenancy.models import Practice


def all_practices() -> list[Practice]:
    """Every practice, oldest first. Raises CommandError, exit 2, as a role that the walls between them do not bind."""
    try:
        refuse_unsafe_role()
    except UnsafeDatabase as error:
        raise CommandError(str(error), returncode=2) from None
    return list(Practice.objects.exclude(schema_name="public").order_by("created_at"))


def practice_named(key: str | None) -> Practice:
    """The practice meant. None means the only one, or else the one at `localhost`. Raises CommandError, exit 2."""
    practices = all_practices()
    if not practices:
        raise CommandError(
            "There is no practice yet; make one: manage.py practice create NAME --host HOST.", returncode=2
        )
    if key is None and len(practices) == 1:
        return practices[0]
    wanted = (key or "localhost").lower()
    for practice in practices:
        hosts = set(practice.domains.values_list("domain", flat=True))
        if wanted in {str(practice.id), practice.schema_name, practice.name.lower()} | hosts:
            return practice
    known = ", ".join(practice.schema_name for practice in practices)
    if key is None:
        raise CommandError(f"There are several practices; say which with --practice: one of {known}.", returncode=2)
    raise CommandError(f"--practice is {key!r}; give the host, schema, id or name of one of: {known}.", returncode=2)
