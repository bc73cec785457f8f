"""The quote checker: a pasted text, citation by citation. Nothing of it is kept or logged."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from asat_site.http import PracticeRequest
from asat_site.middleware import open_to_readers
from research import queries
from research.law.income_year import income_year_of
from research.presentation.as_at import as_at_of
from research.presentation.quote_check import NotCheckable, checked
from research.quote_check import MOST_CHARS


@open_to_readers
@sensitive_post_parameters("text")
@sensitive_variables()
@require_http_methods(["GET", "HEAD", "POST"])
def quotes(request: PracticeRequest) -> HttpResponse:
    """The form, and under it what was found of the text sent with it; for htmx that part alone."""
    years = queries.covered_years()[::-1]
    latest = years[0] if years else income_year_of(timezone.localdate())
    text, asked = request.POST.get("text", ""), request.POST.get("as_at", "")
    page: dict[str, Any] = {
        "years": years,
        "typed": text,
        "as_at": asked or latest.label,
        "most_chars": f"{MOST_CHARS:,}",
    }
    status = 200
    if request.method == "POST":
        try:
            page["check"] = checked(text, as_at_of(asked, latest))
        except NotCheckable as refused:
            page["refused"], status = refused.message, 422
        except ValueError as error:  # of the days
            page["refused"], status = f"{str(error)[:1].upper()}{str(error)[1:]}.", 422
    template = "research/_quotes_result.html" if request.htmx else "research/quotes.html"
    response = render(request, template, page, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
