"""Which files a model needs and what names it: without PyTorch, and without reading a weight as anything but bytes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from research.adapters.model_folder import model_folder, pins_of
from research.adapters.model_refusals import ModelRefused

pytestmark = pytest.mark.unit

NAME = "bge-m3"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.mkdir()
    for inside in ("config.json", "tokenizer.json"):
        (path / inside).write_text("{}")
    (path / "model.safetensors").write_bytes(b"weights")
    return path


def identity(folder: Path) -> str:
    return model_folder(str(folder.parent), NAME, {}).identity


def test_what_is_missing_is_named_with_the_command_that_fetches_it(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "config.json").write_text("{}")
    with pytest.raises(ModelRefused) as refused:
        model_folder(str(tmp_path), NAME, {})
    assert str(refused.value) == (
        f"{tmp_path}/bge-m3 lacks tokenizer.json, model.safetensors. On a machine with a network: "
        f"hf download BAAI/bge-m3 --local-dir {tmp_path}/bge-m3. AsAt itself fetches nothing."
    )


def test_a_folder_that_is_not_there_lacks_everything(tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match=r"lacks config\.json, tokenizer\.json, model\.safetensors"):
        model_folder(str(tmp_path), NAME, {})


def test_without_a_directory_the_setting_is_named() -> None:
    with pytest.raises(ModelRefused, match=r"ASAT_MODEL_DIRECTORY is not set; give the folder that holds hhem"):
        model_folder("", "hhem-2.1-open", {})


def test_hhem_is_told_where_its_tokenizer_comes_from(tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match=r"hf download google/flan-t5-base tokenizer\.json"):
        model_folder(str(tmp_path), "hhem-2.1-open", {})


@pytest.mark.parametrize("inside", ["config.json", "tokenizer.json", "model.safetensors", "1_Pooling/config.json"])
def test_every_file_that_decides_is_part_of_the_name(folder: Path, inside: str) -> None:
    modules = [{"path": "", "type": "sentence_transformers.models.Transformer"}]
    modules += [{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text("{}")
    before = identity(folder)
    (folder / inside).write_bytes((folder / inside).read_bytes() + b" ")
    assert identity(folder) != before


def test_files_that_decide_nothing_are_no_part_of_the_name(folder: Path) -> None:
    before = identity(folder)
    assert before.startswith("bge-m3@") and len(before) == len("bge-m3@") + 12
    (folder / "README.md").write_text("words")
    (folder / "pytorch_model.bin").write_bytes(b"the same weights in the older form, which are not loaded")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "config.json").write_text("{}")
    assert identity(folder) == before


def test_a_pin_that_does_not_fit_is_refused_and_one_that_fits_is_not(folder: Path) -> None:
    digest = model_folder(str(folder.parent), NAME, {}).digest
    assert model_folder(str(folder.parent), NAME, {NAME: digest[:16]}).digest == digest
    with pytest.raises(ModelRefused, match=rf"has the digest {digest[:12]}; ASAT_MODEL_PINS wants 0{{12}}"):
        model_folder(str(folder.parent), NAME, {NAME: "0" * 12})


def test_pins_are_read_strictly() -> None:
    assert pins_of(["bge-m3=0123456789ab"]) == {"bge-m3": "0123456789ab"}
    for written in ("bge-m3", "bge-m3=0123", "bge-m3=0123456789AB", "other=0123456789ab"):
        with pytest.raises(ValueError, match="is no pin; give NAME=DIGEST"):
            pins_of([written])
