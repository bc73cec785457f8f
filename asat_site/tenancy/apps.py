"""The tenancy app: practices, their hosts, and the walls between them. Shared: it lives once, in public."""

from django.apps import AppConfig


class TenancyConfig(AppConfig):
    name = "asat_site.tenancy"
    label = "tenancy"
    verbose_name = "Practices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from asat_site.tenancy import checks  # noqa: F401 (registers the system checks; models are loaded now)
