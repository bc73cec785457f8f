"""The page on which an owner chooses who drafts answers, and sees what would be sent."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from asat_site.http import PracticeRequest
from research import queries, services_models
from research.adapters.generators.probe import SAFE_ANYWAY
from research.forms import AskForm
from research.forms_models import ModelForm
from research.question.route import MOST_CHARS


@sensitive_post_parameters("key")
@require_http_methods(["GET", "HEAD", "POST"])
def models(request: PracticeRequest) -> HttpResponse:
    """Who drafts: shown and, by POST, settled. Owners only."""
    _owners_only(request)
    if request.method != "POST":
        return render(request, "research/models.html", _context(_form()))
    form = ModelForm(request.POST)
    if form.is_valid():
        try:
            services_models.settle(request.user, form.choice)
            return redirect("models")
        except services_models.NotSettled as refused:
            form.add_error(None, refused.message)
    return render(request, "research/models.html", _context(form), status=422)


@require_POST
def preview(request: PracticeRequest) -> HttpResponse:
    """What would be sent for a question, word for word. Nothing is sent, and nothing is kept."""
    _owners_only(request)
    form = AskForm(request.POST)
    if form.is_valid():
        seen = services_models.preview(form.cleaned_data["question"], form.cleaned_data["year"], timezone.localdate())
    else:
        seen = services_models.Preview(told=form.what_is_wrong)
    typed = str(request.POST.get("question", ""))[:MOST_CHARS]
    if request.htmx:
        response = render(request, "research/_model_preview.html", {"seen": seen})
    else:
        response = render(request, "research/models.html", _context(_form()) | {"seen": seen, "typed": typed})
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def try_it(request: PracticeRequest) -> HttpResponse:
    """What works of the practice's model: asked now, in the request, for an owner who waits for it."""
    _owners_only(request)
    tried = {"report": services_models.try_model(), "safe_anyway": SAFE_ANYWAY}
    if request.htmx:
        response = render(request, "research/_model_probe.html", tried)
    else:
        response = render(request, "research/models.html", _context(_form()) | tried)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _owners_only(request: PracticeRequest) -> None:
    if not request.user.is_owner:
        raise PermissionDenied


def _form() -> ModelForm:
    row = services_models.settings_of_practice()
    return ModelForm(
        initial={
            "provider": row.provider,
            "vendor": row.vendor,
            "model": row.model,
            "address": row.url,
            "twice": row.samples == 2,
            "allows_remote": row.allows_remote,
        }
    )


def _context(form: ModelForm) -> dict[str, Any]:
    row = services_models.settings_of_practice()
    return {
        "form": form,
        "has_key": bool(row.sealed_key),
        "changed_at": row.changed_at if row.pk else None,
        "changed_by": row.changed_by,
        "installation": services_models.installation_model(),
        "who": services_models.drafting_now(),
        "question_limit": MOST_CHARS,
        "years": queries.covered_years()[::-1],
    }
