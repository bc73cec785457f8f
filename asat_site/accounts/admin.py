"""The users of a practice, for its owner to look at; and the platform's, for its administrators."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group

from asat_site.accounts.models import User
from asat_site.admin_site import ReadOnlyAdmin

for model in (EmailAddress, Authenticator):  # allauth's pages would write, and show what is sealed
    admin.site.unregister(model)
admin.site.unregister(Group)  # what a user may do hangs on the role alone


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    where = "both"
    list_display = ("email", "first_name", "last_name", "role", "is_active", "last_login")
    list_filter = ("role", "is_active")
    search_fields = ("email", "first_name", "last_name")
    fields = ("email", "first_name", "last_name", "role", "is_active", "last_login", "date_joined")
