"""The page that asks an owner for their password, and a code where they have one, before somebody is let in anew.

What they were about to do is sent along and done by the same address, so that it works without script.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from asat_site.accounts.forms import ConfirmForm

_CARRIED = ("email", "role", "required")


def asked_again(request: Any, doing: str) -> HttpResponse | None:
    """None where what was sent holds the owner's own password and code; else the page that asks for them.

    doing: what they are about to do, as a sentence.
    """
    form = ConfirmForm(request, request.POST if "password" in request.POST else None)
    if form.is_valid():
        return None
    carried = [(name, request.POST[name]) for name in _CARRIED if name in request.POST]
    context = {"form": form, "doing": doing, "carried": carried}
    return render(request, "accounts/confirm.html", context, status=422 if form.is_bound else 200)
