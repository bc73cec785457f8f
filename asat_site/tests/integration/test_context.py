"""The connection speaks as exactly one practice and user, or as none, whatever happened on it before."""

from __future__ import annotations

import pytest
from django.db import connection

from asat_site.accounts.models import User
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice

pytestmark = pytest.mark.security


def settings_now() -> tuple[str, str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('search_path'), current_setting('asat.practice_id', true),"
            " current_setting('asat.user_id', true)"
        )
        return tuple(cursor.fetchone())


def test_a_practice_sees_its_own_users_and_no_others(practice: KnownPractice, other_practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        assert set(User.objects.values_list("email", flat=True)) == {user.email for user in practice.users.values()}
    with in_practice(other_practice.practice):
        assert User.objects.count() == 4
    assert settings_now() == ('"public", pg_temp', "", "")
