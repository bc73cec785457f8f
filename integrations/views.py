"""Settings → Connections: every product this practice can be connected with, and how it stands. Owners only."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from asat_site.http import PracticeRequest
from integrations.hubspot import views as hubspot
from integrations.xero import views as xero


@require_safe
def connections(request: PracticeRequest) -> HttpResponse:
    """The page of all connections."""
    if not request.user.is_owner:
        raise PermissionDenied
    return render(request, "integrations/connections.html", hubspot.card() | xero.card(request))
