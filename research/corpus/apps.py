"""The corpus app: the law, once for every practice, in the public schema."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    name = "research.corpus"
    label = "corpus"
    verbose_name = "The law"
    default_auto_field = "django.db.models.BigAutoField"
