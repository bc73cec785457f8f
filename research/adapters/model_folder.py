"""Models that an operator puts in a folder: which files each needs, and the digest that names them. Loads nothing.

Nothing is fetched here and no code out of a folder is run. `ASAT_MODEL_DIRECTORY/NAME` holds a model's files as its
publisher lays them out; a digest over all that decides what it computes is part of every identity, so that other
weights are another model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from research.adapters.model_refusals import ModelRefused

PUBLISHERS = {  # where `hf download` finds it, for a message about a folder that is not there
    "qwen3-embedding-0.6b": "Qwen/Qwen3-Embedding-0.6B",
    "bge-m3": "BAAI/bge-m3",
    "bge-reranker-v2-m3": "BAAI/bge-reranker-v2-m3",
    "hhem-2.1-open": "vectara/hallucination_evaluation_model",
}
EMBEDDERS = ("qwen3-embedding-0.6b", "bge-m3")
RERANKERS = ("bge-reranker-v2-m3",)
GROUNDEDNESS = ("hhem-2.1-open",)

_TOLD = (".json", ".txt", ".model")  # configuration, vocabularies and merges
_BLOCK = 12  # digits of a digest in an identity


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model's folder whose files are all there. digest: sha256 over their names and contents, hex."""

    name: str
    path: Path
    digest: str

    @property
    def identity(self) -> str:
        """ "bge-m3@0123456789ab": these weights and this configuration, and no others."""
        return f"{self.name}@{self.digest[:_BLOCK]}"

    def read(self, inside: str) -> dict[str, Any]:
        """A configuration file's object; {} where the model has none of that name. Raises ModelRefused."""
        path = self.path / inside
        if not path.is_file():
            return {}
        found = _json(path)
        if not isinstance(found, dict):
            raise ModelRefused(f"{path} holds no JSON object; fetch {self.name} again.")
        return found

    def modules(self) -> list[str]:
        """The folders of its modules, in order; "" is the folder itself."""
        found = _json(self.path / "modules.json") if (self.path / "modules.json").is_file() else []
        return [str(module["path"]) for module in found]

    @property
    def tokenizer(self) -> Path:
        return self.path / "tokenizer.json"


def model_folder(directory: str, name: str, pins: Mapping[str, str]) -> ModelFolder:
    """The folder of a model under `directory`, with everything that a load needs.

    pins: name → the digest that it must begin with; a model without a pin is taken as it is. Raises ModelRefused naming
    what is missing and how to get it, for files that are not those pinned, and for parts that would run code.
    """
    if not directory:
        raise ModelRefused(
            f"ASAT_MODEL_DIRECTORY is not set; give the folder that holds {name}/. {how_to_fetch(name, 'DIRECTORY')}"
        )
    path = Path(directory) / name
    files = _files_of(path)
    missing = [wanted for wanted in ("config.json", "tokenizer.json") if path / wanted not in files]
    if not any(file.suffix in (".safetensors", ".bin") for file in files):
        missing.append("model.safetensors")
    if missing:
        raise ModelRefused(f"{path} lacks {', '.join(missing)}. {how_to_fetch(name, directory)}")
    found = ModelFolder(name, path, _digest(path, files))
    if not found.digest.startswith(pins.get(name, "")):
        raise ModelRefused(
            f"{path} has the digest {found.digest[:_BLOCK]}; ASAT_MODEL_PINS wants {pins[name]}. Fetch the "
            "revision that was pinned, or pin this one after you have looked at it."
        )
    return found


def how_to_fetch(name: str, directory: str) -> str:
    """The command that brings a model, to be run where there is a network."""
    said = f"On a machine with a network: hf download {PUBLISHERS[name]} --local-dir {directory}/{name}"
    if name in GROUNDEDNESS:
        said += (
            f"; then for its tokenizer: hf download google/flan-t5-base tokenizer.json --local-dir {directory}/{name}"
        )
    return f"{said}. AsAt itself fetches nothing."


def pins_of(written: list[str]) -> dict[str, str]:
    """ "bge-m3=0123456789ab" → name and digest. Raises ValueError for what is not of that form, or for no model."""
    pins: dict[str, str] = {}
    for one in written:
        name, _, digest = one.partition("=")
        if name not in PUBLISHERS or len(digest) < _BLOCK or set(digest) - set("0123456789abcdef"):
            known = ", ".join(PUBLISHERS)
            raise ValueError(
                f"{one!r} is no pin; give NAME=DIGEST of {_BLOCK} hex digits or more, NAME one of {known}."
            )
        pins[name] = digest
    return pins


def _files_of(path: Path) -> list[Path]:
    """What decides the model's output, in order: of two kinds of weights the one that is loaded, and each module's.

    A module that is not one of sentence-transformers' own is code of the folder's, which that library would run.
    """
    modules = _json(path / "modules.json") if (path / "modules.json").is_file() else []
    for module in modules:
        if not str(module["type"]).startswith("sentence_transformers."):
            raise ModelRefused(
                f"{path} has a module of type {module['type']!r}, which is code of its own; it is not run."
            )
    folders = [path, *(path / module["path"] for module in modules if module["path"])]
    found = [file for folder in folders if folder.is_dir() for file in sorted(folder.iterdir()) if file.is_file()]
    weights = [file for file in found if file.suffix == ".safetensors"]
    weights = weights or [file for file in found if file.match("pytorch_model*.bin")]
    return sorted({*weights, *(file for file in found if file.suffix in _TOLD)})


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelRefused(f"{path} cannot be read as JSON: {error}. Fetch it again.") from error


def _digest(path: Path, files: list[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            whole.update(f"{file.relative_to(path)} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()
