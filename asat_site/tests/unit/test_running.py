"""What of a run can be tested without starting one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from asat_site.running import checks, demo_logins, environment, kept, roles, servers, supervisor
from asat_site.running.children import backoff_s
from asat_site.running.embedding_progress import words_of
from asat_site.running.stamps import Stamps, fingerprint
from asat_site.settings.env import BadSetting, Environment

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(("failures", "wanted"), [(1, 0.5), (2, 1.0), (3, 2.0), (6, 16.0), (7, 30.0), (500, 30.0)])
def test_a_process_that_fails_again_waits_longer_up_to_a_bound(failures: int, wanted: float) -> None:
    assert backoff_s(failures) == wanted


class _Worker:
    """A worker that has run for a day. killed: how often it was ended."""

    def __init__(self, name: str) -> None:
        self.name, self.killed = name, 0

    def uptime_s(self) -> float:
        return 86_400.0

    def kill(self) -> None:
        self.killed += 1


def test_a_worker_is_started_again_for_its_silence_and_not_for_what_the_broker_forgot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = supervisor.Supervisor(supervisor.Options(tmp_path), {"ASAT_QUESTION_LIMIT_S": "600"}, tmp_path)
    worker, gpu = _Worker("worker"), _Worker("gpu worker")
    run._workers = {"interactive": worker, "gpu": gpu}  # type: ignore[dict-item]
    run._servers = servers.Servers(owner_url="o", app_url="a", redis_url="r")
    now, ages = [1000.0], {"interactive": 5.0, "gpu": 600.0}
    monkeypatch.setattr("asat_site.running.supervisor.time.monotonic", lambda: now[0])
    monkeypatch.setattr(supervisor, "_heartbeat_age_s", lambda url, queue: ages[queue])

    def killed_at(moment: float, **said: float | None) -> tuple[int, int]:
        now[0] = moment
        ages.update(said)  # type: ignore[arg-type]
        run._restart_deaf_workers()
        return worker.killed, gpu.killed

    assert killed_at(1000.0) == (0, 0)  # a question may keep the GPU worker for 600 s
    assert killed_at(1001.0, interactive=None, gpu=None) == (0, 0)  # a broker that was started anew
    assert killed_at(1060.0) == (0, 0)
    assert killed_at(1061.0, interactive=2.0) == (0, 0)
    assert killed_at(1062.0, interactive=None) == (0, 0)
    assert killed_at(1153.0) == (1, 0)
    assert killed_at(1154.0, interactive=91.0, gpu=691.0) == (2, 1)


def test_a_run_makes_its_encryption_key_once_and_gives_it_to_a_shell(tmp_path: Path) -> None:
    given = servers.Servers(owner_url="o", app_url="a", redis_url="r")
    first = environment.of_app({}, given, tmp_path)["ASAT_ENCRYPTION_KEYS"]
    assert environment.of_owner({}, given, tmp_path)["ASAT_ENCRYPTION_KEYS"] == first
    assert [(name, len(key)) for name, key in Environment({"K": first}, str).keys("K")] == [("run", 32)]
    assert (tmp_path / "encryption-keys").stat().st_mode & 0o777 == 0o600
    environment.write_for_shell(tmp_path / "environment", {"ASAT_ENCRYPTION_KEYS": first})
    assert f"export ASAT_ENCRYPTION_KEYS={first}" in (tmp_path / "environment").read_text()
    for name in ("ASAT_ENCRYPTION_KEYS", "ASAT_ENCRYPTION_KEYS_FILE"):
        assert environment.of_app({name: "theirs"}, given, tmp_path).get("ASAT_ENCRYPTION_KEYS") != first


def test_a_password_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    first = kept.password(tmp_path / "password")
    assert kept.password(tmp_path / "password") == first
    assert len(first) >= 32
    assert re.fullmatch(r"[A-Za-z0-9_-]+", first), "it stands in URLs as it is"
    assert (tmp_path / "password").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["password"]


def test_an_empty_file_left_by_a_crash_is_no_password(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("")
    assert len(kept.password(tmp_path / "password")) >= 32


def test_a_lock_is_refused_while_held_and_free_afterwards(tmp_path: Path) -> None:
    with kept.locked(tmp_path / "lock"):
        code = "import sys; from pathlib import Path; from asat_site.running import kept\n"
        code += f"with kept.locked(Path({str(tmp_path / 'lock')!r}), wait=False): pass"
        held = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
        assert "Locked" in held.stderr
    with kept.locked(tmp_path / "lock", wait=False):
        pass


def test_a_stamp_holds_for_exactly_one_input(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_text("one")
    stamps = Stamps(tmp_path / "stamps.json")
    before = fingerprint([source], "database 1")
    stamps.put("step", before)
    assert Stamps(tmp_path / "stamps.json").has("step", before)
    assert not stamps.has("other step", before)
    assert fingerprint([source], "database 2") != before
    source.write_text("two")
    assert not stamps.has("step", fingerprint([source], "database 1"))


def test_a_damaged_stamps_file_counts_as_nothing_done(tmp_path: Path) -> None:
    (tmp_path / "stamps.json").write_text('{"step": "abc')
    stamps = Stamps(tmp_path / "stamps.json")
    assert not stamps.has("step", "abc")
    stamps.put("step", "abc")
    assert stamps.has("step", "abc")


def test_the_demo_has_two_practices_a_platform_administrator_and_no_known_password(tmp_path: Path) -> None:
    demo = demo_logins.read_or_make(tmp_path / "demo.json")
    assert {(login.host, login.practice) for login in demo.logins} == {
        ("localhost", "Demo Practice"),
        ("other.localhost", "Other Practice"),
        ("platform.localhost", ""),
    }
    assert len({login.password for login in demo.logins}) == len(demo.logins)
    assert min(len(login.password) for login in demo.logins) >= 16
    assert demo_logins.read_or_make(tmp_path / "demo.json") == demo
    assert (tmp_path / "demo.json").stat().st_mode & 0o777 == 0o600
    assert demo_logins.read_or_make(tmp_path / "other.json").logins[0].password != demo.logins[0].password


def test_what_is_printed_names_every_host_and_how_to_sign_in(tmp_path: Path) -> None:
    demo = demo_logins.read_or_make(tmp_path / "demo.json")
    words = demo.words(8123)
    for login in demo.logins:
        assert f"http://{login.host}:8123/" in words
        assert login.email in words
        assert login.password in words


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        ({"DATABASE_URL": "postgresql://asat_owner:x@h/asat"}, "DATABASE_APP_URL"),
        ({"DATABASE_APP_URL": "postgresql://asat_app:x@h/asat"}, "DATABASE_URL"),
    ],
)
def test_one_database_address_without_the_other_is_refused(
    values: dict[str, str], missing: str, tmp_path: Path
) -> None:
    with pytest.raises(servers.WrongEnvironment, match=missing):
        servers.read(values, tmp_path)


def test_addresses_of_the_runs_own_servers_are_no_servers_of_others(tmp_path: Path) -> None:
    # A shell that has read var/environment names them to the next `make run`, when they have stopped.
    for server in ("postgres", "valkey"):
        (tmp_path / server).mkdir()
    kept.write_private(tmp_path / "postgres" / "owner-password", "ours-1")
    kept.write_private(tmp_path / "valkey" / "password", "ours-2")
    values = {
        "DATABASE_URL": "postgresql://asat_owner:ours-1@127.0.0.1:1/asat",
        "DATABASE_APP_URL": "postgresql://asat_app:x@127.0.0.1:1/asat",
        "REDIS_URL": "redis://:ours-2@127.0.0.1:2/0",
    }
    assert servers.read(values, tmp_path) == servers.Given("", "", "")
    theirs = {name: url.replace("ours", "theirs") for name, url in values.items()}
    assert servers.read(theirs, tmp_path) == servers.Given(*theirs.values())


def test_an_address_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("redis://:x@h:6379/0\n")
    assert servers.read({"REDIS_URL_FILE": str(tmp_path / "url")}, tmp_path).redis_url == "redis://:x@h:6379/0"


_SUPERUSER = {"ASAT_SUPERUSER_URL": "postgresql://postgres:x@nowhere/postgres"}


@pytest.mark.security
@pytest.mark.parametrize(
    ("owner", "app", "complaint"),
    [
        ("postgres:x@h/asat", "asat_app:x@h/asat", "DATABASE_URL connects as 'postgres'"),
        ("asat_owner:x@h/asat", "asat_owner:x@h/asat", "DATABASE_APP_URL connects as 'asat_owner'"),
        ("asat_owner:x@h/asat", "asat_app@h/asat", "DATABASE_APP_URL holds no password"),
        ("asat_owner:x@h/asat", "asat_app:x@h/other", "names database 'asat'"),
    ],
)
def test_roles_other_than_the_two_are_refused(owner: str, app: str, complaint: str) -> None:
    values = _SUPERUSER | {"DATABASE_URL": f"postgresql://{owner}", "DATABASE_APP_URL": f"postgresql://{app}"}
    with pytest.raises(BadSetting, match=complaint):
        roles.make_roles(values)


@pytest.mark.parametrize(
    ("status", "words", "is_over"),
    [
        (
            '{"chunks": 40973, "vectors": 428, "mode": "lexical", "embedder": "minilm"}',
            "Embedding: 428 of 40,973 passages. Until it is done, search goes by words alone.",
            False,
        ),
        (
            '{"chunks": 204, "vectors": 204, "mode": "hybrid", "embedder": "minilm"}',
            "Every passage can be searched by words and by meaning.",
            True,
        ),
        ('{"chunks": 204, "vectors": 0, "mode": "lexical", "embedder": ""}', "", True),
        ("Traceback (most recent call last):", "", False),
        ('{"chunks": 12', "", False),
    ],
)
def test_how_far_embedding_has_come_is_told_in_words(status: str, words: str, is_over: bool) -> None:
    assert words_of(status) == (words, is_over)


_REPORT = """<testsuites><testsuite>
<testcase classname="a" name="passes"/>
<testcase classname="a" name="fails"><failure/></testcase>
<testcase classname="a" name="breaks"><error/></testcase>
<testcase classname="a" name="skipped"><skipped/></testcase>
<testcase classname="a" name="wall">
  <properties><property name="marker" value="security"/></properties><skipped/>
</testcase>
</testsuite></testsuites>"""


@pytest.mark.security
def test_a_skipped_security_test_is_counted_and_named(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(_REPORT)
    counted = checks.count(tmp_path / "report.xml")
    assert (counted.passed, counted.failed, counted.skipped) == (1, 2, 2)
    assert counted.skipped_security == ["a.wall"]


def test_the_summary_ends_with_the_counts_over_all() -> None:
    checked = [
        checks.Check("lint", [], seconds=1.0),
        checks.Check("unit tests", [], is_test=True, counted=checks.Counted(passed=3, skipped=1)),
        checks.Check("integration tests", [], is_test=True, counted=checks.Counted(passed=2, failed=1), problem="x"),
    ]
    assert checks.summary(checked).splitlines()[-1] == "5 passed, 1 failed, 1 skipped"


def test_no_lock_file_brings_pytorch_or_names_an_index() -> None:
    for path in ROOT.glob("requirements*.lock"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^(torch|nvidia)", text, re.MULTILINE), path.name
        needs_pytorch = re.search(r"^(sentence-transformers|transformers)==", text, re.MULTILINE) is not None
        assert needs_pytorch == (path.name == "requirements-models.lock"), path.name
        assert "://" not in text, path.name
        assert "--index" not in text, path.name


def test_every_locked_version_has_its_hashes() -> None:
    for path in ROOT.glob("requirements*.lock"):
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert lines
        assert [line for line in lines if "==" not in line or "--hash=sha256:" not in line] == []


def test_the_demo_file_is_json_that_other_tools_can_read(tmp_path: Path) -> None:
    demo_logins.read_or_make(tmp_path / "demo.json")
    rows = json.loads((tmp_path / "demo.json").read_text(encoding="utf-8"))
    assert set(rows[0]) == {"host", "practice", "email", "role", "password"}
