"""Any sentence-transformers model, for installations with the `models` extra and, best, a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from research.adapters.embedders.files import ModelRefused
from research.adapters.embedders.onnx_minilm import TextTooLong


class SentenceTransformersEmbedder:
    """`research.ports.Embedder` over a model that is already on this machine; nothing is downloaded.

    model: name in the local cache, or a folder. revision: the exact commit, part of the identity; a folder has none
    and is named by `revision` all the same, so give it one of your own.
    Raises ModelRefused when the extra or the model is not there.
    """

    def __init__(self, model: str, revision: str, device: str | None = None) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelRefused("sentence-transformers is not installed; run: pip install '.[models]'") from error
        try:
            self._model: Any = SentenceTransformer(
                model, revision=revision or None, device=device, local_files_only=True, trust_remote_code=False
            )
        except (OSError, ValueError) as error:
            raise ModelRefused(f"the model {model!r} is not on this machine: {error}") from error
        self.identity = f"{model.rstrip('/').rpartition('/')[2]}@{revision or 'local'}"
        self.dimensions = int(self._model.get_sentence_embedding_dimension())
        self.max_tokens = int(self._model.max_seq_length)

    def count_tokens(self, text: str) -> int:
        return len(self._model.tokenizer(text, truncation=False, add_special_tokens=True)["input_ids"])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A unit vector for each text, in order. Raises TextTooLong where the model would cut one off."""
        for text in texts:
            tokens = self.count_tokens(text)
            if tokens > self.max_tokens:
                raise TextTooLong(
                    f"a text of {tokens} tokens begins {text[:40]!r}; {self.identity} reads {self.max_tokens}"
                )
        vectors = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return [[float(x) for x in vector] for vector in vectors]
