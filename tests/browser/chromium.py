"""A real browser for tests: Debian's Chromium, headless, driven by Playwright. Nothing is downloaded.

    def test_something(page: Page, incidents: Incidents, tmp_path: Path) -> None:
        page.goto((tmp_path / "report.html").as_uri())
        page.get_by_role("checkbox", name="PASS").press("Space")

`page` is a new tab with storage of its own; it may open files, and servers on this machine by 127.0.0.1 or
localhost. `incidents` holds what a good page never does, in words: a request to anywhere else, a dialog, an
error or a refusal of the Content-Security-Policy on the console, an exception in a script, a tab or a
download that opens by itself. What is left in it when the test ends fails the test; one that provokes some
looks at them and clears the list. `new_page` makes further tabs, each with storage of its own, with what
Playwright's `new_context` takes: `new_page(color_scheme="dark", viewport={...})`. All tests of a worker share
one browser. A server of the test's own runs in a thread.

Playwright keeps an event loop in the thread of the tests; what uses asyncio runs in another one.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:  # the import takes half a second, and every run of pytest reads this module
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Route

MISSING = "needs Chromium, which `apt-get install chromium` gets on Debian"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
LOCAL = ("127.0.0.1", "localhost")

Incidents: TypeAlias = list[str]
NewPage: TypeAlias = "Callable[..., Page]"


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Browser]":
    """The browser that all tests of a worker share."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=FLAGS,
            env={**os.environ, "HOME": str(tmp_path_factory.mktemp("browser"))},
        )
        yield started
        started.close()


@pytest.fixture
def incidents() -> Iterator[Incidents]:
    """What pages did that they must not do; the test fails at its end where anything is left in it."""
    found: Incidents = []
    yield found
    assert found == []


@pytest.fixture
def new_page(browser: "Browser", incidents: Incidents) -> Iterator[NewPage]:
    """Open tabs that are watched."""
    with ExitStack() as opened:

        def open_page(**options: object) -> "Page":
            context = browser.new_context(service_workers="block", **options)  # type: ignore[arg-type]
            opened.callback(context.close)
            page = context.new_page()
            watch(context, page, incidents)
            return page

        yield open_page


@pytest.fixture
def page(new_page: NewPage) -> "Page":
    """A tab that is watched."""
    return new_page()


def watch(context: "BrowserContext", page: "Page", incidents: Incidents) -> None:
    """Refuse what leaves this machine, and note every incident."""

    def decide(route: "Route") -> None:
        url = urlsplit(route.request.url)
        if url.scheme == "file" or url.hostname in LOCAL:
            route.continue_()
        else:
            incidents.append(f"request to {route.request.url}")
            route.abort()

    def hear(message: "ConsoleMessage") -> None:
        if message.type in ("error", "assert"):
            incidents.append(f"console: {message.text}")

    def refuse(dialog: "Dialog") -> None:
        incidents.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    context.route("**/*", decide)
    context.on("page", lambda other: incidents.append(f"another tab: {other.url}"))
    page.on("console", hear)
    page.on("dialog", refuse)
    page.on("pageerror", lambda error: incidents.append(f"exception: {error.message}"))
    page.on("download", lambda download: incidents.append(f"download: {download.url}"))


def find_chromium() -> str:
    """The path of the browser. Where it is missing the test is skipped with the reason; in CI it fails."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is not None:
        return found
    if os.environ.get("CI"):
        pytest.fail(MISSING)
    pytest.skip(MISSING)
