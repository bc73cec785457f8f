"""`manage.py corpus fetch|import|embed|check|status`: the law from its sources into the database, and what is held.

Writes the law as the owner (DATABASE_URL); vectors and examples as the app role.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DataError, IntegrityError, ProgrammingError, connections
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.models import Practice
from research import changes, composition, services
from research.adapters.embedders.wordpiece import count_tokens
from research.adapters.model_refusals import ModelRefused
from research.corpus import index_settings, models
from research.corpus.ingest import embed
from research.corpus.ingest.read import CorpusRejected, printable
from research.corpus.ingest.sources import Own, corpus_files, documents_known, left_out
from research.corpus.ingest.state import current_state
from research.corpus.ingest.store import OWNER, Loader
from research.law.identity import shown_code
from research.management import register
from research.management.imported import Imported, line_of
from research.management.practices import all_practices, practice_named
from research.ports import Embedder
from research.tasks import start_embedding

logger = logging.getLogger(__name__)

# A fault of AsAt's that one file brings out does not keep the others from being loaded; a lost database does.
OF_ONE_FILE = (
    DataError,
    IntegrityError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
EXIT_OK, EXIT_REFUSED, EXIT_USAGE, EXIT_DEGRADED = 0, 1, 2, 3


class Command(BaseCommand):
    help = (
        "Fetch compilations from the Register (fetch), load the law (import), compute its vectors (embed), ask the "
        "Register for newer text (check), say what is held (status). Exit 0: done; 1: a file was refused and nothing "
        "of it loaded, or a text is not there; 2: wrong use; 3: done, but search is not complete, or something could "
        "not be asked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        fetched = verbs.add_parser("fetch", help="compilations from the Federal Register of Legislation, into a folder")
        register.add_fetch_arguments(fetched)
        load = verbs.add_parser(
            "import",
            help="load files or folders of them (JSON Lines, the Register's EPUB, ATO rulings as HTML, Markdown with "
            "front matter); without any, only bring the index up to date",
        )
        load.add_argument("paths", nargs="*", type=Path, metavar="PATH")
        load.add_argument(
            "--practice", help="these are this practice's own documents (Markdown): host, schema or name of it"
        )
        load.add_argument(
            "--saved-on",
            type=_saved_on,
            metavar="YYYY-MM-DD",
            help="the day on which ATO pages were saved; left out: the day of each file",
        )
        load.add_argument("--no-embed", action="store_true", help="do not have the worker compute vectors")
        computed = verbs.add_parser("embed", help="compute all vectors that are missing, here and now")
        checked = verbs.add_parser("check", help="ask the Register whether it has newer text; Status shows it as well")
        told = verbs.add_parser("status", help="what is loaded and how it can be searched; exit 3 if not by meaning")
        told.add_argument("--practice", help="with this practice's own documents: host, schema or name of it")
        for verb in (fetched, load, computed, checked, told):
            verb.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        verbs = {
            "fetch": lambda: register.fetch(options, self.stdout),
            "import": lambda: self._import(options),
            "embed": lambda: self._embed(options),
            "check": lambda: register.check(options, self.stdout),
            "status": lambda: self._status_for(options),
        }
        if code := verbs[options["verb"]]():
            sys.exit(code)

    # import

    def _import(self, options: dict[str, Any]) -> int:
        if OWNER not in connections:
            raise CommandError("The law is written as its owner: set DATABASE_URL.", returncode=EXIT_USAGE)
        started = time.monotonic()
        own = _own(practice_named(options["practice"])) if options["practice"] else None
        try:
            paths = corpus_files(options["paths"])
            loader = Loader(count_tokens, options["saved_on"], own and documents_known(paths, own), self._show)
            loader.show_licences()
            told = Imported(len(paths), left_out(options["paths"]), loader.rebuild())
        except CorpusRejected as error:
            raise CommandError(str(error), returncode=EXIT_REFUSED) from error
        except (ModelRefused, ImproperlyConfigured) as error:
            raise CommandError(str(error), returncode=EXIT_DEGRADED) from error
        for at, path in enumerate(paths, start=1):
            self._show(f"file {at} of {len(paths)}: {printable(path.name)}", 0, 0)
            self._import_one(loader, path, told, tells=not options["json"])
        if told.is_changed:
            self._show("tidying", 0, 0)
            loader.tidy()
        told.embedding = self._after(told.is_changed, options["no_embed"])
        told.touched = list(changes.summary_by_practice()) if told.is_changed else []
        told.seconds = time.monotonic() - started
        if options["json"]:
            self.stdout.write(json.dumps(told.as_json(), ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(told.lines()))
        return EXIT_REFUSED if told.refused else EXIT_OK

    def _import_one(self, loader: Loader, path: Path, told: Imported, tells: bool) -> None:
        """One file into `told`, loaded or refused. tells: a line for each of its compilations."""
        try:
            loaded = loader.import_file(path)
        except CorpusRejected as error:
            problem = str(error)
        except ProgrammingError as error:
            misfit = "The database does not fit this version of AsAt; run: manage.py upgrade."
            raise CommandError(misfit, returncode=EXIT_USAGE) from error
        except OF_ONE_FILE as error:
            logger.exception("reading a file of law failed")
            problem = str(CorpusRejected(path, None, f"AsAt failed on it ({type(error).__name__}); please report that"))
        else:
            told.reports += loaded
            for report in loaded if tells else []:
                self.stdout.write(line_of(report))
            return
        told.refused.append(problem)
        self.stderr.write(self.style.ERROR(problem))

    def _after(self, changed: bool, no_embed: bool) -> str:
        """Have vectors computed and examples asked; what to tell of it."""
        if changed or not models.VerifiedExample.objects.exists():
            kept, asked = services.verify_examples()
            self._show(f"example questions: {kept} of {asked} answered", 0, 0)
        if settings.ASAT_EMBEDDER == "none":
            return "Search is by words only: ASAT_EMBEDDER is none."
        if no_embed:
            return "Vectors were not asked for; run: manage.py corpus embed."
        if models.IndexState.objects.using(OWNER).filter(embedder="", recorded__upper_inf=True).exists():
            if start_embedding():
                return "Search is by words until the worker has computed the vectors (manage.py corpus status)."
            return (
                "The broker is out of reach; the worker starts the vectors when it is back, or: manage.py corpus embed."
            )
        return "Search is by words and by meaning."

    # embed

    def _embed(self, options: dict[str, Any]) -> int:
        try:
            embedder = composition.embedder()
        except (ModelRefused, ImproperlyConfigured) as error:
            raise CommandError(str(error), returncode=EXIT_DEGRADED) from error
        if embedder is None:
            raise CommandError("ASAT_EMBEDDER is none; set it to minilm-int8.", returncode=EXIT_USAGE)
        told = self._embed_all(embedder)
        if told.computed:
            services.verify_examples()
        if options["json"]:
            self.stdout.write(json.dumps(_progress(told)))
        else:
            self.stdout.write(f"{told.done:,} of {told.total:,} chunks have vectors; {told.computed:,} computed now.")
        return EXIT_OK if told.is_complete else EXIT_DEGRADED

    def _embed_all(self, embedder: Embedder) -> embed.EmbedProgress:
        """Vectors of the subject index, of everybody's law, then of each practice's own documents, added up."""
        phrases = embed.embed_phrases(embedder, composition.phrases(), report=self._show_vectors)
        told = self._embed_here(embedder)
        told = replace(told, computed=told.computed + phrases.computed)
        for practice in all_practices():
            with in_practice(practice):
                own = self._embed_here(embedder)
            told = replace(own, done=max(told.done, own.done), computed=told.computed + own.computed)
        return told

    def _embed_here(self, embedder: Embedder) -> embed.EmbedProgress:
        """Vectors of what the connection may read."""
        while (told := embed.embed_pending(embedder, report=self._show_vectors)) is None:
            time.sleep(1)  # the worker is at it: wait for its slice to end, then go on where it stopped
        return told

    def _show_vectors(self, now: embed.EmbedProgress) -> None:
        self._show(f"vectors, {now.rate:.0f} a second", now.done, now.total)

    # status

    def _status_for(self, options: dict[str, Any]) -> int:
        """Of everybody's law, or of that and a practice's own documents."""
        if not options["practice"]:
            return self._status(options)
        with in_practice(practice_named(options["practice"])):
            return self._status(options)

    def _status(self, options: dict[str, Any]) -> int:
        state = current_state(DEFAULT_DB_ALIAS, None)
        held = [
            {"instrument": c.instrument_id, "compilation": c.dated.isoformat(), "number": c.number,
             "register_id": c.register_id, "provisions": c.provisions, "imported_at": c.imported_at.isoformat()}
            for c in models.Compilation.objects.order_by("instrument_id", "dated")
        ]  # fmt: skip
        wanted = "" if settings.ASAT_EMBEDDER == "none" else _identity()
        progress = embed.progress_of(wanted) if wanted else None
        problems = _problems(state, wanted)
        told = {
            "compilations": held,
            "chunks": state.chunks if state else 0,
            "embedder": wanted or "none",
            "vectors": progress.done if progress else 0,
            "mode": "hybrid" if state and wanted and state.embedder == wanted else "lexical",
            "examples": models.VerifiedExample.objects.count(),
            "problems": problems,
        }
        if options["json"]:
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2))
        else:
            for row in held:
                name = f"{shown_code(str(row['instrument'])):<10} {row['compilation']}"
                self.stdout.write(f"{name}  {row['provisions']:>6,} provisions  {row['register_id']}")
            self.stdout.write(
                f"{told['chunks']:,} chunks, {told['vectors']:,} with vectors of {told['embedder']}; "
                f"mode {told['mode']}; {told['examples']} example questions"
            )
            for problem in problems:
                self.stdout.write(self.style.WARNING(problem))
        return EXIT_DEGRADED if problems else EXIT_OK

    def _show(self, what: str, done: int, of: int) -> None:
        """Progress on stderr: one line that is written over on a terminal, now and then a line elsewhere."""
        words = f"{what} {done:,} of {of:,}" if of else what
        if sys.stderr.isatty():
            self.stderr.write(f"\r\x1b[K{words}", ending="")
        elif not of or done == of:
            self.stderr.write(words)


def _saved_on(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day; give one such as 2026-11-30") from None
    if day > timezone.localdate():
        raise ArgumentTypeError(f"{text} has not come yet; give the day on which the pages were saved")
    return day


def _own(practice: Practice) -> Own:
    """The practice, what its documents may call it, and the effective dates of those that it has."""
    hosts = practice.domains.values_list("domain", flat=True)
    held = models.Compilation.objects.using(OWNER).filter(practice_id=practice.id).order_by("dated")
    return Own(
        practice.id,
        frozenset({practice.name, practice.schema_name, str(practice.id), *hosts}),
        {shown_code(code): dated for code, dated in held.values_list("instrument_id", "dated")},
    )


def _identity() -> str:
    try:
        embedder = composition.embedder()
    except (ModelRefused, ImproperlyConfigured) as error:
        raise CommandError(str(error), returncode=EXIT_DEGRADED) from error
    return embedder.identity if embedder else ""


def _progress(told: embed.EmbedProgress) -> dict[str, object]:
    return {"embedder": told.embedder, "done": told.done, "total": told.total, "computed": told.computed,
            "rate": told.rate, "complete": told.is_complete}  # fmt: skip


def _problems(state: models.IndexState | None, wanted: str) -> list[str]:
    if state is None:
        return ["Nothing is loaded; run: manage.py corpus import PATH."]
    found = []
    if state.settings != index_settings.fingerprint():
        found.append("The index was built with other settings; run: manage.py corpus import PATH.")
    held = models.Compilation.objects.filter(practice_id=None).values_list("instrument_id", "dated", "content_sha256")
    if state.corpus_sha256 != index_settings.corpus_sha256((code, day.isoformat(), sha) for code, day, sha in held):
        found.append("The index was built from other text than is loaded; run: manage.py corpus import PATH.")
    if wanted and state.embedder != wanted:
        found.append("Vectors are missing; the worker computes them, or run: manage.py corpus embed.")
    return found
