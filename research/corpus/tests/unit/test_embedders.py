"""The default embedder and the one for tests: whole texts only, unit vectors, near where the words are near."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from asat_site.testing.embedder import WordHashEmbedder
from research.adapters.embedders.files import checked_file
from research.adapters.embedders.onnx_minilm import OnnxMiniLM
from research.adapters.embedders.wordpiece import count_tokens
from research.adapters.model_refusals import ModelRefused, TextTooLong
from research.ports import Embedder

QUESTION = "Can I claim the cost of travelling from one port to another?"
NEAR = "A harbour pilot can deduct expenditure on travel between ports."
FAR = "A record must be kept in English and bound in a book."


@pytest.fixture(scope="module")
def minilm() -> OnnxMiniLM:
    return OnnxMiniLM(threads=1)


def cosine(one: list[float], two: list[float]) -> float:
    return sum(a * b for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("make", [OnnxMiniLM, WordHashEmbedder])
def test_vectors_are_of_length_one_and_of_the_size_promised(make: type[OnnxMiniLM] | type[WordHashEmbedder]) -> None:
    embedder: Embedder = make()
    for vector in embedder.embed([QUESTION, NEAR, "port"]):
        assert len(vector) == embedder.dimensions == 384
        assert math.isclose(cosine(vector, vector), 1.0, abs_tol=1e-5)


def test_a_paraphrase_is_nearer_than_another_rule(minilm: OnnxMiniLM) -> None:
    question, near, far = minilm.embed([QUESTION, NEAR, FAR])
    assert cosine(question, near) > 0.6 > 0.3 > cosine(question, far)


def test_a_neighbour_in_the_batch_does_not_change_a_vector(minilm: OnnxMiniLM) -> None:
    alone = minilm.embed([NEAR])[0]
    among = minilm.embed([FAR * 8, QUESTION, NEAR, "x"])[2]
    assert cosine(alone, among) > 0.999999


def test_vectors_come_in_the_order_of_the_texts(minilm: OnnxMiniLM) -> None:
    texts = [f"{'bell ' * n}rope" for n in (30, 1, 12, 5, 60, 2, 9, 3, 40, 7)]
    for text, vector in zip(texts, minilm.embed(texts), strict=True):
        assert cosine(vector, minilm.embed([text])[0]) > 0.99999


def test_no_texts_give_no_vectors(minilm: OnnxMiniLM) -> None:
    assert minilm.embed([]) == []


def test_a_text_that_would_be_cut_off_is_refused(minilm: OnnxMiniLM) -> None:
    fits, too_long = "bell " * 254, "bell " * 255
    assert minilm.count_tokens(fits) == 256
    minilm.embed([fits])
    with pytest.raises(TextTooLong, match="257 tokens"):
        minilm.embed([too_long])


def test_counting_leaves_special_tokens_out_and_adds_up_over_lines() -> None:
    assert count_tokens(["bell"]) == [1]
    one, two = "(1) You can deduct:", "(a) depreciation—$3.40; or"
    assert count_tokens([f"{one}\n{two}"]) == [sum(count_tokens([one, two]))]
    assert count_tokens([one] * 9) == count_tokens([one]) * 9


def test_a_model_file_with_other_bytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "a_model_package"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('the code of a data package must not run')")
    (package / "model.onnx").write_bytes(b"not the model")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelRefused, match=r"has sha256 [0-9a-f]{64}; wanted 0000"):
        checked_file("a_model_package", "model.onnx", "0" * 64)
    with pytest.raises(ModelRefused, match=r"tokenizer\.json is missing"):
        checked_file("a_model_package", "tokenizer.json", "0" * 64)
    with pytest.raises(ModelRefused, match="is not installed"):
        checked_file("no_such_package_here", "model.onnx", "0" * 64)


def test_the_identity_names_the_file_that_is_checked() -> None:
    assert OnnxMiniLM.identity == "minilm-l6-v2-int8@8199be6f699a"


def test_the_test_embedder_gives_near_vectors_to_shared_words() -> None:
    embedder = WordHashEmbedder()
    one, two, three = embedder.embed(["ring the bell", "the bell rings", "wholly other matters"])
    assert cosine(one, two) > cosine(one, three)
    assert embedder.embedded == ["ring the bell", "the bell rings", "wholly other matters"]
