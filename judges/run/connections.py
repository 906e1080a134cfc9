"""The endpoints of one run: each is set up once and shared by all suites that name it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from judges.ask.judge import usable
from judges.core.row import Notice
from judges.files.config import ProjectConfig
from judges.files.dotenv import merge_env, read_config
from judges.files.replay import read_replay
from judges.providers.base import Provider
from judges.providers.cache import Keeping
from judges.providers.connect import VENDORS, connect, parse_model
from judges.providers.limit import Terms
from judges.providers.store import Store


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider, and its own name of the model."""

    provider: Provider
    model: str


@dataclass(frozen=True, slots=True)
class Connections:
    """Connects the names of models to endpoints.

    `environ` holds the keys and addresses. `own` are providers by full model name that a program brings
    along, as a test does; they are taken as they are. `store` is where answers are kept, if they are.
    """

    environ: Mapping[str, str]
    terms: Terms = field(default_factory=Terms)
    own: Mapping[str, Provider] = field(default_factory=dict)
    store: Store | None = None
    _config: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    _open: dict[tuple[object, ...], Endpoint] = field(default_factory=dict)

    def with_config(self, config: Path | None) -> "Connections":
        """Return the connections of a suite with a `.env` file; suites with the same variables share them.

        Raises:
            ConfigError: the file cannot be used.
        """
        own = read_config(config, self.environ)
        if not own:
            return self
        return replace(self, environ=merge_env(self.environ, own), _config=tuple(own.items()))

    def endpoint(self, name: str, base_url: str | None = None, *, folder: Path | None = None) -> Endpoint:
        """Return the endpoint of a model; the file of a `replay:FILE` name is relative to `folder`.

        Raises:
            ConfigError: the name, the address or the key cannot be used, or a file cannot be read.
        """
        if name in self.own:
            return Endpoint(self.own[name], name)
        model, config = parse_model(name), self._config
        if model.provider == "replay":
            path = str((folder or Path()) / model.model)
            base_url, model = None, type(model)(model.provider, path)
        if model.provider == "local":
            base_url, config = None, ()  # nothing of either changes it: all suites share one
        key = str(model), base_url, config
        if key not in self._open:
            provider = connect(
                model,
                environ=self.environ,
                base_url=base_url,
                terms=self.terms,
                keeping=Keeping(self.store, usable) if self.store else None,
                load_replay=lambda file: read_replay(Path(file)),
            )
            self._open[key] = Endpoint(provider, model.model)
        return self._open[key]

    def notices(self) -> tuple[Notice, ...]:
        """Return what went wrong without harm to any result."""
        return (Notice(self.store.problem),) if self.store and self.store.problem else ()


def addresses(config: ProjectConfig) -> dict[str, str]:
    """Return the project's addresses of servers, by the environment variables that they go before."""
    given = config.base_url.model_dump(exclude_none=True)
    return {VENDORS[name].url_variable: url for name, url in given.items()}
