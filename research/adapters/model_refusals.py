"""What a model's adapter raises: for files that are not to be loaded, and for a text that it cannot read whole."""

from __future__ import annotations


class ModelRefused(RuntimeError):
    """A model file that is missing, or is not the one that was measured: it is not loaded."""


class TextTooLong(ValueError):
    """A text of more tokens than the model reads. It is refused; cutting it off would lose law without a sign."""

    def __init__(self, text: str, tokens: int, most: int) -> None:
        super().__init__(
            f"a text of {tokens} tokens begins {text[:40]!r}; give at most {most}, special tokens included"
        )
