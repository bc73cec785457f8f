"""The research app: questions, answers and their audit chain, in each practice's schema."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    name = "research"
    label = "research"
    verbose_name = "Research"
    default_auto_field = "django.db.models.BigAutoField"
