"""Where PyTorch computes: the device that is asked for, and how many threads. PyTorch is imported here and not before.

A model that is configured is loaded on first use; a process that never uses one never imports PyTorch.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from research.adapters.model_refusals import ModelRefused

DEVICES = ("cpu", "cuda", "auto")
NOT_INSTALLED = "AsAt is set to use a model of PyTorch's and {name} is not installed; run `pip install .[models]`."


def torch_for(device: str, threads: int) -> tuple[Any, str]:
    """PyTorch, its threads capped, and the device: cuda or cpu; auto takes cuda where there is one.

    Raises ModelRefused where PyTorch is not installed, or cuda is asked for and not there: nothing falls back unsaid.
    """
    torch = library("torch")
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    elif device == "cuda" and not torch.cuda.is_available():
        raise ModelRefused("ASAT_TORCH_DEVICE is cuda and PyTorch sees none here; give cpu, or auto for either.")
    torch.set_num_threads(threads)
    return torch, device


def library(name: str) -> Any:
    """torch, transformers or sentence_transformers, told to stay offline. Raises ModelRefused where it is absent."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # read when the library is imported: nothing is looked up, nothing reported
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = os.environ["TQDM_DISABLE"] = "1"  # a worker's log is no terminal
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not outlive a fork
    try:
        found = importlib.import_module(name)
    except ImportError as error:
        raise ModelRefused(NOT_INSTALLED.format(name=error.name or name)) from error
    if name == "transformers":
        found.utils.logging.disable_progress_bar()
    return found
