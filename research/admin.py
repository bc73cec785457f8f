"""The practice's audit rows, for its owner to look at; nothing can be added, changed or removed here."""

from django.contrib import admin

from asat_site.admin_site import ReadOnlyAdmin
from research.models import AuditRow


@admin.register(AuditRow)
class AuditRowAdmin(ReadOnlyAdmin):
    list_display = ("number", "recorded_at", "kind", "question_id", "digest")
    list_filter = ("kind",)
    date_hierarchy = None
    fields = ("number", "recorded_at", "kind", "question_id", "payload", "prev_digest", "digest")
    ordering = ("-number",)
