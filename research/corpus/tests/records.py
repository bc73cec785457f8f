"""Records of an invented Act for tests, in the format of corpus files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any


def record(number: str = "1-1", words: str = "(1) A keeper may ring the bell.", **changes: Any) -> dict[str, Any]:
    """A good record; changes replace fields, and those of `metadata` where they are named so."""
    dated = changes.pop("dated", "2010-07-01")
    short = changes.pop("short", "BELL01")
    schedule = changes.get("schedule")
    made: dict[str, Any] = {
        "schemaVersion": 1,
        "corpusId": "tests",
        "corpusVersion": dated,
        "documentId": f"{short.lower()}/{f'sch{schedule}/' if schedule else ''}{number}",
        "framework": "Bell Keepers (Fictional) Act 2001",
        "frameworkVersion": "Compilation No. 1",
        "controlId": f"s {number}",
        "language": "en",
        "title": "Ringing the bell",
        "text": words,
        "sourceUri": None,
        "metadata": {
            "act": "Bell Keepers (Fictional) Act 2001",
            "actShort": short,
            "registerId": f"BELL-{dated}",
            "compilationNumber": 1,
            "compilationDate": dated,
            "section": number,
            "path": ["Part 1—Bells", "Division 1—Ringing"],
            "schedule": None,
            "notes": [],
            "kind": "operative",
            "licence": "AGPL-3.0-only",
        },
    }
    for name, value in changes.items():
        target = made["metadata"] if name in made["metadata"] else made
        target[name] = value
    return made


def write(path: Path, *records: dict[str, Any]) -> Path:
    """The records as a file: gzip'd if its name ends so."""
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records).encode()
    path.write_bytes(gzip.compress(lines) if path.name.endswith(".gz") else lines)
    return path
