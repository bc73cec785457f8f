"""Loads the project's own pytest plugin; what it does is written there."""

pytest_plugins = ["asat_site.testing.plugin"]
