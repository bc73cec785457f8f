"""The law in the admin of the platform: read only, so that an administrator sees what is loaded and changes nothing."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from research.corpus import models


@admin.register(models.Instrument)
class InstrumentAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["code", "title", "kind", "framework", "title_id"]
    list_filter = ["kind", "framework"]
    search_fields = ["code", "title"]
    ordering = ["code"]


@admin.register(models.Compilation)
class CompilationAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = [
        "instrument", "dated", "number", "register_id", "starts", "ends", "provisions", "has_endnotes", "licence",
        "imported_at",
    ]  # fmt: skip
    list_filter = ["licence", "has_endnotes", "dated"]
    list_select_related = ["instrument"]
    search_fields = ["instrument__code", "instrument__title", "register_id"]
    ordering = ["instrument_id", "dated"]


@admin.register(models.Provision)
class ProvisionAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["document_id", "instrument", "schedule", "section"]
    list_select_related = ["instrument"]
    search_fields = ["=section", "document_id"]
    ordering = ["instrument_id", "sort_key"]


@admin.register(models.VersionDates)
class VersionDatesAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["provision", "certain", "possible", "dating", "basis_from", "basis_to", "recorded"]
    list_filter = ["dating", "is_retrospective"]
    list_select_related = ["provision"]
    search_fields = ["provision__document_id"]
    ordering = ["provision__instrument_id", "provision__sort_key", "id"]


@admin.register(models.Amendment)
class AmendmentAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["compilation", "schedule", "section", "effect", "act", "days", "unresolved", "is_applied"]
    list_filter = ["effect", "is_applied"]
    list_select_related = ["compilation"]
    search_fields = ["=section", "act"]
    ordering = ["compilation_id", "schedule", "section", "position"]


@admin.register(models.ImportRun)
class ImportRunAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["started_at", "file_name", "outcome", "file_bytes", "seconds", "message"]
    list_filter = ["outcome", "started_at"]
    search_fields = ["file_name", "file_sha256", "message"]
    ordering = ["-started_at", "-id"]


@admin.register(models.Licence)
class LicenceAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["code", "title", "may_be_served", "why_not", "url"]
    list_filter = ["may_be_served"]
    ordering = ["code"]


@admin.register(models.RegisterCheck)
class RegisterCheckAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["instrument", "tried_at", "outcome", "newest_register_id", "is_newer", "text_not_current_from"]
    list_filter = ["outcome", "is_newer"]
    list_select_related = ["instrument"]
    ordering = ["instrument_id"]


@admin.register(models.IndexState)
class IndexStateAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["corpus_sha256", "settings", "embedder", "chunks", "recorded"]
    ordering = ["-recorded"]


@admin.register(models.VerifiedExample)
class VerifiedExampleAdmin(ReadOnlyAdmin):
    where = "platform"
    list_display = ["question", "year", "verified_at"]
    ordering = ["id"]
