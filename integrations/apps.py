"""The integrations app: a practice's connections to other products, in its own schema."""

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    name = "integrations"
    label = "integrations"
    verbose_name = "Connections"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from integrations import checks  # noqa: F401 (registers the system checks)
