"""The site is whole: it is built without a warning and without a network, and all links lead somewhere."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
MARKDOWN = [
    *PAGES,
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(ROOT / "examples").glob("*/README.md"),
]
OFFLINE = (
    "import socket, sys; from sphinx.cmd.build import main; socket.socket.connect = None; "
    "sys.exit(main(sys.argv[1:]))"
)
STRICT = ("--quiet", "--fail-on-warning", "--keep-going")
_PARSER = MarkdownIt().enable("table").use(anchors_plugin, max_level=6)
_FETCHED = re.compile(r'<(?:script|img|source|iframe)\b[^>]*? src="([^"]*)"|<link\b[^>]*? href="([^"]*)"')


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Build a site as `make site` does, by a process that cannot connect to anything."""
    command = [sys.executable, "-c", OFFLINE, *STRICT, str(source), str(target)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; a page that is in no list of index.md would be a warning, so would a broken link."""
    folder = tmp_path_factory.mktemp("site")
    done = build(DOCS, folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_make_builds_it_as_strictly() -> None:
    """What is built by hand is what is tested."""
    (line,) = re.findall(r"^\t\S*sphinx-build (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert line.split()[: len(STRICT)] == list(STRICT)


def test_the_navigation_has_every_page(site: Path) -> None:
    """Whoever is on any page finds each of the others."""
    for page in ("index.html", "how-to/ci.html"):
        (tree,) = re.findall(
            r'<div class="sidebar-tree">(.*?)</div>', (site / page).read_text("utf-8"), re.DOTALL
        )
        links = {(site / page).parent / link for link in re.findall(r'href="([^"#]+)"', tree)}
        here = {site / page, site / "index.html"}
        expected = {(site / each.relative_to(DOCS)).with_suffix(".html") for each in PAGES}
        assert {each.resolve() for each in links} | here == expected


def test_nothing_is_fetched(site: Path) -> None:
    """Fonts, styles and scripts are the site's own: it can be read without a network."""
    fetched = {
        (page.name, address)
        for page in site.rglob("*.html")
        for found in _FETCHED.findall(page.read_text("utf-8"))
        for address in found
        if address
    }
    assert len(fetched) > 100
    assert {each for each in fetched if urlsplit(each[1]).netloc} == set()
    styles = [path.read_text("utf-8") for path in site.rglob("*.css")]
    assert styles
    elsewhere = re.compile(r"(?:url\(|@import)[\s'\"]*(?:https?:)?//[^)]*")
    assert [found for style in styles for found in elsewhere.findall(style)] == []


def test_options_can_be_copied(site: Path) -> None:
    """Two hyphens stay two hyphens, also where an option stands in a sentence."""
    shown = (site / "reference/cli.html").read_text("utf-8")
    assert "with --null-control 3 in place" in shown
    assert "\N{EN DASH}" not in shown


def test_mistakes_are_found(tmp_path: Path) -> None:
    """A broken link, a heading that is not there, and a page that no list has, each by its place."""
    shutil.copy(DOCS / "conf.py", tmp_path)
    (tmp_path / "index.md").write_text(
        "# One\n\n[a](gone.md)\n\n[b](two.md#gone)\n\n[c](two.md#here)\n\n```{toctree}\ntwo\n```\n"
    )
    (tmp_path / "two.md").write_text("# Two\n\n## Here\n")
    (tmp_path / "three.md").write_text("# Three\n")
    done = build(tmp_path, tmp_path / "site")
    found = [line.removeprefix(f"{tmp_path}/") for line in done.stderr.splitlines() if "WARNING" in line]
    assert done.returncode == 1
    assert [line.split(" ")[0] for line in found] == ["three.md:", "index.md:3:", "index.md:5:"]


def _links(text: str) -> Iterator[str]:
    for token in _PARSER.parse(text):
        for inner in token.children or ():
            if inner.type in ("link_open", "image"):
                yield str(inner.attrs["href" if inner.type == "link_open" else "src"])


def _anchors(page: Path) -> set[str]:
    tokens = _PARSER.parse(page.read_text("utf-8"))
    return {str(token.attrs["id"]) for token in tokens if token.type == "heading_open"}


def _leads_somewhere(page: Path, link: str) -> bool:
    """An address elsewhere has to look like one; a file, and a heading in it, has to be there."""
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme == "https" and re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc) is not None
    target = page.parent / unquote(parts.path) if parts.path else page
    return target.exists() and (not parts.fragment or unquote(parts.fragment) in _anchors(target))


@pytest.mark.parametrize("page", [pytest.param(each, id=str(each.relative_to(ROOT))) for each in MARKDOWN])
def test_links_lead_somewhere(page: Path) -> None:
    """As the pages are read in the repository, README and change log among them."""
    links = list(_links(page.read_text("utf-8")))
    assert [link for link in links if not _leads_somewhere(page, link)] == []


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("tutorial.md", True),
        ("how-to/grid.md#run-one", True),
        ("#where-to-go", True),
        ("#gone", False),
        ("gone.md", False),
        ("how-to/grid.md#gone", False),
        ("https://example.com/a", True),
        ("http://example.com/a", False),
        ("https://example/a", False),
    ],
)
def test_links_are_told_apart(link: str, leads: bool) -> None:
    """Those that lead somewhere, and those that do not."""
    assert _leads_somewhere(DOCS / "index.md", link) is leads
