"""What an installation measured for itself: bars of rerankers and scorers in a YAML file, under whole identities.

Written by `manage.py calibrate … --thresholds FILE`, read once when the program starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import yaml

from research.decision.thresholds import Grounded, Thresholds, put, put_grounded
from research.logistic import Weights

_NUMBERS = tuple(field.name for field in fields(Thresholds) if field.name not in ("measured", "confidence"))


class ThresholdsRefused(ValueError):
    """The file is not there or not of its form; the message names it, the entry and what was wanted."""


def read(path: Path) -> dict[str, Thresholds | Grounded]:
    """The bars by identity. Raises ThresholdsRefused."""
    try:
        plain = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise ThresholdsRefused(f"{path} cannot be read: {error}") from error
    if not isinstance(plain, dict) or set(plain) - {"rerankers", "groundedness"}:
        raise ThresholdsRefused(f"{path}: give rerankers and groundedness, each by identity, and nothing else.")
    found: dict[str, Thresholds | Grounded] = {}
    for kind, of in (("rerankers", _thresholds), ("groundedness", _grounded)):
        for identity, entry in (plain.get(kind) or {}).items():
            try:
                found[identity] = of(entry)
            except (KeyError, TypeError, ValueError) as error:
                raise ThresholdsRefused(
                    f"{path}: {identity} is not as `manage.py calibrate` writes it: {error}"
                ) from error
    return found


def put_all(found: Mapping[str, Thresholds | Grounded]) -> None:
    """Let the program decide by them."""
    for identity, bars in found.items():
        if isinstance(bars, Thresholds):
            put(identity, bars)
        else:
            put_grounded(identity, bars)


def write(path: Path, identity: str, bars: Thresholds | Grounded) -> None:
    """Put one entry beside those that the file has. Raises ThresholdsRefused for a file that is another's."""
    held: dict[str, Thresholds | Grounded] = read(path) if path.exists() else {}
    plain: dict[str, dict[str, Any]] = {"rerankers": {}, "groundedness": {}}
    for name, entry in sorted({**held, identity: bars}.items()):
        plain["rerankers" if isinstance(entry, Thresholds) else "groundedness"][name] = asdict(entry)
    path.write_text(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8")


def _thresholds(entry: Mapping[str, Any]) -> Thresholds:
    numbers = {name: _number(entry, name) for name in _NUMBERS}
    confidence = entry["confidence"]
    if set(entry) != {*_NUMBERS, "measured", "confidence"}:
        raise ValueError(f"it has {', '.join(entry)}")
    fitted = confidence and Weights(
        _number(confidence, "intercept"),
        {str(name): _number(confidence["coefficients"], name) for name in confidence["coefficients"]},
        str(confidence["measured"]),
    )
    return Thresholds(**numbers, measured=str(entry["measured"]), confidence=fitted or None)


def _grounded(entry: Mapping[str, Any]) -> Grounded:
    bar = _number(entry, "bar")
    if set(entry) != {"bar", "measured"} or not 0 < bar <= 1:
        raise ValueError("give a bar above 0 and up to 1, and how it was measured")
    return Grounded(bar, str(entry["measured"]))


def _number(entry: Mapping[str, Any], name: str) -> float:
    value = entry[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} is {value!r} and no number")
    return float(value)
