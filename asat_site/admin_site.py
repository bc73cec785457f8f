"""The administration pages: read only, behind the ordinary sign-in.

A practice's owner sees its users and audit rows; a platform administrator sees practices, hosts, the law and
failed tasks. Nothing is written here: what may change is changed by a command or a page that knows the rules.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import URLPattern, URLResolver
from django.utils.http import urlencode


def may_administer(request: HttpRequest) -> bool:
    """Whether this is an owner of the practice, or a platform administrator at the platform's host."""
    user: Any = request.user
    practice = getattr(request, "practice", None)
    return bool(practice is not None and user.is_authenticated and user.is_active and user.is_owner)


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shows rows and offers no way to change them. Subclasses say where they belong with `where`.

    where: "practice", "platform" or "both".
    """

    where = "practice"
    actions: Any = None
    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        if not may_administer(request):
            return False
        at_platform = request.practice.is_platform  # type: ignore[attr-defined]
        return self.where == "both" or (self.where == "platform") == at_platform

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


class AsAtAdminSite(admin.AdminSite):
    """Django's admin behind our sign-in, for owners only."""

    site_header = "AsAt administration"
    site_title = "AsAt"
    index_title = "What can be looked at here"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return may_administer(request)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """The view for those who may; everyone else goes where `login` says."""
        inner = super().admin_view(view, cacheable)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            return inner(request, *args, **kwargs) if self.has_permission(request) else self.login(request)

        return guarded

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Sends an unknown visitor to the ordinary sign-in; one who is signed in lacks the right, and is told so."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect(f"{resolve_url('sign_in')}?{urlencode({'next': request.get_full_path()})}")

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Without the pages that write, and without a second way to sign out."""
        unwanted = {"logout", "password_change", "password_change_done", "view_on_site", "autocomplete"}
        return [url for url in super().get_urls() if getattr(url, "name", None) not in unwanted]
