"""The rules import where the world is walled off, and none of them looks at a clock, a file or the environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
PURE = ("law", "question", "verification", "decision", "audit", "privacy")
SCRIPT = """
import importlib, sys

class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "celery", "psycopg", "httpx", "redis", "random", "numpy"}:
            raise ImportError(f"{name} is outside the wall")

sys.meta_path.insert(0, Wall())
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


def modules() -> list[str]:
    paths = [path for package in PURE for path in (ROOT / "research" / package).rglob("*.py")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return sorted(names)


def test_every_rule_is_imported_with_the_world_walled_off() -> None:
    assert len(modules()) >= 20
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, "research.terms", *modules()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_the_wall_itself_stands() -> None:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, "research.models"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0 and "outside the wall" in run.stderr


@pytest.mark.parametrize("module", modules())
def test_verification_owes_retrieval_and_generation_nothing(module: str) -> None:
    source = (ROOT / (module.replace(".", "/") + ".py")).read_text() if not module.endswith(PURE) else ""
    if module.startswith("research.verification"):
        assert "research.retrieval" not in source and "research.generation" not in source
    for clock in ("date.today", "datetime.now", "time.time", "open(", "os.environ"):
        assert clock not in source
