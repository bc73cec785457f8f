"""The integrations app: a practice's connections to other products, in its own schema."""

from django.apps import AppConfig


class IntegrationsConfig(AppConfig):
    name = "integrations"
    label = "integrations"
    verbose_name = "Connections"
    default_auto_field = "django.db.models.BigAutoField"
