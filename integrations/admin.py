"""A practice's connections and imports, for its owner to look at. What opens a connection is never shown."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from integrations.models import Connection, ImportRun, XeroGrant, XeroOrganisation, XeroPush


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


@admin.register(XeroGrant)
class XeroGrantAdmin(ReadOnlyAdmin):
    list_display = ("vendor_user", "refreshed_at", "failing_since", "ended_at")
    fields = ("vendor_user", "scopes", "access_ends_at", "refreshed_at", "failing_since", "ended_at")


@admin.register(XeroOrganisation)
class XeroOrganisationAdmin(ReadOnlyAdmin):
    list_display = ("client", "connection", "tenant_id", "parked_until", "ending")
    fields = (
        "client",
        "connection",
        "grant",
        "tenant_id",
        "vendor_connection_id",
        "parked_until",
        "parked_why",
        "ending",
    )


@admin.register(XeroPush)
class XeroPushAdmin(ReadOnlyAdmin):
    list_display = ("queued_at", "client", "state", "why", "tries", "finished_at")
    list_filter = ("state",)
    fields = (
        "client", "tenant_id", "source_kind", "source_id", "bill", "state", "why", "notes", "contact_id", "invoice_id",
        "generation", "sent_at", "may_exist", "attachment_name", "attempt", "tries", "not_before", "by", "queued_at",
        "finished_at",
    )  # fmt: skip
