"""The clients app: whom a practice works for, in its own schema."""

from django.apps import AppConfig


class ClientsConfig(AppConfig):
    name = "clients"
    label = "clients"
    verbose_name = "Clients"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from clients.documents import checks  # noqa: F401 (registers the system checks)
