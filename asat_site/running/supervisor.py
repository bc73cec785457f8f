"""`make run`: servers, database, demo practices and law made ready, then web, workers and beat kept running.

One supervisor to a var folder, by a lock that the kernel releases however its holder dies. Whatever an earlier
supervisor left behind carries the folder's name in its environment, and is ended before anything is started.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import psutil
import redis

from asat_site import heartbeat
from asat_site.running import demo_logins, environment, kept, processes, servers
from asat_site.running.children import Child
from asat_site.running.embedding_progress import EmbeddingProgress
from asat_site.running.stamps import Stamps, fingerprint

ROOT = Path(__file__).resolve().parent.parent.parent
FICTIONAL_ACT = ROOT / "research" / "corpus" / "fictional"
WEB_READY_TIMEOUT_S = 90.0
STOP_GRACE_S = 6.0
"""Enough for a question; a batch of vectors that is cut off is computed again."""
STOPPING = "stopping"  # there while a run stops, which a next one waits for
WORKER_LATE_S = 90.0
"""A worker's heartbeat comes every 10 s; a start takes a few seconds, and a busy one may miss some."""
GPU_QUEUE = "gpu"
QUESTION_LIMIT_S = 300.0  # unless ASAT_QUESTION_LIMIT_S gives another; a model may compute so long and say nothing


class StopRequested(BaseException):
    """Ctrl-C or a signal to end; not an Exception, so that no handler on the way swallows it."""


class RunFailed(RuntimeError):
    """The run cannot start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Options:
    """What `make run` was asked for. corpus: a folder or file of law to load beside the fictional Act."""

    var: Path
    port: int = 8000
    corpus: Path | None = None


def run(options: Options, outside: Mapping[str, str]) -> None:
    """Run until told to stop. Raises RunFailed when another supervisor runs in the folder, or a step fails."""
    var = options.var.resolve()
    (var / "log").mkdir(parents=True, exist_ok=True)
    is_stopping = (var / STOPPING).exists()
    if is_stopping:
        _say("The run before this one may still be stopping …")
    try:
        with kept.locked(var / "run.lock", wait=is_stopping):
            (var / STOPPING).unlink(missing_ok=True)
            kept.write_private(var / "supervisor.pid", str(os.getpid()))
            Supervisor(options, outside, var).run()
    except kept.Locked:
        raise RunFailed(f"AsAt already runs in {var}. Stop it with Ctrl-C there, or with `make stop`.") from None


def stop(var: Path) -> None:
    """Stop a run of this folder from outside, and what is left of one; no harm when nothing runs."""
    var = var.resolve()
    if not var.exists():
        return
    with contextlib.suppress(FileNotFoundError, ValueError, ProcessLookupError):
        pid = int((var / "supervisor.pid").read_text(encoding="utf-8"))
        if _is_supervisor(pid):
            os.kill(pid, signal.SIGTERM)
    with kept.locked(var / "run.lock"):  # held by the supervisor until it has stopped everything
        end_leftovers(var)
        servers.stop(var)


def end_leftovers(var: Path) -> int:
    """End the processes that an earlier run of this folder left behind; how many there were."""
    leftovers = processes.carrying(environment.MARK, str(var))
    if leftovers:
        processes.end(leftovers)
    return len(leftovers)


class Supervisor:
    """One run of one var folder."""

    def __init__(self, options: Options, outside: Mapping[str, str], var: Path) -> None:
        self._options = options
        self._outside = outside
        self._given = servers.read(outside, var)
        self._var = var
        self._stamps = Stamps(var / "stamps.json")
        self._children: list[Child] = []
        self._stopping = False
        self._unheard_since: dict[str, float] = {}  # by queue: the broker knows of no sign of life

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            self._prepare()
            self._start_children()
            self._wait_for_web()
            self._announce()
            self._start_corpus_import()
            self._watch()
        except StopRequested:
            print("\nStopping …", flush=True)
        finally:
            self._stopping = True
            self._stop()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self._stopping:
            self._stopping = True
            raise StopRequested

    # Making ready

    def _prepare(self) -> None:
        if left := end_leftovers(self._var):
            _say(f"Ended {left} process(es) that an earlier run left behind.")
        if not processes.becomes_free(self._options.port):
            raise RunFailed(f"Port {self._options.port} is in use by another program; try `make run PORT=8001`.")
        _say("Starting the database and the broker …")
        self._use(servers.start(self._var, self._given))
        code = fingerprint(ROOT.glob("*/**/migrations/*.py"), self._servers.identity)
        self._step("Bringing the database up to date …", "upgrade", code, *_manage("upgrade"))
        logins = demo_logins.read_or_make(self._var / "demo.json")
        self._step("Making the demo practices …", "demo", code, *_module("demo"), logins.path)
        law = fingerprint((path for path in FICTIONAL_ACT.rglob("*.jsonl*")), self._servers.identity)
        self._step(
            "Loading the fictional Act …", "fictional act", law, *_manage("corpus", "import", str(FICTIONAL_ACT))
        )

    def _use(self, found: servers.Servers) -> None:
        """From now on, every process that is started uses these servers."""
        self._servers = found
        self._environment = environment.of_app(self._outside, found, self._var)
        self._owner_environment = environment.of_owner(self._outside, found, self._var)
        environment.write_for_shell(self._var / "environment", self._owner_environment)

    def _step(self, words: str, name: str, wanted: str, *command: str) -> None:
        """Run a command as the owner, unless a stamp says that it was done for exactly this."""
        if self._servers.identity and self._stamps.has(name, wanted):
            return
        _say(words)
        step = Child(name, command, self._owner_environment, self._var / "log" / "steps.log")
        self._children.append(step)
        step.start()
        assert step.process is not None
        if step.process.wait() != 0:
            raise RunFailed(f"`{' '.join(command)}` failed.{step.last_words()}")
        self._children.remove(step)
        self._stamps.put(name, wanted)

    # Running

    def _start_children(self) -> None:
        log = self._var / "log"
        web = [sys.executable, "-m", "uvicorn", "asat_site.asgi:application", "--host", "127.0.0.1"]
        web += ["--port", str(self._options.port), "--no-server-header", "--timeout-graceful-shutdown", "3"]
        web += ["--no-proxy-headers"]  # whose forwarding headers are believed is ASAT_TRUSTED_PROXIES' to say
        celery = [sys.executable, "-m", "celery", "-A", "asat_site.celery"]
        wanted = self._outside.get("ASAT_WORKER_PROCESSES") or "2"
        worker = _worker(celery, "interactive,default", wanted, "worker")
        gpu_worker = _worker(celery, GPU_QUEUE, "1", "gpu-worker")
        self._web = Child("web", web, self._environment, log / "web.log")
        self._workers = {
            "interactive": Child("worker", worker, self._environment, log / "worker.log"),
            GPU_QUEUE: Child("gpu worker", gpu_worker, self._environment, log / "gpu-worker.log"),
        }
        beat = Child("beat", [*celery, "beat", "--loglevel", "INFO"], self._environment, log / "beat.log")
        self._children += [self._web, *self._workers.values(), beat]
        for child in self._children:
            child.start()

    def _wait_for_web(self) -> None:
        deadline = time.monotonic() + WEB_READY_TIMEOUT_S
        while time.monotonic() < deadline:
            if (code := self._web.exit_code()) is not None:
                raise RunFailed(f"The web server ended at its start (exit code {code}).{self._web.last_words()}")
            if _answers(self._options.port):
                return
            time.sleep(0.1)
        raise RunFailed(f"The web server does not answer after {WEB_READY_TIMEOUT_S:g} s.{self._web.last_words()}")

    def _announce(self) -> None:
        print(demo_logins.read_or_make(self._var / "demo.json").words(self._options.port), flush=True)

    def _start_corpus_import(self) -> None:
        if self._options.corpus is not None:
            _say(f"Loading {self._options.corpus} in the background; what is loaded can be asked about at once.")
            command = _manage("corpus", "import", str(self._options.corpus))
            self._import = Child("corpus import", command, self._owner_environment, log=None)
            self._import.start()

    def _watch(self) -> None:
        looked_at_servers = time.monotonic()
        status = _manage("corpus", "status", "--json")
        self._embedding = EmbeddingProgress(status, self._environment, self._var / "log" / "status.json")
        while True:
            time.sleep(0.3)
            for child in self._children:
                if happened := child.watch():
                    _say(happened)
            self._report_import()
            if words := self._embedding.tell():
                _say(words)
            if time.monotonic() - looked_at_servers > 5:
                self._keep_servers_running()
                self._restart_deaf_workers()
                looked_at_servers = time.monotonic()

    _import: Child | None = None

    def _report_import(self) -> None:
        if self._import is None or (code := self._import.exit_code()) is None:
            return
        if code == 0:
            _say("The corpus is loaded. Its passages are embedded in the background; /status/ shows how far that is.")
            self._embedding.look_again()
        else:
            _say(f"Loading the corpus failed (exit code {code}); everything else goes on. Correct it and run again.")
        self._import = None

    def _keep_servers_running(self) -> None:
        found = servers.keep_running(self._var, self._given, self._servers)
        if found != self._servers:
            _say("A server had to move to another port; starting everything again with its new address.")
            self._use(found)
            for child in self._children:
                child.restart_with(self._environment)

    def _restart_deaf_workers(self) -> None:
        """A worker can be connected and yet take no work; only what it does proves that it hears."""
        for queue, worker in self._workers.items():
            late_s = self._late_s(queue)
            if worker.uptime_s() < late_s:
                self._unheard_since.pop(queue, None)
                continue
            try:
                age_s = _heartbeat_age_s(self._servers.redis_url, queue)
            except (redis.RedisError, ValueError):
                return
            if age_s is None:  # also of a broker that was started anew and has forgotten it
                age_s = time.monotonic() - self._unheard_since.setdefault(queue, time.monotonic())
            else:
                self._unheard_since.pop(queue, None)
            if age_s > late_s:
                _say(f"The {worker.name} has taken no work for {late_s:g} s; starting it again.")
                worker.kill()

    def _late_s(self, queue: str) -> float:
        """How long a worker's silence is borne: as long as a question may take where models of this machine compute."""
        if queue != GPU_QUEUE:
            return WORKER_LATE_S
        return WORKER_LATE_S + float(self._outside.get("ASAT_QUESTION_LIMIT_S") or QUESTION_LIMIT_S)

    # Ending

    def _stop(self) -> None:
        (self._var / STOPPING).touch()
        everyone = [*self._children, *([self._import] if self._import else [])]
        for child in everyone:
            child.terminate()
        deadline = time.monotonic() + STOP_GRACE_S
        while time.monotonic() < deadline and any(child.is_running() for child in everyone):
            time.sleep(0.05)
        for child in everyone:
            child.kill()
        end_leftovers(self._var)
        servers.stop(self._var)
        for name in ("supervisor.pid", STOPPING):
            (self._var / name).unlink(missing_ok=True)


def _manage(*command: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *command]


def _worker(celery: list[str], queues: str, processes_wanted: str, name: str) -> list[str]:
    """The command of a worker. name: of its node, unlike another's on this machine."""
    command = [*celery, "worker", "--queues", queues, "--concurrency", processes_wanted, "-O", "fair"]
    return [*command, "--loglevel", "INFO", "--without-gossip", "--without-mingle", "--hostname", f"{name}@%h"]


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", f"asat_site.running.{name}"]


def _say(words: str) -> None:
    print(words, flush=True)


def _answers(port: int) -> bool:
    """Whether the web server answers a request at all, whatever it says."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/", headers={"Host": f"localhost:{port}"})
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def _heartbeat_age_s(redis_url: str, queue: str) -> float | None:
    with redis.Redis.from_url(redis_url, socket_timeout=2, socket_connect_timeout=2) as client:
        found = client.hget(heartbeat.KEY, f"at {queue}")
    return None if found is None else time.time() - float(str(found, "ascii") if isinstance(found, bytes) else found)


def _is_supervisor(pid: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return "asat_site.running" in psutil.Process(pid).cmdline()
    return False
