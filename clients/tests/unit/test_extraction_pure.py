"""Extraction imports where the world is walled off, and looks at no clock, file or environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OUTSIDE = ("django", "celery", "psycopg", "httpx", "redis", "random", "numpy", "pymupdf", "PIL", "rapidocr", "cv2")
SCRIPT = f"""
import importlib, sys

class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {OUTSIDE!r}:
            raise ImportError(f"{{name}} is outside the wall")

sys.meta_path.insert(0, Wall())
for name in sys.argv[1:]:
    importlib.import_module(name)
"""
MODULES = sorted(f"clients.extraction.{path.stem}" for path in (ROOT / "clients" / "extraction").glob("[a-z]*.py"))


def test_extraction_is_imported_with_the_world_walled_off() -> None:
    assert len(MODULES) >= 14
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *MODULES], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("module", MODULES)
def test_no_clock_file_or_environment_is_looked_at(module: str) -> None:
    source = (ROOT / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8")
    assert [
        word for word in ("date.today", "datetime.now", "time.time", " open(", "os.environ") if word in source
    ] == []


def test_opening_files_needs_no_django() -> None:
    """The child that opens untrusted files starts without the site, its settings and its secrets."""
    code = "import clients.adapters.readers.child, clients.adapters.readers.files, sys; print('django' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
