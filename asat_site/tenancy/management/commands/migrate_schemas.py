"""Stands in for `migrate_schemas`, and is refused as `migrate` is, with the same words."""

from asat_site.tenancy.management.commands.migrate import Command

__all__ = ["Command"]
