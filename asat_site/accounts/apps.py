"""The accounts app: who may sign in. Made in public (platform administrators) and again in each practice."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "asat_site.accounts"
    label = "accounts"
    verbose_name = "Users"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Without this, what the web server and commands enqueue would go to Celery's default broker, not to ours.
        from asat_site import celery  # noqa: F401
