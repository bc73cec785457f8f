"""Typed readers over a mapping of environment variables. Pure: the mapping and the file reader are handed in.

Every reader either returns a value of its type or raises `BadSetting` naming the variable, what was found and
what is wanted. What was asked for is remembered in `declared`, so that a test can compare `.env.example` with it.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


class BadSetting(Exception):
    """A variable is missing or its value cannot be used; the message says which and what to give."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable that the settings read: its kind, and its default as it would be written, None if required."""

    name: str
    kind: str
    default: str | None


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """Where a PostgreSQL database is and who connects. host may be a directory that holds a Unix socket."""

    name: str
    user: str
    password: str
    host: str
    port: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over. starts_tls: TLS begins within the connection; is_tls: with it."""

    host: str
    port: int
    user: str
    password: str
    starts_tls: bool
    is_tls: bool


class Environment:
    """Reads typed settings out of a mapping; a blank value counts as absent."""

    def __init__(self, values: Mapping[str, str], read_file: Callable[[str], str]) -> None:
        self._values = values
        self._read_file = read_file
        self.declared: dict[str, Declared] = {}

    def text(self, name: str, default: str | None = None) -> str:
        """The variable's text; raises BadSetting when it is absent and has no default."""
        return self._read(name, "text", default)

    def optional(self, name: str) -> str:
        """The variable's text, or "" when it is absent."""
        return self._read(name, "text", "")

    def choice(self, name: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """One of `allowed`."""
        found = self._read(name, "choice", default)
        if found not in allowed:
            raise BadSetting(f"{name} is {found!r}; give one of {', '.join(allowed)}.")
        return found

    def flag(self, name: str, default: bool = False) -> bool:
        """True or False, from 1/0, true/false, yes/no or on/off."""
        found = self._read(name, "flag", "1" if default else "0").lower()
        if found in _TRUE:
            return True
        if found in _FALSE:
            return False
        raise BadSetting(f"{name} is {found!r}; give 1 or 0.")

    def integer(self, name: str, default: int | None = None, *, low: int = 0, high: int = 2**31 - 1) -> int:
        """A whole number from low to high, both included."""
        found = self._read(name, "integer", None if default is None else str(default))
        wanted = f"give a whole number from {low} to {high}."
        try:
            number = int(found)
        except ValueError:
            raise BadSetting(f"{name} is {found!r}; {wanted}") from None
        if not low <= number <= high:
            raise BadSetting(f"{name} is {number}; {wanted}")
        return number

    def names(self, name: str, default: tuple[str, ...] = ()) -> list[str]:
        """A list, from values separated by commas."""
        found = self._read(name, "list", ",".join(default))
        return [part.strip() for part in found.split(",") if part.strip()]

    def secret(self, name: str, default: str | None = None) -> str:
        """A secret, from NAME or from the file that NAME_FILE names; raises BadSetting when there is neither."""
        path = self._values.get(f"{name}_FILE", "").strip()
        self.declared[f"{name}_FILE"] = Declared(f"{name}_FILE", "path", "")
        if path and self._values.get(name, "").strip():
            raise BadSetting(f"{name} and {name}_FILE are both set; give one of them.")
        if path:
            self.declared[name] = Declared(name, "secret", default)
            try:
                return self._read_file(path).strip()
            except OSError as error:
                raise BadSetting(f"{name}_FILE names {path}, which cannot be read: {error.strerror}.") from None
        return self._read(name, "secret", default)

    def keys(self, name: str, default: str | None = None) -> tuple[tuple[str, bytes], ...]:
        """(id, 32 bytes) of each encryption key, from "id:base64" separated by commas; at least one.

        Read like a secret; what was found is never repeated. Raises BadSetting also where an id stands twice.
        """
        wanted = f"{name}: give id:key, separated by commas, each key 32 random bytes in base64"
        found: dict[str, bytes] = {}
        for number, written in enumerate(self.secret(name, default).split(","), start=1):
            key_id, _, encoded = written.strip().partition(":")
            try:
                key = base64.b64decode(encoded, validate=True)
            except (binascii.Error, ValueError):
                key = b""
            if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", key_id) or len(key) != 32:
                raise BadSetting(f"{wanted}; number {number} is none.")
            if key_id in found:
                raise BadSetting(f"{wanted}; number {number} has the id of an earlier one.")
            found[key_id] = key
        return tuple(found.items())

    def database(self, name: str, *, required: bool = True) -> DatabaseAddress | None:
        """The database that a postgresql:// URL names; None when it is absent and not required."""
        found = self.secret(name, None if required else "")
        return parse_database_url(name, found) if found else None

    def _read(self, name: str, kind: str, default: str | None) -> str:
        self.declared[name] = Declared(name, kind, default)
        found = self._values.get(name, "").strip()
        if found:
            return found
        if default is None:
            raise BadSetting(f"{name} is not set; see .env.example for what it means.")
        return default


def parse_database_url(name: str, url: str) -> DatabaseAddress:
    """The parts of a postgresql:// URL; a `host` parameter overrides the authority (for a socket directory).

    The URL may hold a password, so no message repeats it.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadSetting(f"{name} is not a URL; give postgresql://user:password@host:5432/database.") from None
    if parts.scheme not in ("postgresql", "postgres"):
        raise BadSetting(f"{name} begins with {parts.scheme!r}; give postgresql://user:password@host:5432/database.")
    query = dict(parse_qsl(parts.query))
    database, user = unquote(parts.path.lstrip("/")), unquote(parts.username or "")
    if not database or not user:
        raise BadSetting(f"{name} names no database or no user; give postgresql://user:password@host:5432/database.")
    return DatabaseAddress(
        name=database,
        user=user,
        password=unquote(parts.password or ""),
        host=query.pop("host", "") or unquote(parts.hostname or ""),
        port=query.pop("port", "") or (str(port) if port else ""),
        options=tuple(sorted(query.items())),
    )


def mail_server(name: str, url: str) -> MailServer:
    """The parts of smtp://user:password@host:587?tls=1, or of smtps:// where TLS begins at once.

    The URL may hold a password, so no message repeats it.
    """
    wanted = f"{name} names no mail server; give smtp://user:password@host:587?tls=1, or smtps://…:465."
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadSetting(wanted) from None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise BadSetting(wanted)
    is_tls = parts.scheme == "smtps"
    return MailServer(
        host=parts.hostname,
        port=port or (465 if is_tls else 587),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starts_tls=not is_tls and dict(parse_qsl(parts.query)).get("tls", "").lower() in _TRUE,
        is_tls=is_tls,
    )
