"""The key of a provider, kept from every eye: no exception, log, repr or pickle holds it."""

from __future__ import annotations

import re
from collections.abc import MutableMapping

from research.model_terms import ModelFailed, ModelProblem

WRITABLE = re.compile(r"[!-~]{1,4096}")


class Key:
    """An API key and the header that it goes in ("" for no key). It shows itself to nobody.

    before: what stands before it in the header, "Bearer ".
    """

    __slots__ = ("_before", "_header", "_value")

    def __init__(self, value: str, header: str = "Authorization", before: str = "Bearer ") -> None:
        self._value, self._header, self._before = value.strip(), header, before

    def __repr__(self) -> str:
        return "Key(…)" if self._value else "Key()"

    def __reduce__(self) -> str:
        raise TypeError("A key is not written anywhere.")

    def put_into(self, headers: MutableMapping[str, str]) -> None:
        """Raises ModelFailed for a key that no header can hold, and that no provider gave."""
        if not self._value:
            return
        if not WRITABLE.fullmatch(self._value):
            words = "The key of the model holds a space, a line break or another character that no key has."
            raise ModelFailed(ModelProblem.UNAUTHORISED, f"{words} Give it again.")
        headers[self._header] = self._before + self._value

    def holds(self, text: str) -> bool:
        """Whether these words are part of the key."""
        return text in self._value
