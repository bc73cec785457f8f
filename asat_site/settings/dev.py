"""A developer's or newcomer's machine: `make run`."""

from asat_site.settings.base import *  # noqa: F403

WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
