"""What a journey needs: the fictional Act, a site that runs, and a browser for each test.

Playwright is started for each test and stopped before the test's database connection is looked at again: while it
runs, Django takes the thread for an asynchronous one and refuses to query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from asat_site.testing.phrases import phrase_vectors_kept
from asat_site.testing.plugin import working
from asat_site.testing.practices import PASSWORD, KnownPractice, make_throwaway
from asat_site.testing.processes import workers_at_rest

FICTIONAL = settings.BASE_DIR / "research" / "corpus" / "fictional"
SCREENSHOTS = settings.BASE_DIR / "var" / "screenshots"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
ANSWERED = "Can a harbour pilot deduct travel between two ports?"
IN_A_GAP = "What is the rate of harbour dues?"
CHANGED = "What changed in s 5-20 of the Harbour Dues (Fictional) Act 1999 between FY2019 and FY2023?"
OUT_OF_SCOPE = "How much stamp duty is there on a house in Victoria?"

expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def law(services: Any, django_db_blocker: Any) -> None:
    """The fictional Act that ships with the product, with its vectors and its verified examples."""
    with django_db_blocker.unblock():
        call_command("corpus", "import", str(FICTIONAL), "--no-embed")
        with phrase_vectors_kept():
            call_command("corpus", "embed")  # now, so that no answer is given before and replayed after


@pytest.fixture(scope="session")
def worker(services: Any, hubspot_port: int, xero_port: int, django_db_blocker: Any) -> Iterator[Path]:
    """One worker for all journeys, each of which needs it."""
    with django_db_blocker.unblock(), working(services, hubspot_port, xero_port) as log:
        yield log


@dataclass(frozen=True, slots=True)
class Site:
    """A practice on a running web server with a running worker."""

    practice: KnownPractice
    port: int

    @property
    def address(self) -> str:
        return f"http://{self.practice.host}:{self.port}"

    def sign_in(self, page: Page, role: str = "agent") -> Page:
        """`page`, signed in by the form and on Research."""
        page.goto(f"{self.address}/")
        page.get_by_label("E-mail address").fill(self.practice.users[role].email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(f"{self.address}/")
        return page


@pytest.fixture
def site(law: None, worker: Any, web: int) -> Site:
    """A practice for this test alone, so that its transcript is empty and no other test's answers are in it."""
    return Site(make_throwaway("Harbour Accountants"), web)


@pytest.fixture
def own_document(site: Site, tmp_path: Path) -> None:
    """A document of the site's practice alone. Ask for it before the browser, which keeps the database to itself."""
    head = f"---\nnumber: KB-5\ntitle: Pilots\ntenant: {site.practice.host}\neffective: 2018-07-01\n---\n\n"
    written = tmp_path / "pilots.md"
    written.write_text(f"{head}# Travel\n\nStaff check what a pilot spends on travel against the pilot's own log.\n")
    call_command("corpus", "import", str(written), "--no-embed", practice=site.practice.host)


@pytest.fixture
def stranger(site: Site) -> Site:
    """Another practice on the same server."""
    return Site(make_throwaway("Strangers"), site.port)


def chromium() -> str:
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    assert found, "The browser tests need Chromium. On Debian: apt-get install chromium"
    return found


@pytest.fixture
def browser(site: Site, request: pytest.FixtureRequest) -> Iterator[Browser]:
    for name in {"stranger", "own_document"} & set(request.fixturenames):
        request.getfixturevalue(name)  # made while the database may still be used
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def new_page(browser: Browser) -> Callable[..., Page]:
    """Makes a page in a browser context of its own; whatever it logs as an error fails the test at its end."""

    def make(**options: Any) -> Page:
        context: BrowserContext = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        return context.new_page()

    return make


@pytest.fixture
def page(new_page: Callable[..., Page], site: Site) -> Iterator[Page]:
    """A page signed in as the practice's agent. A script error or a blocked inline anything fails the test."""
    opened = new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda m: wrong.append(m.text) if "Content Security Policy" in m.text else None)
    yield site.sign_in(opened)
    assert wrong == []


def ask(page: Page, question: str, year: str = "") -> Any:
    """The result that belongs to the question, running or done."""
    if year:
        page.get_by_label("Income year", exact=True).select_option(label=_option(page, year))
    box = page.get_by_label("Your question")
    box.fill(question)
    box.press("Enter")
    return page.locator("article.result").filter(has_text=question).first


def answered(page: Page, question: str, year: str = "") -> Any:
    """The same, once the answer is there."""
    result = ask(page, question, year)
    expect(result.locator("footer.foot-note")).to_be_visible()
    return result


def _option(page: Page, year: str) -> str:
    options = page.get_by_label("Income year", exact=True).locator("option").all_inner_texts()
    return next(option for option in options if option.startswith(year))


@contextmanager
def no_worker_free() -> Iterator[None]:
    """A question that is asked meanwhile waits."""
    with workers_at_rest() as number:
        assert number, "no worker runs"
        yield


def picture(page: Page, name: str) -> Path:
    """A screenshot of the whole page in the ignored folder."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path
