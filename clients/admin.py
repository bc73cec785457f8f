"""The practice's clients, for its owner to look at: who they are, and never a tax file number."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from clients.models import Client


@admin.register(Client)
class ClientAdmin(ReadOnlyAdmin):
    list_display = ("name", "abn", "acn", "allows_remote", "archived_at")
    list_filter = ("allows_remote",)
    search_fields = ("name", "abn", "acn")
    fields = (
        "name", "trading_names", "abn", "acn", "addresses", "emails", "phones",
        "allows_remote", "created_at", "archived_at",
    )  # fmt: skip
