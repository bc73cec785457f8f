"""A practice's connections and imports, for its owner to look at. What opens a connection is never shown."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from integrations.models import Connection, ImportRun


@admin.register(Connection)
class ConnectionAdmin(ReadOnlyAdmin):
    list_display = ("kind", "client", "status", "why", "connected_by", "connected_at", "checked_at")
    list_filter = ("kind", "status")
    fields = (
        "kind", "client", "status", "why", "scopes", "account_id", "account_name",
        "connected_by", "connected_at", "checked_at", "expires_at",
    )  # fmt: skip


@admin.register(ImportRun)
class ImportRunAdmin(ReadOnlyAdmin):
    list_display = ("started_at", "connection", "status", "why", "started_by", "finished_at")
    list_filter = ("status",)
    fields = (
        "connection", "status", "why", "tally", "report", "started_by", "started_at",
        "confirmed_by", "confirmed_at", "finished_at", "attempts", "heartbeat_at",
    )  # fmt: skip
