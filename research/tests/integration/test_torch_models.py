"""Embedder, cross-encoder and groundedness of the `models` extra, run for real with tiny random weights.

Where PyTorch is absent they are skipped, and say so; CI installs it.
"""

from __future__ import annotations

import json
import logging
import math
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from asat_site.testing.passages import section
from research.adapters.cross_encoder import CrossEncoderReranker
from research.adapters.embedders.sentence_transformer import SentenceTransformerEmbedder
from research.adapters.groundedness import FORM, HhemScorer
from research.adapters.model_folder import ModelFolder, model_folder
from research.adapters.model_refusals import ModelRefused, TextTooLong
from research.ports import Embedder, GroundednessScorer, Reranker
from research.terms import Fit, Sought, Window
from research.tests.tiny_models import WIDTH, tiny_cross_encoder, tiny_embedder, tiny_hhem

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install .[models]")
pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed: pip install .[models]")

pytestmark = pytest.mark.integration

SOUGHT = Sought("when is the bell rung?", Window(date(2014, 7, 1), date(2015, 6, 30)))
BELLS = section("1-1", "Bells", "(1) A keeper rings the bell at noon.", "(2) A bell of brass is polished.")
GONGS = section("2-1", "Gongs", "(1) A gong is no bell.")
EMBEDDER, RERANKER, HHEM = "bge-m3", "bge-reranker-v2-m3", "hhem-2.1-open"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as ASAT_MODEL_DIRECTORY names one."""
    folder = tmp_path_factory.mktemp("models")
    tiny_embedder(folder / EMBEDDER, prompts={"query": "asked: ", "document": ""})
    tiny_cross_encoder(folder / RERANKER)
    tiny_hhem(folder / HHEM)
    return folder


def held(models: Path, name: str) -> ModelFolder:
    return model_folder(str(models), name, {})


# Embedder


def test_vectors_have_length_one_and_hang_neither_on_the_batch_nor_on_the_run(models: Path) -> None:
    embedder: Embedder = SentenceTransformerEmbedder(held(models, EMBEDDER), batch=2)
    texts = ["the bell is rung", "a gong", "x", "at noon, and at no other hour, a keeper rings the bell"]
    vectors = embedder.embed(texts)
    assert [len(vector) for vector in vectors] == [WIDTH] * 4 and embedder.dimensions == WIDTH
    assert [math.fsum(x * x for x in vector) for vector in vectors] == pytest.approx([1.0] * 4, abs=1e-5)
    for text, vector in zip(texts, vectors, strict=True):
        assert embedder.embed([text])[0] == pytest.approx(vector, abs=1e-5)
    again = SentenceTransformerEmbedder(held(models, EMBEDDER), batch=2)
    assert (again.identity, again.embed(texts)) == (embedder.identity, vectors)
    assert embedder.embed([]) == []


def test_a_question_is_read_under_its_prompt_and_a_passage_is_not(models: Path) -> None:
    embedder = SentenceTransformerEmbedder(held(models, EMBEDDER))
    asked = embedder.embed_question("the bell")
    assert asked == pytest.approx(embedder.embed(["asked: the bell"])[0], abs=1e-6)
    assert asked != pytest.approx(embedder.embed(["the bell"])[0], abs=1e-6)


def test_a_model_without_prompts_reads_both_alike(tmp_path: Path) -> None:
    tiny_embedder(tmp_path / EMBEDDER)
    embedder = SentenceTransformerEmbedder(held(tmp_path, EMBEDDER))
    assert embedder.embed_question("the bell") == embedder.embed(["the bell"])[0]


def test_a_text_that_would_be_cut_off_is_refused_and_not_embedded(models: Path) -> None:
    embedder = SentenceTransformerEmbedder(held(models, EMBEDDER))
    assert (embedder.max_tokens, embedder.count_tokens("a" * 298)) == (300, 300)
    assert len(embedder.embed(["a" * 298])[0]) == WIDTH
    with pytest.raises(TextTooLong, match="a text of 301 tokens begins 'aaaa"):
        embedder.embed(["a", "a" * 299])
    with pytest.raises(TextTooLong, match="a text of 301 tokens"):
        embedder.embed_question("a" * 292)


def test_a_module_of_the_folders_own_code_is_refused_before_anything_is_loaded(models: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(models / EMBEDDER, tmp_path / EMBEDDER))
    (folder / "own.py").write_text("raise SystemExit('this code was run')")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "own.Module"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(ModelRefused, match=r"a module of type 'own\.Module', which is code of its own"):
        held(tmp_path, EMBEDDER)


def test_files_that_contradict_the_weights_are_refused_on_first_use(models: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(models / EMBEDDER, tmp_path / EMBEDDER))
    (folder / "modules.json").unlink()
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "unheard-of"}))
    with pytest.raises(ModelRefused, match="cannot be loaded as bge-m3"):
        SentenceTransformerEmbedder(held(tmp_path, EMBEDDER)).embed(["a"])


# Reranker


def test_scores_are_logistic_and_hang_neither_on_the_batch_nor_on_the_order(models: Path) -> None:
    offered = [*BELLS, *GONGS]
    reranker: Reranker = CrossEncoderReranker(held(models, RERANKER), batch=1)
    fits = reranker.score(SOUGHT, offered)
    assert reranker.identity == f"cross-encoder:{held(models, RERANKER).identity}"
    together = CrossEncoderReranker(held(models, RERANKER), batch=8)
    assert [fit.closeness for fit in together.score(SOUGHT, offered)] == pytest.approx([f.closeness for f in fits])
    assert together.score(SOUGHT, offered[::-1]) == together.score(SOUGHT, offered)[::-1]
    assert all(0.0 < fit.closeness < 1.0 for fit in fits)


def test_the_score_is_the_logistic_function_of_the_models_own_number(models: Path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(models / RERANKER)
    model = AutoModelForSequenceClassification.from_pretrained(models / RERANKER).eval()
    text = f"{GONGS[0].authority} Gongs\n{GONGS[0].text}"
    asked = tokenizer([SOUGHT.question], [text], return_tensors="pt", return_token_type_ids=True)
    with torch.inference_mode():
        logit = float(model(**asked).logits[0, 0])
    (fit,) = CrossEncoderReranker(held(models, RERANKER)).score(SOUGHT, GONGS)
    assert fit == Fit(fit.closeness, pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-6))


def test_a_provision_is_as_relevant_as_its_best_passage(models: Path) -> None:
    first, second, other = CrossEncoderReranker(held(models, RERANKER)).score(SOUGHT, [*BELLS, *GONGS])
    assert first.relevance == second.relevance == max(first.closeness, second.closeness)
    assert first.closeness != second.closeness and other.relevance == other.closeness


def test_passages_beyond_the_most_are_said_to_be_unscored(models: Path) -> None:
    first, second, other = CrossEncoderReranker(held(models, RERANKER), most=1).score(SOUGHT, [*BELLS, *GONGS])
    assert first.signs == {} and first.relevance == first.closeness
    assert second == Fit(first.relevance, 0.0, {"not_scored": 1.0})
    assert other == Fit(0.0, 0.0, {"not_scored": 1.0})


def test_a_passage_longer_than_the_window_is_judged_by_its_beginning_and_says_so(
    models: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reranker = CrossEncoderReranker(held(models, RERANKER))
    long, longer = (section("3-1", "Chimes", "(1) chimes " + "a" * n)[0] for n in (1000, 1100))
    with caplog.at_level(logging.WARNING):
        one, two = reranker.score(SOUGHT, [long, longer])
    assert reranker.max_tokens == 600
    assert two.signs["tokens_not_read"] == one.signs["tokens_not_read"] + 100 > 400
    assert one.closeness == pytest.approx(two.closeness)
    assert "read 2 of 2 passages in part" in caplog.text and "chimes" not in caplog.text


def test_a_question_that_leaves_no_room_is_refused(models: Path) -> None:
    with pytest.raises(ValueError, match="The question fills the 600 tokens"):
        CrossEncoderReranker(held(models, RERANKER)).score(Sought("a" * 600, SOUGHT.window), GONGS)


def test_a_classifier_of_several_labels_is_no_reranker(tmp_path: Path) -> None:
    tiny_cross_encoder(tmp_path / RERANKER, labels=3)
    with pytest.raises(ModelRefused, match="gives 3 numbers for a pair; a reranker gives one"):
        CrossEncoderReranker(held(tmp_path, RERANKER)).score(SOUGHT, GONGS)


# Groundedness


def test_the_score_is_the_probability_of_the_published_form_at_its_first_token(models: Path) -> None:
    """Recomputed from the parts: the encoder alone, its first state, the linear layer, the softmax."""
    from safetensors.torch import load_file
    from tokenizers import Tokenizer
    from transformers import T5Config, T5EncoderModel

    weights = load_file(str(models / HHEM / "model.safetensors"))
    sizes = {"d_model": WIDTH, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
    more = {"relative_attention_num_buckets": 16, "feed_forward_proj": "gated-gelu"}
    encoder = T5EncoderModel(T5Config(vocab_size=weights["t5.transformer.shared.weight"].shape[0], **sizes, **more))
    inside = "t5.transformer."
    encoder.load_state_dict({n.removeprefix(inside): w for n, w in weights.items() if n.startswith(inside)}, False)
    text = FORM.format(premise="a keeper rings the bell\nat noon", prose="the bell is rung")
    ids = Tokenizer.from_file(str(models / HHEM / "tokenizer.json")).encode(text).ids
    assert ids[0] == 0  # the padding, as one token
    with torch.inference_mode():
        first = encoder.eval()(input_ids=torch.tensor([ids])).last_hidden_state[0, 0]
        odds = torch.softmax(first @ weights["t5.classifier.weight"].T + weights["t5.classifier.bias"], dim=-1)
    scorer: GroundednessScorer = HhemScorer(held(models, HHEM))
    found = scorer.score("the bell is rung", ["a keeper rings the bell", "at noon"])
    assert found == pytest.approx(float(odds[1]), abs=1e-6) and 0.0 < found < 1.0
    assert scorer.identity == held(models, HHEM).identity and scorer.identity.startswith("hhem-2.1-open@")


def test_the_score_is_the_same_each_time_and_changes_with_prose_and_quotes(models: Path) -> None:
    one, two = HhemScorer(held(models, HHEM)), HhemScorer(held(models, HHEM))
    asked = ("the bell is rung", ["a keeper rings the bell"])
    assert one.score(*asked) == one.score(*asked) == two.score(*asked)
    assert len({one.score(*asked), one.score("a gong", asked[1]), one.score(asked[0], ["a gong"])}) == 3
    assert one.score("the bell is rung", []) == 0.0


def test_a_premise_too_long_is_refused_and_not_cut(models: Path) -> None:
    with pytest.raises(TextTooLong, match="give at most 4096"):
        HhemScorer(held(models, HHEM)).score("the bell is rung", ["a" * 4096])


def test_weights_of_another_model_are_refused(models: Path, tmp_path: Path) -> None:
    shutil.copytree(models / HHEM, tmp_path / HHEM)
    shutil.copy(models / RERANKER / "model.safetensors", tmp_path / HHEM)
    with pytest.raises(ModelRefused, match=r"has no transformer\.shared\.weight; it is not HHEM-2\.1-open"):
        HhemScorer(held(tmp_path, HHEM)).score("a", ["b"])


# What they are named by, and where they run

MAKERS: list[tuple[str, Callable[..., Path]]] = [
    (EMBEDDER, tiny_embedder),
    (RERANKER, tiny_cross_encoder),
    (HHEM, tiny_hhem),
]


@pytest.mark.parametrize(("name", "make"), MAKERS)
def test_other_weights_are_another_model_and_the_same_ones_the_same(
    name: str, make: Callable[..., Path], tmp_path: Path
) -> None:
    for folder, seed in (("a", 5), ("b", 5), ("c", 6)):
        make(tmp_path / folder / name, seed=seed)
    one, same, other = (held(tmp_path / folder, name).identity for folder in "abc")
    assert one == same != other


def test_cuda_is_not_replaced_unsaid_and_auto_takes_what_is_there(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ModelRefused, match="ASAT_TORCH_DEVICE is cuda and PyTorch sees none here"):
        SentenceTransformerEmbedder(held(models, EMBEDDER), device="cuda").embed(["a"])
    assert len(SentenceTransformerEmbedder(held(models, EMBEDDER), device="auto").embed(["a"])) == 1


def test_the_threads_are_those_that_were_given(models: Path) -> None:
    before = torch.get_num_threads()
    try:
        HhemScorer(held(models, HHEM), threads=2).score("a", ["b"])
        assert torch.get_num_threads() == 2
        HhemScorer(held(models, HHEM), threads=1).score("a", ["b"])
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
