"""The step between the password and the session: the code of the second factor, for whoever has one."""

from __future__ import annotations

from typing import Any

from allauth.account.stages import LoginStage
from django.shortcuts import redirect

from asat_site.accounts import factors


class CodeStage(LoginStage):
    """Holds a sign-in until a code is given. What the password was then is kept: changed meanwhile, it begins anew."""

    key = "second_factor"
    urlname = "sign_in_code"

    def handle(self) -> tuple[Any, bool]:
        """(where to go, whether to go on); (None, True) for a user without a second factor."""
        if self.login.user is None or not factors.has_factor(self.login.user):
            return None, True
        self.state["password"] = self.login.user.get_session_auth_hash()
        return redirect(self.urlname), True

    def still_holds(self) -> bool:
        """Whether the user may still sign in with what was given at the first step."""
        user = self.login.user
        if not user or not user.is_active or not factors.has_factor(user):
            return False
        return bool(self.state.get("password") == user.get_session_auth_hash())
