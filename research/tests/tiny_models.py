"""Tiny models with random weights, laid out as their publishers lay out the real ones: 2 layers, 32 numbers wide.

What they say means nothing; that they load, batch, cut and name themselves rightly can be tested all the same.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, models, pre_tokenizers, processors

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,:;?()-$%'\n"
WIDTH = 32


def _tokenizer(path: Path, first: str, last: str, padding: str, pair: str) -> int:
    """A tokenizer of single characters into path/tokenizer.json; how many tokens it knows."""
    words = [padding, first, last, "[UNK]", *LETTERS]
    words = list(dict.fromkeys(words))
    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    made.add_special_tokens([padding, first, last])
    made.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    ids = [(token, words.index(token)) for token in dict.fromkeys([first, last])]
    single = f"{first} $A {last}" if first != last else f"$A {last}"
    made.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=ids)
    made.save(str(path / "tokenizer.json"))
    return len(words)


def _write(path: Path, inside: str, content: Any) -> None:
    file = path / inside
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), encoding="utf-8")


def _bert(vocabulary: int, **more: Any) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=600,
        pad_token_id=0,
        **more,
    )


def _of_bert(path: Path) -> int:
    path.mkdir(parents=True)
    size = _tokenizer(path, "[CLS]", "[SEP]", "[PAD]", "[CLS] $A [SEP] $B:1 [SEP]:1")
    names = {"cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]", "unk_token": "[UNK]"}
    _write(path, "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **names})
    return size


def tiny_embedder(path: Path, seed: int = 1, prompts: dict[str, str] | None = None, most: int = 300) -> Path:
    """An encoder whose vector is its first token's, as bge-m3's is."""
    import torch
    from transformers import BertModel

    size = _of_bert(path)
    torch.manual_seed(seed)
    BertModel(_bert(size)).save_pretrained(path)
    kinds = ("Transformer", "Pooling", "Normalize")
    folders = ("", "1_Pooling", "2_Normalize")
    modules = [
        {"idx": at, "name": str(at), "path": folder, "type": f"sentence_transformers.models.{kind}"}
        for at, (folder, kind) in enumerate(zip(folders, kinds, strict=True))
    ]
    _write(path, "modules.json", modules)
    _write(path, "1_Pooling/config.json", {"word_embedding_dimension": WIDTH, "pooling_mode_cls_token": True})
    _write(path, "sentence_bert_config.json", {"max_seq_length": most, "do_lower_case": False})
    _write(path, "config_sentence_transformers.json", {"prompts": prompts or {}, "default_prompt_name": None})
    (path / "2_Normalize").mkdir()
    return path


def tiny_cross_encoder(path: Path, seed: int = 2, labels: int = 1) -> Path:
    """A pair's one number, as bge-reranker-v2-m3 gives it."""
    import torch
    from transformers import BertForSequenceClassification

    size = _of_bert(path)
    torch.manual_seed(seed)
    BertForSequenceClassification(_bert(size, num_labels=labels, initializer_range=0.5)).save_pretrained(path)
    return path


def tiny_hhem(path: Path, seed: int = 3) -> Path:
    """Weights under the names of the published checkpoint, whose configuration says nothing of their sizes."""
    import torch
    from safetensors.torch import save_file
    from transformers import T5Config, T5ForTokenClassification

    path.mkdir(parents=True)
    size = _tokenizer(path, "</s>", "</s>", "<pad>", "$A </s> $B </s>")
    torch.manual_seed(seed)
    config = T5Config(
        vocab_size=size,
        d_model=WIDTH,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        relative_attention_num_buckets=16,
        feed_forward_proj="gated-gelu",
        num_labels=2,
    )
    made = T5ForTokenClassification(config)
    torch.nn.init.normal_(made.classifier.weight, std=0.5)
    held = made.state_dict()
    weights = {f"t5.{name}": tensor for name, tensor in held.items() if not name.endswith("embed_tokens.weight")}
    save_file(weights, str(path / "model.safetensors"), metadata={"format": "pt"})
    _write(path, "config.json", {"architectures": ["HHEMv2ForSequenceClassification"], "model_type": "HHEMv2Config"})
    return path
