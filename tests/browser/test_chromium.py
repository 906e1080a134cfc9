"""The watched browser sees what it is to see."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from browser.chromium import Incidents, NewPage
from playwright.sync_api import Page

POLICY = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"


@pytest.mark.parametrize(
    ("html", "incident"),
    [
        ("<script>alert('ran')</script>", "alert: ran"),
        ("<script>throw new Error('broke')</script>", "exception: broke"),
        ("<script>console.error('said')</script>", "console: said"),
        ("<img src=https://attacker.invalid/x>", "request to https://attacker.invalid/x"),
        ("<meta http-equiv=refresh content='0;url=https://attacker.invalid'>", "request to https://attacker"),
        ("<script>window.open('about:blank')</script>", "another tab: "),
        (f"{POLICY}<script>alert(1)</script>", "console: Executing inline script violates"),
        (f"{POLICY}<style>p {{color: red}}</style>", "console: Applying inline style violates"),
        (f"{POLICY}<img src=x.png>", "console: Loading the image"),
    ],
)
def test_incidents(page: Page, incidents: Incidents, tmp_path: Path, html: str, incident: str) -> None:
    """What a page must never do is noted, and nothing leaves this machine."""
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><title>t</title>{html}")
    page.goto(file.as_uri())
    page.wait_for_timeout(100)
    seen, incidents[:] = list(incidents), []
    assert [each for each in seen if each.startswith(incident)]


def test_a_good_page(new_page: NewPage, tmp_path: Path) -> None:
    """A server of this machine is reached, in any viewport."""
    (tmp_path / "index.html").write_text("<!doctype html><title>hello</title>")
    serve = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = new_page(viewport={"width": 390, "height": 800})
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        assert (page.title(), page.evaluate("innerWidth")) == ("hello", 390)
        server.shutdown()
