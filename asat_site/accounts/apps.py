"""The accounts app: who may sign in. Made in public (platform administrators) and again in each practice."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "asat_site.accounts"
    label = "accounts"
    verbose_name = "Users"
    default_auto_field = "django.db.models.BigAutoField"
