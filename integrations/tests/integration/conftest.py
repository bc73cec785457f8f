"""Fixtures of the import's tests."""

from integrations.tests.integration.hubspot import contract

__all__ = ["contract"]
