"""Practices, hosts, upgrades and failed tasks, for the platform's administrators to look at."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from asat_site.tenancy.models import Domain, Practice, TaskFailure, Upgrade


@admin.register(Practice)
class PracticeAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ("name", "schema_name", "created_at")
    search_fields = ("name", "schema_name")
    fields = ("name", "schema_name", "created_at")


@admin.register(Domain)
class DomainAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ("domain", "tenant", "is_primary")
    search_fields = ("domain",)
    fields = ("domain", "tenant", "is_primary")


@admin.register(Upgrade)
class UpgradeAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ("practice", "status", "detail", "changed_at")
    fields = ("practice", "status", "detail", "changed_at")


@admin.register(TaskFailure)
class TaskFailureAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ("at", "task", "error", "practice_id")
    list_filter = ("task", "error")
    fields = ("at", "task", "task_id", "error", "practice_id")
