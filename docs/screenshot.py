"""Takes the picture of the review page: `docs/images/review.png`. It needs Chromium.

python docs/screenshot.py
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).parent
EXAMPLE = DOCS.parent / "examples/support-reply"
PICTURE = DOCS / "images/review.png"
SIZE = {"width": 1280, "height": 680}
CASE = "where-is-my-order"
LEVELS = "4434"


@contextmanager
def serve_example(folder: Path) -> Iterator[str]:
    """Run the example without its ratings, and serve its review; yields the address."""
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    for ratings in folder.rglob("ratings.jsonl"):
        ratings.unlink()
    scaffold = [sys.executable, "-m", "scaffold"]
    where = {"cwd": folder, "env": {**os.environ, "PYTHONPATH": str(DOCS.parent)}}
    run = [*scaffold, "run", "--quiet"]
    subprocess.run(run, stdout=subprocess.DEVNULL, check=False, **where)  # noqa: S603  (our own command)
    command = [*scaffold, "review", "serve", "--author", "jane@example.com"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **where)  # noqa: S603  (it, too)
    try:
        yield server.stdout.readline().strip()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def take_picture(page: Page, url: str) -> None:
    """Rate one case by keyboard, so that the judge is shown beside the person's levels."""
    page.goto(f"{url}&text={CASE}&every=1")
    page.goto(page.url.partition("?")[0])
    for key in LEVELS:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.locator("#judge").wait_for()
    page.locator("mark").first.scroll_into_view_if_needed()
    page.locator(".opinions").evaluate("each => each.scrollTop = 0")
    page.mouse.move(0, 0)
    PICTURE.parent.mkdir(exist_ok=True)
    page.screenshot(path=PICTURE)


def main() -> None:
    """Take the picture."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_example(Path(folder)) as url,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        take_picture(browser.new_page(viewport=SIZE, color_scheme="light"), url)
        browser.close()


if __name__ == "__main__":
    main()
