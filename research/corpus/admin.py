"""The law in the admin of the platform: read only, so that an administrator sees what is loaded and changes nothing."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from research.corpus import models


@admin.register(models.Instrument)
class InstrumentAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["code", "title"]
    search_fields = ["code", "title"]
    ordering = ["code"]


@admin.register(models.Compilation)
class CompilationAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["instrument", "dated", "number", "register_id", "provisions", "imported_at"]
    list_filter = ["dated"]
    list_select_related = ["instrument"]
    ordering = ["instrument_id", "dated"]


@admin.register(models.Provision)
class ProvisionAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["document_id", "instrument", "schedule", "section"]
    list_select_related = ["instrument"]
    search_fields = ["=section", "document_id"]
    ordering = ["instrument_id", "sort_key"]


@admin.register(models.ProvisionVersion)
class ProvisionVersionAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["provision", "heading", "certain", "possible", "dating", "kind"]
    list_filter = ["dating", "kind"]
    list_select_related = ["provision"]
    search_fields = ["heading", "provision__document_id"]
    ordering = ["provision__instrument_id", "provision__sort_key", "id"]


@admin.register(models.IndexState)
class IndexStateAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["corpus_sha256", "settings", "embedder", "chunks", "updated_at"]


@admin.register(models.VerifiedExample)
class VerifiedExampleAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["question", "year", "verified_at"]
