"""`manage.py provider list` and `provider probe`: the providers of language models, and what works with ours.

A probe asks the model that the installation's settings name a handful of small questions about two made-up sentences.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from research import composition
from research.adapters.generators.probe import KINDS, SAFE_ANYWAY, Report, probe
from research.adapters.generators.vendors import ANTHROPIC, OLLAMA, VENDORS, Vendor
from research.model_terms import ModelIdentity

EXIT_NOT_REACHED = 4
WORDS = {True: "works", False: "does not", None: "not known"}


class Command(BaseCommand):
    help = (
        "Language models: the providers known (list), or whether schema, enum, seed and stop work with the one that "
        "the settings name (probe; it asks the model seven small questions). Exit 4: it could not be asked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for action in ("list", "probe"):
            actions.add_parser(action).add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "list":
            self._list(options["json"])
        else:
            self._probe(options["json"])

    def _list(self, as_json: bool) -> None:
        vendors = [*VENDORS.values(), ANTHROPIC, OLLAMA]
        if as_json:
            self.stdout.write(json.dumps([_row(vendor) for vendor in vendors], ensure_ascii=False, indent=2))
            return
        self.stdout.write(f"{'name':<12}{'asks by':<13}{'seed':<13}{'address':<34}title")
        for vendor in vendors:
            address = vendor.base_url or "(give one)"
            self.stdout.write(f"{vendor.name:<12}{vendor.shape:<13}{_seed_of(vendor):<13}{address:<34}{vendor.title}")

    def _probe(self, as_json: bool) -> None:
        model = composition.language_model()
        if model is None:
            raise CommandError(
                "ASAT_GENERATION_PROVIDER is extractive, which asks no model. Name another provider to probe it.",
                returncode=2,
            )
        report = probe(model)
        if as_json:
            self.stdout.write(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(text_of(report))
        if report.failed:
            sys.exit(EXIT_NOT_REACHED)


def text_of(report: Report) -> str:
    """The report as plain text: who, a line a check, what works, and that nothing rests on it."""
    lines = [_who(report.identity), ""]
    for finding in report.findings:
        lines.append(f"  {finding.kind:<8}{WORDS[finding.works]:<11}{finding.asked}: {finding.found}")
    if report.failed:
        lines += ["", f"Not asked further. {report.failed}"]
    else:
        lines += ["", ", ".join(f"{kind}: {WORDS[report.works(kind)]}" for kind in KINDS)]
    return "\n".join([*lines, "", SAFE_ANYWAY])


def _who(identity: ModelIdentity) -> str:
    where = f"at {identity.host}" if identity.is_remote else f"on this machine ({identity.host})"
    if identity.seed is None:
        return f"{identity.provider}: {identity.model} {where}, no seed"
    honoured = "which it promises to heed" if identity.honours_seed else "which it does not promise to heed"
    return f"{identity.provider}: {identity.model} {where}, seed {identity.seed}, {honoured}"


def _seed_of(vendor: Vendor) -> str:
    return "promised" if vendor.honours_seed else "best effort" if vendor.seed else "none"


def _row(vendor: Vendor) -> dict[str, str | bool]:
    return {
        "name": vendor.name,
        "title": vendor.title,
        "address": vendor.base_url,
        "asks_by": vendor.shape.value,
        "seed": _seed_of(vendor),
        "streams": vendor.streams,
    }
