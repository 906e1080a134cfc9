"""A real `tsx`, installed once a session, for tests of TypeScript runners."""

import subprocess
from pathlib import Path
from shutil import which

import pytest

HOW = "it needs Node.js 18 or newer with npm (https://nodejs.org), which `npm install tsx` works with"


@pytest.fixture(scope="session")
def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder `node_modules` with tsx in it, installed with the user's own settings of npm."""
    folder = tmp_path_factory.mktemp("tsx")
    npm = which("npm")
    if npm is None:
        pytest.fail(f"there is no npm for the tests of TypeScript runners: {HOW}")
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), "tsx"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    if done.returncode:
        pytest.fail(f"npm could not install tsx ({done.stderr.strip()}): {HOW}")
    return folder / "node_modules"
