"""Typed readers of the environment: values of their type, or an error that says what to give."""

from __future__ import annotations

import pytest

from asat_site.settings.env import (
    BadSetting,
    DatabaseAddress,
    Environment,
    MailServer,
    mail_server,
    parse_database_url,
)


def environment(**values: str) -> Environment:
    files = {"/run/secret": "from a file\n"}

    def read(path: str) -> str:
        if path not in files:
            raise FileNotFoundError(2, "No such file or directory")
        return files[path]

    return Environment(values, read)


@pytest.mark.parametrize(
    ("found", "wanted"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("FALSE", False), ("", True)]
)
def test_a_flag_is_read_from_its_usual_spellings(found: str, wanted: bool) -> None:
    assert environment(ASAT_X=found).flag("ASAT_X", True) is wanted


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda e: e.integer("ASAT_X", low=1, high=200), "ASAT_X is 'ten'; give a whole number from 1 to 200."),
        (lambda e: e.flag("ASAT_X"), "ASAT_X is 'ten'; give 1 or 0."),
        (lambda e: e.choice("ASAT_X", ("a", "b")), "ASAT_X is 'ten'; give one of a, b."),
        (lambda e: e.text("ASAT_Y"), "ASAT_Y is not set; see .env.example for what it means."),
        (lambda e: e.secret("ASAT_Y"), "ASAT_Y is not set; see .env.example for what it means."),
    ],
)
def test_what_cannot_be_used_is_refused_by_name_with_what_to_give(read: object, said: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        read(environment(ASAT_X="ten"))  # type: ignore[operator]
    assert str(refusal.value) == said


@pytest.mark.parametrize(
    ("found", "accepted"), [("1", True), ("200", True), ("0", False), ("201", False), ("-5", False), ("1.5", False)]
)
def test_a_number_is_held_to_its_bounds(found: str, accepted: bool) -> None:
    if accepted:
        assert environment(N=found).integer("N", low=1, high=200) == int(found)
    else:
        with pytest.raises(BadSetting):
            environment(N=found).integer("N", low=1, high=200)


def test_a_blank_value_counts_as_absent() -> None:
    assert environment(N="  ").integer("N", 7) == 7
    assert environment(L=" a, ,b ").names("L") == ["a", "b"]
    assert environment().names("L", ("x", "y")) == ["x", "y"]


def test_a_secret_comes_from_the_variable_or_from_its_file() -> None:
    assert environment(S="direct").secret("S") == "direct"
    assert environment(S_FILE="/run/secret").secret("S") == "from a file"
    with pytest.raises(BadSetting, match="both set"):
        environment(S="direct", S_FILE="/run/secret").secret("S")
    with pytest.raises(BadSetting, match="S_FILE names /nowhere, which cannot be read"):
        environment(S_FILE="/nowhere").secret("S")


def test_what_was_asked_for_is_remembered() -> None:
    read = environment()
    read.integer("N", 7)
    read.secret("S", "")
    assert {name: (declared.kind, declared.default) for name, declared in read.declared.items()} == {
        "N": ("integer", "7"),
        "S": ("secret", ""),
        "S_FILE": ("path", ""),
    }


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("postgresql://u:p@h:5433/d", DatabaseAddress("d", "u", "p", "h", "5433")),
        ("postgres://u@h/d", DatabaseAddress("d", "u", "", "h", "")),
        ("postgresql://u:p%40%2F@/d?host=/run/pg&port=5432", DatabaseAddress("d", "u", "p@/", "/run/pg", "5432")),
        ("postgresql://u:p@h/d?sslmode=require", DatabaseAddress("d", "u", "p", "h", "", (("sslmode", "require"),))),
        ("postgresql://u:p@[::1]:5432/d", DatabaseAddress("d", "u", "p", "::1", "5432")),
    ],
)
def test_a_database_url_is_taken_apart(url: str, wanted: DatabaseAddress) -> None:
    assert parse_database_url("DATABASE_URL", url) == wanted


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("smtp://u:p@h:25?tls=1", MailServer("h", 25, "u", "p", True, False)),
        ("smtp://h", MailServer("h", 587, "", "", False, False)),
        ("smtps://u%40x:p%2F@h", MailServer("h", 465, "u@x", "p/", False, True)),
        ("smtps://h:2465?tls=1", MailServer("h", 2465, "", "", False, True)),
    ],
)
def test_a_mail_servers_address_is_taken_apart(url: str, wanted: MailServer) -> None:
    assert mail_server("ASAT_EMAIL_URL", url) == wanted


@pytest.mark.parametrize("url", ["http://u:hunter2@h", "u:hunter2@h", "smtp://u:hunter2@", "smtp://u:hunter2@h:port"])
def test_a_bad_mail_server_is_refused_without_repeating_the_password(url: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        mail_server("ASAT_EMAIL_URL", url)
    assert "ASAT_EMAIL_URL names no mail server" in str(refusal.value)
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:hunter2@h/d",
        "postgresql://u:hunter2@h",
        "postgresql://:hunter2@h/d",
        "postgresql://u:hunter2@h:port/d",
    ],
)
def test_a_bad_database_url_is_refused_without_repeating_the_password(url: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        parse_database_url("DATABASE_URL", url)
    assert "DATABASE_URL" in str(refusal.value)
    assert "hunter2" not in str(refusal.value)


KEY = "A" * 43 + "="


def test_encryption_keys_are_read_in_their_order() -> None:
    assert environment(K=f" new:{KEY}, old:{'/' * 42}8= ").keys("K") == (
        ("new", bytes(32)),
        ("old", b"\xff" * 32),
    )
    assert environment().keys("K", f"dev:{KEY}") == (("dev", bytes(32)),)


@pytest.mark.security
@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("hunter2", "number 1 is none."),
        (f"a:{KEY},b:hunter2", "number 2 is none."),
        (f"a:{KEY[4:]}", "number 1 is none."),
        (f"a b:{KEY}", "number 1 is none."),
        (f"a:{KEY},a:{KEY}", "number 2 has the id of an earlier one."),
    ],
)
def test_encryption_keys_that_are_none_are_refused_without_repeating_them(found: str, said: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        environment(K=found).keys("K")
    wanted = "K: give id:key, separated by commas, each key 32 random bytes in base64; "
    assert str(refusal.value) == wanted + said
