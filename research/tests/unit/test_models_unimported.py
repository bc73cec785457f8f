"""PyTorch is imported by whoever configures a model of its, on first use, and by nobody else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
import django
django.setup()
from research import composition
composition.embedder(), composition.groundedness(), composition.rerankers(composition.store()), composition.ports()
found = {"torch", "transformers", "sentence_transformers"} & set(sys.modules)
sys.exit(f"imported: {found}" if found else 0)
"""


def test_building_what_is_set_by_default_imports_no_pytorch() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ASAT_", "DATABASE_"))}
    environment["DJANGO_SETTINGS_MODULE"] = "asat_site.settings.test"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
