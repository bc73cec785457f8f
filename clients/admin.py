"""The practice's clients, for its owner to look at: who they are, and never a tax file number."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from clients.models import Client


@admin.register(Client)
class ClientAdmin(ReadOnlyAdmin):
    list_display = ("name", "entity_type", "abn", "acn", "allows_remote", "archived_at")
    list_filter = ("entity_type", "allows_remote")
    search_fields = ("name", "abn", "acn")
    fields = (
        "name", "trading_names", "entity_type", "abn", "acn", "gst_registered", "bas_cycle", "income_year_end",
        "addresses", "emails", "phones", "tags", "allows_remote", "created_at", "archived_at",
    )  # fmt: skip
