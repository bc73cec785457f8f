"""Django's admin app with our site in place of its own."""

from django.contrib.admin.apps import AdminConfig


class AsAtAdminConfig(AdminConfig):
    default_site = "asat_site.admin_site.AsAtAdminSite"
    default = False
