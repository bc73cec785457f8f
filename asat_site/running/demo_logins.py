"""Who can sign in to a run of `make run`: made up once, with generated passwords, kept in var/demo.json."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from asat_site.running import kept

PLATFORM_HOST = "platform.localhost"


@dataclass(frozen=True, slots=True)
class Login:
    """A user of the demo. practice: its practice's name, "" for the platform's administrator."""

    host: str
    practice: str
    email: str
    role: str
    password: str


@dataclass(frozen=True, slots=True)
class DemoLogins:
    """The users of the demo and the file they are kept in."""

    path: str
    logins: tuple[Login, ...]

    def words(self, port: int) -> str:
        """What `make run` prints: where to go, and as whom."""
        lines = ["", "AsAt is running.", ""]
        for host in dict.fromkeys(login.host for login in self.logins):
            here = [login for login in self.logins if login.host == host]
            lines.append(f"  http://{host}:{port}/   {here[0].practice or 'platform administration'}")
            lines += [f"      {login.role:<14} {login.email:<28} {login.password}" for login in here]
        lines += [
            "",
            f"  These passwords were generated for this machine and are kept in {self.path}.",
            "  Ctrl-C stops.",
        ]
        return "\n".join([*lines, ""])


def read_or_make(path: Path) -> DemoLogins:
    """The logins kept in the file; made, and kept, when there are none."""
    text = kept.read_or_make(path, lambda: json.dumps([asdict(login) for login in _make()], indent=1))
    return DemoLogins(str(path), tuple(Login(**login) for login in json.loads(text)))


def _make() -> list[Login]:
    def login(host: str, practice: str, email: str, role: str) -> Login:
        return Login(host, practice, email, role, secrets.token_urlsafe(12))

    demo, other = "Demo Practice", "Other Practice"
    return [
        login("localhost", demo, "owner@demo.example", "owner"),
        login("localhost", demo, "agent@demo.example", "agent"),
        login("localhost", demo, "reader@demo.example", "read_only"),
        login("other.localhost", other, "owner@other.example", "owner"),
        login("other.localhost", other, "agent@other.example", "agent"),
        login(PLATFORM_HOST, "", "admin@platform.example", "administrator"),
    ]
